"""How well metrics agree with people, sentence by sentence and system by system, and which metric agrees better.

Rows are those of Table 4 of Zhang, Zhu, Brahma and Li, Small but Mighty: New Benchmarks for Split and Rephrase, 2020:
each data set and system, each data set, each system, and all; rewrites by people can be left out.

What metrics are held against and which scores they gave: from ratings, edits and files to correlations. From ratings
and scores of metrics to correlations: what `rubrica correlate` and the report both do. The scores are those of a file
that was joined with the units, or of metrics that are registered in a study.

Scores from edits as what people said: the side that metrics are held against where edits were marked. The score of a
rewrite follows from the edits that an annotator marked (``edits/score.py``): in total, quality and error apart, and by
family. Each is a criterion, each annotator a rater, so that all else is as for ratings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import attrs
import numpy as np

from rubrica.core.errors import InputError, wrong
from rubrica.core.human_rewrites import joined
from rubrica.core.metric_values import LOWER, MetricValues
from rubrica.core.ratings import INTERVAL, SCALE, Criterion, Rater, Rating, Ratings, Unit
from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.score import published_score, score
from rubrica.edits.typology import Typology
from rubrica.exchange.score_units import JoinedScores
from rubrica.metrics.catalog import WHERE, metrics_of
from rubrica.metrics.metric import Options
from rubrica.report.correlation_data import (
    MEAN,
    Coefficient,
    CorrelationResult,
    Data,
    People,
    Scope,
    SystemResult,
    Whole,
    cells_by_presence,
    coefficient,
    data_of,
    system_results,
)
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


REGISTERED = "registered"
PERSON = "person"


class Scored(NamedTuple):
    """Metrics by name, their scores of units, those of which less is better, and what a signature says of them."""

    metrics: tuple[str, ...]
    joined: JoinedScores
    lower: frozenset[str]
    origin: str


def by_people(ratings: Ratings) -> Ratings:
    """What people said: what models and metrics did is no human side."""
    return ratings.of(one for one in ratings.every if ratings.raters[one.rater].kind == PERSON)


def rated_units(ratings: Ratings, people: People) -> list[Unit]:
    """The units that people said something of that is a number, in order."""
    return [ratings.units[name] for name in dict.fromkeys(unit for one in people.criteria for unit in one.scores)]


def registered_scores(ratings: Ratings, rated: Sequence[Unit], wanted: Sequence[str] = ()) -> Scored:
    """The scores of metrics that are annotators of the study: of those that are wanted, or of all."""
    chosen = [one for one in ratings.metrics if not wanted or one.name in wanted]
    scores: dict[str, dict[str, float]] = {}
    for unit in rated:
        own = {one.name: one.values[unit.key] for one in chosen if unit.key in one.values}
        if own:
            scores[unit.key] = own
    digest = hashlib.sha256("\n".join(one.signature for one in chosen).encode()).hexdigest()[:12]
    joined = JoinedScores(scores, (), len(rated) - len(scores), 0)
    lower = frozenset(one.name for one in chosen if one.better == LOWER)
    return Scored(tuple(one.name for one in chosen), joined, lower, f"{REGISTERED}@{digest}")


class Prepared(NamedTuple):
    """People's scores and metrics' scores side by side, how they are correlated, and what signs it."""

    data: Data
    choices: Choices
    signature: str

    @property
    def steps(self) -> int:
        """How much work there is, for a progress bar."""
        return steps(self.data, self.choices)

    def correlate(self, done: Callable[[int], None] | None = None) -> Correlations:
        """Correlate them; ``done`` is told how many of the steps are behind."""
        return correlate(self.data, self.choices, self.signature, done)


def prepared(
    sign: Callable[..., str], people: People, rated: Sequence[Unit], beside: Scored, choices: Choices
) -> Prepared:
    """Put both sides together. Raises InputError if nothing is left without people's rewrites."""
    data = data_of(
        rated, people.criteria, beside.joined.scores, beside.metrics, choices.human, choices.resample == UNITS
    )
    if not data.units:
        fix = "Leave out fewer with --human."
        raise wrong("no units are left", "human", fix, value=", ".join(choices.human))
    signature = sign(
        alpha=choices.alpha,
        bootstrap=choices.replicates,
        combine=choices.combine,
        correlate=choices.statistic,
        human=joined(choices.human),
        lower="+".join(sorted(choices.lower)),
        metrics="+".join(beside.metrics),
        permutations=choices.permutations,
        resample=choices.resample,
        score_unit="+".join(beside.joined.columns),
        scores=beside.origin,
        seed=choices.seed,
    )
    return Prepared(data, choices, signature)


PREFIX = "edits_"
WEIGHTS = ("rubrica", "published")


def edit_ratings(
    pairs: Sequence[AnnotatedPair], typology: Typology, weights: str, metrics: Sequence[MetricValues] = ()
) -> Ratings:
    """Ratings whose criteria are ``edits_total``, ``edits_quality``, ``edits_error`` and ``edits_`` with each family.

    ``metrics`` are those that are registered in the study. A unit is called by the number or id of its entry where that
    tells pairs apart, else by what identifies its texts. Where no edit has a type and rating yet, as when edits are
    only selected, the annotator gave no score; edits without them beside others count as 0. Remarks say both.
    """
    scoring = score if weights == "rubrica" else published_score
    clear = (
        len({pair.name for pair in pairs})
        == len({(pair.name, pair.key) for pair in pairs})
        == len({pair.key for pair in pairs})
    )
    units: dict[str, Unit] = {}
    every: list[Rating] = []
    names: dict[str, None] = {}
    bare, counted = 0, 0
    for pair in pairs:
        unit = pair.name if clear else pair.key
        texts = {"source": pair.source, "rewrite": pair.rewrite}
        units.setdefault(unit, Unit(unit, pair.system, pair.source, texts=texts))
        found = scoring(pair, typology)
        if found.edits and found.edits == found.unscored:
            bare += 1
            continue
        counted += found.unscored
        parts = {"total": found.total, "quality": found.quality, "error": found.error, **found.families}
        answers = {PREFIX + name.lower(): value for name, value in parts.items()}
        names |= dict.fromkeys(answers)
        every.append(Rating(unit, pair.annotator, dict(answers)))
    return Ratings(
        "edits",
        tuple(Criterion(name, name.replace("_", " "), SCALE, INTERVAL) for name in names),
        tuple(every),
        units,
        {name: Rater(name) for name in dict.fromkeys(pair.annotator for pair in pairs)},
        {"weights": weights},
        metrics=tuple(metrics),
        remarks=_remarks(bare, len(pairs), counted),
    )


def _remarks(bare: int, pairs: int, counted: int) -> tuple[str, ...]:
    found = []
    if bare:
        found.append(f"{bare:,} of {pairs:,} annotations give no score: none of their edits has type and rating")
    if counted:
        found.append(f"edits without type or rating, beside others that have them, count as 0: {counted:,}")
    return tuple(found)


def lower_is_better(columns: Iterable[str]) -> frozenset[str]:
    """Those of the columns that are figures of Rubrica's own metrics, of which less is better.

    A figure is named after its metric (``ter``, ``sari_add``); capitals do not matter. Nothing is known of others, nor
    of metrics that are not installed: they count as better when higher.
    """
    return frozenset(column for column in columns if _known(column.casefold()) == LOWER)


def _known(key: str) -> str:
    name = max((name for name in WHERE if key == name or key.startswith(f"{name}_")), key=len, default="")
    if not name:
        return ""
    try:
        metric = metrics_of([name], Options())[0]
    except InputError:
        return ""
    return next((figure.better for figure in metric.figures if figure.key == key), "")
