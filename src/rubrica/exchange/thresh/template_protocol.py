"""A Thresh template as a protocol of ours.

Our ids for other people's names: a lower-case letter, then lower-case letters, digits and underscores.

The question trees of a template as flat questions with conditions, with the dictionary that leads back. A follow-up
becomes a question of its own that is asked when its option was chosen. The same question with the same words in
several edits becomes one question about all of them.

A Thresh template as a protocol of ours: plain data that the loader accepts, and remarks on what it could not take. The
names that the template gives to edits, questions and options stay in the protocol's `thresh` part, so that data files
of the template can be read and written under it.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from rubrica.core.errors import Problem
from rubrica.exchange.thresh.template import (
    Template,
    TemplateEdit,
    TemplateOption,
    TemplateQuestion,
    placed,
    read_template,
)
from rubrica.protocols.check_edits import LIKERT
from rubrica.protocols.check_names import RESERVED
from rubrica.protocols.check_scales import folded
from rubrica.protocols.loader import Loaded, check_size, check_text, load
from rubrica.protocols.report import Report
from rubrica.protocols.schema import MAX_HEADER
from rubrica.protocols.values import LANGUAGE, MAX_ID
from rubrica.protocols.yaml_source import Path, read_yaml
from rubrica.protocols.yaml_writer import write_yaml

_NOT_IN_IDS = re.compile(r"[^a-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def as_id(name: str, otherwise: str) -> str:
    """The name as an id: accents fold, ``BadMath`` becomes ``bad_math``. ``otherwise`` if nothing is left of it."""
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = _NOT_IN_IDS.sub("_", _HUMP.sub("_", folded).lower()).strip("_")
    if not words:
        return otherwise
    return (words if words[0].isalpha() else f"n{words}")[:MAX_ID].rstrip("_")


class Ids:
    """Gives out ids, each once."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def free(self, *wanted: str) -> str:
        """The first of these that is free; else the last of them with a number."""
        for candidate in wanted:
            if candidate not in self._taken and len(candidate) <= MAX_ID:
                return self._take(candidate)
        number = 1
        while True:
            number += 1
            end = f"_{number}"
            candidate = wanted[-1][: MAX_ID - len(end)].rstrip("_") + end
            if candidate not in self._taken:
                return self._take(candidate)

    def _take(self, name: str) -> str:
        self._taken.add(name)
        return name


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


BEFORE_AND_AFTER = (
    ("source_context_before", "Before the source"),
    ("source_context_after", "After the source"),
    ("target_context_before", "Before the target"),
    ("target_context_after", "After the target"),
)
ALIASES = {"source": ["original", "input"], "rewrite": ["target", "output"]}


class Converted(NamedTuple):
    """A protocol file, what it is in plain data, and remarks with the lines of the template."""

    text: str
    data: dict[str, Any]
    remarks: list[Problem]


def convert_template(text: str, file: str, protocol_id: str = "") -> Converted:
    """The protocol of a template. Raises InputError with everything that is wrong with the template."""
    read = read_template(text, file)
    data = _Builder(read.template, read.remarks).protocol(protocol_id)
    written = write_yaml(data)
    check_text(written, file)
    return Converted(written, data, placed(read.remarks, file))


def load_any(path: FilePath) -> Loaded:
    """The protocol of a file: one of ours, or a Thresh template, whose edits are a list. Raises InputError."""
    if path.is_file() and path.suffix.lower() in (".yaml", ".yml"):
        check_size(path.stat().st_size, str(path))
        text = path.read_bytes().decode("utf-8", errors="replace")
        data = read_yaml(text, merges=True).data
        if isinstance(data, dict) and isinstance(data.get("edits"), list) and "id" not in data:
            return check_text(convert_template(text, str(path)).text, str(path))
    return load(path)


