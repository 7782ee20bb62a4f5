"""Agreement: how far annotators give the same answers, question by question, with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rubrica.report.agreement import Agreement, agreement_table, fixed_left_out
from rubrica.report.agreement_parts import per_rater_table
from rubrica.report.charts import intervals_chart
from rubrica.report.figures import MEASURES, Figures
from rubrica.report.prose import counted, decimal, listed
from rubrica.report.sections.metrics import metrics_beside_people
from rubrica.report.sections.section import Chart, Paragraph, Part, Section
from rubrica.report.tables import DECIMAL, WHOLE, Cell, Column, Table, retitled, without_interval
from rubrica.stats.bootstrap import NO_RESAMPLES
from rubrica.stats.statistic import Statistic

NOT_MEASURED = Statistic(None, "this measure does not suit the question")
FEWEST = 10
"""With fewer answers that can be compared, a value of agreement is hardly worth a word."""
WIDE = 0.4
MOST_ROWS = 40
"""Longer tables are in the files only."""
RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff (Content Analysis, 2004, p. 241): draw conclusions from 0.8 on, tentative ones from 0.667 on."""


def agreement(figures: Figures) -> Section:
    """The table of the default measure, in words and as a chart."""
    rows = figures.agreement
    if not rows:
        return Section("agreement", "Agreement", (Paragraph(_why_nothing(figures), "empty"),))
    subject = figures.subject
    signed = subject.ratings.sign_chosen(**figures.agreement_asked.parts())
    table = _wide(rows, signed)
    main = [row for row in rows if row.measure.name == MEASURES[0]]
    parts: list[Part] = [Paragraph(text) for text in (*_prose(main), fixed_left_out(subject.ratings)) if text]
    parts.append(table)
    chart = _chart(main, table)
    parts += [chart] if chart else []
    each = _each(
        per_rater_table(figures.per_rater, subject.ratings.sign_chosen(**figures.rater_asked.parts(), by="rater"))
    )
    behind = [
        attrs.evolve(retitled(agreement_table(rows, signed, title="Agreement by measure")), id="agreement_measures")
    ]
    if 0 < len(each.rows) <= MOST_ROWS:
        parts.append(each)
    elif each.rows:
        behind.append(each)
    if figures.per_system:
        by = subject.ratings.sign_chosen(**figures.alpha_asked.parts(), by="system")
        found = agreement_table(figures.per_system, by, part="system", title="Agreement by system")
        behind.append(attrs.evolve(retitled(found), id="agreement_systems"))
    beside = metrics_beside_people(figures)
    return Section("agreement", "Agreement", (*parts, *beside.parts), (*behind, *beside.behind))


EACH = (
    "Krippendorff's alpha. With the rest: each answer of the annotator beside each other answer to the same item. "
    "Without them: all answers but theirs. Intervals: BCa bootstrap over items."
)


def _each(table: Table) -> Table:
    """The table of annotators in the words of the report, without the column of the measure, which is always alpha."""
    titles = {"rater": "Annotator", "units": "Shared items"}
    kept = [index for index, column in enumerate(table.columns) if column.id != "measure"]
    columns = tuple(
        attrs.evolve(
            table.columns[index], title=titles.get(table.columns[index].id, table.columns[index].title), digits=2
        )
        for index in kept
    )
    rows = tuple(tuple(row[index] for index in kept) for row in table.rows)
    found = attrs.evolve(table, id="agreement_annotators", title="Each annotator against the rest", columns=columns)
    return retitled(attrs.evolve(found, rows=rows, note=EACH))


