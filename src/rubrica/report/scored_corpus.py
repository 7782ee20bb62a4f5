"""Scoring a whole corpus: blocks out, sums in, sentences to whoever wants to see them pass by."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import attrs

from rubrica import __version__
from rubrica.engine import Resume, run
from rubrica.engine.resume import DONE
from rubrica.exchange.corpus import Corpus
from rubrica.metrics.results import Scores, SentenceScores
from rubrica.metrics.scoring import BLOCK, Scorer, from_bytes, to_bytes
from rubrica.metrics.signing import signed
from rubrica.metrics.totals import Totals

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
    """The scores of every system of the corpus, the same wherever they are computed.

    ``watchers`` get every block with its texts and the figures of its sentences, in order; ``tell`` hears how many
    sentences are done, ``note`` what an interrupted run has left to go on from.
    """
    scorer = attrs.evolve(scorer, each_sentence=bool(watchers))
    totals = Totals(scorer, corpus.systems)
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
    data = {**_data(corpus), "permutations": scorer.resampling.permutations(len(corpus.systems)) or None}
    signature = signed(scorer, data)
    with closing(found):
        beside = corpus.blocks(BLOCK) if watchers else None
        for sums in found:
            totals.add(sums)
            if beside is not None:
                figures = dict(zip(corpus.systems, sums.sentences, strict=True))
                scored = SentenceScores(next(beside), scorer.figures, figures, signature)
                for watch in watchers:
                    watch(scored)
    return totals.scores(data)


def _data(corpus: Corpus) -> dict[str, object]:
    """What a signature says of the texts."""
    fewest, most = corpus.references
    references = str(most) if fewest == most else f"{fewest}-{most}"
    return {"data": corpus.digest[:12], "refs": references, "sentences": corpus.sentences}


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
    parts = (corpus.digest, settings, scorer.resampling, scorer.each_sentence, BLOCK, __version__)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
