"""Scoring a block of sentences: the sums of every metric for every system, of all sentences and of each resample.

This is the part that runs in other processes and on other machines. What it gives is a handful of arrays, as large for
a block of a thousand sentences as for one of ten.

Resamples of sentences, drawn block by block: a million sentences need no more memory than a thousand. Each sentence is
drawn a Poisson number of times, as :func:`rubrica.stats.bootstrap.draws_of_part` says. For tests, the rewrites of two
systems change places with probability one half (approximate randomisation: Noreen 1989; Riezler and Maxwell 2005).
What is drawn depends on the seed and the first sentence of the block alone: all systems and metrics share it, on
whatever machine it is drawn.

The signature of scores: every metric with its settings, the resamples, and what was scored.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.core.signature import signature
from rubrica.metrics.metric import Block, Figure, Floats, Metric
from rubrica.stats.bootstrap import GROUPS, draws_of_part

FOR_EACH_PAIR, MOST = 40, 20_000
"""Permutations for each pair of systems, so that a corrected p can be as small as 1/40; but no more than this."""
AT_A_TIME = 1000
"""So many are in memory at once."""


@attrs.frozen
class Resampling:
    """How many resamples, and the seed that repeats them."""

    replicates: int = 1000
    seed: int = 1

    def weights(self, first: int, sentences: int) -> npt.NDArray[np.float64]:
        """How often each sentence is drawn: resamples x sentences."""
        return draws_of_part(self.replicates, sentences, _generator(self.seed, first, 0))

    def permutations(self, systems: int) -> int:
        """How often rewrites change places: as many as resamples, and enough for the pairs of systems.

        The smallest p is about 1 by this number, and Holm's correction multiplies it by the number of pairs.
        """
        pairs = systems * (systems - 1) // 2
        return max(self.replicates, min(MOST, FOR_EACH_PAIR * pairs)) if self.replicates and pairs else 0

    def signs(self, first: int, sentences: int, systems: int) -> Iterator[npt.NDArray[np.float64]]:
        """1 where rewrites stay in their places, -1 where they change: permutations x sentences, some at a time."""
        generator, wanted = _generator(self.seed, first, 1), self.permutations(systems)
        for begins in range(0, wanted, AT_A_TIME):
            rows = min(AT_A_TIME, wanted - begins)
            bits = np.frombuffer(generator.bytes(rows * sentences // 8 + 1), dtype=np.uint8)
            drawn = np.unpackbits(bits)[: rows * sentences].reshape(rows, sentences)
            yield drawn.astype(np.float64) * 2 - 1


def _generator(seed: int, first: int, use: int) -> np.random.Generator:
    return np.random.default_rng([seed, first, use])


Mask = npt.NDArray[np.bool_]
BLOCK = 2048
"""Sentences of a block. What is drawn depends on it, so it is the same on every machine."""


class BlockSums(NamedTuple):
    """What a block adds: arrays whose first axis is the system and whose last is the metrics' rows, side by side.

    ``widths`` are the lengths of the metrics' rows. ``scored`` says how many sentences each system rewrote, ``shared``
    how many each two systems both did; first of all sentences, then of those in which the rewrite has a reference.
    ``groups`` (systems x groups x rows) are the sums of every so-manieth sentence and ``grouped`` how many these are,
    counted as ``scored``: what is left without one of them shows how skewed a figure is. ``sentences`` has the figures
    of single sentences (systems x sentences x figures), ``rows`` their rows (systems x sentences x rows), or nothing.
    """

    widths: npt.NDArray[np.int64]
    scored: npt.NDArray[np.int64]
    shared: npt.NDArray[np.int64]
    sums: Floats
    drawn: Floats
    groups: Floats
    grouped: npt.NDArray[np.int64]
    swapped: Floats
    sentences: Floats
    rows: Floats


@attrs.frozen
class Scorer:
    """Metrics and resamples: a function of a block that can be sent elsewhere.

    A rewrite without a reference is not counted by metrics that need one. ``each_row`` also gives the rows of single
    sentences, from which the figures of any set of them follow.
    """

    metrics: Sequence[Metric]
    resampling: Resampling
    each_sentence: bool = False
    each_row: bool = False

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What all metrics report, one after the other."""
        return tuple(figure for metric in self.metrics for figure in metric.figures)

    def __call__(self, block: Block) -> BlockSums:
        """The sums of a block."""
        names = list(block.outputs)
        there = np.array([[text is not None for text in block.outputs[name]] for name in names])
        referenced = there & np.array([[bool(own) for own in block.references_of(name)] for name in names])
        rows = [self._rows(block, name, *masks) for name, *masks in zip(names, there, referenced, strict=True)]
        weights = self.resampling.weights(block.first, len(block))
        whole = np.concatenate([np.hstack(own) for own in rows], axis=1)
        width = whole.shape[1] // len(names)
        counted = np.stack([there, referenced]).astype(np.int64)
        return BlockSums(
            np.array([part.shape[1] for part in rows[0]]),
            counted.sum(axis=2),
            counted @ counted.swapaxes(1, 2),
            whole.sum(axis=0).reshape(len(names), width),
            _by_system(weights @ whole, len(names)),
            _by_system(_grouped(whole, block.first), len(names)),
            _grouped(counted.T, block.first).T,
            _by_system(self._swapped(block, whole, len(names)), len(names)),
            self._sentences(rows, there, referenced)
            if self.each_sentence
            else np.zeros((len(names), 0, len(self.figures))),
            np.stack([np.hstack(own) for own in rows]) if self.each_row else np.zeros((len(names), 0, width)),
        )

    def _swapped(self, block: Block, whole: Floats, systems: int) -> Floats:
        """Sums with a sign for each sentence, for the tests between systems."""
        parts = [signs @ whole for signs in self.resampling.signs(block.first, len(block), systems)]
        return np.concatenate(parts) if parts else whole[:0]

    def _rows(self, block: Block, system: str, there: Mask, referenced: Mask) -> list[Floats]:
        return [
            np.where((referenced if metric.needs_references else there)[:, None], metric.statistics(block, system), 0.0)
            for metric in self.metrics
        ]

    def _sentences(self, rows: Sequence[Sequence[Floats]], there: Mask, referenced: Mask) -> Floats:
        found = []
        for own, *masks in zip(rows, there, referenced, strict=True):
            of_metrics = zip(self.metrics, own, strict=True)
            figures = [
                np.where(masks[metric.needs_references][:, None], metric.sentence_scores(part), np.nan)
                for metric, part in of_metrics
            ]
            found.append(np.hstack(figures))
        return np.stack(found)


