"""Figures of systems made again of the counts of items that were kept (design/012): as a registered metric has them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.metric import Figure
from rubrica.metrics.options import Options
from rubrica.stats.statistic import Statistic

WITHOUT_COUNTS = "it was registered without its counts: register it again"
Rows = Sequence[Sequence[float] | None]


class Counts(NamedTuple):
    """What figures of systems follow from: a metric with its options, and by item its row and left-out references.

    Corpus BLEU is no mean of the BLEU of sentences: it follows from sums of their counts (design/012).
    """

    metric: str
    options: Mapping[str, object]
    rows: Mapping[str, Sequence[float]]
    left_out: Mapping[str, int]

    def kept(self, key: str) -> dict[str, Any]:
        """What is kept of an item beside its number."""
        return {"statistics": self.rows.get(key), "left_out": self.left_out.get(key, 0)}


class Measured(NamedTuple):
    """A figure to be registered: under which settings, and its numbers by the keys of items; None is undefined."""

    figure: Figure
    signature: str
    values: Mapping[str, float | None]
    counts: Counts | None = None


def figure_maker(metric: str, options: Mapping[str, Any], figure: str) -> Callable[[Rows], Statistic]:
    """What makes this figure of the counts of items, added up.

    Undefined, with the reason, where counts were not kept or the metric cannot be made here.
    """
    try:
        found = metrics_of([metric], Options(**options))[0] if metric else None
    except InputError as error:
        reason = error.problems[0].what
        return lambda rows: Statistic(None, reason if all(rows) else WITHOUT_COUNTS)
    if found is None:
        return lambda rows: Statistic(None, WITHOUT_COUNTS)
    place = [one.key for one in found.figures].index(figure)

    def made(rows: Rows) -> Statistic:
        if not all(rows):
            return Statistic(None, WITHOUT_COUNTS)
        value = float(found.scores(np.array(rows, dtype=float).sum(axis=0))[place])
        return Statistic(None, found.undefined) if math.isnan(value) else Statistic(value)

    return made
