"""Agreement: how far annotators give the same answers, question by question, with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rubrica.core.ratings import VERDICT
from rubrica.report.agreement import Agreement, agreement_table
from rubrica.report.charts import intervals_chart
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, decimal, listed
from rubrica.report.sections.section import Chart, Paragraph, Part, Section
from rubrica.report.tables import Table, retitled

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff (Content Analysis, 2004, p. 241): draw conclusions from 0.8 on, tentative ones from 0.667 on."""


def agreement(figures: Figures) -> Section:
    """The table of the default measure, in words and as a chart."""
    rows = [row for row in figures.agreement if _is_question(figures, row)]
    if not rows:
        return Section("agreement", "Agreement", (Paragraph(_why_nothing(figures), "empty"),))
    subject = figures.subject
    signed = subject.ratings.sign(**figures.agreement_asked.parts())
    table = retitled(agreement_table(rows, signed, title="Agreement between annotators"))
    parts: list[Part] = [Paragraph(text) for text in _prose(figures, rows)]
    parts.append(table)
    chart = _chart(rows, table)
    parts += [chart] if chart else []
    return Section("agreement", "Agreement", tuple(parts))


def _is_question(figures: Figures, row: Agreement) -> bool:
    return figures.subject.ratings.criterion(row.question).kind != VERDICT


def _why_nothing(figures: Figures) -> str:
    if not figures.subject.ratings.counted:
        return "There is no judgement that counts yet, so nobody can agree or disagree."
    if figures.subject.edits is not None:
        return "Annotators mark edits; how far they agree on those is under Results of the protocol."
    return "The protocol asks only for texts, which cannot be the same or different by a measure of agreement."


def _prose(figures: Figures, rows: Sequence[Agreement]) -> list[str]:
    defined = [row for row in rows if row.value.value is not None]
    undefined = [row for row in rows if row.value.value is None]
    texts = []
    if defined:
        best = max(defined, key=_value)
        worst = min(defined, key=_value)
        text = (
            f"{best.measure.title} was computed for {counted(len(rows), 'question')}, each at the level of its scale. "
        )
        if best is worst:
            text += f"It is {_with_interval(best)} for {best.label}: {_meaning(best)}."
        else:
            text += (
                f"It is highest for {best.label} ({_with_interval(best)}; {_meaning(best)}) and lowest for {worst.label} "
                f"({_with_interval(worst)}; {_meaning(worst)})."
            )
        texts.append(text)
        wide = [row for row in defined if _width(row) > 0.4]
        if wide:
            texts.append(
                f"The interval of {listed(row.label for row in wide)} is wide: more items with several judgements would "
                "be needed to tell good agreement from chance."
            )
    for reason in dict.fromkeys(row.value.reason for row in undefined):
        names = listed(row.label for row in undefined if row.value.reason == reason)
        texts.append(f"For {names} no value can be given: {reason}.")
    return texts


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
    value = _value(row)
    if value >= RELIABLE:
        return "reliable by Krippendorff's rule of thumb (0.8)"
    if value >= TENTATIVE:
        return "enough for tentative conclusions by Krippendorff's rule of thumb (0.667)"
    if value > 0:
        return "better than chance, but below what Krippendorff asks for tentative conclusions (0.667)"
    return "no better than chance"


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
    )
    said = "; ".join(f"{row.label} {_with_interval(row)}" for row in rows if row.value.value is not None)
    return Chart(
        "agreement", title, f"Points with intervals, one for each question: {said}.", spec, table.id, table.signature
    )


def of_verdicts(figures: Figures) -> Table | None:
    """Agreement on verdicts, for the section on the protocol's own results; None if there are none."""
    rows = [row for row in figures.agreement if not _is_question(figures, row)]
    if not rows:
        return None
    signed = figures.subject.ratings.sign(**figures.agreement_asked.parts())
    table = retitled(agreement_table(rows, signed, title="Agreement on verdicts"))
    return attrs.evolve(table, id="agreement_verdicts")