class _Builder:
    def __init__(self, template: Template, remarks: Report) -> None:
        self.template, self.remarks = template, remarks
        self.labels = {
            "source": self._plainly(template.labels.get("source", "Source"), ("interface_text",)),
            "rewrite": self._plainly(template.labels.get("target", "Target"), ("interface_text",)),
            "context": self._plainly(template.labels.get("context", "Context"), ("interface_text",)),
        }
        fields = [*self.labels, *(name for name, _ in BEFORE_AND_AFTER)]
        self.trees = QuestionTrees(template.edits, fields, remarks, self._plainly)

    def protocol(self, protocol_id: str) -> dict[str, Any]:
        template = self.template
        name = template.name or "template"
        operations, categories = self._operations()
        language = self._language()
        words = self.trees.scale_of("words", {"type": "text"})
        asked = {"questions": self.trees.questions} if self.trees.questions else {}
        return {
            "id": protocol_id or f"thresh_{as_id(name, 'template')}"[:60],
            "version": "1.0",
            "title": self._plainly(template.label or name, ("template_label",)),
            "summary": self._plainly(
                template.description or f"Edits marked with the Thresh template {name}", ("template_description",)
            ),
            "document": f"Thresh template {name}" + (f", {template.paper}" if template.paper else ""),
            "family": "thresh",
            **({"fallback": language} if language != "en" else {}),
            "languages": [language],
            "audience": "Not said by the template",
            "fields": self._fields(),
            "scales": self.trees.scales,
            "questions": [{"id": "comment", "scale": words, "prompt": "Any remark?", "required": False}],
            "edits": {"snap": template.snap, "operations": operations, **asked},
            "stages": [{"id": "annotate", "label": "Annotate", "overlap": 1}],
            "thresh": {"categories": categories, **({"kept": dict(template.kept)} if template.kept else {})},
            "guidelines": self._plainly(template.instructions, ("instructions",)) or self._guidelines(),
        }

    def _language(self) -> str:
        code = self.template.language or "en"
        if LANGUAGE.fullmatch(code):
            return code
        what = f"{code!r} is not the code of a language"
        self.remarks.say(("language",), what, "language", "Taken as en; use a code such as en, es or zh.", code)
        return "en"

    def _fields(self) -> list[dict[str, Any]]:
        marked = {side for edit in self.template.edits for side in edit.sides}
        around = {name: _field(name, "context", label, required=False) for name, label in BEFORE_AND_AFTER}
        texts = {
            side: _field(side, side, self.labels[side], required=side in marked) | {"aliases": ALIASES[side]}
            for side in ("source", "rewrite")
        }
        return [
            _field("context", "context", self.labels["context"], required=False),
            around["source_context_before"],
            texts["source"],
            around["source_context_after"],
            around["target_context_before"],
            texts["rewrite"],
            around["target_context_after"],
        ]

    def _operations(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The operations, and beside them how Thresh names and draws them."""
        edits, ids, keys = self.template.edits, Ids(), _Keys()
        names = [ids.free(as_id(edit.name, f"edit_{number}")) for number, edit in enumerate(edits, start=1)]
        simple = [name for name, edit in zip(names, edits, strict=True) if edit.sides]
        operations, categories = [], []
        for name, edit in zip(names, edits, strict=True):
            key = keys.choose(edit.label or edit.name)
            if not key:
                what = f"there is no letter left for {edit.name!r}: it has no shortcut on the keyboard"
                self.remarks.say(edit.path, what, "key", "Give it the key of another one in the protocol.")
            operations.append(
                {
                    "id": name,
                    **({"key": key} if key else {}),
                    "label": self._plainly(edit.label or edit.name, edit.path),
                    "meaning": self._meaning(edit, simple),
                    **self._marks(edit, simple),
                    **({"several": True} if edit.several and edit.sides else {}),
                }
            )
            categories.append(self._category(edit, name))
        return operations, categories

    def _marks(self, edit: TemplateEdit, simple: list[str]) -> dict[str, Any]:
        """What an edit is made of: other edits, words, or neither, if it is about the pair as a whole."""
        if edit.kind == "composite" and simple:
            return {"constituents": simple}
        return {"sides": list(edit.sides)} if edit.sides else {"whole": True}

    def _category(self, edit: TemplateEdit, operation: str) -> dict[str, Any]:
        answers = self.trees.add(edit, operation)
        kept = dict(edit.kept) | ({"type": edit.kind} if edit.kind == "split" else {})
        look = {key: value for key, value in (("color", edit.color), ("icon", edit.icon)) if value}
        parts = {"answers": answers, "kept": kept}
        return {"name": edit.name, "operation": operation, **look, **{key: part for key, part in parts.items() if part}}

    def _meaning(self, edit: TemplateEdit, simple: list[str]) -> str:
        if edit.kind == "composite" and simple:
            return f"Made of other edits: {', '.join(simple)}."
        if not edit.sides:
            return "About the pair as a whole; it marks no words."
        where = " and in ".join(f"“{self.labels[side]}”" for side in edit.sides)
        return f"A break in {where}." if edit.kind == "split" else f"Words in {where}."

    def _guidelines(self) -> str:
        edits = [edit.label or edit.name for edit in self.template.edits]
        lines = [f"- {self._plainly(label, ())}" for label in edits]
        return "\n".join(["The template has no instructions. Mark every edit of these kinds:", "", *lines])

    def _plainly(self, text: str, path: Path) -> str:
        """The text without braces, which would fill in a parameter here."""
        if "{" in text or "}" in text:
            what = f"braces have a meaning of their own here: {text[:40]!r} is shown with round ones"
            self.remarks.say(path, what, "braces", "Nothing to do.")
        return text.replace("{", "(").replace("}", ")")


class _Keys:
    """Letters of the keyboard, each for one edit: the first one in its name that is free, else any."""

    def __init__(self) -> None:
        self._free = list(string.ascii_lowercase)

    def choose(self, name: str) -> str:
        letters = [letter for letter in as_id(name, "") if letter in self._free] + self._free
        if not letters:
            return ""
        self._free.remove(letters[0])
        return letters[0]


def _field(name: str, role: str, label: str, *, required: bool) -> dict[str, Any]:
    return {"id": name, "role": role, "label": label, **({} if required else {"required": False})}
