"""How often a 95 % interval holds what is true: every kind of figure, at 20, 50 and 200 units, on simulated studies.

Populations differ in scale, in how often the usual answer is given, in the number of raters and in gaps. What is true
is computed from a hundred thousand units of the same population. RUBRICA_STUDIES sets how many studies are simulated
of each kind (100; figures of record: design/022), RUBRICA_ONLY takes figures whose name has a part.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.report import Figure
from rubrica.core.ratings import INTERVAL, NOMINAL, ORDINAL
from rubrica.metrics.scoring import Resampling
from rubrica.stats.agreement.measures import MEASURES, over_units
from rubrica.stats.agreement.tally import too_uniform
from rubrica.stats.bootstrap import Interval, Resampled, no_interval, ratio_resamples, without_each
from rubrica.stats.coded import Coded, from_matrix
from rubrica.stats.correlation.coefficients import COEFFICIENTS
from rubrica.stats.correlation.resamples import resampled, resampled_systems

Real = npt.NDArray[np.float64]
STUDIES = int(os.environ.get("RUBRICA_STUDIES", "100"))
SIZES, REPLICATES, MANY, SEED = (20, 50, 200), 1000, 100_000, 20261118
LOWEST, HIGHEST = 93.0, 97.0
Draw = Callable[[np.random.Generator, int], Real]


class Population(NamedTuple):
    """Ratings of units by so many raters: where a scale is cut, how often a cell is missing, the level."""

    name: str
    cuts: tuple[float, ...]
    raters: int
    level: str
    missing: float = 0.0
    spread: float = 0.3

    def drawn(self, generator: np.random.Generator, units: int, other_raters: bool = False) -> Real:
        """A table of ratings: a unit's quality, what is particular to the rater, and noise."""
        own = generator if other_raters else np.random.default_rng([SEED, self.raters])
        lenient = own.normal(0, self.spread, self.raters)
        seen = generator.normal(0, 1, (units, 1)) + lenient + generator.normal(0, 0.8, (units, self.raters))
        table = np.digitize(seen, self.cuts) + 1.0 if self.cuts else np.clip(50 + 15 * seen, 0, 100).round()
        table[generator.random(table.shape) < self.missing] = np.nan
        return table

    def coded(self, table: Real) -> Coded:
        """Ratings with all points of the scale, as for a study."""
        values = tuple(float(point) for point in range(1, len(self.cuts) + 2))
        return from_matrix(table).widened(values) if self.cuts else from_matrix(table)


EVEN, USUAL = (0.0,), (-1.2,)
FIVE, PILED = (-1.5, -0.5, 0.5, 1.2), (-2.6, -2.0, -1.4, -0.5)
YES_NO = ("alpha", "fleiss", "cohen", "ac1", "percent")
POINTS = ("alpha", "fleiss", "cohen_quadratic", "ac2", "percent", "pearson", "spearman", "kendall")
POPULATIONS: Mapping[Population, Sequence[str]] = {
    Population("yes or no, half", EVEN, 2, NOMINAL): YES_NO,
    Population("yes or no, half", EVEN, 3, NOMINAL): YES_NO,
    Population("yes or no, half", EVEN, 10, NOMINAL): YES_NO,
    Population("yes or no, one in six", USUAL, 3, NOMINAL): YES_NO,
    Population("five points", FIVE, 2, ORDINAL): POINTS,
    Population("five points", FIVE, 3, ORDINAL): POINTS,
    Population("five points", FIVE, 10, ORDINAL): POINTS[:5],
    Population("five points, a third missing", FIVE, 3, ORDINAL, 1 / 3): POINTS,
    Population("five points, piled up", PILED, 3, ORDINAL): POINTS,
    Population("slider", (), 3, INTERVAL): ("alpha", "pearson", "spearman"),
}


class Held(NamedTuple):
    """How many intervals held the truth, of how many; the others could not be made."""

    held: int
    made: int
    studies: int

    def and_also(self, other: Held) -> Held:
        """Both together, which chance moves less."""
        return Held(*(one + more for one, more in zip(self, other, strict=True)))

    def figure(self, name: str) -> Figure:
        """The share with what chance does to it, and whether it can be between 93 and 97 %."""
        share = 100 * self.held / max(self.made, 1)
        chance = 100 * np.sqrt(0.05 * 0.95 / max(self.made, 1))
        off = max(LOWEST - share, share - HIGHEST, 0.0)
        told = f"{self.made} of {self.studies} studies have an interval; 93 to 97 {'reached' if not off else 'missed'}"
        return Figure(name, share, "%", None, detail=f"{told}, by {off:.1f}, chance {2 * chance:.1f}" if off else told)


