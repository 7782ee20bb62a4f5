"""The mixed-effects check of a comparison: one model for each data set and criterion, and its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rubrica.core.ratings import Rating, Ratings
from rubrica.report.comparison_measures import NO_SYSTEM, Measure, measures_of
from rubrica.report.tables import DECIMAL, PROBABILITY, WHOLE, Column, Table
from rubrica.stats.significance.mixed_model import MixedModel, mixed_model


class Checked(NamedTuple):
    """A model of one criterion in one data set."""

    dataset: str
    measure: Measure
    model: MixedModel


def mixed_checks(ratings: Ratings) -> Iterator[Checked]:
    """Fit a model to every figure of ratings that is tested; those of rewrites have no annotators."""
    for dataset, measure in planned(ratings):
        every = ratings.counted_on(measure.criterion)
        counted = [rating for rating in every if ratings.units[rating.unit].dataset == dataset]
        yield Checked(dataset, measure, _model(ratings, counted, measure))


def planned(ratings: Ratings) -> list[tuple[str, Measure]]:
    """Which models are fitted."""
    tested = [measure for measure in measures_of(ratings) if measure.main and measure.per == "ratings"]
    return [(dataset, measure) for dataset in ratings.datasets for measure in tested]


def _model(ratings: Ratings, counted: Iterable[Rating], measure: Measure) -> MixedModel:
    rows = [(measure.count([rating]), rating) for rating in counted]
    kept = [(score, rating, ratings.units[rating.unit]) for (score, given), rating in rows if given]
    return mixed_model(
        [score for score, _, _ in kept],
        [unit.system or NO_SYSTEM for _, _, unit in kept],
        [unit.source or unit.key for _, _, unit in kept],
        [rating.rater for _, rating, _ in kept],
    )


def mixed_tables(checked: Sequence[Checked], signature: str) -> list[Table]:
    """Effects of systems, and how much items and annotators vary."""
    effects = [
        (one.dataset, one.measure.title, effect.system, one.model.reference, effect.difference, effect.error, effect.p)
        for one in checked
        for effect in one.model.effects
    ]
    fits = [
        (
            one.dataset,
            one.measure.title,
            one.model.item,
            one.model.annotator,
            one.model.residual,
            one.model.ratings,
            "yes" if one.model.converged else "no",
            "; ".join(one.model.remarks),
        )
        for one in checked
    ]
    first = (Column("dataset", "data set"), Column("figure", "figure"))
    note = "Linear mixed model with crossed random effects of items and annotators, REML; Wald's p, not corrected."
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
                Column("p", "p", PROBABILITY, 4),
            ),
            tuple(effects),
            note,
            signature,
        ),
        Table(
            "mixed-variances",
            "Mixed-effects check: variances",
            (
                *first,
                Column("item", "items", DECIMAL, 3),
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
