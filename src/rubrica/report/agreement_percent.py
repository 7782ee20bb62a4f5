"""Percent agreement while a study runs: by question, and of each rater with the others over all questions.

The measure is that of `agree` and the report (``stats.agreement.percent_agreement``), on the same answers. What is left
out here are verdicts, which follow from answers, and scales of more points than two people hit the same one of. The
interval is Wilson's with each unit counted once: shares of units vary at most as much as a yes or no does, so that it
is rather too wide than too narrow, and it is there from the first pair on. The report's is resampled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rubrica.core.ratings import VERDICT, Criterion, Ratings
from rubrica.stats.agreement.percent_agreement import beside_others, prepare_percent
from rubrica.stats.coded import Whole, coded
from rubrica.stats.statistic import Ends, wilson

POINTS = 11
"""A scale of numbers with more points than this cannot be compared answer by answer."""


class Percent(NamedTuple):
    """Pairs of answers that are the same, of how many, on how many units.

    ``shares`` is the sum of units' shares of pairs, ``times`` of how many: several questions about a unit count each.
    """

    same: int = 0
    pairs: int = 0
    units: int = 0
    shares: float = 0.0
    times: int = 0

    @property
    def share(self) -> float | None:
        """Percent agreement: the mean of units' shares, not the share of all pairs; None without any pair."""
        return self.shares / self.times if self.times else None

    @property
    def interval(self) -> Ends | None:
        """The 95 % interval of the share, each unit counted once; None without any pair."""
        return None if self.share is None else wilson(min(self.share, 1.0), self.units)

    def __add__(self, other: object) -> Percent:
        assert isinstance(other, Percent)
        same, pairs, units = self.same + other.same, self.pairs + other.pairs, self.units + other.units
        return Percent(same, pairs, units, self.shares + other.shares, self.times + other.times)


class Percents(NamedTuple):
    """By question, and by rater: their answers beside those of the others, all questions together."""

    questions: Mapping[str, Percent]
    raters: Mapping[str, Percent]


def percent_agreement(ratings: Ratings) -> Percents:
    """Percent agreement on every question whose answers can be the same; each rater with the others."""
    questions: dict[str, Percent] = {}
    shared: list[_Shared] = []
    units = {name: place for place, name in enumerate(ratings.units)}
    raters = {name: place for place, name in enumerate(ratings.raters)}
    for criterion in filter(_counts, ratings.criteria):
        answers = coded(ratings.chosen_on(criterion.id), criterion)
        unit = np.array([units[str(name)] for name in answers.units], dtype=np.int64)[answers.unit]
        rater = np.array([raters[str(name)] for name in answers.raters], dtype=np.int64)[answers.rater]
        others, same = beside_others(answers)
        both = others > 0
        shared.append(_Shared(rater[both], unit[both], others[both], same[both]))
        many, share = len(np.unique(unit[both])), prepare_percent(answers).statistic().value or 0.0
        questions[criterion.id] = Percent(int(same.sum()) // 2, int(others.sum()) // 2, many, share * many, many)
    return Percents(questions, dict(zip(raters, _with_the_others(shared, len(raters), len(units)), strict=True)))


def _counts(criterion: Criterion) -> bool:
    many = criterion.numeric and len(criterion.values) > POINTS
    return criterion.comparable and criterion.kind != VERDICT and not many


class _Shared(NamedTuple):
    """Answers to units that somebody else answered, too: whose, to which, beside how many others, how many the same."""

    rater: Whole
    unit: Whole
    others: Whole
    same: Whole


def _with_the_others(shared: Sequence[_Shared], raters: int, units: int) -> list[Percent]:
    """Each rater, in order. A unit counts once for every question of it."""
    if not shared:
        return [Percent()] * raters
    rater, unit, others, same = map(np.concatenate, zip(*shared, strict=True))
    different = np.unique(rater * units + unit) // max(units, 1)
    sums = [np.bincount(rater, weights, minlength=raters).tolist() for weights in (same, others, same / others, None)]
    items = np.bincount(different, minlength=raters).tolist()
    return [
        Percent(int(agree), int(pairs), known, shares, int(answers))
        for agree, pairs, shares, answers, known in zip(*sums, items, strict=True)
    ]