def _wide(rows: Sequence[Agreement], signed: str) -> Table:
    """A row for each question and a column for each measure, as a paper has it."""
    measures = {row.measure.name: row.measure.title for row in rows}
    found: dict[str, dict[str, Agreement]] = {}
    for row in rows:
        found.setdefault(row.question, {})[row.measure.name] = row
    cells: list[tuple[Cell, ...]] = []
    for by_measure in found.values():
        first = next(iter(by_measure.values()))
        values = [by_measure[name].estimate if name in by_measure else NOT_MEASURED for name in measures]
        cells.append(
            (first.label, by_measure.get("alpha", first).level, *values, first.units, first.raters, first.pairable)
        )
    columns = (
        Column("question", "Question"),
        Column("level", "Level"),
        *(Column(name, f"{title} [95 %]", DECIMAL) for name, title in measures.items()),
        Column("items", "Items", WHOLE),
        Column("annotators", "Annotators", WHOLE),
        Column("pairable", "Pairable", WHOLE),
    )
    note = (
        "Alpha: 1 is full agreement, 0 is chance. Percent agreement: the share of pairs of answers that are the same, "
        "mean over items. Intervals: BCa bootstrap over items. Pairable: answers to items that have two or more."
    )
    note = " ".join([note, *without_interval(row.estimate for row in rows)])
    return Table("agreement", "Agreement between annotators", columns, tuple(cells), note, signed)


def _why_nothing(figures: Figures) -> str:
    if not figures.subject.ratings.counted:
        return "There is no judgement that counts yet, so nobody can agree or disagree."
    if figures.subject.edits is not None:
        return "Annotators mark edits; how far they agree on those is under Results of the protocol."
    return "The protocol asks only for texts, which cannot be the same or different by a measure of agreement."


def _prose(rows: Sequence[Agreement]) -> list[str]:
    defined = [row for row in rows if row.value.value is not None]
    undefined = [row for row in rows if row.value.value is None]
    texts = [_extremes(rows[0].measure.title, len(defined), _weighty(defined))] if defined else []
    few = [row for row in defined if row.pairable < FEWEST]
    if few:
        said = listed(f"{row.label} ({row.pairable})" for row in few)
        whose = "its value says" if len(few) == 1 else "their values say"
        texts.append(f"Few answers can be compared for {said}: {whose} little.")
    wide = [row for row in defined if _width(row) > WIDE and row.pairable >= FEWEST]
    if wide:
        names = "every question" if len(wide) == len(rows) > 1 else listed(row.label for row in wide)
        interval, them = ("interval of {} is", "it") if len(wide) == 1 else ("intervals of {} are", "them")
        texts.append(f"The {interval.format(names)} wide: more items with several judgements would narrow {them}.")
    for reason in dict.fromkeys(row.value.reason for row in undefined):
        names = listed(row.label for row in undefined if row.value.reason == reason)
        texts.append(f"For {names} no value can be given: {reason}.")
    return texts


def _weighty(rows: Sequence[Agreement]) -> list[Agreement]:
    """Rows with enough answers to say something; all of them if none has."""
    return [row for row in rows if row.pairable >= FEWEST] or list(rows)


def _extremes(measure: str, number: int, rows: Sequence[Agreement]) -> str:
    best, worst = max(rows, key=_value), min(rows, key=_value)
    if decimal(best.value) == decimal(worst.value) and best is not worst:
        return f"{measure} is about {decimal(best.value)} for {listed(row.label for row in rows)}: {_meaning(worst)}."
    if best is worst:
        return f"{measure} is {_with_interval(best)} for {best.label}: {_meaning(best)}."
    return (
        f"{measure} was computed for {counted(number, 'question')}, each at the level of its scale. It is highest for "
        f"{best.label} ({_with_interval(best)}; {_meaning(best)}) and lowest for {worst.label} "
        f"({_with_interval(worst)}; {_meaning(worst)})."
    )


def _value(row: Agreement) -> float:
    return row.value.value if row.value.value is not None else float("-inf")


def _with_interval(row: Agreement) -> str:
    low, high = row.interval.low.value, row.interval.high.value
    ends = f" [{decimal(low)}, {decimal(high)}]" if low is not None and high is not None else ""
    return f"{decimal(row.value)}{ends}"


