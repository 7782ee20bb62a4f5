"""A Thresh template as a protocol of ours: plain data that the loader accepts, and remarks on what it could not take.

The names that the template gives to edits, questions and options stay in the protocol's `thresh` part, so that data
files of the template can be read and written under it.
"""

from __future__ import annotations

import string
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from rubrica.core.errors import Problem
from rubrica.exchange.thresh.identifiers import Ids, as_id
from rubrica.exchange.thresh.template import Template, TemplateEdit
from rubrica.exchange.thresh.template_questions import QuestionTrees
from rubrica.exchange.thresh.template_read import placed, read_template
from rubrica.protocols.loader import Loaded, check_size, check_text, load
from rubrica.protocols.report import Report
from rubrica.protocols.values import LANGUAGE
from rubrica.protocols.yaml_source import Path, read_yaml
from rubrica.protocols.yaml_writer import write_yaml

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