def _grouped(rows: npt.NDArray[Any], first: int) -> npt.NDArray[Any]:
    """The sums of the rows of each group: sentences are dealt to groups in turn, wherever the block begins."""
    group = (first + np.arange(len(rows))) % GROUPS
    found = np.zeros((GROUPS, *rows.shape[1:]), dtype=rows.dtype)
    order = np.argsort(group, kind="stable")
    present, starts = np.unique(group[order], return_index=True)
    found[present] = np.add.reduceat(rows[order], starts)
    return found


def _by_system(resampled: Floats, systems: int) -> Floats:
    """Resamples x (systems, rows) as systems x resamples x rows."""
    return np.ascontiguousarray(
        resampled.reshape(len(resampled), systems, resampled.shape[1] // systems).swapaxes(0, 1)
    )


def to_bytes(sums: BlockSums) -> bytes:
    """The sums of a block as they are kept on disk until all blocks are done."""
    out = io.BytesIO()
    np.savez(out, **sums._asdict())
    return out.getvalue()


def from_bytes(data: bytes) -> BlockSums:
    """The sums of a block again; nothing in the data is run."""
    with np.load(io.BytesIO(data), allow_pickle=False) as kept:
        return BlockSums(**{name: kept[name] for name in BlockSums._fields})


def signed(scorer: Scorer, data: Mapping[str, object]) -> str:
    """What reproduces the scores. ``data`` says what was scored."""
    resampling = scorer.resampling
    drawn = {"bootstrap": resampling.replicates, "seed": resampling.seed} if resampling.replicates else {}
    return signature({**{metric.name: _settings(metric) for metric in scorer.metrics}, **drawn, **data})


def settings_of(metric: Metric, human: Sequence[str] = ()) -> str:
    """The signature of a metric alone, whatever it is computed on.

    ``human`` are the systems whose own rewrites are left out of their references.
    """
    return signature({metric.name: _settings(metric), "human": "+".join(human)})


def _settings(metric: Metric) -> str:
    return ",".join(f"{key}={value}" for key, value in metric.settings().items()) or "yes"
