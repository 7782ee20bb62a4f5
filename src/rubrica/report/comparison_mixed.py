"""The mixed-effects check of a comparison: one model for each data set and criterion, and its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rubrica.core.ratings import Rating, Ratings
from rubrica.report.comparison_measures import NO_SYSTEM, Measure, measures_of
from rubrica.report.tables import DECIMAL, PROBABILITY, WHOLE, Column, Estimate, Table
from rubrica.stats.mixed_model import MixedModel, Pair, Rated, mixed_model
from rubrica.stats.significance import holm
from rubrica.stats.statistic import Statistic


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
