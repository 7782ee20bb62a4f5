"""Percent agreement: of all pairs of annotators of the same item, the share that gave the same answer.

Simple on purpose, for a first look while a study runs; chance-corrected statistics are the report's. Pairs of one item
hang together, so the interval counts each item once: Wilson's score interval (1927, doi:10.2307/2276774) with the
number of items as its sample size. With m pairs an item, the pairs are worth at least 1/m of as many independent ones,
so the interval is rather too wide than too narrow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rubrica.core.answers import NOT_APPLICABLE, Answer

Z95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""


class Interval(NamedTuple):
    """Ends of a 95 % interval of a share."""

    low: float
    high: float


class Agreement(NamedTuple):
    """Pairs that agree, of how many, on how many items; ``share`` is None without any pair."""

    same: int
    pairs: int
    items: int

    @property
    def share(self) -> float | None:
        """The share of pairs that agree."""
        return self.same / self.pairs if self.pairs else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the share, each item counted once; None without any pair."""
        return None if self.share is None else wilson(self.share, self.items)

    def __add__(self, other: object) -> Agreement:
        assert isinstance(other, Agreement)
        return Agreement(self.same + other.same, self.pairs + other.pairs, self.items + other.items)


def percent_agreement(answers_by_item: Iterable[Sequence[Answer]]) -> Agreement:
    """Agreement over items, each with the answers that its annotators gave; *not applicable* is no answer."""
    same = pairs = items = 0
    for answers in answers_by_item:
        given = [answer for answer in answers if answer is not NOT_APPLICABLE]
        if len(given) < 2:
            continue
        items += 1
        pairs += math.comb(len(given), 2)
        same += sum(math.comb(count, 2) for count in Counter(given).values())
    return Agreement(same, pairs, items)


def wilson(share: float, count: int) -> Interval:
    """Wilson's 95 % score interval of a share of ``count`` observations (at least 1)."""
    spread = Z95 * Z95 / count
    centre = (share + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))
