"""The table of a review in which a rewrite may be the same as its source: acceptance, severity, concerns and need."""

from __future__ import annotations

from rubrica.report.comparison import Comparison
from rubrica.report.comparison_measures import of_review
from rubrica.report.comparison_tables import DATASET, SYSTEM, figure_row, figures_text, system_column
from rubrica.report.tables import FIGURES, Column, Table

NOTE = (
    "Identical: source and rewrite are the same, so that acceptance does not apply. Misses: of ratings of "
    "identical pairs, those that say rewriting was needed; unneeded: of the others, those that say it was not."
)


def review_table(found: Comparison) -> Table:
    """A row for each system, as a terminal has room for; nothing in it if it is no review."""
    measures = of_review(found.measures)
    several = any(found.datasets)
    rows = [
        (
            *((dataset, system) if several else (system,)),
            *(figures_text(found, dataset, system, (measure,)) for measure in measures),
        )
        for dataset in found.datasets
        for system in found.systems(dataset)
        if measures
    ]
    first = (DATASET, SYSTEM) if several else (SYSTEM,)
    columns = [Column(measure.id, measure.title, FIGURES) for measure in measures]
    return Table("review", "Acceptance and need", (*first, *columns), tuple(rows), NOTE, found.signature)


def review_by_figure(found: Comparison) -> Table:
    """A row for each figure and a column for each system, as a page has room for, with intervals and every digit."""
    systems = [(dataset, system) for dataset in found.datasets for system in found.systems(dataset)]
    rows = tuple(figure_row(found, systems, measure) for measure in of_review(found.measures))
    columns = (
        Column("figure", "figure"),
        Column("unit", "unit"),
        *(system_column(f"{dataset}, {system}" if dataset else system) for dataset, system in systems),
    )
    title = "Acceptance, severity, concerns and need, by system"
    return Table("review", title, columns, rows, NOTE, found.signature)
