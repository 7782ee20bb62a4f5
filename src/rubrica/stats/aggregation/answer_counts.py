"""How often each answer of a set, or each short answer, was given to a unit: the most frequent first.

This is what MLSP 2024 and TSAR 2022 ask of suggestions. Answers that were given equally often stand in alphabetical
order. Where nobody suggested anything, the list is empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rubrica.core.pairwise import wilson
from rubrica.stats.aggregation.gold import ENTROPY, Gold
from rubrica.stats.statistic import Statistic


class Counted(NamedTuple):
    """An answer, as most wrote it, and how many raters gave it."""

    answer: str
    raters: int


def counts(given: Sequence[Mapping[str, str]]) -> list[Counted]:
    """Count the answers of all raters; each rater's are given by the form in which they are compared."""
    forms: Counter[str] = Counter()
    spellings: dict[str, Counter[str]] = {}
    for answers in given:
        for form, spelling in answers.items():
            forms[form] += 1
            spellings.setdefault(form, Counter())[spelling] += 1
    ordered = sorted(forms.items(), key=lambda entry: (-entry[1], entry[0]))
    return [Counted(_usual(spellings[form]), number) for form, number in ordered]


def _usual(spellings: Counter[str]) -> str:
    return min(spellings, key=lambda spelling: (-spellings[spelling], spelling))


def gold_of(given: Sequence[Mapping[str, str]]) -> Gold:
    """All answers in their order as the value; support is that of the first, 0 raters of whom is no answer at all."""
    counted, raters = counts(given), len(given)
    if not raters:
        nothing = Statistic(None, "no answer")
        return Gold(None, 0, 0, nothing, nothing, nothing, nothing, ENTROPY, "no answer")
    support = counted[0].raters if counted else sum(not answers for answers in given)
    interval = wilson(support / raters, raters)
    return Gold(
        tuple(one.answer for one in counted),
        raters,
        support,
        Statistic(support / raters),
        Statistic(interval.low),
        Statistic(interval.high),
        Statistic(None, "several answers may be right"),
        ENTROPY,
    )
