"""The part of the section on agreement that shows metrics beside people, rewrites by people left out.

Its last tables are Table 4 of Zhang et al. (2020), one for each metric, as `rubrica correlate` makes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import attrs

from rubrica.core.human_rewrites import joined
from rubrica.core.metric_values import METRIC, NEITHER
from rubrica.report.charts import intervals_chart
from rubrica.report.comparison_measures import NO_SYSTEM
from rubrica.report.correlation import Correlations
from rubrica.report.correlation_tables import figure_table, paper_table
from rubrica.report.figures import Figures
from rubrica.report.metrics_beside_people import Beside, BesidePeople, beside_table, titled
from rubrica.report.prose import counted, decimal, listed, sentence
from rubrica.report.sections.section import Chart, Heading, Paragraph, Part
from rubrica.report.tables import Table, retitled

EACH = "metrics_beside_each"
PEOPLE = "people, mean"
UNITS = "Items"
MOST_TABLES = 4
"""Of more metrics than this, the tables are in the files only."""
HEADING, TITLE = "Metrics beside people", "Correlation with the mean of the people"


class Added(NamedTuple):
    """What is added to the section: shown, and written to files only."""

    parts: tuple[Part, ...] = ()
    behind: tuple[Table, ...] = ()


def metrics_beside_people(figures: Figures) -> Added:
    """A heading, prose, tables and a chart; nothing where there are no metrics."""
    beside, correlated = _beside(figures), _correlated(figures)
    if not beside.parts and not correlated.parts:
        return Added()
    left = figures.human.left_out
    named = listed(name or NO_SYSTEM for name in left)
    told = [Paragraph(f"Rewrites by people are left out here: {named}. They are what systems are held against.")]
    parts = (Heading(HEADING), *(told if left else ()), *beside.parts, *correlated.parts)
    return Added(parts, (*beside.behind, *correlated.behind))


def _correlated(figures: Figures) -> Added:
    """Table 4 for each metric, the first few on the page; every figure of all of them in a file."""
    found = figures.correlations
    if found is None:
        return Added()
    titles = {one.name: one.title for one in figures.subject.ratings.metrics}
    tables = [_table_4(found, metric, titles.get(metric, metric)) for metric in found.data.metrics]
    tables = [table for table in tables if table.rows]
    every = retitled(attrs.evolve(figure_table(found), id="correlations", title="Metrics and people, every figure"))
    return Added(tuple(tables[:MOST_TABLES]), (*tables[MOST_TABLES:], every))


def _table_4(found: Correlations, metric: str, title: str) -> Table:
    table = retitled(paper_table(found, metric))
    several = f" ({metric})" if "-" in metric and title != metric else ""
    return attrs.evolve(table, id=table.id.replace("-", "_"), title=f"{title}{several} and people")


def _beside(figures: Figures) -> Added:
    rows = figures.beside_people
    if not rows:
        return Added()
    ratings, chosen = figures.subject.ratings, figures.subject.choices
    names = "+".join(metric.name for metric in ratings.metrics)
    human = joined(figures.human.left_out)
    signed = ratings.sign_chosen(bootstrap=chosen.replicates, seed=chosen.seed, by=METRIC, metrics=names, human=human)
    table, each = _table(beside_table(rows, signed)), _table(beside_table(rows, signed, each=True))
    behind = attrs.evolve(each, id=EACH, title=f"{each.title}, one by one")
    chart = _chart([row for row in rows if row.defined], table)
    return Added(
        (*map(Paragraph, _prose(rows)), *_settings(rows), table, *((chart,) if chart else ())),
        (behind,) if len(each.rows) > len(table.rows) else (),
    )


def _table(table: Table) -> Table:
    """In the words of the report, with as many digits as its other tables of agreement."""
    columns = [attrs.evolve(column, digits=2) for column in table.columns]
    columns[-1] = attrs.evolve(columns[-1], title=UNITS)
    return retitled(attrs.evolve(table, title=TITLE, columns=tuple(columns)))


def _prose(rows: Sequence[BesidePeople]) -> Iterator[str]:
    names = [titled(metric) for metric in rows[0].metrics]
    is_, answers = ("are", "They answer") if len(names) != 1 else ("is", "It answers")
    yield (
        f"{sentence(counted(len(names), 'metric'))} {is_} registered in the study: {listed(names)}. "
        f"{answers} no question and {is_} no part of the figures above."
    )
    behind: list[str] = []
    reached: list[str] = []
    for row in rows:
        nearest, people = _nearest(row), row.mean("spearman").value
        if nearest is None or people is None:
            continue
        said = f"{row.label} ({titled(nearest)} {decimal(nearest.found.spearman)}, people {decimal(people)})"
        (reached if (nearest.towards or 0) >= people else behind).append(said)
    if behind:
        yield (
            "By Spearman's correlation, people are nearer to each other than the nearest metric is to them on "
            f"{listed(behind)}.{_either(rows)}"
        )
    if reached:
        yield f"A metric is as near to people as they are to each other on {listed(reached)}; look at its interval."


def _either(rows: Sequence[BesidePeople]) -> str:
    """What near means for figures of which neither higher nor lower is better."""
    names = list(dict.fromkeys(titled(one) for row in rows for one in row.metrics if one.better == NEITHER))
    if not names:
        return ""
    describe = "describes" if len(names) == 1 else "describe"
    return f" Of {listed(names)}, which {describe} a rewrite without judging it, the size of the correlation counts."


def _settings(rows: Sequence[BesidePeople]) -> Iterator[Paragraph]:
    """Under which settings each metric was computed: a figure without them cannot be made again."""
    return (Paragraph(f"{titled(one)}: {one.signature.replace('|', ', ')}", "list") for one in rows[0].metrics)


def _nearest(row: BesidePeople) -> Beside | None:
    """The metric that comes nearest to people; None if none has a value."""
    known = [one for one in row.metrics if one.towards is not None]
    return max(known, key=lambda one: one.towards or 0, default=None)


def _chart(rows: Sequence[BesidePeople], table: Table) -> Chart | None:
    data = [point for row in rows for point in _points(row)]
    if not data:
        return None
    names = list(dict.fromkeys(str(point["system"]) for point in data))
    least = min(0.0, *(float(point["low"]) for point in data))
    title = "How near metrics come to people, by question"
    spec = intervals_chart(
        data,
        names=names,
        what=title,
        subtitle="People: each with the mean of the others. Metrics: with the mean of all people",
        axis="Spearman's correlation, with 95 % interval",
        scales={row.label: (max(-1.0, least), 1.0) for row in rows},
    )
    said = "; ".join(f"{point['panel']}, {point['system']} {decimal(float(point['mean']))}" for point in data)
    alt = f"Points with intervals, people first and then metrics, a panel for each question: {said}."
    return Chart("metrics_beside_people", title, alt, spec, table.id, table.signature)


def _points(row: BesidePeople) -> Iterator[dict[str, Any]]:
    people = row.mean("spearman").value
    if people is not None:
        yield {"panel": row.label, "system": PEOPLE, "mean": people, "low": people, "high": people}
    for one in row.metrics:
        value, low, high = (
            found.value for found in (one.found.spearman, one.found.interval.low, one.found.interval.high)
        )
        if value is not None:
            ends = (value, value) if low is None or high is None else (low, high)
            yield {
                "panel": row.label,
                "system": f"{titled(one)} ({METRIC})",
                "mean": value,
                "low": ends[0],
                "high": ends[1],
            }
