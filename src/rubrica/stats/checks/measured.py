"""A rater's figure on a scale on which figures of different raters can be compared, with its sampling variance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Measured(NamedTuple):
    """A figure, how much it would vary by chance if the rater did the same work again, and what is usual.

    ``usual`` is how much honest raters differ at least, as a standard deviation on this scale. It is our assumption: a
    share of a half is between 0.4 and 0.6 for two of three raters, and one rater takes a fifth longer than another. It
    matters where peers are few.
    """

    value: float
    variance: float
    usual: float


def share(times: float, of: int) -> Measured:
    """A share, as the arcsine of its root: Anscombe, The Transformation of Poisson, Binomial Data, 1948.

    The variance is then the same wherever the share lies, nearly 1 / (4 n + 2).
    """
    return Measured(math.asin(math.sqrt((times + 3 / 8) / (of + 3 / 4))), 1 / (4 * of + 2), 0.1)


def median_log(values: Sequence[float]) -> Measured:
    """The median of positive values (times) as its logarithm; its variance is pi / 2 times that of a mean."""
    logs = np.log(np.asarray(values, dtype=float))
    spread = float(logs.var(ddof=1)) if len(logs) > 1 else 0.0
    return Measured(float(np.median(logs)), math.pi / 2 * spread / len(logs), 0.2)


def longest_run(length: int, likeliest: float) -> Measured:
    """The longest of all runs, as its logarithm; ``likeliest`` is the share of the most frequent answer, below 1.

    The standard deviation of the longest run is pi / (sqrt 6 ln(1 / p)): Gordon, Schilling and Waterman, An Extreme
    Value Theory for Long Head Runs, 1986.
    """
    deviation = math.pi / (math.sqrt(6) * math.log(1 / likeliest))
    return Measured(math.log(length), (deviation / length) ** 2, 0.2)
