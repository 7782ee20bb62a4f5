"""Scoring a whole corpus: blocks out, sums in, sentences to whoever wants to see them pass by."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import attrs
import numpy as np

from rubrica import __version__
from rubrica.core.human_rewrites import joined
from rubrica.engine import Resume, run
from rubrica.engine.resume import DONE
from rubrica.exchange.corpus import Corpus, HeldBack
from rubrica.exchange.scores import NO_DATASET
from rubrica.metrics.results import Scores, SentenceScores, Totals
from rubrica.metrics.scoring import BLOCK, BlockSums, Scorer, from_bytes, signed, to_bytes

Watcher = Callable[[SentenceScores], None]


@attrs.frozen(kw_only=True)
class Place:
    """Where the work is done: processes of this machine or a dask scheduler, and where finished blocks are kept.

    ``fresh`` forgets what an interrupted run of the same work has finished.
    """

    workers: int = 1
    cluster: str = ""
    unfinished: Path | None = None
    fresh: bool = False


HERE = Place()


def score_corpus(
    corpus: Corpus,
    scorer: Scorer,
    place: Place = HERE,
    watchers: Sequence[Watcher] = (),
    tell: Callable[[int], None] | None = None,
    note: Callable[[str], None] | None = None,
) -> Scores:
    """The scores of every system of the corpus and of each of its data sets, the same wherever they are computed.

    ``watchers`` get every block with its texts and the figures of its sentences, in order; ``tell`` hears how many
    sentences are done, ``note`` what an interrupted run has left to go on from.
    """
    scorer = attrs.evolve(scorer, each_sentence=bool(watchers))
    totals = _AllTotals(scorer, corpus)
    resume = _resume(place, digest(corpus, scorer), note) if place.unfinished else None
    found = run(
        scorer,
        corpus.blocks(BLOCK),
        workers=place.workers,
        cluster=place.cluster,
        resume=resume,
        progress=tell,
        size=len,
    )
    signature = signed(scorer, _data(corpus, scorer))
    with closing(found):
        beside = corpus.blocks(BLOCK) if watchers or any(corpus.datasets) else None
        for sums in found:
            block = next(beside) if beside is not None else None
            totals.add(sums, block.dataset if block else "")
            if watchers and block is not None:
                figures = dict(zip(corpus.systems, sums.sentences, strict=True))
                cuts = np.cumsum(sums.widths)[:-1]
                rows = {name: np.split(own, cuts, axis=-1) for name, own in zip(corpus.systems, sums.rows, strict=True)}
                for watch in watchers:
                    watch(SentenceScores(block, scorer.figures, figures, signature, rows))
    return totals.scores()


class _AllTotals:
    """Adds up blocks, together and by data set."""

    def __init__(self, scorer: Scorer, corpus: Corpus) -> None:
        self.scorer, self.corpus = scorer, corpus
        self._whole = Totals(scorer, corpus.systems)
        named = corpus.datasets if any(corpus.datasets) else ()
        self._parts = {name: Totals(scorer, corpus.systems) for name in named}

    def add(self, sums: BlockSums, dataset: str) -> None:
        """Add a block of a data set."""
        self._whole.add(sums)
        if dataset in self._parts:
            self._parts[dataset].add(sums)

    def scores(self) -> Scores:
        """The scores of all, with those of each data set in them."""
        parts = {name or NO_DATASET: self._scores(totals, name) for name, totals in self._parts.items()}
        return attrs.evolve(self._scores(self._whole, None), datasets=parts)

    def _scores(self, totals: Totals, dataset: str | None) -> Scores:
        """Without systems that rewrote nothing of a data set."""
        held = _held_back(self.corpus, self.scorer, dataset)
        found = totals.scores(_data(self.corpus, self.scorer, dataset))
        systems = [
            attrs.evolve(one, left_out=held[one.name].left_out, unreferenced=held[one.name].unreferenced)
            for one in found.systems
            if one.sentences or dataset is None
        ]
        names = {one.name for one in systems}
        tests = (one for one in found.differences if {one.one, one.other} <= names)
        return attrs.evolve(found, systems=tuple(systems), differences=tuple(tests), human=self.corpus.human.systems)


def _data(corpus: Corpus, scorer: Scorer, dataset: str | None = None) -> dict[str, object]:
    """What a signature says of the texts: all, or those of a data set.

    Which systems are people's is part of it where metrics need references: their own rewrites are left out of those.
    """
    fewest, most = corpus.references
    found: dict[str, object] = {
        "data": corpus.digest[:12],
        "dataset": dataset,
        "refs": str(most) if fewest == most else f"{fewest}-{most}",
        "sentences": corpus.sentences if dataset is None else None,
        "permutations": scorer.resampling.permutations(len(corpus.systems)) or None,
    }
    held = _held_back(corpus, scorer, dataset).values()
    if any(metric.needs_references for metric in scorer.metrics):
        found["human"] = joined(corpus.human.systems)
        found["own_refs_left_out"] = sum(one.left_out for one in held) or None
        found["without_refs"] = sum(one.unreferenced for one in held) or None
    return found


def _held_back(corpus: Corpus, scorer: Scorer, dataset: str | None) -> dict[str, HeldBack]:
    """What metrics do without; nothing where none of them needs references."""
    if any(metric.needs_references for metric in scorer.metrics):
        return corpus.held_back(dataset)
    return dict.fromkeys(corpus.systems, HeldBack())


def _resume(place: Place, run_of: str, note: Callable[[str], None] | None) -> Resume:
    assert place.unfinished is not None
    kept = place.unfinished / run_of
    if place.fresh and kept.exists():
        shutil.rmtree(kept)
    done = len(list(kept.glob(f"*{DONE}")))
    if done and note:
        note(f"going on after {done} finished blocks of {BLOCK} sentences; --fresh starts anew")
    return Resume(place.unfinished, run_of, to_bytes, from_bytes)


def digest(corpus: Corpus, scorer: Scorer) -> str:
    """Everything that the sums of blocks depend on: texts, metrics with their settings, resamples, this program."""
    settings = [(one.name, sorted(one.settings().items())) for one in scorer.metrics]
    each = scorer.each_sentence, scorer.each_row, BlockSums._fields
    parts = (corpus.digest, corpus.human.systems, settings, scorer.resampling, each, BLOCK, __version__)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
