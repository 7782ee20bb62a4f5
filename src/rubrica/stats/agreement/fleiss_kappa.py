"""Fleiss' kappa: agreement of a fixed number of annotators on categories, beyond what chance would give.

Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76, 1971, doi:10.1037/h0031619.
"""

from __future__ import annotations

from rubrica.stats.agreement.units import Units
from rubrica.stats.statistic import Statistic


def fleiss_kappa(units: Units) -> Statistic:
    """Kappa of units that all have the same number n of annotators, at least two.

    With p_j the share of all choices that fell on category j, chance agreement is the sum of p_j squared; observed
    agreement is the mean over units of the share of pairs of annotators who agree. Undefined without units, and where
    all choices fell on one category: chance alone then explains everything. Raises ValueError if n differs.
    """
    present = {counts: times for counts, times in units.items() if times}
    if not present:
        return Statistic(None, "nothing was judged")
    sizes = {sum(counts) for counts in present}
    if len(sizes) > 1:
        raise ValueError(f"Fleiss' kappa needs the same number of annotators for every unit, not {sorted(sizes)}")
    annotators = sizes.pop()
    if annotators < 2:
        return Statistic(None, "there are fewer than two annotators")
    many = sum(present.values())
    chosen = [sum(counts[j] * times for counts, times in present.items()) for j in range(len(next(iter(present))))]
    if sum(count > 0 for count in chosen) < 2:
        return Statistic(None, "every annotator chose the same category every time")
    agreeing = sum(times * sum(count * (count - 1) for count in counts) for counts, times in present.items())
    observed = agreeing / (many * annotators * (annotators - 1))
    expected = sum((count / (many * annotators)) ** 2 for count in chosen)
    return Statistic((observed - expected) / (1 - expected))
