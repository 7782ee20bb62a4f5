"""Metrics against people on whole systems: correlations of means, and how often systems are put in people's order."""

from __future__ import annotations

from typing import NamedTuple

import attrs
import numpy as np

from rubrica.report.correlation_data import Coefficient, CorrelationResult, Data, Scope, Whole, coefficient
from rubrica.stats.bootstrap import Resampled, too_little
from rubrica.stats.correlation.coefficients import COEFFICIENTS, LEAST, Real, settled, without
from rubrica.stats.correlation.pairwise_accuracy import (
    PairwiseAccuracy,
    SoftAccuracy,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)
from rubrica.stats.correlation.resamples import resampled_systems

SYSTEMS = "systems"
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
            means = grid.means
            found.append(
                SystemResult(
                    scope,
                    criterion,
                    name,
                    _coefficients(grid, replicates, seed),
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


def _coefficients(grid: Grid, replicates: int, seed: int) -> dict[str, Coefficient]:
    means = grid.means
    many = len(grid.systems)
    reason = few_systems(many, len(grid.units), replicates)
    drawn = None
    if not reason:
        drawn = resampled_systems(np.stack([grid.people, grid.metric]), grid.units, replicates, seed)
    found = {}
    for name, measure in COEFFICIENTS.items():
        one = without(FEW_SYSTEMS) if many < LEAST else measure(*means)
        value, own = one.value.value, None
        if drawn is not None and value is not None:
            own = Resampled(value, *drawn.of(name, 0, 1), many, SYSTEMS)
        found[name] = coefficient(name, *means, one, own, reason)
    return found


def few_systems(systems: int, sources: int, replicates: int) -> str:
    """Why a correlation of systems has no interval: of both that are drawn there must be enough; empty if it has."""
    return too_little(systems, replicates, SYSTEMS) or too_little(sources, replicates, "sources")


def _soft(grid: Grid, sign: float, permutations: int, seed: int) -> SoftAccuracy:
    with np.errstate(divide="ignore", invalid="ignore"):
        people, metric = (np.where(grid.units > 0, side / grid.units, np.nan) for side in (grid.people, grid.metric))
    return soft_pairwise_accuracy(people, sign * metric, permutations, seed)
