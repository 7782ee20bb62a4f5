"""How well metrics agree with people, sentence by sentence and system by system, and which metric agrees better.

Rows are those of Table 4 of Zhang, Zhu, Brahma and Li, Small but Mighty: New Benchmarks for Split and Rephrase, 2020:
each data set and system, each data set, each system, and all; rewrites by people can be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import attrs
import numpy as np

from rubrica.report.correlation_data import (
    MEAN,
    Coefficient,
    CorrelationResult,
    Data,
    Scope,
    Whole,
    cells_by_presence,
    coefficient,
)
from rubrica.report.correlation_systems import SystemResult, system_results
from rubrica.report.correlation_tests import MetricTest, metric_tests
from rubrica.stats.bootstrap import too_little
from rubrica.stats.correlation.coefficients import COEFFICIENTS, SPEARMAN, Real
from rubrica.stats.correlation.pairwise_accuracy import TieCalibrated, tie_calibrated_accuracy
from rubrica.stats.correlation.resamples import resampled

SOURCES, UNITS = "sources", "units"


@attrs.frozen(kw_only=True)
class Choices:
    """How to correlate: the coefficient that tables show, resamples, permutations, their seed, the level of the dagger.

    ``lower`` are metrics of which less is better: they are turned round where order counts (pairwise accuracies and
    tests), and correlations keep their sign. ``compare`` tests every pair of metrics.
    """

    statistic: str = SPEARMAN
    combine: str = MEAN
    replicates: int = 1000
    permutations: int = 1000
    seed: int = 0
    alpha: float = 0.05
    resample: str = SOURCES
    human: tuple[str, ...] = ()
    lower: frozenset[str] = frozenset()
    compare: bool = True


@attrs.frozen
class SentenceResult(CorrelationResult):
    """A metric against a criterion over units.

    ``pairwise`` is the accuracy over all pairs of units, ``by_source`` that over pairs of rewrites of one source.
    """

    pairwise: TieCalibrated
    by_source: TieCalibrated


@attrs.frozen(eq=False)
class Correlations:
    """Everything that was found, and what made it."""

    data: Data
    sentences: tuple[SentenceResult, ...]
    systems: tuple[SystemResult, ...]
    tests: tuple[MetricTest, ...]
    choices: Choices
    signature: str

    def sentence(self, scope: Scope, criterion: str, metric: str) -> SentenceResult:
        """One result by its place in the table."""
        return self.index[scope, criterion, metric]

    @cached_property
    def index(self) -> dict[tuple[Scope, str, str], SentenceResult]:
        """Results on sentences by part of the data, criterion and metric."""
        return {(one.scope, one.criterion, one.metric): one for one in self.sentences}


def steps(data: Data, choices: Choices) -> int:
    """How much work there is, for a progress bar: parts of the data, then pairs of metrics on each criterion."""
    pairs = len(data.metrics) * (len(data.metrics) - 1) // 2 if choices.compare else 0
    return len(data.scopes) + len(data.by_dataset) + 2 * pairs * len(data.criteria)


def correlate(
    data: Data, choices: Choices, signature: str = "", done: Callable[[int], None] | None = None
) -> Correlations:
    """Correlate every metric with every criterion. ``done`` is told how many of the :func:`steps` are behind."""
    told = _Told(done)
    signs = np.array([-1.0 if metric in choices.lower else 1.0 for metric in data.metrics])
    sentences: list[SentenceResult] = []
    for scope in data.scopes:
        sentences += _sentences(data, scope, choices, signs)
        told.step()
    systems: list[SystemResult] = []
    for scope in data.by_dataset:
        systems += system_results(
            data,
            scope,
            signs,
            replicates=choices.replicates,
            permutations=choices.permutations,
            seed=choices.seed,
        )
        told.step()
    tests = metric_tests(data, signs, choices, told.step) if choices.compare and len(data.metrics) > 1 else []
    return Correlations(data, tuple(sentences), tuple(systems), tuple(tests), choices, signature)


class _Told:
    """Counts steps, and tells whoever wants to know."""

    def __init__(self, done: Callable[[int], None] | None) -> None:
        self._done, self._count = done, 0

    def step(self) -> None:
        self._count += 1
        if self._done is not None:
            self._done(self._count)


def _sentences(data: Data, scope: Scope, choices: Choices, signs: Real) -> list[SentenceResult]:
    places = data.of(scope)
    people, scores = data.people[:, places], data.scores[:, places]
    sources, clusters = data.sources[places], data.clusters[places]
    found: dict[tuple[int, int], SentenceResult] = {}
    for present, cells in cells_by_presence(people, scores):
        part = people[:, present], scores[:, present], sources[present]
        values = _estimates(part[0], part[1], clusters[present], cells, choices)
        for criterion, metric in cells:
            one, other = part[0][criterion], part[1][metric]
            found[criterion, metric] = SentenceResult(
                scope,
                data.criteria[criterion],
                data.metrics[metric],
                {name: values[name, criterion, metric] for name in COEFFICIENTS},
                len(present),
                len(set(part[2].tolist())),
                tie_calibrated_accuracy(one, signs[metric] * other),
                tie_calibrated_accuracy(one, signs[metric] * other, part[2]),
            )
    order = ((criterion, metric) for metric in range(len(scores)) for criterion in range(len(people)))
    return [found[cell] for cell in order]


def _estimates(
    people: Real, scores: Real, clusters: Whole, cells: Sequence[tuple[int, int]], choices: Choices
) -> dict[tuple[str, int, int], Coefficient]:
    """By coefficient and cell, the estimate with its interval, and the p-value."""
    found = {}
    rows, columns = sorted({cell[0] for cell in cells}), sorted({cell[1] for cell in cells})
    drawn = np.unique(clusters, return_inverse=True)[1]
    many = int(drawn.max()) + 1 if len(drawn) else 0
    reason = too_little(many, choices.replicates, choices.resample)
    for name, measure in COEFFICIENTS.items():
        values = {cell: measure(people[cell[0]], scores[cell[1]]) for cell in cells}
        draws = None
        if not reason and any(value.value.value is not None for value in values.values()):
            draws = resampled(name, people[rows], scores[columns], drawn, choices.replicates, choices.seed)
        for cell, one in values.items():
            own = None
            if draws is not None and one.value.value is not None:
                place = rows.index(cell[0]), columns.index(cell[1])
                own = draws.of(one.value.value, *place, many, choices.resample)
            found[name, *cell] = coefficient(name, people[cell[0]], scores[cell[1]], one, own, reason)
    return found
