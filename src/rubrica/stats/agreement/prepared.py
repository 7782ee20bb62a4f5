"""A measure that is ready for resampling: sufficient statistics inside, how often each kind of unit counts outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rubrica.stats.coded import Real
from rubrica.stats.statistic import Statistic


class Prepared(NamedTuple):
    """``times`` says how many units are of each kind (pattern); ``values`` computes the measure for other numbers.

    ``values`` takes a row for each replicate and gives a number for each, NaN where the measure is undefined.
    """

    times: Real
    values: Callable[[Real], Real]

    @property
    def units(self) -> int:
        """How many units there are."""
        return round(float(self.times.sum()))

    def statistic(self, otherwise: str) -> Statistic:
        """The measure of the data as they are; ``otherwise`` says why there is none."""
        value = float(self.values(self.times[None, :])[0])
        return Statistic(None, otherwise) if np.isnan(value) else Statistic(value)
