"""A rubric as a form asks for it, and the protocol that it makes: for people who do not write YAML.

A form knows less than a file: a few texts are shown, questions follow each other, in one language. What it makes is a
protocol like any other, written as YAML and read by the same loader with the same checks. A protocol can be edited with
the form if the form would make the very same one again.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import attrs

from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol, Question
from rubrica.core.scales import Choice, FreeText, Ordinal, YesNo
from rubrica.core.texts import shown
from rubrica.protocols.loader import Loaded, check_text
from rubrica.protocols.yaml_writer import write_yaml

KINDS = ("scale", "yes_no", "choice", "text")
FIELDS = ("source", "rewrite", "reference")
LEAST, MOST = 2, 11
"""Points of a scale."""
MOST_QUESTIONS = 30
LONGEST_NAME = 40
FAMILY = "own"
"""Of protocols that the form makes."""
OVERLAP = 3
"""Judgements per item that a form's protocol asks for; a study sets its own."""
_WORDS = {
    "en": {
        "source": "Original",
        "rewrite": "Rewrite",
        "reference": "Reference",
        "rate": "Rate",
        "audience": "The readers that the study has in mind",
        "skip": "You may skip any item that you are uncomfortable with.",
    },
    "es": {
        "source": "Original",
        "rewrite": "Reescritura",
        "reference": "Referencia",
        "rate": "Valorar",
        "audience": "Los lectores en los que piensa el estudio",
        "skip": "Puedes saltarte cualquier ítem que te incomode.",
    },
}
LANGUAGES = tuple(_WORDS)


@attrs.frozen(kw_only=True)
class RubricQuestion:
    """One question. ``labels`` are those of all points or of the two ends (scale), or the options (choice).

    ``alone`` dims everything but the rewrite while it is asked.
    """

    name: str = ""
    prompt: str = ""
    kind: str = "scale"
    points: int = 5
    labels: tuple[str, ...] = ()
    required: bool = True
    alone: bool = False


@attrs.frozen(kw_only=True)
class Rubric:
    """What the form says."""

    title: str
    language: str = "en"
    fields: tuple[str, ...] = ("source", "rewrite")
    instructions: str = ""
    questions: tuple[RubricQuestion, ...] = (RubricQuestion(),)


def rubric_protocol(rubric: Rubric, protocol_id: str = "", version: str = "1.0") -> Loaded:
    """The protocol that a form makes. Raises InputError with every problem, each with its question's number."""
    problems = rubric_problems(rubric)
    if problems:
        raise InputError(*problems)
    return check_text(rubric_yaml(rubric, protocol_id, version), "")


def rubric_yaml(rubric: Rubric, protocol_id: str = "", version: str = "1.0") -> str:
    """The protocol of a rubric without problems, as a YAML file."""
    return write_yaml(_data(rubric, protocol_id or own_id(rubric.title), version))


def own_id(title: str) -> str:
    """An id made of the title."""
    return f"own_{_id(title, 50) or 'rubric'}"


def rubric_problems(rubric: Rubric) -> list[Problem]:
    """What is missing or cannot be, question by question."""
    found = []

    def say(what: str, rule: str, fix: str, value: Any = None) -> None:
        found.append(Problem(what=what, rule=rule, fix=fix, value=value))

    if not rubric.fields:
        say("no text is shown", "fields", "Tick at least one of the texts that people see.")
    if not rubric.questions:
        say("there is no question", "questions", "Add at least one.")
    if len(rubric.questions) > MOST_QUESTIONS:
        say(f"there are {len(rubric.questions)} questions", "questions", f"Ask at most {MOST_QUESTIONS}.")
    if re.search(r"^#", rubric.instructions, re.MULTILINE):
        say("a line of the instructions begins with #", "instructions", "Headings are made of the questions' names.")
    if rubric.language not in LANGUAGES:
        say(f"the language {rubric.language!r} is not offered", "language", f"Choose {' or '.join(LANGUAGES)}.")
    seen: dict[str, int] = {}
    for number, question in enumerate(rubric.questions, start=1):
        head, name = f"question {number}", _id(question.name)
        if not question.prompt.strip():
            say(f"{head} has no text", "prompt", "Write what people are asked.")
        if not name:
            say(f"{head} has no short name", "name", "Give it one that begins with a letter, such as Meaning.")
        elif len(question.name.strip()) > LONGEST_NAME:
            say(f"{head} has a long short name", "name", f"Use at most {LONGEST_NAME} characters.", question.name)
        elif name in seen:
            say(f"{head} has the short name of question {seen[name]}", "name", "Choose another one.", question.name)
        seen.setdefault(name, number)
        for what, fix in _label_problems(question):
            say(f"{head}: {what}", "labels", fix)
    return found


