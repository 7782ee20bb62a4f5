"""What is correlated: people's scores and metrics' scores of the same units, and what two of them have in common.

What people said of each unit as one number, by criterion: the side that metrics are held against. A scale counts as it
is; a yes or no and a verdict are 1 for the good answer and 0 for the other, so that a mean is the share of raters who
gave the good one; a choice counts like that where one of its options is the good one. Labels in an order and sets have
no mean and are left out, which is said; so are free texts, which nobody expects.

People's scores and metrics' scores of the same units as two tables, and the parts of them that have a row.

What a metric and a criterion have in common, whether over sentences or over systems.

Metrics against people on whole systems: correlations of means, and how often systems are put in people's order.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.core.answers import Answer
from rubrica.core.errors import wrong
from rubrica.core.ratings import CHOICE, VERDICT, YES_NO, Criterion, Ratings, Unit, given
from rubrica.report.comparison_measures import REPEATED
from rubrica.report.tables import Estimate
from rubrica.stats.aggregation import z_scores
from rubrica.stats.bootstrap import Resampled, no_interval, too_little
from rubrica.stats.coded import from_triples
from rubrica.stats.correlation.coefficients import (
    COEFFICIENTS,
    DIGITS,
    LEAST,
    Correlation,
    Real,
    exact_p,
    settled,
    without,
)
from rubrica.stats.correlation.pairwise_accuracy import (
    PairwiseAccuracy,
    SoftAccuracy,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)
from rubrica.stats.correlation.resamples import resampled_systems
from rubrica.stats.statistic import Statistic

MEAN, MEDIAN, Z = "mean", "median", "z"
COMBINED = (MEAN, MEDIAN, Z)
"""How answers of several raters become one number: their mean, their median, or the mean of standardised answers."""


class PeopleScores(NamedTuple):
    """The score of every unit that has one, and the title of the column."""

    criterion: str
    title: str
    scores: Mapping[str, float]


class People(NamedTuple):
    """All criteria that are numbers, and in words what was left out."""

    criteria: tuple[PeopleScores, ...]
    remarks: tuple[str, ...]


def people_scores(ratings: Ratings, combine: str = MEAN, good: Mapping[str, str] | None = None) -> People:
    """The scores of all criteria. ``good`` names the answer that counts as 1, by question, where it is not known.

    Raises InputError if ``good`` names a question or an answer that there is not.
    """
    wanted = {name: known_answer(ratings.criterion(name), answer) for name, answer in (good or {}).items()}
    found, odd = [], []
    for criterion in ratings.criteria:
        if criterion.id in REPEATED or not criterion.comparable:
            continue
        counted = _numbers(criterion, ratings, wanted.get(criterion.id))
        if counted is None:
            odd.append(criterion.label)
        elif counted:
            found.append(PeopleScores(criterion.id, _title(criterion, wanted), _combined(counted, combine)))
    remarks = [f"no numbers, and left out: {', '.join(odd)}"] if odd else []
    return People(tuple(found), tuple(remarks))


def known_answer(criterion: Criterion, answer: str) -> Answer:
    """The answer of a question that is written so. Raises InputError if there is none."""
    for value in criterion.values:
        if str(value) == answer:
            return value
    known = ", ".join(map(str, criterion.values)) or "none is listed"
    raise wrong(f"{criterion.id} has no answer {answer!r}", "good", f"Answers: {known}.", value=answer)


def good_answer(criterion: Criterion) -> Answer | None:
    """The answer that counts as 1: the good one; yes, where nobody says which of yes and no is good."""
    if criterion.good is None and set(criterion.values) == {"no", "yes"}:
        return "yes"
    return criterion.good if criterion.kind in (YES_NO, VERDICT, CHOICE) else None


def _title(criterion: Criterion, wanted: Mapping[str, Answer]) -> str:
    """The label; with *no* before it where *no* is what counts, as in the tables of comparisons."""
    counts = wanted.get(criterion.id, good_answer(criterion))
    if counts == "no":
        return f"no {criterion.label.lower()}"
    return criterion.label if counts in (None, "yes") else f"{criterion.label}: {counts}"


def _numbers(criterion: Criterion, ratings: Ratings, wanted: Answer | None) -> list[tuple[str, str, float]] | None:
    """Unit, rater and number of every answer; None if answers are no numbers."""
    counts = wanted if wanted is not None else good_answer(criterion)
    if counts is None and not criterion.numeric:
        return None
    found = []
    for rating in ratings.counted_on(criterion.id):
        answer = given(rating, criterion.id)
        if answer is None:
            continue
        if counts is not None:
            found.append((rating.unit, rating.rater, float(answer == counts)))
        elif isinstance(answer, int | float):
            found.append((rating.unit, rating.rater, float(answer)))
    return found


def _combined(counted: Sequence[tuple[str, str, float]], combine: str) -> dict[str, float]:
    if combine == Z:
        coded = from_triples(counted, tuple(sorted({number for _, _, number in counted})))
        gold = z_scores(coded).gold
        return {
            str(unit): round(float(one.value), DIGITS)
            for unit, one in zip(coded.units, gold, strict=True)
            if isinstance(one.value, int | float)
        }
    by_unit: dict[str, list[float]] = defaultdict(list)
    for unit, _, number in counted:
        by_unit[unit].append(number)
    if combine == MEDIAN:
        return {unit: float(statistics.median(numbers)) for unit, numbers in by_unit.items()}
    # fsum: the same answers in another order are the same mean to the last digit, so that ties stay ties.
    return {unit: math.fsum(numbers) / len(numbers) for unit, numbers in by_unit.items()}


Whole = npt.NDArray[np.int64]
NO_SYSTEM = "(no system)"
SENTENCE, SYSTEM = "sentence", "system"
"""What is correlated: scores of rewrites, or means of systems."""


@attrs.frozen
class Scope:
    """Which units a figure is about: those of a data set, of a system, of both, or (None) of all."""

    dataset: str | None = None
    system: str | None = None


@attrs.frozen(eq=False)
class Data:
    """Units in a fixed order, and for each criterion and each metric a row with a score for each unit (NaN: none)."""

    units: tuple[Unit, ...]
    criteria: tuple[str, ...]
    titles: tuple[str, ...]
    metrics: tuple[str, ...]
    people: Real
    scores: Real
    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    sources: Whole
    """The number of each unit's source; a source of the same name in another data set is another one."""
    clusters: Whole
    """The number of what is drawn in a resample with all its units: the source, or the unit itself."""

    @property
    def scopes(self) -> list[Scope]:
        """The rows of Table 4: each data set and system, each data set, each system, all; each set of units once."""
        several = len(self.datasets) > 1, len(self.systems) > 1
        found = []
        if all(several):
            cells = {(unit.dataset, unit.system) for unit in self.units}
            found += [Scope(one, other) for one in self.datasets for other in self.systems if (one, other) in cells]
        found += [Scope(dataset=one) for one in self.datasets] if several[0] else []
        found += [Scope(system=one) for one in self.systems] if several[1] else []
        return [*found, Scope()]

    @property
    def by_dataset(self) -> list[Scope]:
        """Where systems are compared as wholes: on each data set, and on all."""
        return [*([Scope(dataset=one) for one in self.datasets] if len(self.datasets) > 1 else []), Scope()]

    def of(self, scope: Scope) -> Whole:
        """The places of the units of a scope."""
        return np.array(
            [
                place
                for place, unit in enumerate(self.units)
                if scope.dataset in (None, unit.dataset) and scope.system in (None, unit.system)
            ],
            dtype=np.int64,
        )


