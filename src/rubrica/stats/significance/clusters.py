"""Ranks of systems, and clusters of systems that cannot be told apart.

As at the Conference on Machine Translation (Bojar et al., Findings of WMT 2016, section 3.4): systems are ordered by
their score, and a new cluster begins only where every system above is significantly better than every one below. A
system's range of ranks counts those that are significantly better and worse than itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Rank(NamedTuple):
    """Where a system stands: its place by score, the range of places it may have, its cluster (1 is the best)."""

    system: str
    score: float
    place: int
    best: int
    worst: int
    cluster: int


def ranks(scores: Mapping[str, float], better: Mapping[tuple[str, str], bool]) -> list[Rank]:
    """Ranks, the highest score first. ``better[a, b]`` says that a is significantly better than b; absent is no.

    Systems with the same score keep their order and share a place.
    """
    ordered = sorted(scores, key=lambda system: -scores[system])
    found: list[Rank] = []
    cluster = 0
    for index, system in enumerate(ordered):
        cluster += _begins(ordered, index, better)
        above = sum(better.get((other, system), False) for other in ordered)
        below = sum(better.get((system, other), False) for other in ordered)
        place = 1 + sum(score > scores[system] for score in scores.values())
        found.append(Rank(system, scores[system], place, 1 + above, len(ordered) - below, cluster))
    return found


def _begins(ordered: Sequence[str], index: int, better: Mapping[tuple[str, str], bool]) -> bool:
    return all(better.get((above, below), False) for above in ordered[:index] for below in ordered[index:])
