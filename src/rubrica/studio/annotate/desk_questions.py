"""The questions of a desk: every type of scale, with the meaning of each point where it is chosen.

Conditions on answers are data for the page's script (``data-when``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from rubrica.core.conditions import AllOf, Answered, AnswerIncludes, AnswerIs, AnyOf, Condition, Not, OperationIs
from rubrica.core.protocol import Protocol, Question, Rule
from rubrica.core.scales import Choice, Choices, FreeText, Ordinal, RewrittenText, Scale, ShortAnswers, Slider, YesNo
from rubrica.core.study import Item
from rubrica.core.texts import shown
from rubrica.core.validation import Plan, Validator
from rubrica.language.names import told_language
from rubrica.studio.wording import on_scale, option_label, reworded, title_of

KINDS: Mapping[type, str] = {
    Ordinal: "ordinal",
    Slider: "slider",
    YesNo: "yes_no",
    Choice: "choice",
    Choices: "choices",
    FreeText: "text",
    RewrittenText: "rewrite",
    ShortAnswers: "short_answers",
}
MOST_TICKS = 11
"""A slider with more steps shows its ends only."""


@dataclass(frozen=True)
class ShownOption:
    """Something to choose; ``key`` is the digit that chooses it, if one does."""

    value: str
    label: str
    meaning: str = ""
    checked: bool = False
    key: str = ""


@dataclass(frozen=True)
class Track:
    """A slider. ``value`` is where it stands; untouched (``unset``) it stands in the middle and says nothing."""

    minimum: str
    maximum: str
    step: str
    value: str
    unset: bool
    low: str = ""
    high: str = ""
    ticks: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownExample:
    """An example of an answer; ``answer`` is how it reads on the scale."""

    good: bool
    shows: str
    why: str
    answer: str = ""


@dataclass(frozen=True)
class ShownQuestion:
    """One question of one item, ready to draw. ``locked`` is the reason for an answer that a rule gave."""

    id: str
    dom: str
    name: str
    kind: str
    prompt: str
    required: bool
    title: str = ""
    when: str = ""
    visible: bool = True
    dims: str = ""
    hides: str = ""
    notes: tuple[str, ...] = ()
    examples: tuple[ShownExample, ...] = ()
    options: tuple[ShownOption, ...] = ()
    has_meanings: bool = False
    track: Track | None = None
    text: str = ""
    texts: tuple[str, ...] = ()
    none: str = ""
    chose_none: bool = False
    target: str = ""
    most: int = 0
    starts_from: str = ""
    filled: bool = False
    asks: bool = False
    starts_label: str = ""
    lang: str = ""
    answered: bool = False
    answer: str = ""
    locked: bool = False
    problem: str = ""

    @property
    def left_blank(self) -> bool:
        """Whether it was left blank, though it may be said that there is none: the page asks."""
        return bool(self.problem and self.none and not any(self.texts))

    @property
    def ends_only(self) -> bool:
        """Whether it is a scale on which the ends alone have words, so that its points fit into one row."""
        return len(self.options) > 2 and not any(one.label or one.meaning for one in self.options[1:-1])

    @property
    def has_help(self) -> bool:
        """Whether notes or examples can be opened."""
        return bool(self.notes or self.examples)

    @property
    def described_by(self) -> str:
        """Ids of what describes the inputs to a screen reader."""
        return f"{self.dom}-problem {self.dom}-hints"


@dataclass(frozen=True)
class Asking:
    """What a question is asked with: the protocol's rules for the item, what was answered, what was wrong."""

    validator: Validator
    item: Item
    lease: str
    answers: Mapping[str, Any]
    problems: Mapping[str, str]
    language: str

    @property
    def protocol(self) -> Protocol:
        """The protocol, resolved."""
        return self.validator.protocol


@dataclass(frozen=True)
class Questions:
    """The questions of an item in their order, the prompts of those that do not apply, and the notes of rules."""

    asked: tuple[ShownQuestion, ...]
    not_applicable: tuple[str, ...]
    rule_notes: tuple[str, ...]


def build_questions(asking: Asking) -> Questions:
    """Every question that the stage asks about this item. Hidden ones are there too, for the script to show."""
    plan = asking.validator.plan(asking.item)
    otherwise = reworded(plan.rules, asking.language)
    asked_ids = {asked.id for asked in plan.asked}
    visible = {question.id for question in asking.validator.shown(asking.item, asking.answers)}
    asked, dropped = [], []
    for question in asking.protocol.questions:
        prompt = otherwise.get(question.id) or shown(question.prompt, asking.language)
        if question.id in plan.dropped and question.when is None:
            dropped.append(prompt)
        elif question.id in plan.preset:
            asked.append(_locked(asking, question, prompt, plan))
        elif question.id in asked_ids:
            asked.append(_asked(asking, question, prompt, question.id in visible))
    return Questions(tuple(asked), tuple(dropped), tuple(_note(rule, asking.language) for rule in plan.rules))


def ask_about_edits(asking: Asking) -> list[ShownQuestion]:
    """Each question on edits once, unanswered: the script copies it for the edit that is open."""
    validator = asking.validator.edits
    if validator is None:
        return []
    asked = {
        question.id
        for operation in validator.scheme.operations
        for question in validator.questions_for(operation.id)
        if question.id not in operation.preset
    }
    plain = replace(asking, lease=f"{asking.lease}-edit", answers={}, problems={})
    return [
        _asked(plain, question, shown(question.prompt, asking.language), visible=True)
        for question in validator.scheme.questions
        if question.id in asked
    ]


def _note(rule: Rule, language: str) -> str:
    return shown(rule.note, language)


