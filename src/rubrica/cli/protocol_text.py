"""A protocol in words, for `rubrica protocols show`."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from rubrica.core import conditions as c
from rubrica.core.course import Course, all_steps, rounds, taught
from rubrica.core.protocol import Protocol, Question, Verdict
from rubrica.core.scales import Ordinal, ShortAnswers, Slider, YesNo
from rubrica.core.texts import shown

WIDTH = 100


def describe(protocol: Protocol, language: str) -> Iterator[str]:
    """The protocol, line by line, in one language."""
    yield f"{shown(protocol.title, language)}  ({protocol.id} {protocol.version}, {protocol.hash[:12]})"
    yield from _text(shown(protocol.summary, language), "")
    yield f"Document: {protocol.document}"
    yield f"Audience: {shown(protocol.audience, language)}"
    yield (
        f"Languages: {', '.join(protocol.languages)}"
        + (f"; partly {', '.join(protocol.partly_translated)}" if protocol.partly_translated else "")
        + (f"; not yet reviewed by a native speaker: {', '.join(protocol.unreviewed)}" if protocol.unreviewed else "")
    )
    for parameter in protocol.parameters:
        options = f" (one of {', '.join(parameter.options)})" if parameter.options else ""
        label, default = shown(parameter.label, language), parameter.default.get(language)
        yield f"Parameter {parameter.id}{options}: {label} [{default}]"
    if protocol.duplicates:
        yield f"Hidden duplicates: {protocol.duplicates:.0%} of the items, unless a study says otherwise"
    yield ""
    yield "Fields"
    for field in protocol.fields:
        also = f"; also {', '.join(field.aliases)}" if field.aliases else ""
        yield f"  {field.id}: {field.role}, {'required' if field.required else 'optional'}{also}"
    yield ""
    yield "Questions"
    for question in protocol.questions:
        yield from _question(protocol, question, language)
    yield from _edits(protocol, language)
    for rule in protocol.rules:
        yield ""
        yield f"Rule {rule.id}: when {condition_text(rule.condition)}"
        yield from _text(shown(rule.note, language))
        yield from (f"    {name} is {value!r} and locked" for name, value in rule.preset.items())
        yield from (f"    {name} is not applicable" for name in rule.drop)
        yield from (f"    {name} is asked" for name in rule.ask)
        for name, text in rule.reword.items():
            yield from _text(f"{name} reads: {shown(text, language)}")
    for hint in protocol.hints:
        yield from _text(f"Hint on {hint.question}, {_when(hint.when)}: {shown(hint.text, language)}", "")
    yield ""
    yield "Ways out"
    for way in protocol.ways_out:
        typed = f" (typing {way.keyword} means the same)" if way.keyword else ""
        yield from _text(f"{way.id}: {shown(way.label, language)}. {shown(way.meaning, language)}{typed}")
    yield "    uncomfortable: any item may be left, at no loss"
    if protocol.verdicts:
        yield ""
        yield "Verdicts"
        yield from (f"  {verdict.id}: {_verdict(verdict)}" for verdict in protocol.verdicts)
    yield ""
    yield "Stages"
    for stage in protocol.stages:
        yield (
            f"  {stage.id}: {stage.role}, {stage.overlap} per item"
            + (f" ({stage.overlap_comparing} when systems are compared)" if stage.overlap_comparing else "")
            + (f", items from {stage.items_from}" if stage.items_from else "")
            + (f", other people than {', '.join(stage.other_people_than)}" if stage.other_people_than else "")
            + (f", the same people as {stage.same_people_as}" if stage.same_people_as else "")
            + (", nobody who wrote rewrites" if stage.not_authors else "")
        )
    yield f"Practice items: {len(protocol.practice)}"
    if protocol.course:
        yield _course(protocol.course)


def _course(course: Course) -> str:
    """How large the course is."""
    stages, asked = taught(course), rounds(course)
    shown_or_asked = sum(not step.is_text for step in all_steps(stages))
    pairs = sum(len(stage.steps) for stage in asked)
    return (
        f"Course: {len(stages)} stage{'' if len(stages) == 1 else 's'} with {shown_or_asked} examples and exercises"
        + (f"; qualification: {pairs} whole pairs in {len(asked)} rounds" if asked else "")
    )


def _question(protocol: Protocol, question: Question, language: str) -> Iterator[str]:
    scale = protocol.scale_of(question)
    optional = "" if question.required else ", optional"
    yield f"  {question.id}{optional}{', ' + _when(question.when) if question.when else ''}"
    yield from _text(shown(question.prompt, language))
    if question.dims or question.hides:
        yield f"    while it is asked, {', '.join((*question.dims, *question.hides))} must not be looked at"
    if isinstance(scale, Ordinal):
        for point in scale.points:
            meaning = ": ".join(filter(None, (shown(point.label, language), shown(point.meaning, language))))
            yield from _text(f"{point.value} = {meaning}", "      ")
    elif hasattr(scale, "options") and not isinstance(scale, YesNo):
        for option in scale.options:
            meaning = ": ".join(filter(None, (shown(option.label, language), shown(option.meaning, language))))
            yield from _text(f"{option.id} = {meaning}", "      ")
    else:
        ends = f" ({shown(scale.low, language)} to {shown(scale.high, language)})" if isinstance(scale, Slider) else ""
        yield f"      {scale.expects()}{ends}"
        if isinstance(scale, ShortAnswers) and scale.none:
            yield from _text(shown(scale.none, language), "      ")
    for note in question.notes:
        yield from _text(f"- {shown(note, language)}", "    ")
    for example in question.examples:
        mark = "example" if example.good else "not like this"
        answer = f" [{example.answer}]" if example.answer is not None else ""
        yield from _text(f"{mark}{answer}: {shown(example.shows, language)} ({shown(example.why, language)})", "    ")


def _edits(protocol: Protocol, language: str) -> Iterator[str]:
    if protocol.edits is None:
        return
    yield ""
    yield "Edits"
    for operation in protocol.edits.operations:
        made = (
            f"made of {', '.join(operation.constituents)}"
            if operation.composite
            else f"in {' and '.join(operation.sides)}"
        )
        key = f" [{operation.key}]" if operation.key else ""
        yield from _text(f"{operation.id}{key}, {made}: {shown(operation.meaning, language)}", "  ")
    yield ""
    yield "Questions on edits"
    for question in protocol.edits.questions:
        yield f"  ({', '.join(question.operations)})"
        yield from _question(protocol, question, language)
    yield ""
    yield "Edit types"
    for kind in protocol.edits.types:
        yield f"  {shown(kind.label, language)}: {kind.family}, {kind.side}"


def _text(text: str, indent: str = "    ") -> Iterator[str]:
    for number, line in enumerate(wrap(text, WIDTH - len(indent))):
        yield indent + ("  " if number else "") + line


def _when(condition: c.Condition | None) -> str:
    return f"when {condition_text(condition)}" if condition else "always"


def _verdict(verdict: Verdict) -> str:
    if verdict.of_item:
        return f"of an item, when {verdict.share} of at least {verdict.at_least} judgements is {verdict.counts}"
    return f"of a judgement, {_when(verdict.when)}"


def condition_text(condition: c.Condition | None) -> str:
    """A condition in words."""
    match condition:
        case c.AllOf(parts):
            return " and ".join(map(condition_text, parts))
        case c.AnyOf(parts):
            return "(" + " or ".join(map(condition_text, parts)) + ")"
        case c.Not(part):
            return f"not {condition_text(part)}"
        case c.AnswerIs(question, values):
            return f"{question} is {' or '.join(map(str, values))}"
        case c.AnswerIncludes(question, options):
            return f"{question} includes {' or '.join(options)}"
        case c.Answered(question):
            return f"{question} is answered"
        case c.FieldsSame(field, other):
            return f"{field} and {other} are the same"
        case c.FieldIs(field, texts):
            return f"{field} is {' or '.join(texts)}"
        case c.OutcomeIs(outcomes):
            return f"the way out is {' or '.join(outcomes)}"
        case c.OperationIs(operations):
            return f"the edit is a {' or '.join(operations)}"
    return "always"
