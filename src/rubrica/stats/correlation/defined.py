"""When a correlation is defined, and the pair of figures that every correlation gives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
LEAST = 3
"""Two points always lie on a line: a correlation of fewer than three says nothing."""
SAME = 1e-13
"""Scores that differ by less than this share of the largest do not vary: the difference is an error of rounding."""


DIGITS = 12
"""Digits of a mean that count, from the largest of its row on: the last ones depend on the order of a sum."""


class Correlation(NamedTuple):
    """A coefficient and its two-sided p-value."""

    value: Statistic
    p: Statistic


def undefined(people: Real, metric: Real) -> str:
    """Why these scores have no correlation, in words; empty if they have one."""
    if len(people) < LEAST:
        return f"fewer than {LEAST} pairs of scores"
    if constant(people):
        return "people's scores do not vary"
    return "the metric's scores do not vary" if constant(metric) else ""


def constant(scores: Real) -> bool:
    """Whether all scores are the same."""
    return bool(np.ptp(scores) <= SAME * np.abs(scores).max())


def settled(means: Real) -> Real:
    """Means whose ties are ties: those that are equal but for rounding are equal. Rows may be many.

    Two systems with the same answers in another order have sums that differ in the last digit, and ranks and signs of
    differences know no nearly.
    """
    largest = np.fmax.reduce(np.abs(means), axis=-1, keepdims=True, initial=0.0)
    scale = np.where(largest > 0, largest, 1.0)
    found: Real = np.round(means / scale, DIGITS) * scale
    return found


def without(reason: str) -> Correlation:
    """A correlation that is not defined."""
    return Correlation(Statistic(None, reason), Statistic(None, reason))