def data_of(
    units: Sequence[Unit],
    people: Sequence[PeopleScores],
    scores: Mapping[str, Mapping[str, float]],
    metrics: Sequence[str],
    human: Collection[str] = (),
    apart: bool = False,
) -> Data:
    """The tables of the units that have a metric's score, without those of the systems that are ``human``.

    ``apart`` draws units one by one, not with their source. Units are sorted, so that a seed draws the same ones in
    whatever order ratings come.
    """
    kept = [unit for unit in units if unit.key in scores and unit.system not in human]
    kept.sort(key=lambda unit: (unit.dataset, unit.source, unit.system, unit.key))
    names = [(unit.dataset, unit.source or unit.key) for unit in kept]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    sources = np.array([numbers[name] for name in names], dtype=np.int64)
    order = [unit for unit in units if unit.key in scores and unit.system not in human]
    return Data(
        tuple(kept),
        tuple(one.criterion for one in people),
        tuple(one.title for one in people),
        tuple(metrics),
        _table(kept, [one.scores for one in people]),
        _table(kept, [{unit: own[name] for unit, own in scores.items() if name in own} for name in metrics]),
        tuple(dict.fromkeys(unit.dataset for unit in order)),
        tuple(dict.fromkeys(unit.system for unit in order)),
        sources,
        np.arange(len(kept)) if apart else sources,
    )


