"""How often a test at 5 % finds a difference or a correlation that is not there, on simulated studies.

Systems are equally good, metrics know nothing of quality or are equally good. RUBRICA_STUDIES sets how many studies are
simulated of each kind (100; figures of record: design/022), RUBRICA_ONLY takes tests whose name has a part.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.coverage import FIVE, PILED, REPLICATES, SEED, SIZES, STUDIES, USUAL, Real, Scored
from benchmarks.report import Figure
from rubrica.stats.bootstrap import ratio_resamples
from rubrica.stats.correlation.coefficients import COEFFICIENTS, PEARSON, SPEARMAN, exact_p
from rubrica.stats.correlation.metric_differences import metric_permutations, williams
from rubrica.stats.correlation.resamples import resampled
from rubrica.stats.mixed_model import Rated, mixed_model
from rubrica.stats.significance import sign_flips

ALPHA, LOWEST, HIGHEST = 0.05, 4.0, 6.0
SCALES = {"five points": FIVE, "five points, piled up": PILED, "yes or no": USUAL}
Study = Callable[[np.random.Generator, int], float | None]


def _rated(
    generator: np.random.Generator, sources: int, systems: int, cuts: tuple[float, ...], rewrites: float = 0.6
) -> Real:
    """Ratings of equally good systems by three people: sources, rewrites and people differ, and there is noise."""
    seen = (
        generator.normal(0, 1, (sources, 1, 1))
        + generator.normal(0, rewrites, (sources, systems, 1))
        + generator.normal(0, 0.3, 3)
        + generator.normal(0, 0.8, (sources, systems, 3))
    )
    return np.digitize(seen, cuts).astype(float)


def _paired(name: str, cuts: tuple[float, ...]) -> Study:
    def study(generator: np.random.Generator, sources: int) -> float | None:
        means = _rated(generator, sources, 2, cuts).mean(axis=2)
        gaps = (means[:, 0] - means[:, 1])[:, None]
        seed = int(generator.integers(2**31))
        if name == "permutation":
            return sign_flips(gaps, 10_000, seed)[0].p.value
        return ratio_resamples(gaps, np.ones_like(gaps), REPLICATES, seed, differences=True)[0].p().value

    return study


def _mixed(systems: int, cuts: tuple[float, ...], rewrites: float) -> Study:
    """The first pair of systems, uncorrected."""

    def study(generator: np.random.Generator, sources: int) -> float | None:
        table = _rated(generator, sources, systems, cuts, rewrites)
        source, system, person = np.indices(table.shape).reshape(3, -1)
        columns = (system, source, source * systems + system, person)
        found = mixed_model(Rated(table.ravel().tolist(), *(list(map(str, column)) for column in columns)))
        return found.pairs[0].p.value

    return study


def _correlation(name: str, systems: int) -> Study:
    kind = Scored("", 0.0, systems)

    def study(generator: np.random.Generator, sources: int) -> float | None:
        people, metric = kind.drawn(generator, sources)
        value = COEFFICIENTS[name](people, metric).value.value
        cluster = np.repeat(np.arange(sources), systems)
        found = resampled(name, people[None], metric[None], cluster, REPLICATES, int(generator.integers(2**31)))
        return None if value is None else found.of(value, 0, 0, sources, "sources").p().value

    return study


def _few(name: str) -> Study:
    def study(generator: np.random.Generator, systems: int) -> float | None:
        sides = generator.normal(0, 1, (2, systems))
        exact = exact_p(name, *sides)
        return exact.value if exact else COEFFICIENTS[name](*sides).p.value

    return study


def _metrics(test: str, name: str, systems: int) -> Study:
    """Two metrics that are equally good, on rewrites of one source by several systems."""

    def study(generator: np.random.Generator, sources: int) -> float | None:
        shape = (sources, systems)
        quality = 0.6 * generator.normal(0, 1, (sources, 1)) + 0.8 * generator.normal(0, 1, shape)
        one, other = (
            0.6 * quality + 0.5 * generator.normal(0, 1, (sources, 1)) + 0.62 * generator.normal(0, 1, shape)
            for _ in range(2)
        )
        people = quality + generator.normal(0, 0.5, shape)
        sides = people.ravel(), one.ravel(), other.ravel()
        if test == "williams":
            rs = np.corrcoef(sides)
            return williams(rs[0, 1], rs[0, 2], rs[1, 2], people.size).p.value
        seed, cluster = int(generator.integers(2**31)), np.repeat(np.arange(sources), systems)
        return metric_permutations(name, sides[0][None], sides[1], sides[2], 1000, seed, clusters=cluster)[0].value

    return study


def _tests() -> Iterator[tuple[str, Study, tuple[int, ...]]]:
    for scale, cuts in SCALES.items():
        for test in ("permutation", "bootstrap"):
            yield f"compare, {test}, {scale}", _paired(test, cuts), SIZES
    for systems, scale, rewrites in ((2, "five points", 0.6), (3, "five points", 0.6), (2, "yes or no", 0.6)):
        yield f"compare --mixed, {systems} systems, {scale}", _mixed(systems, SCALES[scale], rewrites), SIZES
    yield "compare --mixed, 2 systems, five points, rewrites alike", _mixed(2, FIVE, 0.0), SIZES
    for name in COEFFICIENTS:
        for systems in (1, 3):
            yield f"correlate, {name}, {systems} rewrites of a source", _correlation(name, systems), SIZES
    for name in COEFFICIENTS:
        yield f"correlate, {name} of few systems", _few(name), (5, 6, 8, 9)
    for systems in (1, 3):
        yield f"two metrics, permutation, {systems} rewrites of a source", _metrics("", SPEARMAN, systems), SIZES
        yield f"two metrics, Williams, {systems} rewrites of a source", _metrics("williams", PEARSON, systems), SIZES


def run() -> Iterator[Figure]:
    """Comparisons of systems, mixed models, correlations, pairs of metrics."""
    only = os.environ.get("RUBRICA_ONLY", "")
    for name, study, sizes in _tests():
        for size in sizes:
            if only not in f"{name}, {size}":
                continue
            found = [study(np.random.default_rng([SEED, number, size]), size) for number in range(STUDIES)]
            known = [p for p in found if p is not None]
            share = 100 * float(np.mean([p < ALPHA for p in known])) if known else float("nan")
            off = max(LOWEST - share, share - HIGHEST, 0.0)
            chance = 200 * np.sqrt(ALPHA * (1 - ALPHA) / max(len(known), 1))
            told = f"{len(known)} studies; 4 to 6 {'reached' if not off else 'missed'}"
            yield Figure(
                f"{name}, {size}",
                share,
                "%",
                None,
                detail=f"{told}, by {off:.1f}, chance {chance:.1f}" if off else told,
            )