def held(true: float, study: Callable[[int], Interval]) -> Held:
    """Simulate studies and count."""
    found = [study(number) for number in range(STUDIES)]
    ends = [(one.low.value, one.high.value) for one in found]
    made = [(low, high) for low, high in ends if low is not None and high is not None]
    return Held(sum(low <= true <= high for low, high in made), len(made), len(found))


def _agreement() -> Iterator[tuple[str, Callable[[], Held]]]:
    for population, names in POPULATIONS.items():
        for name in names:
            for units in SIZES:
                what = f"{name}, {population.name}, {population.raters} raters, {units} units"
                yield what, lambda p=population, m=name, n=units: held(_true(p, m), _agreeing(p, m, n))


@cache
def _true(population: Population, name: str) -> float:
    units = MANY if name != "kendall" else MANY // 10
    table = population.coded(population.drawn(np.random.default_rng(SEED), units))
    return MEASURES[name].prepare(table, MEASURES[name].level(population.level)).value


def _agreeing(population: Population, name: str, units: int) -> Callable[[int], Interval]:
    measure = MEASURES[name]

    def study(number: int) -> Interval:
        answers = population.coded(population.drawn(np.random.default_rng([SEED, number, units]), units))
        prepared = measure.prepare(answers, measure.level(population.level))
        few = too_uniform(answers) if measure.varied else ""
        return no_interval(few or "undefined") if few or np.isnan(prepared.value) else _made(prepared, number)

    return study


def _made(prepared: object, number: int) -> Interval:
    return over_units(prepared, REPLICATES, number)


def _intraclass() -> Iterator[tuple[str, Callable[[], Held]]]:
    """Raters of the second model are drawn anew for every study, and those of the first for every unit."""
    for cuts, name in (((), "slider"), (FIVE, "five points"), (PILED, "five points, piled up")):
        for raters in (2, 3, 10):
            for spread in (0.3, 0.6):
                population = Population(name, cuts, raters, INTERVAL, spread=spread)
                for model in (1, 2, 3):
                    for units in SIZES:
                        what = f"icc({model},1), {name}, {raters} raters who differ by {spread}, {units} units"
                        yield what, lambda p=population, m=model, n=units: held(_true_icc(p, m), _rating(p, m, n))


def _ratings(population: Population, model: int, generator: np.random.Generator, units: int) -> Real:
    if model > 1:
        return population.drawn(generator, units, other_raters=model == 2)
    wide = population._replace(spread=0.0)
    lenient = generator.normal(0, population.spread, (units, population.raters))
    seen = generator.normal(0, 1, (units, 1)) + lenient + generator.normal(0, 0.8, (units, population.raters))
    return np.digitize(seen, wide.cuts) + 1.0 if wide.cuts else np.clip(50 + 15 * seen, 0, 100).round()


@cache
def _true_icc(population: Population, model: int) -> float:
    generator = np.random.default_rng(SEED)
    many = population._replace(raters=400) if model == 2 else population
    table = _ratings(many, model, generator, 4000 if model == 2 else MANY)
    return MEASURES[f"icc({model},1)"].prepare(from_matrix(table), INTERVAL).value


def _rating(population: Population, model: int, units: int) -> Callable[[int], Interval]:
    def study(number: int) -> Interval:
        table = _ratings(population, model, np.random.default_rng([SEED, number, units]), units)
        prepared = MEASURES[f"icc({model},1)"].prepare(from_matrix(table), INTERVAL)
        few = too_uniform(from_matrix(table))
        assert prepared.formula is not None
        return no_interval(few) if few else prepared.formula()

    return study


def _shares(limit: float) -> Draw:
    def drawn(generator: np.random.Generator, sources: int) -> Real:
        seen = generator.normal(0, 1, (sources, 1)) + generator.normal(0, 1, (sources, 3))
        return np.stack([(seen < limit).sum(axis=1), np.full(sources, 3)]).astype(float)

    return drawn


