"""What measures of agreement on categories are computed from: how often each category was chosen, unit by unit.

A *unit* is one thing that was judged; its counts say how many annotators chose each category. Units with the same
counts weigh the same, so they are kept once with the number of times they occur: this is all that the measures need,
and it is small however long the data are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

Counts = tuple[int, ...]
"""How many annotators chose the first category, the second, and so on."""

Units = Mapping[Counts, int]
"""Units by their counts, with how many there are of each."""


def units_of(ratings: Iterable[Sequence[Hashable]], categories: Sequence[Hashable]) -> Units:
    """Units from what annotators said, one sequence for each thing judged; None is no answer."""
    units: Counter[Counts] = Counter()
    for given in ratings:
        chosen = Counter(value for value in given if value is not None)
        units[tuple(chosen[category] for category in categories)] += 1
    return units
