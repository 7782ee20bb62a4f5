"""Tests between systems: paired, with the ranks that follow, and the mixed-effects model beside them.

Paired tests between systems on the same sources, and the ranks that follow from them. The difference between two
systems is the mean, over the sources that both were rated on, of the difference between their means on that source. A
source that only one of them was rated on says nothing about the pair: it is left out and counted. Ties to the table:
its figures weigh ratings, tests weigh sources; with as many ratings of each they are equal.

The mixed-effects check of a comparison: one model for each data set and criterion, and its tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.core.ratings import Rating, Ratings
from rubrica.report.comparison_measures import NO_SYSTEM, Measure, measures_of
from rubrica.report.tables import DECIMAL, PROBABILITY, WHOLE, Column, Estimate, Table
from rubrica.stats.bootstrap import no_interval, ratio_resamples
from rubrica.stats.mixed_model import MixedModel, Pair, Rated, mixed_model
from rubrica.stats.significance import Rank, holm, ranks, sign_flips
from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
NO_PAIRS = "they were rated on no common source"


class Tested(NamedTuple):
    """What is tested in one data set: the mean of each source, system and figure, NaN where there is none."""

    dataset: str
    systems: tuple[str, ...]
    measures: tuple[Measure, ...]
    means: Real


@attrs.frozen
class PairTest:
    """Two systems on one figure: the difference first minus second, p-values as they are and after Holm.

    The interval and the bootstrap's p are of one procedure: before Holm, p is below 0.05 where it leaves out 0.

    ``sources`` is how many both were rated on, ``unpaired`` how many only one was.
    """

    dataset: str
    measure: Measure
    first: str
    second: str
    difference: Estimate
    permutation: Statistic
    permutation_holm: Statistic
    exact: bool
    bootstrap: Statistic
    bootstrap_holm: Statistic
    sources: int
    unpaired: int

    def significant(self, alpha: float) -> bool:
        """Whether the permutation test finds a difference after the correction."""
        return self.permutation_holm.value is not None and self.permutation_holm.value < alpha


class Ranked(NamedTuple):
    """A system's rank on one figure of one data set."""

    dataset: str
    measure: Measure
    rank: Rank


def paired_tests(
    tested: Sequence[Tested], *, replicates: int, permutations: int, seed: int, together: bool
) -> list[PairTest]:
    """Every pair of systems on every tested figure, corrected by Holm over pairs of a figure and data set, or all."""
    found: list[PairTest] = []
    for one in tested:
        if len(one.systems) > 1 and one.measures:
            found += _of_dataset(one, replicates, permutations, seed)
    families: dict[tuple[str, str], list[int]] = {}
    for index, test in enumerate(found):
        families.setdefault(("", "") if together else (test.dataset, test.measure.id), []).append(index)
    for family in families.values():
        by_permutation = holm([found[index].permutation for index in family])
        by_bootstrap = holm([found[index].bootstrap for index in family])
        for index, first, second in zip(family, by_permutation, by_bootstrap, strict=True):
            found[index] = attrs.evolve(found[index], permutation_holm=first, bootstrap_holm=second)
    return found


def _of_dataset(one: Tested, replicates: int, permutations: int, seed: int) -> list[PairTest]:
    pairs = list(combinations(range(len(one.systems)), 2))
    # A column for each figure and pair; all of them share their draws and signs.
    gaps = np.stack([one.means[:, first] - one.means[:, second] for first, second in pairs], axis=2)
    gaps = gaps.reshape(len(one.means), -1)
    present = ~np.isnan(gaps)
    either = np.stack(
        [~np.isnan(one.means[:, first]) | ~np.isnan(one.means[:, second]) for first, second in pairs], axis=2
    ).reshape(len(one.means), -1)
    differences = np.where(present, gaps, 0.0)
    flips = sign_flips(differences, permutations, seed)
    resampled = ratio_resamples(differences, present.astype(float), replicates, seed, differences=True)
    found = []
    for column, (measure, (first, second)) in enumerate((m, pair) for m in one.measures for pair in pairs):
        paired = int(present[:, column].sum())
        mean = Statistic(float(differences[:, column].sum() / paired)) if paired else Statistic(None, NO_PAIRS)
        permutation = flips[column].p if paired else Statistic(None, NO_PAIRS)
        interval, bootstrap = resampled[column].interval(), resampled[column].p()
        if not paired:
            interval, bootstrap = no_interval(NO_PAIRS), Statistic(None, NO_PAIRS)
        found.append(
            PairTest(
                one.dataset,
                measure,
                one.systems[first],
                one.systems[second],
                Estimate(mean, interval.low, interval.high),
                permutation,
                permutation,
                flips[column].exact and paired > 0,
                bootstrap,
                bootstrap,
                paired,
                int(either[:, column].sum()) - paired,
            )
        )
    return found