def _table(units: Sequence[Unit], rows: Sequence[Mapping[str, float]]) -> Real:
    return np.array([[row.get(unit.key, np.nan) for unit in units] for row in rows], dtype=float).reshape(
        len(rows), len(units)
    )


def cells_by_presence(people: Real, scores: Real) -> Iterator[tuple[Whole, list[tuple[int, int]]]]:
    """Cells (criterion, metric) that have both sides on the same units, with the places of those units.

    Without gaps that is all cells at once, so that they can share resamples and ranks.
    """
    groups: dict[bytes, tuple[Whole, list[tuple[int, int]]]] = {}
    known = ~np.isnan(people), ~np.isnan(scores)
    for criterion, one in enumerate(known[0]):
        for metric, other in enumerate(known[1]):
            both = one & other
            groups.setdefault(both.tobytes(), (np.flatnonzero(both), []))[1].append((criterion, metric))
    yield from groups.values()


class Coefficient(NamedTuple):
    """A coefficient with its interval and p-values.

    ``p`` takes units as independent, as published tables do. ``resampled`` is of the procedure that made the interval,
    so that both say the same: it decides. Without an interval it is ``p``, or of few units that of all orders.
    """

    estimate: Estimate
    p: Statistic
    resampled: Statistic


def coefficient(
    name: str, people: Real, metric: Real, found: Correlation, resampled: Resampled | None, reason: str
) -> Coefficient:
    """A coefficient with its resamples; ``reason`` says why it has none."""
    interval = no_interval(found.value.reason or reason) if resampled is None else resampled.interval()
    estimate = Estimate(found.value, interval.low, interval.high)
    if resampled is not None and interval.low.value is not None:
        return Coefficient(estimate, found.p, resampled.p())
    exact = exact_p(name, people, metric) if found.p.value is not None else None
    return Coefficient(estimate, found.p, exact or found.p)


@attrs.frozen
class CorrelationResult:
    """A metric against a criterion: coefficients by name."""

    scope: Scope
    criterion: str
    metric: str
    coefficients: Mapping[str, Coefficient]
    n: int
    sources: int

    @property
    def values(self) -> Mapping[str, Estimate]:
        """Coefficients with their intervals, by name."""
        return {name: one.estimate for name, one in self.coefficients.items()}

    @property
    def p(self) -> Mapping[str, Statistic]:
        """Their p-values if units were independent."""
        return {name: one.p for name, one in self.coefficients.items()}

    def significant(self, name: str, alpha: float) -> bool:
        """Whether the p-value that goes with the interval of a coefficient is below ``alpha``; without one, no."""
        p = self.coefficients[name].resampled.value
        return p is not None and p < alpha


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
