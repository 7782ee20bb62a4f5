"""Which of two metrics agrees better with people on the same units: Williams' test, and a permutation test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import attrs
import numpy as np

from rubrica.report.correlation_data import FEW_SYSTEMS, SENTENCE, SYSTEM, SYSTEMS, Data, Whole, few_systems
from rubrica.report.tables import Estimate
from rubrica.stats.bootstrap import Resampled, no_interval, too_little
from rubrica.stats.correlation.coefficients import COEFFICIENTS, LEAST, PEARSON, Real, settled
from rubrica.stats.correlation.metric_differences import Williams, metric_permutations, williams
from rubrica.stats.correlation.resamples import resampled, resampled_systems
from rubrica.stats.significance import holm
from rubrica.stats.statistic import Statistic

if TYPE_CHECKING:
    from rubrica.report.correlation import Choices


@attrs.frozen
class MetricTest:
    """Two metrics on one criterion. Correlations of metrics of which less is better are turned round.

    ``difference`` is that of the coefficient ``statistic``, first minus second; ``williams`` tests the difference of
    Pearson's r, whatever the statistic. ``n`` is units or systems, those that all metrics have a score of.
    """

    level: str
    criterion: str
    first: str
    second: str
    statistic: str
    values: tuple[Statistic, Statistic]
    difference: Estimate
    permutation: Statistic
    williams: Williams
    between: Statistic
    n: int
    permutation_holm: Statistic
    williams_holm: Statistic


@attrs.frozen(eq=False)
class _Side:
    """The scores of one criterion and all metrics on the units that have all of them, at one level.

    ``drawn`` are coefficients in resamples and without each unit, a column for each metric; ``many`` were drawn.
    ``summed`` makes scores of systems of scores of units; ``units`` are the metrics' scores of units, and ``clusters``
    the numbers of their sources, which are drawn and exchanged as one.
    """

    level: str
    criterion: str
    people: Real
    metrics: Real
    units: Real
    drawn: _Drawn | None
    why: str
    many: int
    clusters: Whole
    summed: Callable[[Real], Real] | None = None

    def resampled(self, difference: float, first: int, second: int) -> Resampled | None:
        """The difference of two metrics' coefficients with its resamples."""
        if self.drawn is None:
            return None
        drawn, left = (rows[:, first] - rows[:, second] for rows in self.drawn)
        what = SYSTEMS if self.level == SYSTEM else "sources"
        return Resampled(difference, drawn, left, self.many, what, difference=True)


class _Drawn(NamedTuple):
    """Coefficients of metrics, a column each: in resamples, and without each unit."""

    drawn: Real
    left_out: Real


def metric_tests(data: Data, signs: Real, choices: Choices, step: Callable[[], None]) -> list[MetricTest]:
    """All pairs of metrics on every criterion, sentences and systems; p-values corrected for the pairs of each.

    Criteria whose scores are of the same units share resamples, exchanges and the metrics' ranks.
    """
    families: dict[tuple[int, str], list[MetricTest]] = {}
    for rows, kept in _alike(data):
        for sides in _sides(data, rows, kept, signs, choices):
            for first, second in combinations(range(len(data.metrics)), 2):
                permuted = _permuted(sides, first, second, choices)
                for row, side, p in zip(rows, sides, permuted, strict=True):
                    found = _test(data, side, first, second, choices, p)
                    families.setdefault((row, side.level), []).append(found)
                    step()
    order = [(row, level) for row in range(len(data.criteria)) for level in (SENTENCE, SYSTEM)]
    return [test for key in order for test in _corrected(families[key])]


def _alike(data: Data) -> Iterator[tuple[list[int], Whole]]:
    """Criteria that have scores of the same units, with the places of those units that all metrics have scores of."""
    scored = ~np.isnan(data.scores).any(axis=0)
    groups: dict[bytes, tuple[list[int], Whole]] = {}
    for row, people in enumerate(data.people):
        known = ~np.isnan(people) & scored
        groups.setdefault(known.tobytes(), ([], np.flatnonzero(known)))[0].append(row)
    yield from groups.values()


def _sides(data: Data, rows: list[int], kept: Whole, signs: Real, choices: Choices) -> Iterator[list[_Side]]:
    """By level, the sides of criteria that have scores of the same units."""
    people, scores = data.people[rows][:, kept], signs[:, None] * data.scores[:, kept]
    clusters, sources = (np.unique(one[kept], return_inverse=True)[1] for one in (data.clusters, data.sources))
    names = [data.criteria[row] for row in rows]
    yield _sentences(names, people, scores, clusters, choices)
    yield _systems(data, names, kept, people, scores, sources, choices)