def ranked(tested: Tested, tests: Iterable[PairTest], alpha: float) -> list[Ranked]:
    """Ranks on each figure of which more is better. Systems are ordered by the mean of their means of sources."""
    found = []
    for index, measure in enumerate(tested.measures):
        if not measure.sign:
            continue
        scores = {
            system: float(np.nanmean(column))
            for system, column in zip(tested.systems, tested.means[:, :, index].T, strict=True)
            if not np.isnan(column).all()
        }
        better = {}
        for test in tests:
            if test.dataset == tested.dataset and test.measure.id == measure.id and test.significant(alpha):
                above = (test.difference.value.value or 0) * measure.sign > 0
                better[(test.first, test.second) if above else (test.second, test.first)] = True
        if len(scores) > 1:
            found += [Ranked(tested.dataset, measure, rank) for rank in ranks(scores, better)]
    return found


@attrs.frozen
class Checked:
    """A model of one criterion in one data set. ``corrected`` are the p-values of its pairs after Holm."""

    dataset: str
    measure: Measure
    model: MixedModel
    corrected: tuple[Statistic, ...] = ()

    @property
    def pairs(self) -> Iterator[tuple[Pair, Statistic]]:
        """Every pair of systems with its corrected p-value."""
        yield from zip(self.model.pairs, self.corrected, strict=True)


def mixed_checks(ratings: Ratings) -> Iterator[Checked]:
    """Fit a model to every figure of ratings that is tested; those of rewrites have no annotators.

    p-values are not corrected yet: :func:`with_holm`.
    """
    ratings = ratings.credited
    for dataset, measure in planned(ratings):
        every = ratings.counted_on(measure.criterion)
        counted = [rating for rating in every if ratings.units[rating.unit].dataset == dataset]
        model = _model(ratings, counted, measure)
        yield Checked(dataset, measure, model, tuple(pair.p for pair in model.pairs))


def with_holm(checked: Sequence[Checked], *, together: bool) -> list[Checked]:
    """The same with p-values corrected over the pairs of each figure and data set, or of all ``together``."""
    families = [list(range(len(checked)))] if together else [[place] for place in range(len(checked))]
    found = list(checked)
    for family in families:
        corrected = iter(holm([pair.p for place in family for pair in checked[place].model.pairs]))
        for place in family:
            own = tuple(next(corrected) for _ in checked[place].model.pairs)
            found[place] = attrs.evolve(checked[place], corrected=own)
    return found


def planned(ratings: Ratings) -> list[tuple[str, Measure]]:
    """Which models are fitted."""
    tested = [measure for measure in measures_of(ratings) if measure.main and measure.per == "ratings"]
    return [(dataset, measure) for dataset in ratings.datasets for measure in tested]


def _model(ratings: Ratings, counted: Iterable[Rating], measure: Measure) -> MixedModel:
    rows = [(measure.count([rating]), rating) for rating in counted]
    kept = [(score, rating, ratings.units[rating.unit]) for (score, given), rating in rows if given]
    return mixed_model(
        Rated(
            [score for score, _, _ in kept],
            [unit.system or NO_SYSTEM for _, _, unit in kept],
            [unit.source or unit.key for _, _, unit in kept],
            [unit.key for _, _, unit in kept],
            [rating.rater for _, rating, _ in kept],
        )
    )


def mixed_tables(checked: Sequence[Checked], signature: str) -> list[Table]:
    """Differences between systems, and how much sources, rewrites and annotators vary."""
    pairs = [
        (
            one.dataset,
            one.measure.title,
            pair.first,
            pair.second,
            Estimate(pair.difference, pair.low, pair.high),
            pair.error,
            pair.freedom,
            pair.p,
            corrected,
        )
        for one in checked
        for pair, corrected in one.pairs
    ]
    fits = [
        (
            one.dataset,
            one.measure.title,
            one.model.source,
            one.model.rewrite,
            one.model.annotator,
            one.model.residual,
            one.model.ratings,
            "yes" if one.model.converged else "no",
            "; ".join(one.model.remarks),
        )
        for one in checked
    ]
    first = (Column("dataset", "data set"), Column("figure", "figure"))
    note = (
        "Linear mixed model with random effects of sources, rewrites and annotators, REML; two-sided t tests with "
        "Satterthwaite's degrees of freedom; the last p after Holm."
    )
    return [
        Table(
            "mixed-effects",
            "Mixed-effects check: systems",
            (
                *first,
                Column("system", "system"),
                Column("reference", "against"),
                Column("difference", "difference", DECIMAL, 3),
                Column("error", "standard error", DECIMAL, 3),
                Column("freedom", "df", DECIMAL, 1),
                Column("p", "p", PROBABILITY, 4),
                Column("holm", "p, Holm", PROBABILITY, 4),
            ),
            tuple(pairs),
            note,
            signature,
        ),
        Table(
            "mixed-variances",
            "Mixed-effects check: variances",
            (
                *first,
                Column("item", "sources", DECIMAL, 3),
                Column("rewrite", "rewrites", DECIMAL, 3),
                Column("annotator", "annotators", DECIMAL, 3),
                Column("residual", "residual", DECIMAL, 3),
                Column("ratings", "ratings", WHOLE),
                Column("converged", "converged"),
                Column("remarks", "remarks"),
            ),
            tuple(fits),
            "",
            signature,
        ),
    ]
