"""The gold answer of one unit, with how many stand behind it and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rubrica.core.answers import Answer
from rubrica.stats.coded import Coded, Whole
from rubrica.stats.statistic import Statistic

ONE = "one rater"
STANDARD_ERROR, DEVIATION, ENTROPY = "standard error", "mean deviation from the median", "entropy"
"""Measures of uncertainty; entropy is in bits."""


class Gold(NamedTuple):
    """What is concluded of one unit: ``value``, or None with the reason.

    ``raters`` gave an answer that counts, ``support`` of them this very one (None where the value is no answer that
    anybody gave, such as a mean). ``probability`` is the share of the support, or the model's belief in the value.
    ``low`` and ``high`` are the ends of a 95 % interval: of the value if it is a number, else of the support's share.
    """

    value: Answer | None
    raters: int
    support: int | None
    probability: Statistic
    low: Statistic
    high: Statistic
    uncertainty: Statistic
    measure: str
    reason: str = ""


def by_unit(answers: Coded) -> Iterator[Whole]:
    """For each unit, the places of its answers."""
    ends = np.cumsum(answers.per_unit)
    for start, end in zip(np.concatenate(([0], ends[:-1])), ends, strict=True):
        yield np.arange(start, end)


def plain(number: float) -> int | float:
    """A whole number as such."""
    return int(number) if float(number).is_integer() else float(number)
