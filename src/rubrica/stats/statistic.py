"""A statistic's value, or why it has none: missing is never 0.

Wilson's score interval of a share (1927, doi:10.2307/2276774): quick, and defined for few observations, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple


class Statistic(NamedTuple):
    """A number, or None with the reason in plain words."""

    value: float | None
    reason: str = ""

    @property
    def at_most(self) -> bool:
        """Whether the number is only an upper bound of the statistic."""
        return isinstance(self, AtMost)

    def as_json(self) -> Any:
        """The number itself; ``{"value": null, "reason": …}`` where there is none."""
        return self.value if self.value is not None else self.in_row()

    def in_row(self) -> dict[str, Any]:
        """The same for a row that is about one figure: ``value``, and beside it the ``reason`` where there is none."""
        return {"value": self.value} if self.value is not None else {"value": None, "reason": self.reason}


class AtMost(Statistic):
    """An upper bound: a p-value of so many random trials, none of which went as far, is smaller than they can tell."""

    __slots__ = ()


def bounds(named: Mapping[str, Statistic]) -> list[str]:
    """The names of those that are only upper bounds: what scripts find beside the numbers."""
    return [name for name, one in named.items() if one.at_most]


def p_value(p: float, at_most: bool) -> Statistic:
    """A p-value, or an upper bound of one; nothing is larger than 1."""
    return AtMost(p) if at_most and p < 1 else Statistic(min(p, 1.0))


Z95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""


class Ends(NamedTuple):
    """Ends of a 95 % interval of a share."""

    low: float
    high: float


def wilson(share: float, count: int) -> Ends:
    """Wilson's 95 % score interval of a share of ``count`` observations (at least 1)."""
    spread = Z95 * Z95 / count
    centre = (share + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return Ends(max(0.0, centre - half), min(1.0, centre + half))
