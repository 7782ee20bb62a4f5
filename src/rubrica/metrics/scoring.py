"""Scoring a block of sentences: the sums of every metric for every system, of all sentences and of each resample.

This is the part that runs in other processes and on other machines. What it gives is a handful of arrays, as large for
a block of a thousand sentences as for one of ten.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.metrics.block import Block
from rubrica.metrics.metric import Figure, Floats, Metric
from rubrica.metrics.resampling import Resampling
from rubrica.stats.bootstrap import GROUPS

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
