"""The question trees of a template as flat questions with conditions, with the dictionary that leads back.

A follow-up becomes a question of its own that is asked when its option was chosen. The same question with the same
words in several edits becomes one question about all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rubrica.exchange.thresh.identifiers import Ids, as_id
from rubrica.exchange.thresh.template import TemplateEdit, TemplateOption, TemplateQuestion
from rubrica.protocols.check_edits import LIKERT
from rubrica.protocols.check_names import RESERVED
from rubrica.protocols.check_scales import folded
from rubrica.protocols.report import Report
from rubrica.protocols.schema import MAX_HEADER
from rubrica.protocols.yaml_source import Path

LIKERT_3 = ("minor", "somewhat", "a lot")
"""What Thresh calls the three points of likert-3, in its pages and in its files."""

Plainly = Callable[[str, Path], str]
_BRACES = re.compile(r"[{}]")


class QuestionTrees:
    """Collects scales and questions while edits are gone through one by one."""

    def __init__(self, edits: Sequence[TemplateEdit], fields: Sequence[str], remarks: Report, plainly: Plainly) -> None:
        self.scales: dict[str, dict[str, Any]] = {}
        self.questions: list[dict[str, Any]] = []
        self._ids = Ids({*RESERVED, *fields, "comment"})
        self._scale_ids = Ids()
        self._remarks = remarks
        self._plainly = plainly
        self._shared: dict[str, dict[str, Any]] = {}
        self._meant: dict[str, list[TemplateQuestion]] = {}
        for edit in edits:
            for question in edit.questions:
                self._meant.setdefault(question.name, []).append(question)

    def add(self, edit: TemplateEdit, operation: str) -> list[dict[str, Any]]:
        """The questions of one edit; returns how Thresh files name them."""
        return [self._root(question, operation) for question in edit.questions]

    def _root(self, question: TemplateQuestion, operation: str) -> dict[str, Any]:
        others = self._meant[question.name]
        shared = len(others) > 1 and all(other == question for other in others)
        if shared and question.name in self._shared and self._comes_after(question.name, operation):
            names = self._shared[question.name]
            asked = set(_questions(names))
            for known in self.questions:
                if known["id"] in asked:
                    known["operations"] = [*known["operations"], operation]
            return names
        own = as_id(question.name, f"question_{len(self.questions) + 1}")
        longer = f"{operation}_{own}"
        wanted = [own, longer] if len(others) == 1 or shared else [longer]
        names = {"name": question.name, **self._asked(question, operation, wanted, None)}
        if shared:
            self._shared.setdefault(question.name, names)
        return names

    def _comes_after(self, shared: str, operation: str) -> bool:
        """Whether a shared question stands after those of the operation so far, or can be moved there.

        It cannot where it is followed by other questions of an edit that has it: then it would be asked too late.
        """
        block = set(_questions(self._shared[shared]))
        own = [one for one in self.questions if one["id"] in block]
        rest = self.questions[self.questions.index(own[0]) :]
        after = [one for one in rest if one["id"] not in block]
        if not any(operation in one["operations"] for one in after):
            return True
        known = {name for one in own for name in one["operations"]}
        if any(known & set(one["operations"]) for one in after):
            return False
        self.questions = [one for one in self.questions if one["id"] not in block] + own
        return True

    def _asked(
        self, question: TemplateQuestion, operation: str, wanted: Sequence[str], when: dict[str, Any] | None
    ) -> dict[str, Any]:
        name = self._ids.free(*wanted)
        ids = _option_ids(question.options)
        kept = dict(question.kept)
        entry: dict[str, Any] = {"id": name, "operations": [operation], "scale": ""}
        entry["prompt"] = self._plainly(question.prompt or question.label or question.name, question.path)
        if when is None and question.label:
            if len(question.label) <= MAX_HEADER and not _BRACES.search(question.label):
                entry["header"] = question.label
            else:
                kept["label"] = question.label
        if not question.required or len(question.options) == 1:
            entry["required"] = False
        if when is not None:
            entry["when"] = when
        self.questions.append(entry)
        entry["scale"] = self._scale(question, name, ids)
        names: dict[str, Any] = {"question": name}
        if question.options:
            names["options"] = [
                self._option(option, means, name, operation)
                for option, means in zip(question.options, ids, strict=True)
            ]
        else:
            names["form"] = question.form
        return names | ({"kept": kept} if kept else {})

    def _option(self, option: TemplateOption, means: str, question: str, operation: str) -> dict[str, Any]:
        names: dict[str, Any] = {"name": option.name, "means": means}
        if option.then is not None:
            when = {"question": question, "is": means}
            wanted = f"{question}_{as_id(option.name, means)}"
            names["then"] = self._asked(option.then, operation, [wanted], when)
        return names | ({"kept": dict(option.kept)} if option.kept else {})

    def _scale(self, question: TemplateQuestion, name: str, ids: Sequence[str]) -> str:
        if len(question.options) == 1:
            label = self._plainly(question.options[0].label or question.options[0].name, question.options[0].path)
            return self.scale_of(name, {"type": "yes_no", "yes": label, "no": f"Not: {label}"})
        if question.options:
            options = [
                {"id": means, "label": label} for means, label in zip(ids, self._labels(question, ids), strict=True)
            ]
            return self.scale_of(name, {"type": "choice", "options": options})
        likert = LIKERT.fullmatch(question.form)
        if likert and 2 <= int(likert[1]) <= 100:
            words = LIKERT_3 if int(likert[1]) == 3 else [str(point) for point in range(1, int(likert[1]) + 1)]
            points = [{"value": value, "label": word} for value, word in enumerate(words, start=1)]
            return self.scale_of(as_id(question.form, "likert"), {"type": "ordinal", "points": points})
        if question.form == "binary":
            return self.scale_of("yes_no", {"type": "yes_no"})
        if question.form not in ("textbox", "textarea"):
            what = f"Thresh has no options {question.form!r}"
            fix = "Taken as a free text; use binary, likert-3, textbox, textarea or a list."
            self._remarks.say((*question.path, "options"), what, "options", fix, question.form)
        return self.scale_of("words", {"type": "text"})

    def scale_of(self, name: str, scale: dict[str, Any]) -> str:
        """The name of this scale, which is written once however many questions use it."""
        for known, other in self.scales.items():
            if other == scale:
                return known
        free = self._scale_ids.free(name)
        self.scales[free] = scale
        return free

    def _labels(self, question: TemplateQuestion, ids: Sequence[str]) -> list[str]:
        """The options' labels; one that is the label or id of another gets its name beside it."""
        found: list[str] = []
        for index, option in enumerate(question.options):
            label = self._plainly(option.label or option.name, option.path)
            others = {folded(one) for one in (*found, *(other for at, other in enumerate(ids) if at != index))}
            if folded(label) in others:
                what = f"the label {label!r} also means another option"
                self._remarks.say(
                    (*option.path, "label"), what, "duplicate_label", f"Shown with {option.name!r}.", label
                )
                label = next(
                    longer
                    for longer in (f"{label} ({option.name})", *(f"{label} ({number})" for number in range(2, 1000)))
                    if folded(longer) not in others
                )
            found.append(label)
        return found


def _option_ids(options: Sequence[TemplateOption]) -> list[str]:
    """An id for each option. A question with one option is a yes or no: it was chosen, or not, or left open."""
    if len(options) == 1:
        return ["yes"]
    ids = Ids()
    return [ids.free(as_id(option.name, f"option_{number}")) for number, option in enumerate(options, start=1)]


def _questions(names: Mapping[str, Any]) -> list[str]:
    """The questions of ours in a part of the dictionary."""
    below = [option["then"] for option in names.get("options", ()) if "then" in option]
    return [names["question"], *(question for part in below for question in _questions(part))]
