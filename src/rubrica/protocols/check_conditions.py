"""Conditions and rules of a protocol file: the names that they know, and what contradicts what.

What a protocol file knows by name, and whether conditions and answers in it fit those names and their scales.

Rules of a protocol file: each changes something, and no two that apply together contradict each other.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rubrica.core.protocol import UNCOMFORTABLE
from rubrica.core.scales import Choices, Scale, ShortAnswers
from rubrica.core.study import ANSWERED
from rubrica.protocols import schema
from rubrica.protocols.build import scale_from
from rubrica.protocols.report import Report, entries, ids, listed, mapping, names
from rubrica.protocols.text_building import answer_from
from rubrica.protocols.yaml_source import Path

KINDS = ("question", "field", "outcome", "operation", "all", "any", "not")
TESTS = {
    "question": ("is", "is_not", "includes", "answered"),
    "field": ("is", "is_not", "same_as"),
}
ONE_TEST = "Write one test, such as {question: q, is: value} or {field: f, same_as: g}, or all, any, not."


class Known:
    """The names of one protocol file, read from raw data of any shape."""

    def __init__(self, report: Report, data: dict[Any, Any]) -> None:
        self.report = report
        self.data = data
        self.fields = ids(data, "fields")
        self.questions = _by_id(data, "questions")
        self.about_edits = _by_id(data, "edits", "questions")
        self.operations = ids(data, "edits", "operations")
        self.outcomes = [ANSWERED, UNCOMFORTABLE, *ids(data, "ways_out")]
        self.scales = _buildable_scales(data)

    def scale_of(self, question: dict[Any, Any]) -> Scale | None:
        """The scale of a question, if it has one that can be used."""
        name = question.get("scale")
        return self.scales.get(name) if isinstance(name, str) else None

    def check_value(self, place: Path, question: dict[Any, Any], value: Any) -> None:
        """Note an answer that is not on the question's scale; wrong types are left to the shape."""
        scale, parts = self.scale_of(question), value if isinstance(value, list) else [value]
        if scale is None or isinstance(value, bool) or not all(isinstance(part, int | float | str) for part in parts):
            return
        if not scale.test()(answer_from(value)):
            what = f"{value!r} is not an answer to {question.get('id')!r}"
            self.report.say(place, what, "scale", f"Use {scale.expects()}.", value)

    def check_condition(self, place: Path, raw: Any, about: set[str], questions: Collection[str] = ()) -> None:
        """Check a condition: its form, that it asks about the right things, and that its values are possible.

        ``about`` is what can be asked about here, ``questions`` which questions.
        """
        if not isinstance(raw, dict):
            return
        for key in ("all", "any"):
            for index, part in enumerate(listed(raw.get(key))):
                self.check_condition((*place, key, index), part, about, questions)
        self.check_condition((*place, "not"), raw.get("not"), about, questions)
        kinds = [kind for kind in KINDS if kind in raw]
        tests = [key for key in ("is", "is_not", "includes", "answered", "same_as") if key in raw]
        possible = TESTS.get(kinds[0], ()) if kinds else ()
        if len(kinds) != 1 or len(tests) != bool(possible) or not set(tests) <= set(possible):
            what = "this condition is not complete, or says too much"
            self.report.say(place, what, "condition", ONE_TEST, raw)
        elif kinds[0] in ("all", "any", "not"):
            return
        elif kinds[0] not in about:
            what, fix = f"a condition on {kinds[0]} has no meaning here", f"Ask about {' or '.join(sorted(about))}."
            self.report.say((*place, kinds[0]), what, "condition", fix, raw)
        elif kinds[0] == "question":
            self._check_question(place, raw, questions)
        elif kinds[0] == "field":
            self._check_field(place, raw)
        else:
            among = self.outcomes if kinds[0] == "outcome" else self.operations
            for name in names(raw[kinds[0]]):
                self.report.known((*place, kinds[0]), name, among, kinds[0].replace("outcome", "way out"))

    def _check_field(self, place: Path, raw: dict[Any, Any]) -> None:
        known = self.report.known((*place, "field"), raw["field"], self.fields, "field")
        if "same_as" in raw:
            self.report.known((*place, "same_as"), raw["same_as"], self.fields, "field")
            if known and raw["same_as"] == raw["field"]:
                what = "every text is the same as itself"
                self.report.say((*place, "same_as"), what, "condition", "Name another field.", raw["same_as"])
        for key in ("is", "is_not"):
            for value in listed(raw.get(key)) or [raw.get(key, "")]:
                if isinstance(value, int | float) and not isinstance(value, bool):
                    fix = f'Put it in quotes: "{value}".'
                    self.report.say((*place, key), f"a field holds text, never the number {value}", "type", fix, value)
            self._check_not_empty((*place, key), raw.get(key))

    def _check_question(self, place: Path, raw: dict[Any, Any], questions: Collection[str]) -> None:
        every = self.questions | self.about_edits
        name = raw["question"]
        if not self.report.known((*place, "question"), name, every, "question"):
            return
        if name not in questions:
            what = f"{name!r} cannot be asked about here"
            fix = "Ask about an earlier question of the same list; about edits, only where edits are meant."
            self.report.say((*place, "question"), what, "order", fix, name)
        scale = self.scale_of(every[name])
        several = isinstance(scale, Choices | ShortAnswers)
        if "includes" in raw and isinstance(scale, Choices):
            for option in names(raw["includes"]):
                self.report.known((*place, "includes"), option, scale.values(), "option")
        elif "includes" in raw and scale is not None:
            what = f"`includes` needs a multiple choice, which {name!r} is not"
            self.report.say((*place, "includes"), what, "condition", "Use `is`.", raw["includes"])
        for key in ("is", "is_not"):
            if key in raw and several:
                what, fix = f"`{key}` cannot test {name!r}, which has several answers at once", "Use `includes`."
                self.report.say((*place, key), what, "condition", fix, raw[key])
            elif key in raw:
                self._check_not_empty((*place, key), raw[key])
                for value in raw[key] if isinstance(raw[key], list) else [raw[key]]:
                    self.check_value((*place, key), every[name], value)

    def _check_not_empty(self, place: Path, value: Any) -> None:
        if value == []:
            self.report.say(place, "an empty list fits no answer", "condition", "Add a value.", value)


