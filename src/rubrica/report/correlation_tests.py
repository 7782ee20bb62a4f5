"""Which of two metrics agrees better with people on the same units: Williams' test, and a permutation test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import attrs
import numpy as np

from rubrica.report.correlation_data import SENTENCE, SYSTEM, Data, Real, Whole
from rubrica.report.correlation_systems import FEW_SYSTEMS
from rubrica.report.tables import Estimate
from rubrica.stats.bootstrap import no_interval, percentile_interval, too_little
from rubrica.stats.correlation.coefficients import BY_ROW, COEFFICIENTS, PEARSON
from rubrica.stats.correlation.defined import LEAST, settled
from rubrica.stats.correlation.metric_permutation import metric_permutations
from rubrica.stats.correlation.resamples import draws, resampled
from rubrica.stats.correlation.williams import Williams, williams
from rubrica.stats.significance.holm import holm
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

    ``drawn`` are coefficients in resamples, a column for each metric; ``summed`` makes scores of systems of scores of
    units; ``units`` are the metrics' scores of units.
    """

    level: str
    criterion: str
    people: Real
    metrics: Real
    units: Real
    drawn: Real | None
    why: str
    summed: Callable[[Real], Real] | None = None


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
    return metric_permutations(choices.statistic, people, one, other, choices.permutations, choices.seed, side.summed)


def _sentences(names: list[str], people: Real, scores: Real, sources: Whole, choices: Choices) -> list[_Side]:
    why = too_little(int(sources.max()) + 1 if len(sources) else 0, choices.replicates)
    drawn: list[Real | None] = [None] * len(names)
    if not why and people.shape[1] >= LEAST:
        found = resampled(choices.statistic, people, scores, sources, choices.replicates, choices.seed)
        drawn = list(np.moveaxis(found, 1, 0))
    return [
        _Side(SENTENCE, name, row, scores, scores, own, why)
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

    why = too_little(int(sources.max()) + 1 if len(sources) else 0, choices.replicates)
    drawn: list[Real | None] = [None] * len(criteria)
    if not why and len(names) >= LEAST:
        drawn = _drawn_systems(member, people, scores, sources, choices)
    return [
        _Side(SYSTEM, name, summed(row), summed(scores), scores, resamples, why, summed)
        for name, row, resamples in zip(criteria, people, drawn, strict=True)
    ]


def _drawn_systems(member: Real, people: Real, scores: Real, sources: Whole, choices: Choices) -> list[Real | None]:
    """By criterion the coefficients of systems in resamples, a column a metric; those that lack a system left out."""
    measure = BY_ROW[choices.statistic]
    weighed = [one[:, None] * member for one in (*people, *scores)]
    blocks: list[list[Real]] = [[] for _ in people]
    for times in draws(sources, choices.replicates, choices.seed):
        total = times @ member
        whole = (total > 0).all(axis=1)
        means = [settled((times @ one)[whole] / total[whole]) for one in weighed]
        for found, humans in zip(blocks, means, strict=False):
            found.append(np.stack([measure(humans, one) for one in means[len(people) :]], axis=1))
    return [np.concatenate(found) for found in blocks]


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
        if side.drawn is not None:
            interval = percentile_interval(side.drawn[:, first] - side.drawn[:, second])
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
