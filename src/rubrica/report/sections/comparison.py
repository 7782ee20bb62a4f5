"""Comparison of systems: figures side by side, tests between them, ranks; and a chart with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

import attrs

from rubrica.core.ratings import Ratings
from rubrica.report.charts import intervals_chart
from rubrica.report.comparison import Comparison, SystemFigure
from rubrica.report.comparison_measures import EVERY, MEAN, REVIEW, TOP, Measure
from rubrica.report.comparison_tables import difference_table, figure_table, interval_table, overview_table, rank_table
from rubrica.report.comparison_tests import PairTest
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, decimal, listed, percent, sentence, spelled
from rubrica.report.sections.section import Chart, Paragraph, Part, Section
from rubrica.report.tables import Table, retitled

ID, TITLE = "comparison", "Comparison of systems"
EQUAL, NEARLY = "all systems are equal", "all systems are about equal"
MOST_IN_SUMMARY = 3
FEW_SOURCES = 30
"""With fewer, a test that finds nothing says little."""
MOST_HELD = 6
"""How many differences are put into words; all of them are in the table."""
MOST_ROWS = 60
"""Longer tables of tests and ranks are in the files only."""


class Ends(NamedTuple):
    """The systems with the highest and the lowest figure. Of two systems the lower is not named; equals have none.

    ``nearly``: figures differ, but not as far as they are written.
    """

    highest: tuple[str, ...]
    lowest: tuple[str, ...]
    nearly: bool = False


def comparison(figures: Figures) -> Section:
    """Systems side by side, or why there is nothing to compare."""
    found = figures.comparison
    why = why_nothing(figures, found)
    if why or found is None:
        return Section(ID, TITLE, (Paragraph(why, "empty"),))
    ratings = figures.subject.ratings
    tests = _named(difference_table(found))
    ranks = _named(rank_table(found))
    wide = [_wide(found, dataset, number) for number, dataset in enumerate(found.datasets, start=1)]
    parts: list[Part] = [Paragraph(text) for text in (*_ahead(found), held(found))]
    parts.append(_named(overview_table(_main(found), ratings)))
    chart = _chart(found, ratings, wide[0])
    parts += [chart] if chart else []
    parts += [table for table in wide if table.rows]
    behind: list[Table] = [_named(figure_table(found))]
    long = []
    for table in (ranks, tests) if _tested(found) else ():
        short = len(table.rows) <= MOST_ROWS
        (parts if short else behind).append(table)
        long += [] if short else [f"{table.title} ({len(table.rows):,} rows, tables/{table.id}.csv)"]
    if long:
        parts.append(Paragraph(f"Too long for this page, so in the files only: {listed(long)}."))
    return Section(ID, TITLE, tuple(parts), tuple(behind))


def _main(found: Comparison) -> Comparison:
    """Only figures of which more is better, which fit a page; the others are in the table of intervals."""
    chosen = tuple(one for one in found.measures if one.sign or one.figure == TOP or one.chosen)
    return attrs.evolve(found, measures=chosen or found.measures)


def _named(table: Table) -> Table:
    """A table whose id says which section it is of, with titles that begin with a capital."""
    return retitled(table if table.id == ID else attrs.evolve(table, id=f"comparison_{table.id}"))


def _wide(found: Comparison, dataset: str, number: int) -> Table:
    """The figures of a data set. Names of data sets may be long or alike but for signs, so files are numbered."""
    title = f"Every figure with its interval{f', {dataset}' if dataset else ''}"
    name = f"comparison_intervals_{number}" if len(found.datasets) > 1 else "comparison_intervals"
    return attrs.evolve(retitled(interval_table(found, dataset)), id=name, title=title)


def why_nothing(figures: Figures, found: Comparison | None) -> str:
    """Why systems cannot be compared; empty where they can."""
    if found is None:
        return "There is no judgement that counts yet, so there is nothing to compare."
    if figures.subject.edits is not None and not figures.subject.edits.stages:
        return "Nobody has marked any edit yet, so there is nothing to compare."
    if figures.subject.edits is None and not figures.questions:
        return "No question about whole items was asked by which systems could be compared."
    names = [name for name in figures.subject.ratings.systems if name]
    if not names:
        return "The items name no system, so there is nothing to compare."
    if len(figures.subject.ratings.systems) < 2:
        return f"All items are of one system ({names[0]}), so there is nothing to compare."
    return ""


def findings(figures: Figures) -> list[str]:
    """The comparison for a summary: nothing where there is nothing to compare."""
    found = figures.comparison
    if found is None or why_nothing(figures, found):
        return []
    return [*_ahead(found, MOST_IN_SUMMARY), held(found)]


def _ahead(found: Comparison, most: int = 99) -> list[str]:
    """For each data set who is ahead, figures with the same systems at the ends together."""
    texts = []
    for dataset in found.datasets:
        leads: dict[Ends, list[str]] = {}
        for ends, said in _leads(found, dataset)[:most]:
            leads.setdefault(ends, []).append(said)
        if leads:
            told = [_lead(ends, said, not place and not dataset) for place, (ends, said) in enumerate(leads.items())]
            text = "; ".join(told)
            texts.append(f"On {dataset}, {text}." if dataset else f"{sentence(text)}.")
    return texts


def held(found: Comparison, most: int = MOST_HELD) -> str:
    """Which differences hold, or why none could be tested."""
    held = [test for test in found.tests if test.significant(found.choices.alpha)]
    tested = _tested(found)
    how = f"(paired permutation test, {found.choices.alpha:g}, Holm's correction)"
    if held:
        number = f"{sentence(spelled(len(held)))} of {counted(len(tested), 'tested difference')}"
        said = "; ".join(_differences(held[:most]))
        more = f"; and {len(held) - most:,} more" if len(held) > most else ""
        return f"{number} {'holds' if len(held) == 1 else 'hold'} {how}: {said}{more}."
    if tested:
        most = max(test.sources for test in tested)
        few = " So few tell only large differences from none." if most < FEW_SOURCES else ""
        number = "The only tested difference does not hold" if len(tested) == 1 else ""
        number = number or f"None of the {len(tested):,} tested differences holds"
        return f"{number} {how}, on {counted(most, 'common source')} at most.{few}"
    reasons = list(dict.fromkeys(test.permutation.reason for test in found.tests if test.permutation.reason))
    return f"No difference between systems could be tested: {listed(reasons) or 'systems share no sources'}."


def _tested(found: Comparison) -> list[PairTest]:
    return [test for test in found.tests if test.permutation.value is not None]


def _leads(found: Comparison, dataset: str) -> list[tuple[Ends, str]]:
    """On each tested figure of which more is better, the systems at both ends, and the figure in words."""
    said = []
    for measure in found.measures:
        if not measure.main or not measure.sign or measure.figure == EVERY:
            continue
        figures = [
            figure
            for system in found.systems(dataset)
            if (figure := found.of(dataset, system, measure)) and figure.estimate.value.value is not None
        ]
        if len(figures) < 2:
            continue
        most, least = max(figures, key=_value), min(figures, key=_value)
        # What is written alike is no finding.
        highest = tuple(one.system for one in figures if _figure(one) == _figure(most))
        lowest = tuple(one.system for one in figures if _figure(one) == _figure(least))
        if highest == lowest:
            ends = Ends((), (), nearly=_value(most) != _value(least))
            said.append((ends, f"{_phrase(measure)} ({_figure(most)})"))
        else:
            ends = Ends(highest, () if len(figures) == 2 else lowest)
            between = "and" if ends.lowest else "against"
            said.append((ends, f"{_phrase(measure)} ({_figure(most)} {between} {_figure(least)})"))
    return said


def _lead(ends: Ends, said: Sequence[str], first: bool) -> str:
    """Who is ahead in these figures; ``first`` is what begins a sentence, which no name of a system should."""
    if not ends.highest:
        return f"{NEARLY if ends.nearly else EQUAL} in {listed(said)}"
    several = len(ends.highest) > 1
    who = f"{'the systems' if several else 'the system'} {listed(ends.highest)}" if first else listed(ends.highest)
    extreme = f"the highest and {listed(ends.lowest)} the lowest" if ends.lowest else "the higher"
    return f"{who} {'have' if several else 'has'} {extreme} {listed(said)}"


def _phrase(measure: Measure) -> str:
    """A figure within a sentence."""
    if measure.figure == MEAN:
        return f"mean {measure.title.removesuffix(', mean')}"
    if not measure.percent:
        return measure.title[0].lower() + measure.title[1:]
    return f"share of “{measure.title}”"


def _value(figure: SystemFigure) -> float:
    return figure.estimate.value.value or 0.0


def _figure(figure: SystemFigure) -> str:
    value = _value(figure)
    return percent(value) if figure.measure.percent else decimal(value)


def _differences(held: Sequence[PairTest]) -> list[str]:
    """Differences in words, those between the same systems of a data set together.

    *Over* is said only where more is better: more errors put no system over another.
    """
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for test in held:
        value = test.difference.value.value or 0.0
        size = f"{_size(100 * value, 0)} points" if test.measure.percent else _size(value, 2)
        more, less = (test.first, test.second) if value > 0 else (test.second, test.first)
        how = "over" if test.measure.sign else "higher than"
        found.setdefault((test.dataset, more, how, less), []).append(f"{_phrase(test.measure)} (by {size})")
    return [
        f"{f'on {dataset} ' if dataset else ''}{more} {how} {less} in {listed(said)}"
        for (dataset, more, how, less), said in found.items()
    ]


def _size(value: float, digits: int) -> str:
    """A difference that holds, with more digits where so few would show none."""
    text = f"{abs(value):.{digits}f}"
    return text if float(text) else f"{abs(value):.1g}"


def shown_measures(found: Comparison) -> list[Measure]:
    """One figure of each criterion: of which more is better, as far as there are any."""
    main = [one for one in found.measures if one.main and one.criterion != REVIEW]
    return main if not any(one.sign for one in main) or of_edits(main) else [one for one in main if one.sign]


def ordered_systems(found: Comparison, dataset: str, measures: Sequence[Measure]) -> list[str]:
    """Systems, the best first: by their score where edits are compared, else by the mean of their places.

    As they came where criteria tell no better from worse, and where two are equal.
    """
    systems = found.systems(dataset)
    counted = measures[:1] if of_edits(measures) else [one for one in measures if one.sign]

    def worth(measure: Measure, system: str) -> float:
        cell = found.of(dataset, system, measure)
        value = cell.estimate.value.value if cell is not None else None
        return -inf if value is None else value * (measure.sign or 1)

    def places(measure: Measure) -> dict[str, int]:
        worths = {system: worth(measure, system) for system in systems}
        return {system: sum(other > own for other in worths.values()) for system, own in worths.items()}

    by_measure = [places(measure) for measure in counted]
    return sorted(systems, key=lambda system: sum(place[system] for place in by_measure))


def of_edits(measures: Sequence[Measure]) -> bool:
    """Whether edits are compared, not ratings."""
    return any(measure.per == "annotations" for measure in measures)


def _chart(found: Comparison, ratings: Ratings, table: Table) -> Chart | None:
    """Means and shares with their intervals, a panel for each figure that is tested."""
    measures = [measure for measure in found.measures if measure.main and measure.sign and measure.criterion != REVIEW]
    shares = [measure for measure in measures if measure.percent]
    chosen = [measure for measure in measures if not measure.percent] or shares
    rows, ordered = [], [ordered_systems(found, dataset, shown_measures(found)) for dataset in found.datasets]
    names = list(dict.fromkeys(system for systems in ordered for system in systems))
    ends_of = {one.id: one.values for one in ratings.criteria}
    scales: dict[str, tuple[float, float]] = {}
    resampled = False
    for dataset in found.datasets:
        for measure in chosen:
            for system in names:
                figure = found.of(dataset, system, measure)
                value = figure.estimate.value.value if figure else None
                if figure is None or value is None:
                    continue
                resampled = resampled or figure.estimate.low.value is not None
                low, high = (end.value if end.value is not None else value for end in figure.estimate[1:])
                scale = 100 if measure.percent else 1
                panel = f"{measure.title.removesuffix(', mean')}{f', {dataset}' if dataset else ''}"
                ends = {"mean": value * scale, "low": low * scale, "high": high * scale}
                scales[panel] = (0, 100) if measure.percent else _ends(ends_of.get(measure.criterion, ()))
                rows.append({"panel": panel, "system": system, **ends})
    if not rows:
        return None
    names_of = listed(measure.title.removesuffix(", mean") for measure in chosen)
    title = f"Systems compared by {names_of}" if len(chosen) < 4 else "Systems compared, by question"
    axis = "share of judgements (%)" if chosen[0].percent else "mean"
    axis += ", with 95 % interval" if resampled else ""
    below = "points: over judgements" + ("; lines: bootstrap over sources" if resampled else "; too few for intervals")
    several = len(scales) > 1
    known = _known(scales)
    spec = intervals_chart(rows, names=names, what=title, subtitle=below, axis=axis, scales=known, beside=several)
    alt = f"Points{' with intervals' if resampled else ''}, a row for each system: {'; '.join(_said(rows))}."
    return Chart("systems", title, alt, spec, table.id, table.signature)


def _ends(values: Sequence[object]) -> tuple[float, float]:
    """The ends of a scale; the same number twice where they are not known."""
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    return (min(numbers), max(numbers)) if numbers else (0.0, 0.0)


def _known(scales: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    return {panel: ends for panel, ends in scales.items() if ends[0] < ends[1]}


def _said(rows: Sequence[dict[str, object]]) -> list[str]:
    return [f"{row['panel']}, {row['system']}: {row['mean']:.2f}" for row in rows[:16]]
