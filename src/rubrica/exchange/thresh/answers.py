"""The annotation of an edit in a Thresh file and our flat answers, both ways.

Shapes of an answer in the file: a plain text (``binary``, ``likert-3``, free texts); ``{"val": X}`` for an option
without follow-up; ``{"val": X, X: …}`` for one with. Real files also have a plain text where options are nested.

Under which names a protocol's edits stand in Thresh files: its own dictionary, or one that follows from its ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from rubrica.core.answers import Answer, Answers
from rubrica.core.protocol import Protocol, Question
from rubrica.core.scales import Choice, Ordinal, YesNo
from rubrica.core.thresh import ThreshCategory, ThreshNames, ThreshOption, ThreshQuestion
from rubrica.exchange.thresh.template_protocol import LIKERT_3
from rubrica.protocols.check_edits import LIKERT
from rubrica.protocols.thresh_schema import ThreshFile, thresh_names
from rubrica.protocols.yaml_source import read_yaml

VAL = "val"
_YES_NO = {"yes": "yes", "no": "no", "true": "yes", "false": "no"}


class ReadAnswers(NamedTuple):
    """Answers by question, and what could not be taken for one: where it stands in the annotation, and its value."""

    answers: dict[str, Answer]
    odd: list[tuple[str, Any]]


def read_answers(category: ThreshCategory, annotation: Any) -> ReadAnswers:
    """Our answers to the questions of an edit."""
    read = ReadAnswers({}, [])
    if annotation is None:
        return read
    if not isinstance(annotation, dict):
        read.odd.append(("annotation", annotation))
        return read
    known = {question.name: question for question in category.answers}
    for name, value in annotation.items():
        if name in known:
            _read(known[name], value, name, read)
        elif value is not None:
            read.odd.append((name, value))
    return read


def _read(question: ThreshQuestion, value: Any, place: str, read: ReadAnswers) -> None:
    nested = isinstance(value, dict)
    chosen = value.get(VAL) if nested else value
    if chosen is None:
        if nested and any(part is not None for part in value.values()):
            read.odd.append((place, value))
        return
    if not question.options:
        answer = _plain_answer(question.form, chosen)
        if answer is None:
            read.odd.append((place, value))
        else:
            read.answers[question.question] = answer
        return
    option = _option(question, chosen)
    if option is None:
        read.odd.append((place, value))
        return
    read.answers[question.question] = option.means
    for name, part in value.items() if nested else ():
        if name == VAL or part is None:
            continue
        if name == option.name and option.then is not None:
            _read(option.then, part, f"{place}.{name}", read)
        else:
            read.odd.append((f"{place}.{name}", part))


def _option(question: ThreshQuestion, chosen: Any) -> ThreshOption | None:
    """The option of that name; a file may have a boolean or a number where the template has the same as a word."""
    if isinstance(chosen, dict | list):
        return None
    name = str(chosen).lower() if isinstance(chosen, bool) else str(chosen)
    names = [name, _YES_NO[name]] if isinstance(chosen, bool) else [name]
    return next((option for option in question.options if option.name in names), None)


def _plain_answer(form: str, value: Any) -> Answer | None:
    """An answer without options; None if it is none of that form."""
    likert = LIKERT.fullmatch(form)
    if form == "binary":
        return _YES_NO.get(str(value).lower()) if isinstance(value, str | bool) else None
    if likert:
        return _point(value, int(likert[1]))
    return value if isinstance(value, str) else None


def _point(value: Any, points: int) -> int | None:
    if isinstance(value, str) and points == 3 and value in LIKERT_3:
        return LIKERT_3.index(value) + 1
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 4:
        value = int(value)
    return value if type(value) is int and 1 <= value <= points else None


def write_answers(category: ThreshCategory, answers: Answers) -> dict[str, Any]:
    """The annotation of an edit; questions without an answer are left out."""
    written = {}
    for question in category.answers:
        value = _written(question, answers)
        if value is not None:
            written[question.name] = value
    return written


def _written(question: ThreshQuestion, answers: Answers) -> Any:
    answer = answers.get(question.question)
    if answer is None:
        return None
    if not question.options:
        return _plainly(question.form, answer)
    option = next((option for option in question.options if option.means == answer), None)
    if option is None:
        return None
    below = _written(option.then, answers) if option.then else None
    return {VAL: option.name} if below is None else {VAL: option.name, option.name: below}


def _plainly(form: str, answer: Answer) -> Any:
    if isinstance(answer, int) and LIKERT.fullmatch(form):
        return LIKERT_3[answer - 1] if form == "likert-3" and 1 <= answer <= 3 else str(answer)
    return list(answer) if isinstance(answer, tuple) else answer


def merged_answers(category: ThreshCategory, raw: Any, before: Answers, now: Answers) -> Mapping[str, Any] | None:
    """The annotation of an edit whose answers were ``before`` when the file was read and are ``now``.

    A question whose answers did not change keeps what the file said, oddities included; so does whatever was never
    understood. The others are written anew.
    """
    written = write_answers(category, now)
    if not isinstance(raw, dict):
        return written or None
    merged: dict[str, Any] = {}
    known = {question.name: question for question in category.answers}
    for name, value in raw.items():
        question = known.get(name)
        if question is None or all(before.get(part) == now.get(part) for part in question.questions()):
            merged[name] = value
        elif name in written:
            merged[name] = written[name]
    added = [name for name in written if name not in merged and known[name].question not in before]
    return merged | {name: written[name] for name in added}


def names_of(protocol: Protocol) -> ThreshNames:
    """The names in the protocol's file; for a shipped protocol those in its folder; else its ids, without nesting."""
    if protocol.thresh is not None:
        return protocol.thresh
    shipped = _shipped(protocol.id)
    if shipped is not None and _fits(shipped, protocol):
        return shipped
    return _by_ids(protocol)


@cache
def _shipped(protocol_id: str) -> ThreshNames | None:
    """The names that published Thresh files have for a shipped protocol, in `thresh.yaml` of its folder.

    They stand beside the protocol and not in it: no annotator sees them, so its hash does not depend on them.
    """
    file = files("rubrica.protocols").joinpath(protocol_id, "thresh.yaml")
    if not file.is_file():
        return None
    return thresh_names(ThreshFile.model_validate(read_yaml(file.read_text(encoding="utf-8")).data))


def _fits(names: ThreshNames, protocol: Protocol) -> bool:
    """Whether a protocol, perhaps somebody's own version of it, still has every question that the names lead to."""
    scheme = protocol.edits
    return scheme is not None and all(
        category.operation in scheme.by_id and {*answer.questions()} <= protocol.questions_by_id.keys()
        for category in names.categories
        for answer in category.answers
    )


def _by_ids(protocol: Protocol) -> ThreshNames:
    scheme = protocol.edits
    operations = scheme.operations if scheme else ()
    return ThreshNames(
        tuple(
            ThreshCategory(
                operation.id,
                operation.id,
                tuple(_by_id(protocol, question) for question in scheme.questions_for(operation.id)) if scheme else (),
            )
            for operation in operations
        )
    )


def _by_id(protocol: Protocol, question: Question) -> ThreshQuestion:
    scale = protocol.scale_of(question)
    match scale:
        case Choice(options):
            named = tuple(ThreshOption(option.id, option.id) for option in options)
            return ThreshQuestion(question.id, question.id, options=named)
        case YesNo():
            return ThreshQuestion(question.id, question.id, "binary")
        case Ordinal(points):
            return ThreshQuestion(question.id, question.id, f"likert-{len(points)}")
    return ThreshQuestion(question.id, question.id, "textarea")
