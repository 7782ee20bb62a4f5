"""What a metric is: sufficient statistics of every sentence, and figures that follow from their sums.

A metric never computes a figure from texts directly. It turns each sentence into a row of numbers that can be added
(matches, lengths, counts); the figure of a corpus, of one sentence, of a resample and of a permutation all follow from
sums of such rows. So intervals and tests cost no second look at the texts (the idea of sacreBLEU; Post, WMT 2018).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.metrics.block import Block

Floats = npt.NDArray[np.float64]

HIGHER, LOWER, NEITHER = "higher", "lower", "neither"
"""Which of two figures is the better one. Neither: it describes a rewrite without judging it."""


@attrs.frozen
class Figure:
    """One number that a metric reports: the key in JSON, the title in tables, which is better, digits shown.

    ``part`` says that it is one of the parts of the first figure of its metric, such as SARI's three operations.
    """

    key: str
    title: str
    better: str = HIGHER
    digits: int = 2
    part: bool = False


class Metric(ABC):
    """A metric with its settings. Objects are small and can be sent to another process."""

    name: str
    """How it is asked for: ``--metrics name``."""
    figures: tuple[Figure, ...] = ()
    needs_references: bool = False
    needs_sources: bool = True
    undefined: str = "there is nothing to count"
    """Why a figure has no value, in words, where :meth:`scores` gives NaN."""

    @abstractmethod
    def statistics(self, block: Block, system: str) -> Floats:
        """A row of numbers for each sentence of the block, rewritten by ``system``, that can be added up."""

    @abstractmethod
    def scores(self, sums: Floats) -> Floats:
        """The figures of a corpus from the sums of its rows; any number of leading axes, NaN where undefined."""

    def sentence_scores(self, statistics: Floats) -> Floats:
        """The figures of each sentence alone, a row for each. Most metrics treat it as a corpus of one sentence."""
        return self.scores(statistics)

    @abstractmethod
    def settings(self) -> Mapping[str, object]:
        """Every choice that changes the figures, for the signature."""


def mean_of(values: npt.ArrayLike) -> Floats:
    """Rows for a figure that is the mean of a value of each sentence; NaN are sentences without a value."""
    found = np.asarray(values, dtype=float).reshape(-1)
    known = ~np.isnan(found)
    return np.stack([np.where(known, found, 0.0), known.astype(float)], axis=-1)


def ratio(above: npt.ArrayLike, below: npt.ArrayLike, otherwise: float = np.nan) -> Floats:
    """``above / below`` element by element, and ``otherwise`` where there is nothing below."""
    over, under = np.broadcast_arrays(np.asarray(above, dtype=float), np.asarray(below, dtype=float))
    found: Floats = np.divide(over, under, out=np.full(over.shape, otherwise), where=under != 0)
    return found
