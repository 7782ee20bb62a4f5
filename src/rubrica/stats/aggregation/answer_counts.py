"""How often each answer of a set, or each short answer, was given to a unit: the most frequent first.

This is what MLSP 2024 and TSAR 2022 ask of suggestions. Answers that were given equally often stand in alphabetical
order, each in its most frequent spelling. Where nobody suggested anything, the list is empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rubrica.stats.aggregation.gold import ENTROPY, Gold
from rubrica.stats.statistic import Statistic
from rubrica.stats.wilson import wilson


class Counted(NamedTuple):
    """An answer, as most wrote it, and how many raters gave it."""

    answer: str
    raters: int


def counts(given: Sequence[Sequence[str]], form: Callable[[str], str] = str) -> list[Counted]:
    """Count the answers of all raters, of whom each gave several; those of the same ``form`` are the same."""
    forms: Counter[str] = Counter()
    spellings: dict[str, Counter[str]] = {}
    for answers in given:
        for alike, spelling in {form(answer): answer for answer in answers}.items():
            forms[alike] += 1
            spellings.setdefault(alike, Counter())[spelling] += 1
    ordered = sorted(forms.items(), key=lambda entry: (-entry[1], entry[0]))
    return [Counted(_usual(spellings[alike]), number) for alike, number in ordered]


def _usual(spellings: Counter[str]) -> str:
    """The spelling that most used; of equally frequent ones, that in small letters."""
    return min(spellings, key=lambda spelling: (-spellings[spelling], spelling.swapcase()))


def gold_of(given: Sequence[Sequence[str]], counted: Sequence[Counted]) -> Gold:
    """All answers in their order as the value; support is that of the first, 0 raters of whom is no answer at all."""
    raters = len(given)
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