def _points(cuts: Sequence[float]) -> Draw:
    def drawn(generator: np.random.Generator, sources: int) -> Real:
        raters = generator.integers(2, 5, sources)
        seen = generator.normal(0, 1, (sources, 1)) + generator.normal(0, 0.8, (sources, 4))
        counted = np.arange(4) < raters[:, None]
        return np.stack([((np.digitize(seen, cuts) + 1) * counted).sum(axis=1), raters]).astype(float)

    return drawn


def _differences(cuts: Sequence[float]) -> Draw:
    def drawn(generator: np.random.Generator, sources: int) -> Real:
        text = generator.normal(0, 1, (sources, 1))
        means = [
            np.digitize(
                text + generator.normal(0, 0.6, (sources, 1)) + generator.normal(0, 0.8, (sources, 3)), cuts
            ).mean(axis=1)
            for _ in range(2)
        ]
        return np.stack([means[0] - means[1], np.ones(sources)])

    return drawn


def _skewed(generator: np.random.Generator, sources: int) -> Real:
    return np.stack([generator.lognormal(0, 0.6, sources), np.ones(sources)])


def _lengths(generator: np.random.Generator, sources: int) -> Real:
    words = generator.poisson(20, sources) + 5
    return np.stack([generator.binomial(words, generator.beta(8, 4, sources)), words]).astype(float)


RATIOS: Mapping[str, Draw] = {
    "share of a half": _shares(0.0),
    "share of 80 %": _shares(1.19),
    "share of 95 %": _shares(2.33),
    "mean of five points": _points(FIVE),
    "mean of five points, piled up": _points(PILED),
    "difference of means": _differences(FIVE),
    "difference of means, piled up": _differences(PILED),
    "difference of shares": _differences(USUAL),
}
DIFFERENCES = [draw for name, draw in RATIOS.items() if name.startswith("difference")]
SCORES: Mapping[str, Draw] = {"skewed score of sentences": _skewed, "share of words, lengths differ": _lengths}


def _compared() -> Iterator[tuple[str, Callable[[], Held]]]:
    for name, draw in RATIOS.items():
        for sources in SIZES:
            yield f"{name}, {sources} sources", lambda d=draw, n=sources: held(_true_ratio(d), _ratio(d, n))
    for name, draw in SCORES.items():
        for sentences in SIZES:
            yield f"{name}, {sentences} sentences", lambda d=draw, n=sentences: held(_true_ratio(d), _scored(d, n))


@cache
def _true_ratio(draw: Draw) -> float:
    above, below = draw(np.random.default_rng(SEED), 10 * MANY).sum(axis=1)
    return float(above / below)


def _ratio(draw: Draw, sources: int) -> Callable[[int], Interval]:
    def study(number: int) -> Interval:
        above, below = draw(np.random.default_rng([SEED, number, sources]), sources)
        differences = draw in DIFFERENCES
        found = ratio_resamples(above[:, None], below[:, None], REPLICATES, number, differences=differences)
        return found[0].interval()

    return study


def _scored(draw: Draw, sentences: int) -> Callable[[int], Interval]:
    """As `rubrica score` does: each sentence comes a Poisson number of times."""

    def study(number: int) -> Interval:
        rows = draw(np.random.default_rng([SEED, number, sentences]), sentences).T
        drawn = Resampling(REPLICATES, number).weights(0, sentences) @ rows
        left = np.concatenate([one.weights @ rows for one in without_each(np.ones(sentences))])
        above, below = rows.sum(axis=0)
        return Resampled(above / below, drawn[:, 0] / drawn[:, 1], left[:, 0] / left[:, 1], sentences).interval()

    return study


class Scored(NamedTuple):
    """A metric beside people on rewrites of so many sources by so many systems; ``tail`` makes its scores skewed."""

    name: str
    strength: float
    systems: int
    tail: bool = False

    def drawn(self, generator: np.random.Generator, sources: int) -> tuple[Real, Real]:
        """People's means on five points and the metric, by source and system; rewrites of a source are alike."""
        shape = (sources, self.systems)
        quality = 0.6 * generator.normal(0, 1, (sources, 1)) + 0.8 * generator.normal(0, 1, shape)
        own = 0.6 * generator.normal(0, 1, (sources, 1)) + 0.8 * generator.normal(0, 1, shape)
        metric = self.strength * quality + np.sqrt(1 - self.strength**2) * own
        seen = np.digitize(quality[..., None] + generator.normal(0, 0.7, (*shape, 3)), FIVE)
        return seen.mean(axis=-1).ravel(), (np.exp(metric) if self.tail else metric).ravel()


