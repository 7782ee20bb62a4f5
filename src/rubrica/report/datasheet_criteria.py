"""The datasheet's block on each quality criterion: what it is, how it was asked, how answers became results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rubrica.core.ratings import CHOICE, CHOICES, OPEN, SCALE, TEXT, VERDICT, WORDS, YES_NO, Criterion
from rubrica.core.texts import shown
from rubrica.report.checks_findings import CONSISTENCY
from rubrica.report.datasheet_questions import CRITERION, QUALITIES
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, percent, sentence
from rubrica.report.sections.section import Asked, Section, Subject
from rubrica.report.tables import DECIMAL, UNDEFINED, Table
from rubrica.report.tables import shown as shown_cell

FORMS = {
    SCALE: "a rating on a scale",
    YES_NO: "a yes or no",
    CHOICE: "a choice of one option",
    CHOICES: "a choice of any options",
    WORDS: "short answers in the annotator's own words",
    TEXT: "a text of the annotator's own",
}


WHICH = (
    "Correctness, goodness or a feature; of form, content or both; in its own right, relative to the input, or to "
    "something outside."
)
EDITS = (
    "Goodness and correctness of single edits; of form and content; each output relative to its input.",
    "Annotators mark every edit in source and rewrite, say what it does, and rate how much it helps or harms; the "
    "questions are under Protocol.",
    "Operations and types are nominal; efficacy and severity are ordinal, from 1 (minor) to 3 (a lot).",
    "Marked spans with answers to each, absolute, subjective, intrinsic.",
    "Edits are counted by type and per sentence; a rewrite's score adds up weight x rating x size of its edits.",
    "Edits are shown per system without a test.",
    "See Results of the protocol: kappa and alpha per token and label, and F1 of whole edits.",
)
"""What is true of every protocol of edits, by question."""


def criteria(figures: Figures, made: Sequence[Section]) -> Iterator[tuple[str, list[Asked]]]:
    """A block for each question that judges; remarks and other free texts are none."""
    subject, number = figures.subject, 0
    for criterion in subject.ratings.criteria:
        if criterion.kind != VERDICT and criterion.level != OPEN:
            number += 1
            yield f"4.{number} Criterion: {criterion.label}", _asked(number, _answers(figures, criterion, made))
    if subject.edits is not None:
        number += 1
        yield f"4.{number} Criterion: edits", _asked(number, [(answer, "") for answer in EDITS])
    if not number:
        why = "No criterion: annotators wrote texts, they rated nothing."
        yield "4 Quality criteria", [Asked("4", "Which quality criteria were judged?", why)]


def _asked(number: int, answers: Sequence[tuple[str, str]]) -> list[Asked]:
    return [
        Asked(f"4.{number}.{place}", question, *answer)
        for (place, question), answer in zip(CRITERION.items(), answers, strict=True)
    ]


def _answers(figures: Figures, criterion: Criterion, made: Sequence[Section]) -> list[tuple[str, str]]:
    subject = figures.subject
    protocol = subject.protocol
    quality = QUALITIES.get(protocol.id, {}).get(criterion.id) if protocol else None
    question = protocol.questions_by_id.get(criterion.id) if protocol else None
    prompt = shown(question.prompt, "en") if question else ""
    kind = f"{sentence(quality.type)}; {quality.aspect}; {quality.frame}." if quality else ""
    meaning = f"{sentence(quality.meaning)}. " if quality else ""
    size = f"{counted(len(criterion.values), 'value')}: {_values(criterion)}" if criterion.values else "not bounded"
    return [
        (kind, "" if quality else WHICH),
        (
            f"{meaning}Asked as: “{prompt}”" if prompt else meaning.strip(),
            "" if prompt else "The wording and the definition that evaluators were given.",
        ),
        (f"{sentence(size)}. Level: {criterion.level}.", ""),
        (f"{sentence(FORMS[criterion.kind])}, absolute (one output at a time), subjective, intrinsic.", ""),
        (_aggregated(criterion), ""),
        (_tested(subject, criterion), ""),
        (f"{_agreed(criterion, made)} {_with_themselves(figures, criterion)}", ""),
    ]


def _values(criterion: Criterion) -> str:
    values = [str(value) for value in criterion.values]
    return ", ".join(values) if len(values) <= 12 else f"{values[0]} to {values[-1]}"


def _aggregated(criterion: Criterion) -> str:
    if criterion.numeric:
        return "Shares of each answer and the mean, per system, over judgements; intervals by a bootstrap over sources."
    if criterion.kind == WORDS:
        return "Answers are counted per item after equal ones were put together."
    return "Shares of each answer, per system, over judgements; not applicable is kept apart."


def _tested(subject: Subject, criterion: Criterion) -> str:
    if len(subject.ratings.systems) < 2:
        return "There is only one system, so nothing was compared."
    if criterion.good is None and not criterion.numeric:
        return "No answer is better than the others, so systems were not ranked by it."
    return "Paired tests with Holm's correction over all pairs of systems; see Comparison of systems."


def _agreed(criterion: Criterion, made: Sequence[Section]) -> str:
    for section in made:
        for table in section.tables:
            if table.id == "agreement":
                found = _row(table, criterion)
                if found:
                    return found
    return "See the section on agreement."


def _row(table: Table, criterion: Criterion) -> str:
    """What the table of agreement says of this criterion."""
    for row in table.rows:
        if row[0] == criterion.label:
            cells = {column.id: shown_cell(cell, column) for column, cell in zip(table.columns, row, strict=True)}
            measured = [
                f"{_measure(column.title)} {_value(cells[column.id])}"
                for column in table.columns
                if column.kind == DECIMAL
            ]
            counts = f"{cells['items']} items, {cells['annotators']} annotators, level {cells['level']}"
            return f"{', '.join(measured)}; {counts}."
    return ""


def _measure(title: str) -> str:
    """The name of a measure within a sentence: one that is no person's begins small."""
    name = title.removesuffix(" [95 %]")
    return name if "'" in name else name[:1].lower() + name[1:]


def _value(cell: str) -> str:
    return "is not defined" if cell == UNDEFINED else cell.replace("-", "−")


def _with_themselves(figures: Figures, criterion: Criterion) -> str:
    """How often annotators answered hidden duplicates as they had answered the first time."""
    again = [one for one in figures.checked.findings if one.check == CONSISTENCY and one.question == criterion.id]
    total = sum(one.n for one in again)
    if not total:
        return "With themselves: not measured, since no item was answered twice."
    same = sum(one.evidence["same"] for one in again)
    answers = counted(total, "answer")
    return f"With themselves: of {answers} to items that came twice, {percent(same / total)} are the same as before."
