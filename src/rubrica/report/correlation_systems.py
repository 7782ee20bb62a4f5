"""Metrics against people on whole systems: correlations of means, and how often systems are put in people's order."""

from __future__ import annotations

from typing import NamedTuple

import attrs
import numpy as np

from rubrica.report.correlation_data import Data, Real, Scope, Whole
from rubrica.report.correlation_result import CorrelationResult
from rubrica.report.tables import Estimate
from rubrica.stats.bootstrap import no_interval, percentile_interval, too_little
from rubrica.stats.correlation.coefficients import BY_ROW, COEFFICIENTS
from rubrica.stats.correlation.defined import LEAST, settled, without
from rubrica.stats.correlation.pairwise_accuracy import PairwiseAccuracy, pairwise_accuracy
from rubrica.stats.correlation.resamples import draws
from rubrica.stats.correlation.soft_pairwise_accuracy import SoftAccuracy, soft_pairwise_accuracy
from rubrica.stats.statistic import Statistic

FEW_SYSTEMS = f"fewer than {LEAST} systems"


@attrs.frozen
class SystemResult(CorrelationResult):
    """A metric against a criterion over systems: coefficients are of their means."""

    pairwise: PairwiseAccuracy
    soft: SoftAccuracy


class Grid(NamedTuple):
    """Sums of people's and the metric's scores, and how many units they are of, by source and system."""

    systems: tuple[str, ...]
    people: Real
    metric: Real
    units: Real

    @property
    def means(self) -> tuple[Real, Real]:
        """The means of both sides over all units of each system; those that are equal but for rounding are equal."""
        total = self.units.sum(axis=0)
        return settled(self.people.sum(axis=0) / total), settled(self.metric.sum(axis=0) / total)


def system_results(
    data: Data, scope: Scope, signs: Real, *, replicates: int, permutations: int, seed: int
) -> list[SystemResult]:
    """Every metric against every criterion on the systems of a data set, or of all data sets together.

    A system's mean is over the units that have both scores. ``signs`` are -1 for metrics of which less is better.
    """
    places = data.of(scope)
    found = []
    for metric, name in enumerate(data.metrics):
        for row, criterion in enumerate(data.criteria):
            grid = grid_of(data, places, row, metric)
            values, p = _coefficients(grid, replicates, seed)
            means = grid.means
            found.append(
                SystemResult(
                    scope,
                    criterion,
                    name,
                    values,
                    p,
                    len(grid.systems),
                    len(grid.units),
                    pairwise_accuracy(means[0], signs[metric] * means[1]),
                    _soft(grid, signs[metric], permutations, seed),
                )
            )
    return found


def grid_of(data: Data, places: Whole, criterion: int, metric: int) -> Grid:
    """Scores of one criterion and one metric, added up by source and system."""
    people, scores = data.people[criterion][places], data.scores[metric][places]
    both = np.flatnonzero(~np.isnan(people) & ~np.isnan(scores))
    own = [data.units[place].system for place in places[both]]
    systems = tuple(name for name in data.systems if name in set(own))
    column = np.array([systems.index(name) for name in own], dtype=np.int64)
    row = np.unique(data.sources[places[both]], return_inverse=True)[1] if len(both) else column
    shape = (int(row.max()) + 1 if len(row) else 0, len(systems))

    def added(weights: Real) -> Real:
        found = np.bincount(row * shape[1] + column, weights, minlength=shape[0] * shape[1])
        return found.astype(float).reshape(shape)

    return Grid(systems, added(people[both]), added(scores[both]), added(np.ones(len(both))))


def _coefficients(grid: Grid, replicates: int, seed: int) -> tuple[dict[str, Estimate], dict[str, Statistic]]:
    means = grid.means
    few = len(grid.systems) < LEAST
    reason = too_little(len(grid.units), replicates)
    drawn = _resampled_means(grid, replicates, seed) if not (few or reason) else None
    values, p = {}, {}
    for name, measure in COEFFICIENTS.items():
        found = without(FEW_SYSTEMS) if few else measure(*means)
        interval = no_interval(found.value.reason or reason)
        if drawn is not None and found.value.value is not None:
            interval = percentile_interval(BY_ROW[name](*drawn))
        values[name], p[name] = Estimate(found.value, interval.low, interval.high), found.p
    return values, p


def _resampled_means(grid: Grid, replicates: int, seed: int) -> tuple[Real, Real]:
    """Means of systems over sources drawn with replacement; resamples in which a system has none are left out."""
    blocks = []
    for times in draws(np.arange(len(grid.units)), replicates, seed):
        total = times @ grid.units
        kept = (total > 0).all(axis=1)
        blocks.append([settled((times[kept] @ side) / total[kept]) for side in (grid.people, grid.metric)])
    people, metric = (np.concatenate(side) for side in zip(*blocks, strict=True))
    return people, metric


def _soft(grid: Grid, sign: float, permutations: int, seed: int) -> SoftAccuracy:
    with np.errstate(divide="ignore", invalid="ignore"):
        people, metric = (np.where(grid.units > 0, side / grid.units, np.nan) for side in (grid.people, grid.metric))
    return soft_pairwise_accuracy(people, sign * metric, permutations, seed)
