"""Protocol: what was asked, word for word, on which scales, in which version."""

from __future__ import annotations

from rubrica.core.protocol import Protocol, Question
from rubrica.core.scales import Choice, Choices, Ordinal, Slider, YesNo
from rubrica.core.text_helpers import first_of
from rubrica.core.texts import shown
from rubrica.report.facts import StageFacts
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, listed, percent, sentence
from rubrica.report.sections.section import Paragraph, Part, Section, Subject
from rubrica.report.tables import Column, Table

LANG = "en"
"""Reports are in English; questions that have no English wording are shown in their own language."""
COLUMNS = (
    Column("question", "Question"),
    Column("prompt", "As asked"),
    Column("answers", "Answers"),
    Column("level", "Level"),
)


def protocol(figures: Figures) -> Section:
    """The questions with their scales; for a file, what is known of its columns."""
    subject = figures.subject
    if subject.protocol is None:
        return Section("protocol", "Protocol", (_file_prose(subject), _columns(subject)))
    asked = subject.protocol
    parts: list[Part] = [Paragraph(_published(asked)), Paragraph(shown(asked.summary, LANG))]
    if subject.facts:
        parts += [Paragraph(_stage(stage), "list") for stage in subject.facts.stages]
        settings = [f"{key} = {value}" for key, value in subject.facts.main.settings.items()]
        if settings:
            parts.append(Paragraph(f"The study set these parameters of the protocol: {listed(settings)}."))
    parts.append(_questions(subject, asked))
    if asked.edits:
        parts.append(_operations(subject, asked))
    parts += _verdicts(asked)
    ways = [f"{shown(way.label, LANG).lower()}" for way in asked.ways_out]
    out = f"An annotator could leave an item without answering: {listed(ways)}. " if ways else ""
    parts.append(
        Paragraph(
            f"{out}Anybody could pass on an item that made them uncomfortable, at no loss, and was told so before."
        )
    )
    return Section("protocol", "Protocol", tuple(parts))


def _published(asked: Protocol) -> str:
    return (
        f"Judgements follow the protocol {shown(asked.title, LANG)} (id {asked.id}, version {asked.version}, content "
        f"hash {asked.hash[:12]}), after {asked.document}. The hash covers every question, scale, rule and guideline: "
        f"whoever runs the same hash asks the same."
    )


def _stage(stage: StageFacts) -> str:
    step = stage.step
    label = shown(step.label, LANG)
    share = f" ({percent(stage.done / stage.wanted)})" if stage.wanted else ""
    beyond = f", {stage.extra:,} more beyond the overlap" if stage.extra else ""
    text = (
        f"Stage {stage.key} ({label}): {counted(stage.overlap, 'judgement')} wanted per item; "
        f"{stage.done:,} of {stage.wanted:,} judgements wanted are done{share}{beyond}, "
        f"by {counted(len(stage.people), 'annotator')}."
    )
    left = {name: number for name, number in stage.outcomes.items() if name != "answered"}
    if left:
        ways = [f"{name.replace('_', ' ')} {number}" for name, number in left.items()]
        text += f" Items left without an answer: {listed(ways)}."
    needs = shown(step.requires, LANG)
    return f"{text} Who may take part: {needs.rstrip('.')}." if needs else text


def _questions(subject: Subject, asked: Protocol) -> Table:
    levels = {criterion.id: criterion.level for criterion in subject.ratings.criteria}
    rows = [_row(asked, question, levels.get(question.id, "")) for question in asked.questions]
    note = "Level: how answers can be compared. Open answers are texts; masi compares sets of answers."
    signed = subject.ratings.sign(table="questions")
    return Table("questions", "What was asked", COLUMNS, tuple(rows), note, signed)


def _row(asked: Protocol, question: Question, level: str) -> tuple[str, str, str, str]:
    optional = "" if question.required else " (optional)"
    when = " (only after certain answers)" if question.when else ""
    name = question.header or sentence(question.id.replace("_", " "))
    return name + optional + when, shown(question.prompt, LANG), _answers(asked, question), level


def _answers(asked: Protocol, question: Question) -> str:
    match asked.scale_of(question):
        case Ordinal() as scale:
            return "; ".join(f"{point.value} {shown(point.label, LANG)}".strip() for point in scale.points)
        case Slider() as scale:
            low = f"{scale.minimum:g} {shown(scale.low, LANG)}"
            high = f"{scale.maximum:g} {shown(scale.high, LANG)}"
            return f"{low.strip()} to {high.strip()}, in steps of {scale.step:g}"
        case YesNo():
            return "yes; no"
        case Choice() as scale:
            return "one of: " + "; ".join(shown(option.label, LANG) for option in scale.options)
        case Choices() as scale:
            return "any of: " + "; ".join(shown(option.label, LANG) for option in scale.options)
        case scale:
            return sentence(scale.expects())


def _operations(subject: Subject, asked: Protocol) -> Table:
    assert asked.edits is not None
    rows = tuple(
        (
            shown(operation.label, LANG),
            shown(operation.meaning, LANG),
            "; ".join(shown(question.prompt, LANG) for question in asked.edits.questions_for(operation.id)),
        )
        for operation in asked.edits.operations
    )
    columns = (Column("operation", "Edit"), Column("meaning", "Meaning"), Column("questions", "Then asked"))
    signed = subject.ratings.sign(table="operations")
    note = "Not every question is put to every edit: earlier answers decide."
    return Table("operations", "Edits that annotators mark", columns, rows, note, signed)


def _verdicts(asked: Protocol) -> list[Part]:
    if not asked.verdicts:
        return []
    names = [
        f"{shown(verdict.label, LANG)} ({'all judgements of an item' if verdict.of_item else 'one judgement'})"
        for verdict in asked.verdicts
    ]
    return [Paragraph(f"Verdicts are derived from the answers by rules of the protocol: {listed(names)}.")]


def _file_prose(subject: Subject) -> Paragraph:
    ratings = subject.ratings
    where = ratings.origin.get("file", ratings.name)
    return Paragraph(
        f"The ratings come from the file {where}, which says nothing about how they were collected: describe "
        f"questions, wording and guidelines here. These are its questions and the answers that occur."
    )


def _columns(subject: Subject) -> Table:
    rows = []
    for criterion in subject.ratings.criteria:
        values = first_of(criterion.values, 12, "; ")
        rows.append((criterion.label, "to be added", values or "free", criterion.level))
    signed = subject.ratings.sign(table="questions")
    return Table("questions", "What was asked", COLUMNS, tuple(rows), "", signed)