def _permuted(sides: Sequence[_Side], first: int, second: int, choices: Choices) -> list[Statistic]:
    """The p-values of the permutation test of two metrics, by criterion."""
    side = sides[0]
    if len(side.people) < LEAST:
        return [Statistic(None, FEW_SYSTEMS)] * len(sides)
    people = np.stack([one.people for one in sides])
    one, other = side.units[first], side.units[second]
    return metric_permutations(
        choices.statistic, people, one, other, choices.permutations, choices.seed, side.summed, side.clusters
    )


def _sentences(names: list[str], people: Real, scores: Real, sources: Whole, choices: Choices) -> list[_Side]:
    many = int(sources.max()) + 1 if len(sources) else 0
    why = too_little(many, choices.replicates, "sources")
    drawn: list[_Drawn | None] = [None] * len(names)
    if not why:
        found = resampled(choices.statistic, people, scores, sources, choices.replicates, choices.seed)
        drawn = [_Drawn(found.drawn[:, row], found.left_out[:, row]) for row in range(len(names))]
    return [
        _Side(SENTENCE, name, row, scores, scores, own, why, many, sources)
        for name, row, own in zip(names, people, drawn, strict=True)
    ]


def _systems(
    data: Data, criteria: list[str], kept: Whole, people: Real, scores: Real, sources: Whole, choices: Choices
) -> list[_Side]:
    own = [data.units[place].system for place in kept]
    present = set(own)
    names = [name for name in data.systems if name in present]
    number = {name: place for place, name in enumerate(names)}
    member = np.zeros((len(kept), len(names)))
    member[np.arange(len(kept)), [number[name] for name in own]] = 1.0
    mean = member / np.maximum(member.sum(axis=0), 1.0)

    def summed(rows: Real) -> Real:
        return settled(rows @ mean)

    many = int(sources.max()) + 1 if len(sources) else 0
    why = few_systems(len(names), many, choices.replicates)
    drawn: list[_Drawn | None] = [None] * len(criteria)
    if not why:
        drawn = _drawn_systems(member, people, scores, sources, choices)
    return [
        _Side(SYSTEM, name, summed(row), summed(scores), scores, own, why, len(names), sources, summed)
        for name, row, own in zip(criteria, people, drawn, strict=True)
    ]


def _drawn_systems(member: Real, people: Real, scores: Real, sources: Whole, choices: Choices) -> list[_Drawn | None]:
    """By criterion the coefficients of systems in resamples of sources and systems, a column a metric."""
    from scipy.sparse import csr_array

    of_source = csr_array((np.ones(len(sources)), (sources, np.arange(len(sources)))))
    sums = np.stack([of_source @ (one[:, None] * member) for one in (*people, *scores)])
    found = resampled_systems(sums, of_source @ member, choices.replicates, choices.seed)
    columns = range(len(people), len(sums))
    each = ([found.of(choices.statistic, row, column) for column in columns] for row in range(len(people)))
    return [_Drawn(*(np.stack(part, axis=1) for part in zip(*own, strict=True))) for own in each]


def _test(data: Data, side: _Side, first: int, second: int, choices: Choices, permuted: Statistic) -> MetricTest:
    one, other = side.metrics[first], side.metrics[second]
    measure, pearson = COEFFICIENTS[choices.statistic], COEFFICIENTS[PEARSON]
    values = measure(side.people, one).value, measure(side.people, other).value
    between = pearson(one, other).value
    rs = pearson(side.people, one).value, pearson(side.people, other).value
    reason = next((value.reason for value in (*values, between) if value.value is None), "")
    if side.level == SYSTEM and len(side.people) < LEAST:
        reason = FEW_SYSTEMS
    nothing = Statistic(None, reason)
    permutation, tested, difference = nothing, Williams(nothing, nothing), nothing
    interval = no_interval(reason or side.why)
    if not reason:
        assert values[0].value is not None
        assert values[1].value is not None
        assert between.value is not None
        assert rs[0].value is not None
        assert rs[1].value is not None
        difference = Statistic(values[0].value - values[1].value)
        tested = williams(rs[0].value, rs[1].value, between.value, len(side.people))
        permutation = permuted
        own = side.resampled(values[0].value - values[1].value, first, second)
        interval = interval if own is None else own.interval()
    return MetricTest(
        side.level,
        side.criterion,
        data.metrics[first],
        data.metrics[second],
        choices.statistic,
        values,
        Estimate(difference, interval.low, interval.high),
        permutation,
        tested,
        between,
        len(side.people),
        permutation,
        tested.p,
    )


def _corrected(family: Sequence[MetricTest]) -> list[MetricTest]:
    permutations = holm([one.permutation for one in family])
    tested = holm([one.williams.p for one in family])
    return [
        attrs.evolve(one, permutation_holm=first, williams_holm=second)
        for one, first, second in zip(family, permutations, tested, strict=True)
    ]
