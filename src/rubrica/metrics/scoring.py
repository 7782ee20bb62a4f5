"""Scoring a block of sentences: the sums of every metric for every system, of all sentences and of each resample.

This is the part that runs in other processes and on other machines. What it gives is a handful of arrays, as large for
a block of a thousand sentences as for one of ten.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.metrics.block import Block
from rubrica.metrics.metric import Figure, Floats, Metric
from rubrica.metrics.resampling import Resampling

BLOCK = 2048
"""Sentences of a block. What is drawn depends on it, so it is the same on every machine."""


class BlockSums(NamedTuple):
    """What a block adds: arrays whose first axis is the system and whose last is the metrics' rows, side by side.

    ``widths`` are the lengths of the metrics' rows. ``scored`` says how many sentences each system rewrote, ``shared``
    how many each two systems both did. ``sentences`` has the figures of single sentences (systems x sentences x
    figures), or nothing.
    """

    widths: npt.NDArray[np.int64]
    scored: npt.NDArray[np.int64]
    shared: npt.NDArray[np.int64]
    sums: Floats
    drawn: Floats
    swapped: Floats
    sentences: Floats


@attrs.frozen
class Scorer:
    """Metrics and resamples: a function of a block that can be sent elsewhere."""

    metrics: Sequence[Metric]
    resampling: Resampling
    each_sentence: bool = False

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What all metrics report, one after the other."""
        return tuple(figure for metric in self.metrics for figure in metric.figures)

    def __call__(self, block: Block) -> BlockSums:
        """The sums of a block."""
        names = list(block.outputs)
        there = np.array([[text is not None for text in block.outputs[name]] for name in names])
        rows = [self._rows(block, name, mask) for name, mask in zip(names, there, strict=True)]
        weights = self.resampling.weights(block.first, len(block))
        whole = np.concatenate([np.hstack(own) for own in rows], axis=1)
        width = whole.shape[1] // len(names)
        counted = there.astype(np.int64)
        return BlockSums(
            np.array([part.shape[1] for part in rows[0]]),
            counted.sum(axis=1),
            counted @ counted.T,
            whole.sum(axis=0).reshape(len(names), width),
            _by_system(weights @ whole, len(names)),
            _by_system(self._swapped(block, whole, len(names)), len(names)),
            self._sentences(rows, there) if self.each_sentence else np.zeros((len(names), 0, len(self.figures))),
        )

    def _swapped(self, block: Block, whole: Floats, systems: int) -> Floats:
        """Sums with a sign for each sentence, for the tests between systems."""
        parts = [signs @ whole for signs in self.resampling.signs(block.first, len(block), systems)]
        return np.concatenate(parts) if parts else whole[:0]

    def _rows(self, block: Block, system: str, there: npt.NDArray[np.bool_]) -> list[Floats]:
        return [metric.statistics(block, system) * there[:, None] for metric in self.metrics]

    def _sentences(self, rows: Sequence[Sequence[Floats]], there: npt.NDArray[np.bool_]) -> Floats:
        found = [
            np.hstack([metric.sentence_scores(part) for metric, part in zip(self.metrics, own, strict=True)])
            for own in rows
        ]
        return np.where(there[:, :, None], np.stack(found), np.nan)


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
