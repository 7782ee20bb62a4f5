"""Comparison of systems: figures side by side, tests between them, ranks; and a chart with intervals."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from rubrica.report.charts import intervals_chart
from rubrica.report.comparison import Comparison, SystemFigure
from rubrica.report.comparison_measures import REVIEW
from rubrica.report.comparison_tables import difference_table, interval_table, overview_table, rank_table
from rubrica.report.comparison_tests import PairTest
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, decimal, listed, percent
from rubrica.report.sections.section import Chart, Paragraph, Part, Section
from rubrica.report.tables import Table, retitled

ID, TITLE = "comparison", "Comparison of systems"
MOST_TESTS = 60
"""Longer tables of tests are in the files only."""


def comparison(figures: Figures) -> Section:
    """Systems side by side, or why there is nothing to compare."""
    found = figures.comparison
    why = _why_nothing(figures, found)
    if why or found is None:
        return Section(ID, TITLE, (Paragraph(why, "empty"),))
    ratings = figures.subject.ratings
    tests = _named(difference_table(found))
    ranks = _named(rank_table(found))
    wide = [_named(interval_table(found, dataset)) for dataset in found.datasets]
    parts: list[Part] = [Paragraph(text) for text in words(found)]
    parts.append(_named(overview_table(found, ratings)))
    chart = _chart(found, wide[0])
    parts += [chart] if chart else []
    parts += [table for table in (*wide, ranks) if table.rows]
    behind: list[Table] = []
    if tests.rows and _tested(found):
        (parts if len(tests.rows) <= MOST_TESTS else behind).append(tests)
    return Section(ID, TITLE, tuple(parts), tuple(behind))


def _named(table: Table) -> Table:
    """A table whose id can be the name of a file, with titles that begin with a capital."""
    return retitled(
        attrs.evolve(table, id=re.sub(r"\W+", "_", f"comparison_{table.id}" if table.id != ID else table.id))
    )


def _why_nothing(figures: Figures, found: Comparison | None) -> str:
    if found is None:
        return "There is no judgement that counts yet, so there is nothing to compare."
    if not figures.questions:
        return "No question about whole items was asked by which systems could be compared."
    names = [name for name in figures.subject.ratings.systems if name]
    if not names:
        return "The items name no system, so there is nothing to compare."
    if len(figures.subject.ratings.systems) < 2:
        return f"All items are of one system ({names[0]}), so there is nothing to compare."
    return ""


def words(found: Comparison) -> list[str]:
    """The findings in sentences: who is ahead on what, and which differences hold."""
    texts = []
    for dataset in found.datasets:
        where = f"On {dataset}: " if dataset else ""
        leads = _leads(found, dataset)
        if leads:
            texts.append(f"{where}{'; '.join(leads)}.")
    held = [test for test in found.tests if test.significant(found.choices.alpha)]
    tested = _tested(found)
    if held:
        texts.append(
            f"After Holm's correction, {counted(len(held), 'difference')} of {len(tested)} tested "
            f"{'holds' if len(held) == 1 else 'hold'} (paired permutation test, {found.choices.alpha:g}): "
            f"{listed(_difference(test) for test in held[:6])}{' and others' if len(held) > 6 else ''}."
        )
    elif tested:
        texts.append(
            f"None of the {counted(len(tested), 'tested difference')} holds after Holm's correction (paired permutation "
            f"test, {found.choices.alpha:g}): with so few sources, systems that differ cannot be told from equal ones."
        )
    else:
        reasons = list(dict.fromkeys(test.permutation.reason for test in found.tests if test.permutation.reason))
        texts.append(f"No difference could be tested: {listed(reasons) or 'systems share no sources'}.")
    return texts


def _tested(found: Comparison) -> list[PairTest]:
    return [test for test in found.tests if test.permutation.value is not None]


def _leads(found: Comparison, dataset: str) -> list[str]:
    """On each tested figure of which more is better, the system that is ahead."""
    said = []
    for measure in found.measures:
        if not measure.main or not measure.sign:
            continue
        figures = [
            figure
            for system in found.systems(dataset)
            if (figure := found.of(dataset, system, measure)) and figure.estimate.value.value is not None
        ]
        if len(figures) < 2:
            continue
        ordered = sorted(figures, key=_value, reverse=True)
        first, last = ordered[0], ordered[-1]
        if _value(first) == _value(last):
            said.append(f"on {measure.title} all systems are equal ({_figure(first)})")
        else:
            said.append(
                f"on {measure.title} {first.system} is ahead ({_figure(first)}), {last.system} last ({_figure(last)})"
            )
    return [said[0][:1].upper() + said[0][1:], *said[1:]] if said else []


def _value(figure: SystemFigure) -> float:
    return figure.estimate.value.value or 0.0


def _figure(figure: SystemFigure) -> str:
    value = _value(figure)
    return percent(value) if figure.measure.percent else decimal(value)


def _difference(test: PairTest) -> str:
    value = test.difference.value.value or 0.0
    size = f"{100 * abs(value):.0f} points" if test.measure.percent else decimal(abs(value))
    better, worse = (test.first, test.second) if value > 0 else (test.second, test.first)
    return f"{better} over {worse} on {test.measure.title} (by {size})"


def _chart(found: Comparison, table: Table) -> Chart | None:
    """Means and shares with their intervals, a panel for each figure that is tested."""
    measures = [measure for measure in found.measures if measure.main and measure.sign and measure.criterion != REVIEW]
    shares = [measure for measure in measures if measure.percent]
    chosen = [measure for measure in measures if not measure.percent] or shares
    rows, names = [], list(dict.fromkeys(figure.system for figure in found.figures))
    for dataset in found.datasets:
        for measure in chosen:
            for system in names:
                figure = found.of(dataset, system, measure)
                value = figure.estimate.value.value if figure else None
                if figure is None or value is None:
                    continue
                low, high = (end.value if end.value is not None else value for end in figure.estimate[1:])
                scale = 100 if measure.percent else 1
                panel = f"{measure.title}{f', {dataset}' if dataset else ''}"
                rows.append(
                    {"panel": panel, "system": system, "mean": value * scale, "low": low * scale, "high": high * scale}
                )
    if not rows:
        return None
    title = f"Systems by {listed(measure.title for measure in chosen)}" if len(chosen) < 4 else "Systems by question"
    axis = "share of judgements (%), with 95 % interval" if chosen[0].percent else "mean, with 95 % interval"
    spec = intervals_chart(
        rows,
        names=names,
        what=title,
        subtitle="points: figure over judgements; lines: bootstrap over sources",
        axis=axis,
    )
    alt = f"Points with intervals, a row for each system: {'; '.join(_said(rows))}."
    return Chart("systems", title, alt, spec, table.id, table.signature)


def _said(rows: Sequence[dict[str, object]]) -> list[str]:
    return [f"{row['panel']}, {row['system']}: {row['mean']:.2f}" for row in rows[:16]]
