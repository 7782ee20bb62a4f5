"""A Thresh template in objects, and how it is read: strict about what must be there, forgetting nothing of the rest.

A Thresh template in objects: edits, their questions and options, and whatever else it says.

Templates come in two dialects: `type: primitive` with `multi_span: true`, and no type or `type: multi_span`. Both are
YAML 1.2, in which `yes` is a word. What is wrong stops the import; what has no counterpart here is kept and named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import attrs

from rubrica.core.errors import InputError, Problem, first_problems
from rubrica.core.text_helpers import did_you_mean, nearest
from rubrica.protocols.loader import check_size
from rubrica.protocols.report import Report, listed, mapping
from rubrica.protocols.yaml_source import Path, read_yaml


@attrs.frozen(kw_only=True)
class TemplateQuestion:
    """A question; ``form`` is its kind of answer where there are no options."""

    name: str
    label: str = ""
    prompt: str = ""
    form: str = ""
    options: tuple[TemplateOption, ...] = ()
    required: bool = True
    kept: Mapping[str, Any] = attrs.field(factory=dict)
    path: Path = attrs.field(default=(), eq=False)


@attrs.frozen(kw_only=True)
class TemplateOption:
    """An option, with the question that follows it."""

    name: str
    label: str = ""
    then: TemplateQuestion | None = None
    kept: Mapping[str, Any] = attrs.field(factory=dict)
    path: Path = attrs.field(default=(), eq=False)


@attrs.frozen(kw_only=True)
class TemplateEdit:
    """A category of edits: where it marks words, or that it is made of other edits."""

    name: str
    label: str = ""
    kind: str = ""
    sides: tuple[str, ...] = ()
    several: bool = False
    color: str = ""
    icon: str = ""
    questions: tuple[TemplateQuestion, ...] = ()
    kept: Mapping[str, Any] = attrs.field(factory=dict)
    path: Path = attrs.field(default=(), eq=False)


@attrs.frozen(kw_only=True)
class Template:
    """A whole template. ``labels`` are those of source, target and context."""

    name: str = ""
    label: str = ""
    description: str = ""
    instructions: str = ""
    language: str = ""
    snap: str = "words"
    paper: str = ""
    labels: Mapping[str, str] = attrs.field(factory=dict)
    edits: tuple[TemplateEdit, ...] = ()
    kept: Mapping[str, Any] = attrs.field(factory=dict)


SNAPS = {"word": "words", "char": "characters", "tokenized": "tokens"}
TYPES = ("primitive", "single_span", "multi_span", "composite", "split")
FORMS = ("binary", "likert-3", "textbox", "textarea")
USED = ("template_name", "template_label", "template_description", "instructions", "edits", "tokenization", "language")
OLDER_LABELS = ("input_label", "output_label", "context_label")
EDIT_KEYS = ("name", "label", "type", "multi_span", "enable_input", "enable_output", "color", "icon", "annotation")
LABELS = {"source_label", "target_label", "context_label"}
QUESTION_KEYS = ("name", "label", "question", "options", "required")


class ReadTemplate(NamedTuple):
    """A template and remarks on what it says, each with its line; ``remarks`` may get more."""

    template: Template
    remarks: Report


def read_template(text: str, file: str) -> ReadTemplate:
    """Read a template. Raises InputError with everything that is wrong with it."""
    check_size(len(text.encode()), file)
    source = read_yaml(text, merges=True)
    reader = _Reader(Report(source), Report(source))
    template = Template()
    if not isinstance(source.data, dict):
        if not source.problems:
            reader.wrong((), "a template is a mapping of keys", "shape", "Start with `template_name:` and `edits:`.")
    elif not source.too_large:
        template = reader.template(source.data)
    problems = [*source.problems, *reader.problems.told()]
    if problems:
        placed = [problem.at(file=problem.file or file) for problem in problems]
        raise InputError(*sorted(placed, key=lambda problem: problem.line or 0))
    return ReadTemplate(template, reader.remarks)


class _Reader:
    """Reads raw data of any shape; what is wrong and what is odd is noted apart."""

    def __init__(self, problems: Report, remarks: Report) -> None:
        self.problems, self.remarks = problems, remarks
        self.wrong, self.remark = problems.say, remarks.say

    def template(self, data: dict[Any, Any]) -> Template:
        typology = mapping(mapping(data.get("interface_text")).get("typology"))
        labels = {
            key: self.text(typology.get(f"{key}_label")) or self.text(data.get(older))
            for key, older in (("source", "input_label"), ("target", "output_label"), ("context", "context_label"))
        }
        tokenization = self.text(data.get("tokenization")) or "word"
        if tokenization not in SNAPS:
            fix = "Taken as word; Thresh has word, char and tokenized."
            what = f"the tokenization {tokenization!r} is not known"
            self.remark(("tokenization",), what, "tokenization", fix, tokenization)
        return Template(
            name=self.text(data.get("template_name")),
            label=self.text(data.get("template_label")),
            description=self.text(data.get("template_description")),
            instructions=self.text(data.get("instructions")),
            language=self.text(data.get("language")),
            snap=SNAPS.get(tokenization, "words"),
            paper=self.text(data.get("paper_link")),
            labels={key: label for key, label in labels.items() if label},
            edits=self._edits(data),
            kept=self._kept_of_template(data),
        )

    def _kept_of_template(self, data: dict[Any, Any]) -> dict[str, Any]:
        kept = {key: plain(part) for key, part in data.items() if key not in USED and part is not None}
        for key, part in kept.items():
            texts = mapping(part) if key == "interface_text" else {}
            labels_only = texts.keys() == {"typology"} and mapping(texts["typology"]).keys() <= LABELS
            if key not in ("paper_link", *OLDER_LABELS) and not labels_only:
                self.remark((key,), f"{key!r} is kept, but nothing follows from it here", "kept", "Nothing to do.", key)
        return {str(key): part for key, part in kept.items()}

    def _edits(self, data: dict[Any, Any]) -> tuple[TemplateEdit, ...]:
        found, edits = list[TemplateEdit](), data.get("edits")
        if not isinstance(edits, list) or not edits:
            what = "there are no edits" if edits is None or edits == [] else "`edits` is not a list"
            self.wrong(("edits",), what, "edits", "List at least one: `edits:` and below it `- name: …`.")
        for index, raw in enumerate(listed(edits)):
            edit = self._edit(("edits", index), raw)
            if edit is not None:
                self._once(("edits", index), edit.name, [other.name for other in found], "edit")
                found.append(edit)
        if found and all(edit.kind == "composite" for edit in found):
            fix = "Add an edit that is not, such as one that marks words with enable_input or enable_output."
            self.wrong(("edits",), "every edit is composite, so none can be made", "composite", fix)
        return tuple(found)

    def _edit(self, path: Path, raw: Any) -> TemplateEdit | None:
        name = self._name(path, raw, "an edit")
        if name is None:
            return None
        kind = self.text(raw.get("type"))
        if kind and kind not in TYPES:
            what, fix = f"the type {kind!r} of {name!r} is not known", f"Taken as a plain edit; known: {_list(TYPES)}."
            self.remark((*path, "type"), what, "type", fix, kind)
        questions = raw.get("annotation")
        if questions is not None and not isinstance(questions, list):
            self.wrong(
                (*path, "annotation"), f"`annotation` of {name!r} is not a list", "annotation", "Write `- name:`."
            )
        found, unasked = list[TemplateQuestion](), list[Any]()
        for index, part in enumerate(listed(questions)):
            here = (*path, "annotation", index)
            called = self._name(here, part, "a question")
            if called is None:
                continue
            self._once(here, called, [other.name for other in found], "question")
            if part.get("options") is None:
                what = f"the question {called!r} has no options and cannot be answered: it is kept, but not asked"
                self.remark(here, what, "options", f"Give it a list of options, or one of {_list(FORMS)}.")
                unasked.append(plain(part))
            else:
                found.append(self._asked(here, part, called))
        kept = self._kept(path, raw, EDIT_KEYS) | ({"annotation": unasked} if unasked else {})
        return TemplateEdit(
            name=name,
            label=self.text(raw.get("label")),
            kind="composite" if kind == "composite" else "split" if kind == "split" else "",
            sides=self._sides(path, name, kind, raw),
            several=kind == "multi_span" or truth(raw.get("multi_span")),
            color=self.text(raw.get("color")),
            icon=self.text(raw.get("icon")),
            questions=tuple(found),
            kept=kept,
            path=path,
        )

    def _sides(self, path: Path, name: str, kind: str, raw: dict[Any, Any]) -> tuple[str, ...]:
        enabled = [
            side for side, key in (("source", "enable_input"), ("rewrite", "enable_output")) if truth(raw.get(key))
        ]
        if kind == "composite":
            if enabled:
                what = f"{name!r} is composite and marks words as well: only its constituents are asked for"
                self.remark(path, what, "composite", "Spans of its own in data files are kept.")
            return ()
        if not enabled and kind == "split":
            return ("rewrite",)
        return tuple(enabled)

    def _asked(self, path: Path, raw: dict[Any, Any], name: str) -> TemplateQuestion:
        """The question of an entry that has options, whether it is a question or an option with a follow-up."""
        options, form = raw["options"], ""
        found: list[TemplateOption] = []
        if isinstance(options, list):
            if not options:
                self.wrong((*path, "options"), f"{name!r} has an empty list of options", "options", "Add some.")
            for index, part in enumerate(options):
                option = self._option((*path, "options", index), part)
                if option is not None:
                    self._once(option.path, option.name, [other.name for other in found], "option")
                    found.append(option)
        elif isinstance(options, str | int | float | bool):
            form = self.text(options)
        else:
            what = f"`options` of {name!r} is a mapping, not a list"
            self.wrong((*path, "options"), what, "options", f"Write a list, or one of {_list(FORMS)}.")
        meant = self._meant_for_question(raw)
        if meant:
            what = f"`{meant}` is taken for `question`"
            self.remark((*path, meant), what, "misspelt", "Thresh does not read it; correct it there.", meant)
        kept = self._kept(path, raw, QUESTION_KEYS, meant)
        return TemplateQuestion(
            name=name,
            label=self.text(raw.get("label")),
            prompt=self.text(raw.get(meant or "question")),
            form=form,
            options=tuple(found),
            required=raw.get("required") is None or truth(raw["required"]),
            kept=kept,
            path=path,
        )

    def _option(self, path: Path, raw: Any) -> TemplateOption | None:
        name = self._name(path, raw, "an option")
        if name is None:
            return None
        if name == "val":
            what = "an option cannot be called 'val', the key under which data files have the choice"
            self.wrong((*path, "name"), what, "reserved", "Choose another name.", name)
        then = self._asked(path, raw, name) if raw.get("options") is not None else None
        kept = {} if then else self._kept(path, raw, ("name", "label"))
        return TemplateOption(name=name, label=self.text(raw.get("label")), then=then, kept=kept, path=path)

    def _meant_for_question(self, raw: dict[Any, Any]) -> str:
        """The misspelt key that holds the question's words, if the right one is not there."""
        if self.text(raw.get("question")):
            return ""
        others = [key for key in raw if key not in QUESTION_KEYS and isinstance(key, str) and self.text(raw[key])]
        return next(iter(nearest("question", others)), "")

    def _kept(self, path: Path, raw: dict[Any, Any], known: tuple[str, ...], used: str = "") -> dict[str, Any]:
        kept = {str(key): plain(part) for key, part in raw.items() if key not in known and part is not None}
        for key in kept.keys() - {used}:
            fix = did_you_mean(key, () if self.remarks.full else known, "Nothing to do.")
            self.remark((*path, key), f"{key!r} is kept, but nothing follows from it here", "kept", fix, key)
        return kept

    def _name(self, path: Path, raw: Any, what: str) -> str | None:
        if not isinstance(raw, dict):
            self.wrong(
                path, f"{what} is not a mapping of keys", "shape", "Write `- name: …` and below it its keys.", raw
            )
            return None
        name = self.text(raw.get("name"), strip=False)
        if not name.strip():
            self.wrong(path, f"{what} has no name", "name", "Add `name:`.")
            return None
        return name

    def _once(self, path: Path, name: str, others: list[str], kind: str) -> None:
        if name in others:
            self.wrong((*path, "name"), f"the {kind} {name!r} stands twice", "duplicate_name", "Rename one.", name)

    def text(self, value: Any, *, strip: bool = True) -> str:
        """A scalar as text: numbers and booleans as the file's tool would write them."""
        if isinstance(value, dict | list) or value is None:
            return ""
        words = str(value).lower() if isinstance(value, bool) else str(value)
        return words.strip() if strip else words


def truth(value: Any) -> bool:
    """Whether a switch is on; the words that YAML 1.1 takes for booleans mean what they say."""
    return bool(value) and str(value).lower() not in ("no", "off", "false", "n")


def plain(value: Any) -> Any:
    """Data without empty values and without the marks of the reader, fit to be written again."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items() if part is not None}
    if isinstance(value, list):
        return [plain(part) for part in value if part is not None]
    return str(value) if isinstance(value, str) else value


def _list(words: tuple[str, ...]) -> str:
    return ", ".join(words)


def placed(remarks: Report, file: str) -> list[Problem]:
    """The remarks in the order of the file, one for each place and thing."""
    found = [problem.at(file=problem.file or file) for problem in remarks.told()]
    return list(first_problems(sorted(found, key=lambda problem: problem.line or 0)))
