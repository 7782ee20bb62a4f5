"""Wilson's score interval of a share (1927, doi:10.2307/2276774): quick, and defined for few observations, too."""

from __future__ import annotations

import math
from typing import NamedTuple

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
