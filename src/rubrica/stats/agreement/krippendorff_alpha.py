"""Krippendorff's alpha for nominal data: agreement on categories of any number of annotators, gaps allowed.

Krippendorff, Content Analysis, 4th edition, 2018, chapter 12. For complete data of n annotators on T units, alpha is
kappa + (1 - kappa) / (nT), kappa being Fleiss'.
"""

from __future__ import annotations

from rubrica.stats.agreement.units import Units
from rubrica.stats.statistic import Statistic


def nominal_alpha(units: Units) -> Statistic:
    """Alpha over the units that at least two annotators judged; the others say nothing about agreement.

    Alpha is 1 - observed / expected disagreement, from the coincidences of all pairs of values within a unit, each
    unit's pairs weighted by 1 / (its annotators - 1). Undefined without pairs, and where only one category was chosen.
    """
    pairable = {counts: times for counts, times in units.items() if times and sum(counts) > 1}
    if not pairable:
        return Statistic(None, "nothing was judged by two annotators")
    chosen = [sum(counts[j] * times for counts, times in pairable.items()) for j in range(len(next(iter(pairable))))]
    if sum(count > 0 for count in chosen) < 2:
        return Statistic(None, "every annotator chose the same category every time")
    values = sum(chosen)
    differing = sum(times * _differing(counts) / (sum(counts) - 1) for counts, times in pairable.items())
    by_chance = _differing(chosen) / (values - 1)
    return Statistic(1 - differing / by_chance)


def _differing(counts: tuple[int, ...] | list[int]) -> int:
    """Ordered pairs of two different values."""
    return sum(counts) ** 2 - sum(count * count for count in counts)
