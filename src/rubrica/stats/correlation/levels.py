"""Units by the score they share, ready to add up what units came how often.

Tables of draws have a row a unit here, a column a resample: picking, adding and running through units then goes over
whole rows of memory, which is several times as fast as the other way round.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Real = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


class Levels(NamedTuple):
    """The different scores in order, which of them each unit has, units in that order, and where each level starts."""

    used: npt.NDArray[Any]
    place: Whole
    order: Whole
    starts: Whole

    def sums(self, times: Real) -> Real:
        """How often each level came, a row each."""
        found: Real = times[self.order]
        return found if len(self.used) == len(found) else np.add.reduceat(found, self.starts, axis=0)


def levels(row: npt.NDArray[Any]) -> Levels:
    """The levels of a row of scores."""
    used, place = np.unique(row, return_inverse=True)
    order = np.argsort(place, kind="stable")
    return Levels(used, place, order, np.searchsorted(place[order], np.arange(len(used))))
