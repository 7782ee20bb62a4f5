"""Ratings: how answers are distributed, for each question and system, as tables and stacked bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rubrica.core.answers import Answer
from rubrica.core.protocol import Protocol
from rubrica.core.ratings import CHOICE, CHOICES, Criterion
from rubrica.core.scales import Choice, Choices
from rubrica.core.text_helpers import first_of
from rubrica.core.texts import shown
from rubrica.report.charts import shares_chart
from rubrica.report.distributions import MOST_VALUES, Distribution
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, decimal, listed, percent, quoted, sentence
from rubrica.report.sections.materials import system_name
from rubrica.report.sections.section import Chart, Paragraph, Part, Section, Subject
from rubrica.report.tables import DECIMAL, PERCENT, WHOLE, Cell, Column, Estimate, Table, without_interval
from rubrica.stats.statistic import Statistic

NOTHING = Statistic(None, "nobody answered this question")


def ratings(figures: Figures) -> Section:
    """The distribution of every question whose answers can be counted."""
    subject, criteria = figures.subject, figures.questions
    if not criteria:
        why = (
            "This protocol asks no question about a whole item whose answers could be counted; "
            "what annotators marked or wrote is under Results of the protocol."
        )
        return Section("ratings", "Ratings", (Paragraph(why, "empty"),))
    if not subject.ratings.counted:
        return Section("ratings", "Ratings", (Paragraph("There is no judgement that counts yet.", "empty"),))
    found = figures.distributions
    parts: list[Part] = [_prose(subject, criteria, found)]
    answered = [one for one in criteria if found[one.id][-1].total]
    for number, alike in enumerate(_alike(answered), start=1):
        rows = [one for criterion in alike for one in found[criterion.id]]
        make = _options if alike[0].kind in (CHOICE, CHOICES) else _table
        table = make(subject, f"ratings_{number}", alike, rows)
        parts.append(table)
        chart = _chart(subject, table, alike, rows)
        parts += [chart] if chart else []
    return Section("ratings", "Ratings", tuple(parts))


def _alike(criteria: Sequence[Criterion]) -> Iterator[list[Criterion]]:
    """Questions with the same answers, which one table can hold."""
    groups: dict[tuple[object, ...], list[Criterion]] = {}
    for criterion in criteria:
        scored = criterion.numeric and criterion.good is None
        groups.setdefault((criterion.kind == CHOICES, scored, *criterion.values), []).append(criterion)
    yield from groups.values()


def _prose(subject: Subject, criteria: Sequence[Criterion], found: dict[str, list[Distribution]]) -> Paragraph:
    said = []
    for criterion in criteria:
        whole = found[criterion.id][-1]
        if not whole.total:
            said.append(f"{criterion.label} was never answered")
        elif whole.mean is not None and whole.mean.value.value is not None:
            of = f" of at most {criterion.ends[1]}" if criterion.ends else ""
            said.append(f"{criterion.label} averages {decimal(whole.mean.value)}{of}{_interval(whole.mean)}")
        elif criterion.good is not None:
            share = whole.share(criterion.good) or 0.0
            name = quoted(_name(subject.protocol, criterion, criterion.good))
            said.append(f"{criterion.label} is {name} in {percent(share)}")
        else:
            most = max(whole.counts, key=lambda value: whole.counts[value])
            share = whole.share(most) or 0.0
            name = quoted(_name(subject.protocol, criterion, most))
            said.append(f"the most frequent answer to {criterion.label} is {name} ({percent(share)})")
    judged = counted(len(subject.ratings.counted), "judgement")
    return Paragraph(f"Over {judged}: {'; '.join(said)}.")


def _interval(mean: Estimate) -> str:
    if mean.low.value is None or mean.high.value is None:
        return ""
    return f" [{decimal(mean.low)}, {decimal(mean.high)}]"


def _name(protocol: Protocol | None, criterion: Criterion, answer: Answer) -> str:
    """An answer as people know it: the label of an option, else itself."""
    question = protocol.questions_by_id.get(criterion.id) if protocol else None
    scale = protocol.scale_of(question) if protocol and question else None
    if isinstance(scale, Choice | Choices):
        return next((shown(option.label, "en") for option in scale.options if option.id == answer), str(answer))
    return str(answer)


def _table(subject: Subject, name: str, alike: Sequence[Criterion], rows: Sequence[Distribution]) -> Table:
    values = _values(rows)
    wide = not values
    numeric = alike[0].numeric
    with_na = any(row.not_applicable for row in rows)
    named = [row.system for row in rows]
    systems = len(set(named)) > 1
    columns = [Column("question", "Question"), *([Column("system", "System")] if systems else [])]
    columns.append(Column("judgements", "n", WHOLE))
    columns += [
        Column(f"share_{value}", f"{_name(subject.protocol, alike[0], value)} %", PERCENT, 0) for value in values
    ]
    if wide:
        columns += [
            Column("q1", "1st quartile", DECIMAL),
            Column("median", "Median", DECIMAL),
            Column("q3", "3rd quartile", DECIMAL),
        ]
    columns += [Column("mean", "Mean [95 %]", DECIMAL)] if numeric else []
    columns += [Column("not_applicable", "Not applicable", WHOLE)] if with_na else []
    cells = []
    for row in rows:
        line: list[Cell] = [row.criterion.label, *([system_name(row.system, named)] if systems else []), row.total]
        line += [row.share(value) if row.total else NOTHING for value in values]
        line += (list(row.quartiles) if row.quartiles else [NOTHING] * 3) if wide else []
        line += [row.mean if row.mean and row.total else NOTHING] if numeric else []
        line += [row.not_applicable] if with_na else []
        cells.append(tuple(line))
    chosen = subject.choices
    signed = subject.ratings.sign(
        table=name, bootstrap=chosen.replicates if numeric else "", seed=chosen.seed if numeric else ""
    )
    note = _note(alike[0], with_na, numeric)
    told = without_interval(row.mean for row in rows if row.mean and row.total)
    return Table(name, _title(alike), tuple(columns), tuple(cells), " ".join([note, *told]), signed)


def _values(rows: Sequence[Distribution]) -> list[Answer]:
    """The answers that a table has a column for, in order; none if they are too many: then quartiles are shown."""
    found = list(dict.fromkeys(value for row in rows for value in row.counts))
    if len(found) > MOST_VALUES:
        return []
    listed_ones = rows[0].criterion.values
    return found if listed_ones else sorted(found, key=lambda value: (isinstance(value, str), value))


def _options(subject: Subject, name: str, alike: Sequence[Criterion], rows: Sequence[Distribution]) -> Table:
    """A question with options, which are long: a row for each option, a column for each system."""
    systems = list(dict.fromkeys(row.system for row in rows))
    with_question = len(alike) > 1
    columns = [Column("question", "Question")] if with_question else []
    columns.append(Column("answer", "Answer"))
    columns += [Column(f"system.{system or 'all'}", f"{system or 'Share'} %", PERCENT, 0) for system in systems]
    cells = []
    for criterion in alike:
        own = [row for row in rows if row.criterion.id == criterion.id]
        first: list[Cell] = [criterion.label] if with_question else []
        for value in own[0].counts:
            shares: list[Cell] = [row.share(value) if row.total else NOTHING for row in own]
            cells.append((*first, _name(subject.protocol, criterion, value), *shares))
    given = [_given(row, with_question, len(systems) > 1) for row in rows]
    away = sum(row.not_applicable for row in rows if row.system == systems[-1])
    note = f"{_note(alike[0], False, False)} n: {', '.join(given)}.".replace("n: judgements with an answer. ", "")
    note += f" Not applicable: {away}." if away else ""
    signed = subject.ratings.sign(table=name)
    return Table(name, _title(alike), tuple(columns), tuple(cells), note, signed)


def _given(row: Distribution, with_question: bool, with_system: bool) -> str:
    """How many judgements have an answer, for a note."""
    where = [row.criterion.label if with_question else "", row.system if with_system else ""]
    return " ".join(part for part in (*where, f"{row.total:,}") if part)


def _title(alike: Sequence[Criterion]) -> str:
    return f"Answers to {listed(one.label for one in alike)}"


def _note(criterion: Criterion, with_na: bool, numeric: bool) -> str:
    notes = ["n: judgements with an answer."]
    if criterion.kind == CHOICES:
        notes.append("Several options could be chosen, so shares may add up to more than 100.")
    if numeric:
        notes.append("Intervals: BCa bootstrap over sources.")
    if with_na:
        notes.append("Not applicable is no answer and counts in no share.")
    return " ".join(notes)


def _chart(subject: Subject, table: Table, alike: Sequence[Criterion], rows: Sequence[Distribution]) -> Chart | None:
    values = _values(rows)
    if not values or alike[0].kind == CHOICES or not any(row.total for row in rows):
        return None
    answers = [_label(subject.protocol, alike[0], value) for value in values]
    named = list(dict.fromkeys(row.system for row in rows))
    systems = [system_name(name, named) for name in named]
    data = [
        {
            "question": row.criterion.label,
            "system": system_name(row.system, named),
            "answer": _label(subject.protocol, alike[0], value),
            "share": 100 * (row.share(value) or 0.0),
            "order": order,
        }
        for row in rows
        if row.total
        for order, value in enumerate(values)
    ]
    means = [_mean(row, named) for row in rows if row.mean is not None and row.mean.value.value is not None]
    title = f"How {listed(one.label for one in alike)} {'was' if len(alike) == 1 else 'were'} answered"
    several = len(systems) > 1
    spec = shares_chart(
        data,
        answers=answers,
        systems=systems,
        ordered=alike[0].kind != CHOICE,
        what=title,
        subtitle=f"{len(subject.ratings.counted):,} judgements" + (", by system" if several else ""),
        means=means,
        scale=alike[0].ends,
    )
    each = " and system" if several else ""
    alt = f"Stacked bars: for each question{each} the share of each answer. {_in_words(rows)}"
    return Chart(table.id, title, alt, spec, table.id, table.signature)


def _label(protocol: Protocol | None, criterion: Criterion, value: Answer) -> str:
    """An answer in a legend: a point of a scale with its meaning if all questions of the scale share it."""
    return _name(protocol, criterion, value)


def _mean(row: Distribution, named: Sequence[str]) -> dict[str, Any]:
    assert row.mean is not None
    value, low, high = (part.value for part in row.mean)
    return {
        "question": row.criterion.label,
        "system": system_name(row.system, named),
        "mean": value,
        "low": value if low is None else low,
        "high": value if high is None else high,
    }


def _in_words(rows: Sequence[Distribution]) -> str:
    said = []
    for row in rows:
        if row.total:
            most = max(row.counts, key=lambda value: row.counts[value])
            where = f", {row.system}" if row.system else ""
            said.append(f"{row.criterion.label}{where}: most often {most} ({percent(row.share(most) or 0.0)})")
    words = first_of(said, 12, "; ")
    return sentence(words) + ("" if words.endswith("…") else ".")
