"""Which of two metrics agrees better with people on the same units: Williams' test, and a permutation test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import attrs
import numpy as np

from rubrica.report.correlation_data import SENTENCE, SYSTEM, Data, Real, Scope, Whole
from rubrica.report.correlation_systems import FEW_SYSTEMS
from rubrica.report.tables import Estimate
from rubrica.stats.bootstrap import no_interval, percentile_interval, too_little
from rubrica.stats.correlation.coefficients import BY_ROW, COEFFICIENTS, PEARSON
from rubrica.stats.correlation.defined import LEAST, settled
from rubrica.stats.correlation.metric_permutation import metric_permutation
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
    """All pairs of metrics on every criterion, sentences and systems; p-values corrected for the pairs of each."""
    found: list[MetricTest] = []
    for row in range(len(data.criteria)):
        for side in _sides(data, row, signs, choices):
            family = []
            for first, second in combinations(range(len(data.metrics)), 2):
                family.append(_test(data, side, first, second, choices))
                step()
            found += _corrected(family)
    return found


def _sides(data: Data, row: int, signs: Real, choices: Choices) -> list[_Side]:
    places = data.of(Scope())
    known = ~np.isnan(data.people[row][places]) & ~np.isnan(data.scores[:, places]).any(axis=0)
    kept = places[known]
    people, scores = data.people[row][kept], signs[:, None] * data.scores[:, kept]
    clusters, sources = (np.unique(one[kept], return_inverse=True)[1] for one in (data.clusters, data.sources))
    return [
        _sentences(data.criteria[row], people, scores, clusters, choices),
        _systems(data, row, kept, people, scores, sources, choices),
    ]


def _sentences(criterion: str, people: Real, scores: Real, sources: Whole, choices: Choices) -> _Side:
    why = too_little(int(sources.max()) + 1 if len(sources) else 0, choices.replicates)
    drawn = None
    if not why and len(people) >= LEAST:
        drawn = resampled(choices.statistic, people[None], scores, sources, choices.replicates, choices.seed)[:, 0, :]
    return _Side(SENTENCE, criterion, people, scores, scores, drawn, why)


def _systems(data: Data, row: int, kept: Whole, people: Real, scores: Real, sources: Whole, choices: Choices) -> _Side:
    own = [data.units[place].system for place in kept]
    names = [name for name in data.systems if name in set(own)]
    member = np.zeros((len(kept), len(names)))
    member[np.arange(len(kept)), [names.index(name) for name in own]] = 1.0
    mean = member / np.maximum(member.sum(axis=0), 1.0)

    def summed(rows: Real) -> Real:
        return settled(rows @ mean)

    why = too_little(int(sources.max()) + 1 if len(sources) else 0, choices.replicates)
    drawn = None
    if not why and len(names) >= LEAST:
        blocks = []
        for times in draws(sources, choices.replicates, choices.seed):
            total = times @ member
            whole = (total > 0).all(axis=1)
            humans = settled(((times * people) @ member)[whole] / total[whole])
            machines = [settled(((times * one) @ member)[whole] / total[whole]) for one in scores]
            blocks.append(np.stack([BY_ROW[choices.statistic](humans, one) for one in machines], axis=1))
        drawn = np.concatenate(blocks)
    return _Side(SYSTEM, data.criteria[row], summed(people), summed(scores), scores, drawn, why, summed)


def _test(data: Data, side: _Side, first: int, second: int, choices: Choices) -> MetricTest:
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
        permutation = metric_permutation(
            choices.statistic,
            side.people,
            side.units[first],
            side.units[second],
            choices.permutations,
            choices.seed,
            side.summed,
        )
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
