"""How answers are distributed: for each question and system, how often each answer was given, and the mean.

Intervals resample sources, because the ratings of one source are not independent of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import attrs
import numpy as np

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.ratings import OPEN, WORDS, Criterion, Rating, Ratings
from rubrica.report.tables import Estimate
from rubrica.stats.bootstrap import ratio_intervals, ratios

ALL = "all systems"
MOST_VALUES = 11
"""A scale with more points than this is shown by its quartiles instead."""


@attrs.frozen
class Distribution:
    """The answers to one question about one system's items.

    ``counts`` is by answer, in the order of the scale; ``total`` are judgements with an answer, of which several
    options may have been chosen. ``mean`` is None where answers are no numbers; quartiles likewise.
    """

    criterion: Criterion
    system: str
    counts: dict[Answer, int]
    total: int
    not_applicable: int
    mean: Estimate | None = None
    quartiles: tuple[float, float, float] | None = None

    def share(self, answer: Answer) -> float | None:
        """The share of judgements with this answer; None without any."""
        return self.counts.get(answer, 0) / self.total if self.total else None


def countable(criteria: Iterable[Criterion]) -> list[Criterion]:
    """Criteria whose answers can be counted: not texts, not words."""
    return [one for one in criteria if one.level != OPEN and one.kind != WORDS]


def distributions(ratings: Ratings, criterion: Criterion, *, replicates: int, seed: int) -> list[Distribution]:
    """One for each system, and one of all systems if there are several."""
    names = list(ratings.systems)
    groups: dict[str, list[Rating]] = {name: [] for name in names}
    for rating in ratings.counted:
        for name in ratings.units[rating.unit].credited:
            groups[name].append(rating)
    several = len(names) > 1
    means = _means(ratings, criterion, names, replicates, seed) if criterion.numeric else {}
    found = [_distribution(criterion, name, groups[name], means.get(name)) for name in names]
    if several:
        found.append(_distribution(criterion, ALL, ratings.counted, means.get(ALL)))
    return found


def _distribution(criterion: Criterion, system: str, ratings: Sequence[Rating], mean: Estimate | None) -> Distribution:
    answers = [rating.answers[criterion.id] for rating in ratings if criterion.id in rating.answers]
    given = [answer for answer in answers if answer is not NOT_APPLICABLE]
    parts = [part for answer in given for part in (answer if isinstance(answer, tuple) else (answer,))]
    seen: Counter[Answer] = Counter(parts)
    order = [*criterion.values, *(value for value in sorted(seen, key=str) if value not in criterion.values)]
    numbers = [float(answer) for answer in given if isinstance(answer, int | float)] if criterion.numeric else []
    return Distribution(
        criterion,
        system,
        {value: seen[value] for value in order},
        len(given),
        len(answers) - len(given),
        mean,
        _quartiles(numbers) if numbers else None,
    )


def _quartiles(numbers: Sequence[float]) -> tuple[float, float, float]:
    low, middle, high = np.quantile(numbers, (0.25, 0.5, 0.75))
    return float(low), float(middle), float(high)


def _means(
    ratings: Ratings, criterion: Criterion, systems: Sequence[str], replicates: int, seed: int
) -> dict[str, Estimate]:
    """The mean of each system and of all, with intervals, from sums per source."""
    columns = {name: index for index, name in enumerate((*systems, ALL))}
    units = {rating.unit for rating in ratings.counted}
    names = {ratings.units[unit].source or unit for unit in units}
    # In the order of the comparison, so that a seed draws the same sources there and here.
    sources = {name: place for place, name in enumerate(sorted(names))}
    cells: list[tuple[int, int, float]] = []
    for rating in ratings.counted:
        unit = ratings.units[rating.unit]
        row = sources[unit.source or unit.key]
        value = rating.answers.get(criterion.id)
        if isinstance(value, int | float):
            cells += [(row, columns[name], float(value)) for name in (*unit.credited, ALL)]
    sums, counts = (np.zeros((len(sources), len(columns))) for _ in range(2))
    for row, column, value in cells:
        sums[row, column] += value
        counts[row, column] += 1
    found = ratio_intervals(sums, counts, replicates=replicates, seed=seed)
    return {
        name: Estimate(value, interval.low, interval.high)
        for name, value, interval in zip(columns, ratios(sums, counts), found, strict=True)
    }
