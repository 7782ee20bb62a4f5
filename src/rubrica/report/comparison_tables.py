"""The comparison of systems as tables: in the shape of Table 3 of the paper, intervals, tests and ranks.

People get the paper's shape, in which a scale's cell has two figures (``55.4%/4.22``); programs get a row for each
figure with every digit.

The table of a review in which a rewrite may be the same as its source: acceptance, severity, concerns and need.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rubrica.core.ratings import CHOICES, Ratings
from rubrica.core.study import LEFT_OUT
from rubrica.exchange.scores import SystemScore
from rubrica.report.comparison import Comparison
from rubrica.report.comparison_measures import ACCEPTANCE, CHOSEN, MEAN, REVIEW, SEVERITY, TOP, Measure, of_review
from rubrica.report.tables import (
    DECIMAL,
    FIGURES,
    PERCENT,
    PROBABILITY,
    SYSTEMS,
    UNDEFINED,
    WHOLE,
    Cell,
    Column,
    Estimate,
    Measured,
    Table,
    shown,
    without_interval,
)
from rubrica.stats.statistic import Statistic

DATASET, SYSTEM = Column("dataset", "data set"), Column("system", "system")
SHARE, NUMBER = Column("", "", PERCENT, 1), Column("", "", DECIMAL, 2)
POINTS, COUNT = Column("", "", DECIMAL, 1), Column("", "", WHOLE)
RESAMPLED = (
    "Intervals: 95 %, BCa bootstrap over sources; a source that is drawn brings all its ratings, and systems "
    "share the draws."
)
FIXED = (
    "A rule of the protocol fixed some answers (identical pairs); they count, and beside them is the figure without."
)

NOTHING = "Left out: sources of which a system has no output that is judged; they are in none of its figures."


def comparison_tables(found: Comparison, ratings: Ratings) -> list[Table]:
    """The tables that people read, in order; those with nothing in them are left out."""
    tables = [
        overview_table(found, ratings),
        *(interval_table(found, dataset) for dataset in found.datasets),
        rank_table(found),
        difference_table(found),
    ]
    return [table for table in tables if table.rows and found.figures]


def overview_table(found: Comparison, ratings: Ratings) -> Table:
    """Table 3: a row for each data set and system, a column for each criterion, metrics beside them."""
    headings = _headings(found.measures, ratings)
    metrics = {score.metric: score.heading for score in found.scores}
    several = any(found.datasets)
    rows: list[tuple[Cell, ...]] = []
    best: set[tuple[int, int]] = set()
    for dataset in found.datasets:
        systems = found.systems(dataset)
        for number, system in enumerate(systems):
            named = (dataset, system) if several else (system,)
            cells = [figures_text(found, dataset, system, group) for _, group in headings]
            beside = [_score(found, dataset, system, metric) for metric in metrics]
            best |= {
                (len(rows), len(named) + column)
                for column, (_, group) in enumerate(headings)
                if number in _best(found, dataset, systems, group)
            }
            nothing = [found.left_out.get((dataset, system), 0)] if found.left_out else []
            rows.append((*named, *cells, *nothing, *beside))
    columns = [Column("-".join(measure.id for measure in group), title, FIGURES) for title, group in headings]
    columns += [Column(LEFT_OUT, "left out", WHOLE)] if found.left_out else []
    columns += [Column(f"metric.{metric}", title, FIGURES) for metric, title in metrics.items()]
    first = (DATASET, SYSTEM) if several else (SYSTEM,)
    return Table(
        "comparison",
        "Ratings by criterion, system and data set" if several else "Ratings by criterion and system",
        (*first, *columns),
        tuple(rows),
        " ".join(filter(None, (_how_to_read(headings, found.scores, found.left_out), found.unplaced))),
        found.signature,
        frozenset(best),
    )


def _how_to_read(
    headings: Sequence[tuple[str, Sequence[Measure]]], scores: Sequence[SystemScore], left_out: Collection[object]
) -> str:
    """What two figures in a cell are, a column that is headed by a no, and those of metrics."""
    notes = {
        "Scales: share of the highest mark / mean.": any(len(group) > 1 for _, group in headings),
        "A column headed no … is the share that answered no.": any(_answers_no(group) for _, group in headings),
        FIXED: any(measure.chosen for _, group in headings for measure in group),
        NOTHING: bool(left_out),
        "Metrics are as given.": any(not one.items for one in scores),
        "Metrics are those registered, of all items of a system and data set.": any(one.items for one in scores),
    }
    told = [note for note, needed in notes.items() if needed]
    for what, name in (
        ("Left out of references, being the rewrite itself", "left_out"),
        ("Rewrites that a metric has nothing for, such as those without a reference", "unscored"),
    ):
        counts = _counts(scores, name)
        told += [f"{what}: {counts}."] if counts else []
    return " ".join(told)


def _counts(scores: Sequence[SystemScore], name: str) -> str:
    """A number of each system and data set that has one; metrics that have the same are named together."""
    found: dict[str, str] = {}
    for one in scores:
        number = getattr(one, name)
        if number:
            where = " on ".join(filter(None, (one.system, one.dataset)))
            before = f"{found[one.heading]}, " if one.heading in found else ""
            found[one.heading] = f"{before}{number:,} of {where}"
    alike: dict[str, list[str]] = {}
    for heading, text in found.items():
        alike.setdefault(text, []).append(heading)
    return "; ".join(f"{text} ({', '.join(headings)})" for text, headings in alike.items())


def _answers_no(group: Sequence[Measure]) -> bool:
    return any(measure.answer == "no" and measure.title.startswith("no ") for measure in group)


def _headings(measures: Sequence[Measure], ratings: Ratings) -> list[tuple[str, tuple[Measure, ...]]]:
    """Columns: the share of top marks and the mean of a scale are one; sets of options are too wide for a table.

    What a review has a table of its own for is left to that.
    """
    elsewhere = (ACCEPTANCE, SEVERITY, REVIEW) if of_review(measures) else ()
    kinds = {criterion.id: criterion.kind for criterion in ratings.criteria}
    labels = {criterion.id: criterion.label for criterion in ratings.criteria}
    found: list[tuple[str, tuple[Measure, ...]]] = []
    for measure in measures:
        if kinds.get(measure.criterion) == CHOICES or measure.criterion in elsewhere:
            continue
        last = found[-1][1] if found else ()
        before = (last[-1].criterion, last[-1].figure) if last else ("", "")
        if measure.figure == MEAN and before == (measure.criterion, TOP):
            found[-1] = (labels[measure.criterion], (*last, measure))
        elif measure.figure == MEAN + CHOSEN and before == (measure.criterion, TOP + CHOSEN):
            found[-1] = (f"{labels[measure.criterion]}, without fixed answers", (*last, measure))
        else:
            found.append((measure.title, (measure,)))
    return found


def figures_text(found: Comparison, dataset: str, system: str, group: Sequence[Measure]) -> str:
    """The figures of a system in one cell, as the paper has them."""
    texts = []
    for measure in group:
        figure = found.of(dataset, system, measure)
        texts.append(_text(figure.estimate.value, measure) if figure else UNDEFINED)
    return "/".join(texts)


def _text(value: Statistic, measure: Measure) -> str:
    if value.value is None:
        return UNDEFINED
    return f"{shown(value, SHARE)}%" if measure.percent else shown(value, NUMBER)


def _best(found: Comparison, dataset: str, systems: Sequence[str], group: Sequence[Measure]) -> set[int]:
    """Which systems have the highest figure, where more is better and there are several systems."""
    measure = group[-1]
    figures = [found.of(dataset, system, measure) for system in systems]
    present = [figure.estimate.value for figure in figures if figure and figure.estimate.value.value is not None]
    if not measure.sign or len(present) < 2:
        return set()
    # What is written alike is no difference.
    most = _text(max(present, key=lambda value: value.value or 0.0), measure)
    return {index for index, figure in enumerate(figures) if figure and _text(figure.estimate.value, measure) == most}


def _score(found: Comparison, dataset: str, system: str, metric: str) -> Cell:
    """The score of a metric as the file has it, but for needless digits."""
    score = found.score(dataset, system, metric)
    return score.shown if score else UNDEFINED


def interval_table(found: Comparison, dataset: str) -> Table:
    """Every figure of a data set with its interval, a column for each system; shares are per cents."""
    systems = [(dataset, system) for system in found.systems(dataset)]
    rows, empty = [], []
    for measure in found.measures:
        row = figure_row(found, systems, measure)
        if any(shown(cell, NUMBER) != UNDEFINED for cell in row[2:]):
            rows.append(row)
        else:
            empty.append(measure.title)
    counts = [found.of(*where, found.measures[0]) for where in systems] if found.measures else []
    for what in ("ratings", "rewrites", "sources"):
        numbers = (Measured(Statistic(getattr(one, what)), COUNT) if one else None for one in counts)
        rows.append((what, "n", *(numbers if counts else (None for _ in systems))))
    where = f", {dataset}" if dataset else ""
    columns = (Column("figure", "figure"), Column("unit", ""), *(system_column(name) for _, name in systems))
    nothing = [f"Nothing to count: {', '.join(empty)}."] if empty else []
    figures = [one.estimate for one in found.figures if one.dataset == dataset]
    note = " ".join([RESAMPLED, *without_interval(figures), *nothing])
    return Table(f"intervals-{dataset or 'all'}", f"Intervals{where}", columns, tuple(rows), note, found.signature)


def figure_row(found: Comparison, systems: Iterable[tuple[str, str]], measure: Measure) -> tuple[Cell, ...]:
    """A figure with its unit and its value for each system of a data set."""
    cells = (found.of(dataset, system, measure) for dataset, system in systems)
    values = (measured(one.estimate, measure) if one else None for one in cells)
    return measure.title, "%" if measure.percent else "mean", *values


def system_column(name: str) -> Column:
    """A column of figures of one system."""
    return Column(f"{SYSTEMS}{name}", name, DECIMAL)


def measured(value: Statistic | Estimate, measure: Measure) -> Measured:
    """A figure as a cell: shares in per cent with one digit, means with two."""
    if not measure.percent:
        return Measured(value, NUMBER)
    return Measured(Estimate(*map(_hundredfold, value)) if isinstance(value, Estimate) else _hundredfold(value), POINTS)


def _hundredfold(value: Statistic) -> Statistic:
    return value if value.value is None else Statistic(100 * value.value, value.reason)


def difference_table(found: Comparison) -> Table:
    """Every pair of systems: difference with interval, p-values of both tests after Holm, sources."""
    several = any(found.datasets)
    rows = []
    for test in found.tests:
        named = (test.dataset, test.measure.title) if several else (test.measure.title,)
        rows.append(
            (
                *named,
                test.first,
                test.second,
                measured(test.difference, test.measure),
                test.permutation_holm,
                test.bootstrap_holm,
                test.sources,
                test.unpaired,
            )
        )
    columns = (
        *((DATASET,) if several else ()),
        Column("figure", "figure"),
        Column("first", "system"),
        Column("second", "against"),
        Column("difference", "difference", DECIMAL),
        Column("permutation", "p, permutation", PROBABILITY, 4),
        Column("bootstrap", "p, bootstrap", PROBABILITY, 4),
        Column("sources", "sources", WHOLE),
        Column("unpaired", "unpaired", WHOLE),
    )
    family = "all pairs, figures and data sets" if found.choices.together else "the pairs of a figure and data set"
    note = (
        "Mean difference over sources that both systems were rated on (shares in points), others are left out "
        f"(unpaired). p-values two-sided, Holm over {family}; intervals and the bootstrap's p: "
        "Student's distribution with the standard error of the resamples."
    )
    bounds = any(test.permutation_holm.at_most for test in found.tests)
    note += " ≤: no random sign went as far; more of them would tell." if bounds else ""
    told = without_interval(test.difference for test in found.tests)
    return Table(
        "tests",
        "Differences between systems",
        columns,
        tuple(rows),
        " ".join([note, *told, *found.remarks]),
        found.signature,
    )


def rank_table(found: Comparison) -> Table:
    """Ranks and clusters on each figure of which more is better."""
    several = any(found.datasets)
    rows = []
    for dataset, measure, rank in found.ranks:
        named = (dataset, measure.title) if several else (measure.title,)
        span = str(rank.best) if rank.best == rank.worst else f"{rank.best}–{rank.worst}"
        rows.append((*named, rank.cluster, span, rank.system, measured(Statistic(rank.score), measure)))
    columns = (
        *((DATASET,) if several else ()),
        Column("figure", "figure"),
        Column("cluster", "cluster", WHOLE),
        Column("ranks", "ranks", FIGURES),
        Column("system", "system"),
        Column("score", "mean of sources", DECIMAL),
    )
    note = (
        "A cluster ends where every system above is significantly better than every one below "
        f"(permutation, Holm, {found.choices.alpha:g}); ranks: those a system may have."
    )
    return Table("ranks", "Ranks and clusters", columns, tuple(rows), note, found.signature)


def figure_table(found: Comparison) -> Table:
    """A row for each figure, with every digit: for programs."""
    rows: list[tuple[Cell, ...]] = [
        (
            one.dataset,
            one.system,
            one.measure.criterion,
            one.measure.figure,
            one.measure.answer,
            one.measure.per,
            one.estimate,
            one.counted,
        )
        for one in found.figures
    ]
    nothing = Statistic(None, "given from outside")
    rows += [
        (
            *(one.dataset, one.system, one.metric, "metric", "", ""),
            Estimate(Statistic(one.value, one.reason), nothing, nothing),
            one.items or None,
        )
        for one in found.scores
    ]
    columns = (
        DATASET,
        SYSTEM,
        *(Column(name, name) for name in ("criterion", "figure", "answer", "per")),
        Column("value", "value", DECIMAL, 4),
        Column("counted", "counted", WHOLE),
    )
    return Table("figures", "Figures", columns, tuple(rows), RESAMPLED, found.signature)


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
