"""Whether the same answer came too often in a row, given how often the rater gives each answer.

If answers came in any order with the same chance, the expected number of runs of at least k times the same answer is,
for an answer that was given c times of n,

    c (c-1) … (c-k+1) / [n (n-1) … (n-k+1)]  x  [1 + (n - c)]

where 1 is the run that starts the sequence and n - c the ones that follow another answer ((n - k) places, each with
the chance (n - c) / (n - k) that another answer stands before). Summed over answers, this is at least the probability
of any such run (Boole's inequality), and equal to it where only one such run has room. So it is a p-value, rather too
large.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from rubrica.stats.statistic import Statistic


def run_by_chance(answers: Sequence[Hashable], length: int) -> Statistic:
    """The chance of a run of at least this length among these answers in any order; undefined without a choice."""
    total, counts = len(answers), Counter(answers)
    if len(counts) < 2:
        return Statistic(None, "always the same answer" if counts else "no answer")
    expected = 0.0
    for count in counts.values():
        if count < length:
            continue
        term = 1.0 + (total - count)
        for step in range(length):
            term *= (count - step) / (total - step)
        expected += term
    return Statistic(min(1.0, expected))