def _locked(asking: Asking, question: Question, prompt: str, plan: Plan) -> ShownQuestion:
    scale, value = asking.protocol.scale_of(question), plan.preset[question.id][0]
    return ShownQuestion(
        **_frame(asking, question, prompt, scale),
        answered=True,
        answer=on_scale(scale, value, asking.language),
        locked=True,
    )


def _frame(asking: Asking, question: Question, prompt: str, scale: Scale) -> dict[str, Any]:
    """What all kinds of questions have."""
    language = asking.language
    return {
        "id": question.id,
        "dom": f"q-{asking.lease}-{question.id}",
        "name": f"{asking.lease}.{question.id}",
        "kind": KINDS[type(scale)],
        "prompt": prompt,
        "required": question.required,
        "title": title_of(question),
        "dims": " ".join(question.dims),
        "hides": " ".join(question.hides),
        "notes": tuple(shown(note, language) for note in question.notes),
        "examples": tuple(
            ShownExample(
                example.good,
                shown(example.shows, language),
                shown(example.why, language),
                "" if example.answer is None else on_scale(scale, example.answer, language),
            )
            for example in question.examples
        ),
    }


def _asked(asking: Asking, question: Question, prompt: str, visible: bool) -> ShownQuestion:
    scale = asking.protocol.scale_of(question)
    value = asking.answers.get(question.id)
    problem = asking.problems.get(question.id, "")
    if problem and value is None and isinstance(scale, ShortAnswers) and scale.none:
        problem = none_ask(shown(scale.label, asking.language), asking.protocol.target_of(asking.item.fields))
    left_open = value is None or (value in ("", ()) and not isinstance(scale, ShortAnswers))
    answer = "" if value is None or left_open or problem else on_scale(scale, value, asking.language)
    return ShownQuestion(
        **_frame(asking, question, prompt, scale),
        **_inputs(asking, scale, value),
        when=condition_json(question.when),
        visible=visible,
        answered=bool(answer),
        answer=answer,
        problem=problem,
    )


def none_ask(none: str, target: str = "") -> str:
    """What is asked where boxes were left blank that may mean that there is none."""
    return _("{none} for {word}?").format(none=none, word=target) if target else _("{none}?").format(none=none)


def _inputs(asking: Asking, scale: Scale, value: Any) -> dict[str, Any]:
    """What is particular to a type of scale."""
    language = asking.language
    match scale:
        case Slider():
            return {"track": _track(scale, value, language)}
        case FreeText():
            return {"text": _typed(value)}
        case RewrittenText(starts_from=starts_from):
            label = next(shown(field.label, language) for field in asking.protocol.fields if field.id == starts_from)
            return {
                "text": _typed(asking.item.fields.get(starts_from, "") if value is None and scale.filled else value),
                "filled": scale.filled,
                "asks": bool(scale.asks_if_same),
                "starts_from": asking.item.fields.get(starts_from, ""),
                "starts_label": label,
                "lang": told_language(asking.item.metadata),
            }
        case ShortAnswers():
            given = [str(part) for part in value] if isinstance(value, tuple) else []
            texts = (given + [""] * scale.maximum)[: max(scale.maximum, len(given))]
            return {
                "texts": tuple(texts),
                "none": shown(scale.label, language),
                "chose_none": value == (),
                "target": asking.protocol.target_of(asking.item.fields),
                "most": scale.maximum,
                "lang": told_language(asking.item.metadata),
            }
    options = shown_options(scale, value, language)
    return {"options": options, "has_meanings": any(option.meaning for option in options)}


def shown_options(scale: Scale, value: Any, language: str) -> tuple[ShownOption, ...]:
    """The things that can be chosen, in order, each with the digit that chooses it."""
    if isinstance(scale, Ordinal):
        return tuple(
            ShownOption(
                str(point.value),
                shown(point.label, language),
                shown(point.meaning, language),
                value == point.value,
                str(point.value) if 0 <= point.value <= 9 else "",
            )
            for point in scale.points
        )
    assert isinstance(scale, YesNo | Choice | Choices)
    chosen = value if isinstance(value, tuple) else (value,)
    return tuple(
        ShownOption(
            option.id,
            option_label(scale, option, language),
            shown(option.meaning, language),
            option.id in chosen,
            str(number) if number <= 9 else "",
        )
        for number, option in enumerate(scale.options, start=1)
    )


def _track(scale: Slider, value: Any, language: str) -> Track:
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    return Track(
        minimum=f"{scale.minimum:g}",
        maximum=f"{scale.maximum:g}",
        step=f"{scale.step:g}",
        value=str(scale.at(scale.steps // 2) if number is None else number),
        unset=number is None,
        low=shown(scale.low, language),
        high=shown(scale.high, language),
        ticks=tuple(str(point) for point in scale.values()) if scale.steps < MOST_TICKS else (),
    )


def _typed(value: Any) -> str:
    return value if isinstance(value, str) else ""


def condition_data(condition: Condition) -> dict[str, Any]:
    """The condition as plain data: tests of answers, and of an edit's operation; the loader keeps others out."""
    match condition:
        case AnswerIs(question, values):
            return {"question": question, "is": [list(v) if isinstance(v, tuple) else v for v in values]}
        case AnswerIncludes(question, options):
            return {"question": question, "includes": list(options)}
        case Answered(question):
            return {"question": question, "answered": True}
        case OperationIs(operations):
            return {"operation": list(operations)}
        case AllOf(parts):
            return {"all": [condition_data(part) for part in parts]}
        case AnyOf(parts):
            return {"any": [condition_data(part) for part in parts]}
        case Not(part):
            return {"not": condition_data(part)}
    raise TypeError(f"{type(condition).__name__} does not depend on answers and operation alone")


def condition_json(condition: Condition | None) -> str:
    """The same as JSON; nothing for no condition."""
    return json.dumps(condition_data(condition), ensure_ascii=False) if condition is not None else ""
