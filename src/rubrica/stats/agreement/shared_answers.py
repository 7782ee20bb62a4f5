"""How far people give the same answers where each may give several in their own words.

Beside alpha with MASI, which compares whole sets, two plain figures that shared tasks on substitutes look at: how often
two people have an answer in common, and how many gave the most frequent one. Neither is corrected for chance: with free
text there is no chance that could be computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple


class SharedAnswers(NamedTuple):
    """Means over units with at least two answers; None where there is none. ``units`` is how many there are.

    ``pairs``: the share of pairs of people with an answer in common. ``top``: the share of people whose answers have
    the most frequent one of their unit among them.
    """

    pairs: float | None
    top: float | None
    units: int


def shared_answers(units: Iterable[Sequence[frozenset[str]]]) -> SharedAnswers:
    """From the sets of answers of each unit; equal answers are equal strings, and an empty set shares nothing."""
    pairs, tops = [], []
    for sets in units:
        if len(sets) < 2:
            continue
        together = [bool(one & other) for one, other in combinations(sets, 2)]
        pairs.append(sum(together) / len(together))
        given = Counter(answer for one in sets for answer in one)
        tops.append(max(given.values(), default=0) / len(sets))
    if not pairs:
        return SharedAnswers(None, None, 0)
    return SharedAnswers(sum(pairs) / len(pairs), sum(tops) / len(tops), len(pairs))