def _width(row: Agreement) -> float:
    low, high = row.interval.low.value, row.interval.high.value
    return high - low if low is not None and high is not None else 0.0


def _meaning(row: Agreement) -> str:
    """What the value means. Agreement that may be chance is called nothing else, whatever its value."""
    value = _value(row)
    if _by_chance(row):
        return "not to be told from chance"
    if value >= RELIABLE:
        return "reliable by Krippendorff's rule of thumb (0.8)"
    if value >= TENTATIVE:
        return "enough for tentative conclusions by Krippendorff's rule of thumb (0.667)"
    return "better than chance, but below what Krippendorff asks for tentative conclusions (0.667)"


def _by_chance(row: Agreement) -> bool:
    """Whether the interval reaches 0, or could not be made of so little; full agreement on several answers is none."""
    low = row.interval.low
    if low.value is None:
        return _value(row) <= 0 or (low.reason != NO_RESAMPLES and _value(row) < 1)
    return low.value <= 0


def _chart(rows: Sequence[Agreement], table: Table) -> Chart | None:
    data = [
        {
            "panel": "",
            "system": row.label,
            "mean": row.value.value,
            "low": row.interval.low.value if row.interval.low.value is not None else row.value.value,
            "high": row.interval.high.value if row.interval.high.value is not None else row.value.value,
        }
        for row in rows
        if row.value.value is not None
    ]
    if len(data) < 2:
        return None
    names = [str(row["system"]) for row in data]
    title = "How far annotators agree, by question"
    spec = intervals_chart(
        data,
        names=names,
        what=title,
        subtitle=f"{rows[0].measure.title}; 1 is full agreement, 0 is chance",
        axis="agreement, with 95 % interval",
        scales={"": (min(0.0, *(float(str(row["low"])) for row in data)), 1.0)},
    )
    said = "; ".join(f"{row.label} {_with_interval(row)}" for row in rows if row.value.value is not None)
    return Chart(
        "agreement", title, f"Points with intervals, one for each question: {said}.", spec, table.id, table.signature
    )


def in_short(figures: Figures) -> str:
    """Agreement in one sentence, for a summary; empty where no question can be compared."""
    rows = [row for row in figures.agreement if row.measure.name == MEASURES[0]]
    defined = _weighty([row for row in rows if row.value.value is not None])
    if not defined:
        return f"Agreement cannot be given: {rows[0].value.reason}." if rows else ""
    if len(defined) == 1:
        return f"Krippendorff's alpha is {_with_interval(defined[0])} for {defined[0].label}: {_meaning(defined[0])}."
    ordered = sorted(defined, key=_value)
    reached = [row.label for row in defined if _value(row) >= TENTATIVE and not _by_chance(row)]
    held = f"{listed(reached)} {'reaches' if len(reached) == 1 else 'reach'}" if reached else "no question reaches"
    if len(reached) == len(defined):
        held = "both questions reach" if len(reached) == 2 else "all questions reach"
    unsure = [row.label for row in defined if _by_chance(row)]
    whom = "None of them can" if len(unsure) == len(defined) else f"{listed(unsure)} cannot"
    chance = f" {whom} be told from chance." if unsure else ""
    least, most = (f"{decimal(row.value)} ({row.label})" for row in (ordered[0], ordered[-1]))
    return (
        f"Krippendorff's alpha ranges from {least} to {most}; {held} 0.667, his mark for tentative conclusions.{chance}"
    )


def of_verdicts(figures: Figures) -> Table | None:
    """Agreement on verdicts, for the section on the protocol's own results; None if there are none."""
    rows = figures.verdict_agreement
    if not rows:
        return None
    signed = figures.subject.ratings.sign_chosen(**figures.agreement_asked.parts())
    return attrs.evolve(_wide(rows, signed), id="agreement_verdicts", title="Agreement on verdicts")
