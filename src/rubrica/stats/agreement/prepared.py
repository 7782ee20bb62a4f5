"""A measure that is ready for resampling: sufficient statistics inside, how often each kind of unit counts outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rubrica.stats.agreement.undefined import NO_VARIATION
from rubrica.stats.coded import Real
from rubrica.stats.statistic import Statistic


class Prepared(NamedTuple):
    """``times`` says how many units are of each kind (pattern); ``values`` computes the measure for other numbers.

    ``values`` takes a row for each replicate and gives a number for each, NaN where the measure is undefined.
    ``reason`` says why there would be no value, ``remark`` what was left out.
    """

    times: Real
    values: Callable[[Real], Real]
    reason: str = NO_VARIATION
    remark: str = ""

    @property
    def units(self) -> int:
        """How many units there are."""
        return round(float(self.times.sum()))

    def statistic(self) -> Statistic:
        """The measure of the data as they are, or why there is none."""
        if not self.units:
            return Statistic(None, self.reason)
        value = float(self.values(self.times[None, :])[0])
        return Statistic(None, self.reason) if np.isnan(value) else Statistic(value)


def nothing(reason: str) -> Prepared:
    """A measure that has no value, whatever is drawn."""
    return Prepared(np.zeros(0), lambda weights: np.full(len(weights), np.nan), reason)
