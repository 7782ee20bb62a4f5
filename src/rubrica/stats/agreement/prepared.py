"""A measure that is ready for resampling: sufficient statistics inside, how often each kind of unit counts outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rubrica.stats.agreement.undefined import NO_VARIATION
from rubrica.stats.bootstrap import Interval
from rubrica.stats.coded import Real
from rubrica.stats.statistic import Statistic


class Prepared(NamedTuple):
    """``times`` says how many units are of each kind (pattern); ``values`` computes the measure for other numbers.

    ``values`` takes a row for each replicate and gives a number for each, NaN where the measure is undefined.
    ``reason`` says why there would be no value, ``remark`` what was left out. A measure whose interval follows from a
    formula, not from resamples, has it in ``formula``; ``others`` says whether that holds for other raters, too.
    """

    times: Real
    values: Callable[[Real], Real]
    reason: str = NO_VARIATION
    remark: str = ""
    formula: Callable[[], Interval] | None = None
    others: bool = False

    @property
    def units(self) -> int:
        """How many units there are."""
        return round(float(self.times.sum()))

    @property
    def value(self) -> float:
        """The measure of the data as they are, NaN where there is none."""
        return float(self.values(self.times[None, :])[0]) if self.units else float("nan")

    def statistic(self) -> Statistic:
        """The measure of the data as they are, or why there is none."""
        value = self.value
        return Statistic(None, self.reason) if np.isnan(value) else Statistic(value)


def nothing(reason: str) -> Prepared:
    """A measure that has no value, whatever is drawn."""
    return Prepared(np.zeros(0), lambda weights: np.full(len(weights), np.nan), reason)