def _by_id(data: dict[Any, Any], *path: str) -> dict[str, dict[Any, Any]]:
    return {entry["id"]: entry for _, entry in entries(data, *path) if isinstance(entry.get("id"), str)}


def _buildable_scales(data: dict[Any, Any]) -> dict[str, Scale]:
    adapter: TypeAdapter[Any] = TypeAdapter(schema.ScaleFile)
    found = {}
    for name, raw in mapping(data.get("scales")).items():
        try:
            found[name] = scale_from(adapter.validate_python(raw), "en")
        except ValidationError:
            continue
    return found


CHANGES = ("preset", "drop", "ask", "reword")


def check_rules(known: Known) -> None:
    """Every rule that names what is not there, does nothing, or contradicts itself or another."""
    earlier: list[dict[Any, Any]] = []
    for place, rule in entries(known.data, "rules"):
        known.check_condition((*place, "if"), rule.get("if"), {"field"})
        if not any(rule.get(key) for key in CHANGES) and not any(key in rule and rule[key] is None for key in CHANGES):
            what = f"the rule {rule.get('id')!r} changes nothing"
            known.report.say(place, what, "rule", "Add `preset`, `drop`, `ask` or `reword`, or remove the rule.")
        _check_questions(known, place, rule)
        for other in earlier:
            if isinstance(rule.get("if"), dict) and rule["if"] == other.get("if"):
                _check_together(known, place, rule, other)
        earlier.append(rule)


def _check_questions(known: Known, place: Path, rule: dict[Any, Any]) -> None:
    seen: dict[Any, str] = {}
    for key in CHANGES:
        for where, name, value in _named(rule, key):
            path = (*place, key, where)
            if not known.report.known(path, name, known.questions, "question"):
                continue
            if key == "preset":
                known.check_value(path, known.questions[name], value)
            before = seen.setdefault(name, key)
            if {before, key} not in ({key}, {"ask", "reword"}):
                what = f"{name!r} is in `{before}` and in `{key}` at the same time"
                known.report.say(path, what, "contradiction", "Keep one of the two.", name)


def _check_together(known: Known, place: Path, rule: dict[Any, Any], other: dict[Any, Any]) -> None:
    """Two rules with the same condition always apply together."""
    there, fix = mapping(other.get("preset")), "Keep one of the two."
    rules = f"by the rules {other.get('id')!r} and {rule.get('id')!r}, which apply together"
    for name, value in mapping(rule.get("preset")).items():
        path = (*place, "preset", name)
        if name in there and there[name] != value:
            what = f"{name!r} is set to {there[name]!r} and to {value!r} {rules}"
            known.report.say(path, what, "contradiction", fix, value)
        elif name in listed(other.get("drop")):
            known.report.say(path, f"{name!r} is dropped and preset {rules}", "contradiction", fix, name)
    for index, name in enumerate(listed(rule.get("drop"))):
        if isinstance(name, str) and name in there:
            what = f"{name!r} is preset and dropped {rules}"
            known.report.say((*place, "drop", index), what, "contradiction", fix, name)


def _named(rule: dict[Any, Any], key: str) -> list[tuple[Any, Any, Any]]:
    """The questions that one part of a rule names: where, which, and with what."""
    if key in ("preset", "reword"):
        return [(name, name, value) for name, value in mapping(rule.get(key)).items()]
    return [(index, name, None) for index, name in enumerate(listed(rule.get(key)))]