def _label_problems(question: RubricQuestion) -> list[tuple[str, str]]:
    labels = [label.casefold() for label in question.labels]
    doubled = sorted({label for label in labels if labels.count(label) > 1})
    if doubled and question.kind in ("scale", "choice"):
        return [(f"{doubled[0]!r} stands twice", "Each label must be another.")]
    if question.kind == "choice" and len(labels) < LEAST:
        return [("a choice needs two options or more", "Write each on a line of its own.")]
    if question.kind != "scale":
        return []
    if not LEAST <= question.points <= MOST:
        return [(f"a scale has {LEAST} to {MOST} points", "Five is usual.")]
    if len(labels) not in (0, 2, question.points):
        fix = f"Write {question.points} lines, one for each point, or 2 for the ends only, or none."
        return [(f"{question.points} points have {len(labels)} labels", fix)]
    return []


def _id(name: str, most: int = 40) -> str:
    """Lower-case letters, digits and underscores, beginning with a letter; "" if nothing is left."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"^[^a-z]+", "", plain)).strip("_")[:most].strip("_")


def _data(rubric: Rubric, protocol_id: str, version: str) -> dict[str, Any]:
    words = _WORDS[rubric.language]
    title = rubric.title.strip()
    scales = {f"of_{_id(question.name)}": _scale(question) for question in rubric.questions}
    return {
        "id": protocol_id,
        "version": version,
        "title": title,
        "summary": " ".join(question.prompt.strip() for question in rubric.questions),
        "document": "A rubric of the researchers' own, made with the form of Rubrica",
        "family": FAMILY,
        "fallback": rubric.language,
        "languages": [rubric.language],
        "audience": words["audience"],
        "fields": [{"id": name, "role": name, "label": words[name]} for name in FIELDS if name in rubric.fields],
        "scales": scales,
        "questions": [_question(question, rubric) for question in rubric.questions],
        "stages": [{"id": "rate", "label": words["rate"], "role": "rater", "overlap": OVERLAP}],
        "guidelines": _guidelines(rubric, title),
    }


def _scale(question: RubricQuestion) -> dict[str, Any]:
    match question.kind:
        case "scale":
            labels = dict(enumerate(question.labels, start=1))
            if len(question.labels) != question.points:
                labels = dict(zip((1, question.points), question.labels, strict=False))
            points = range(1, question.points + 1)
            named = [{"value": value} | ({"label": labels[value]} if value in labels else {}) for value in points]
            return {"type": "ordinal", "points": named}
        case "choice":
            ids = [_id(label) for label in question.labels]
            unique = len(set(ids)) == len(ids) and all(ids)
            options = [
                {"id": name if unique else f"option_{number}", "label": label}
                for number, (name, label) in enumerate(zip(ids, question.labels, strict=True), start=1)
            ]
            return {"type": "choice", "options": options}
        case _:
            return {"type": question.kind}


def _question(question: RubricQuestion, rubric: Rubric) -> dict[str, Any]:
    dimmed = [name for name in FIELDS if name in rubric.fields and name != "rewrite"]
    made: dict[str, Any] = {
        "id": _id(question.name),
        "header": question.name.strip(),
        "scale": f"of_{_id(question.name)}",
        "prompt": question.prompt.strip(),
    }
    if not question.required:
        made["required"] = False
    if question.alone and dimmed and "rewrite" in rubric.fields:
        made["dims"] = dimmed
    return made


def _guidelines(rubric: Rubric, title: str) -> str:
    """What the form says about the work, and each question under its own heading."""
    parts = [f"# {title}", rubric.instructions.strip() or _WORDS[rubric.language]["skip"]]
    for question in rubric.questions:
        parts.append(f"## {question.name.strip()} {{#{_id(question.name)}}}")
        parts.append(question.prompt.strip())
        numbered = question.labels if question.kind == "scale" else ()
        ends = (1, question.points) if len(numbered) == LEAST else range(1, question.points + 1)
        if question.labels and question.kind in ("scale", "choice"):
            heads = [f"**{value}** " for value in ends] if numbered else [""] * len(question.labels)
            parts.append("\n".join(f"- {head}{label}" for head, label in zip(heads, question.labels, strict=False)))
    return "\n\n".join(parts) + "\n"


def rubric_of(protocol: Protocol, language: str = "") -> Rubric:
    """The questions of a protocol as far as a form can have them: to start from, or to edit what a form made."""
    language = language or protocol.fallback
    asked = [(question, protocol.scale_of(question)) for question in protocol.questions]
    plain = [(question, scale) for question, scale in asked if isinstance(scale, Ordinal | YesNo | Choice | FreeText)]
    return Rubric(
        title=shown(protocol.title, language),
        language=language if language in LANGUAGES else "en",
        fields=tuple(field.role for field in protocol.fields if field.role in FIELDS),
        instructions=_instructions(protocol, language),
        questions=tuple(_asked(question, scale, language) for question, scale in plain),
    )


def _instructions(protocol: Protocol, language: str) -> str:
    """What stands between the title of the guidelines and the first heading, if the form put it there.

    Of a protocol that no form made, only what says what is read: its questions are listed there, and may be changed.
    """
    text = re.sub(r"\A# [^\n]*\n+", "", protocol.guidelines.get(language)).split("\n## ")[0].strip()
    skip = _WORDS.get(language, {}).get("skip", "")
    if protocol.family != FAMILY:
        told = re.split(r"(?<=[.!?:]) ", " ".join(text.split("\n\n")[0].split()))
        return " ".join([*(one for one in told if not one.endswith(":")), skip]).strip()
    return "" if text == skip else text


def _asked(question: Question, scale: Ordinal | YesNo | Choice | FreeText, language: str) -> RubricQuestion:
    kinds = {YesNo: "yes_no", Choice: "choice", FreeText: "text"}
    made = RubricQuestion(
        name=question.header or question.id.replace("_", " ").capitalize(),
        prompt=shown(question.prompt, language),
        kind=kinds.get(type(scale), "scale"),
        required=question.required,
        alone=bool(question.dims),
    )
    if isinstance(scale, Ordinal):
        labels = tuple(filter(None, (shown(point.label, language) for point in scale.points)))
        return attrs.evolve(made, points=len(scale.points), labels=labels)
    if isinstance(scale, Choice):
        return attrs.evolve(made, labels=tuple(shown(option.label, language) for option in scale.options))
    return made


def changed(rubric: Rubric, step: str) -> Rubric:
    """The rubric after a button of the form: ``add``, ``remove.2``, ``up.2``, ``down.2`` (from 1); else the same."""
    questions = list(rubric.questions)
    verb, _, place = step.partition(".")
    at = int(place) - 1 if re.fullmatch(r"[0-9]{1,2}", place) else -1
    if verb == "add" and len(questions) < MOST_QUESTIONS:
        questions.append(RubricQuestion())
    elif 0 <= at < len(questions) and verb in ("remove", "up", "down"):
        taken = questions.pop(at)
        if verb != "remove":
            questions.insert(max(0, at + (1 if verb == "down" else -1)), taken)
    return attrs.evolve(rubric, questions=tuple(questions))


def from_json(data: dict[str, Any]) -> Rubric:
    """A rubric from what ``attrs.asdict`` made of it."""
    questions = tuple(RubricQuestion(**{**one, "labels": tuple(one["labels"])}) for one in data["questions"])
    return Rubric(**{**data, "fields": tuple(data["fields"]), "questions": questions})


def editable(protocol: Protocol) -> Rubric | None:
    """The rubric of a protocol that a form made, and that it would make again; None for any other."""
    if protocol.fallback not in LANGUAGES or protocol.edits is not None or protocol.parameters:
        return None
    rubric = rubric_of(protocol)
    try:
        same = rubric_protocol(rubric, protocol.id, protocol.version).protocol.hash == protocol.hash
    except InputError:
        return None
    return rubric if same else None