CORRELATED = (
    Scored("no correlation", 0.0, 1),
    Scored("no correlation, three systems", 0.0, 3),
    Scored("strong", 0.8, 1),
    Scored("weak, three systems", 0.3, 3),
    Scored("strong, skewed, three systems", 0.8, 3, tail=True),
)


def _correlated() -> Iterator[tuple[str, Callable[[], Held]]]:
    for kind in CORRELATED:
        for name in COEFFICIENTS:
            for sources in SIZES:
                what = f"{name}, {kind.name}, {sources} sources"
                yield what, lambda k=kind, m=name, n=sources: held(_true_r(k, m), _correlating(k, m, n))
    for strength in (0.0, 0.8):
        for name in COEFFICIENTS:
            for systems in (10, 20) if name == "kendall" else (10, 20, 50):
                what = f"{name} of {systems} systems, {'none' if not strength else 'strong'}, 100 sources"
                yield what, lambda s=strength, m=name, n=systems: held(_true_of_systems(s, m), _of_systems(s, m, n))


@cache
def _true_r(kind: Scored, name: str) -> float:
    people, metric = kind.drawn(np.random.default_rng(SEED), MANY // kind.systems)
    return COEFFICIENTS[name](people, metric).value.value or 0.0


def _correlating(kind: Scored, name: str, sources: int) -> Callable[[int], Interval]:
    def study(number: int) -> Interval:
        people, metric = kind.drawn(np.random.default_rng([SEED, number, sources]), sources)
        value = COEFFICIENTS[name](people, metric).value.value
        cluster = np.repeat(np.arange(sources), kind.systems)
        found = resampled(name, people[None], metric[None], cluster, REPLICATES, number)
        return no_interval("undefined") if value is None else found.of(value, 0, 0, sources, "sources").interval()

    return study


def _systems(strength: float, generator: np.random.Generator, systems: int, sources: int) -> tuple[Real, Real]:
    """People and metric by source and system: systems differ, sources differ, rewrites differ."""
    quality = generator.normal(0, 0.4, systems)
    metric = strength * quality + np.sqrt(1 - strength**2) * generator.normal(0, 0.4, systems)
    return tuple(
        side + generator.normal(0, 0.5, (sources, 1)) + generator.normal(0, 0.9, (sources, systems))
        for side in (quality, metric)
    )


@cache
def _true_of_systems(strength: float, name: str) -> float:
    people, metric = _systems(strength, np.random.default_rng(SEED), 20_000, 100)
    return COEFFICIENTS[name](people.mean(axis=0), metric.mean(axis=0)).value.value or 0.0


def _of_systems(strength: float, name: str, systems: int) -> Callable[[int], Interval]:
    def study(number: int) -> Interval:
        people, metric = _systems(strength, np.random.default_rng([SEED, number, systems]), systems, 100)
        value = COEFFICIENTS[name](people.mean(axis=0), metric.mean(axis=0)).value.value
        drawn = resampled_systems(np.stack([people, metric]), np.ones((100, systems)), REPLICATES, number)
        own = Resampled(value or 0.0, *drawn.of(name, 0, 1), systems, "systems")
        return no_interval("undefined") if value is None else own.interval()

    return study


def run() -> Iterator[Figure]:
    """Agreement, intraclass correlations, shares and means, scores, correlations; then each kind of all populations."""
    only = os.environ.get("RUBRICA_ONLY", "")
    together: dict[str, Held] = {}
    for kind in (_agreement, _intraclass, _compared, _correlated):
        for name, work in kind():
            if only in name:
                found = work()
                yield found.figure(name)
                parts = name.split(", ")
                whole = f"{parts[0]}, all of {parts[-1]}"
                together[whole] = together.get(whole, Held(0, 0, 0)).and_also(found)
    yield from (found.figure(whole) for whole, found in together.items())
