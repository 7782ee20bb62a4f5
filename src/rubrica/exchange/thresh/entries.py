"""One entry of a Thresh file: the texts, who annotated them, and its edits as ours.

What has no place in a judgement of ours (an unknown category, an answer that the protocol does not have, an offset that
is no number) is left to the entry as it was imported, and flagged. Spans outside their text are kept as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import attrs

from rubrica.core.edits import Edit, Span
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item, Judgement
from rubrica.core.thresh import ThreshNames
from rubrica.core.validation import Validator
from rubrica.exchange.tables import as_text
from rubrica.exchange.thresh.answers import read_answers
from rubrica.exchange.thresh.offsets import from_unit, splits_a_character

SIDES = {"source": "input_idx", "rewrite": "output_idx"}
"""Where an edit of a file has the spans of each side."""
FIELDS = {"source": "source", "target": "rewrite"}
"""Texts that have another name here; contexts have the same."""
ANNOTATORS = ("annotator", "annotator_id", "annotatorid", "rater", "worker", "worker_id", "workerid", "user")
SYSTEMS = ("system", "model")
COMMENT = "comment"
DROPPED = ("not_shown", "unknown_question", "scale", "operation")
"""Problems with an answer that a judgement of ours cannot hold."""
LONGEST_NAME = 200
LONGEST_KEY = 90


class Placed(NamedTuple):
    """An edit of ours and where it stands in the entry: its place among edits, and its place among constituents."""

    edit: Edit
    place: int
    part: int | None = None


class ReadEntry(NamedTuple):
    """What an entry says. Without a judgement it was not annotated."""

    judgement: Judgement | None
    placed: tuple[Placed, ...]
    flags: tuple[Problem, ...]


def texts_of(entry: Mapping[str, Any], protocol: Protocol) -> dict[str, str]:
    """The texts of an entry that the protocol shows."""
    known = {field.id for field in protocol.fields}
    found = {FIELDS.get(key, key): value for key, value in entry.items() if isinstance(value, str) and value}
    return {field.id: found[field.id] for field in protocol.fields if field.id in found and field.id in known}


def named_in(entry: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """What the metadata say under the first of these keys, whatever its case; nothing if they do not."""
    metadata = entry.get("metadata")
    given = {str(key).lower(): value for key, value in metadata.items()} if isinstance(metadata, dict) else {}
    for key in keys:
        value = given.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return ""


def item_of(entry: Mapping[str, Any], protocol: Protocol, key: str) -> Item:
    """The item that an entry is about; its annotator is no part of it."""
    metadata = entry.get("metadata")
    given = metadata if isinstance(metadata, dict) else {}
    system = named_in(entry, SYSTEMS)
    own = {str(name) for name in given if str(name).lower() == "system" or str(name).lower() in ANNOTATORS}
    return Item(
        key,
        texts_of(entry, protocol),
        system=system if len(system) <= LONGEST_NAME else "",
        metadata={str(name): as_text(value) for name, value in given.items() if name not in own and value is not None},
    )


class EntryReader:
    """Reads entries of files whose offsets count in ``unit``, for one stage of a protocol."""

    def __init__(self, names: ThreshNames, validator: Validator, unit: str) -> None:
        self.names, self.validator, self.unit = names, validator, unit
        self._asks_comment = any(
            question.id == COMMENT and validator.asks(question) for question in validator.protocol.questions
        )

    def read(self, entry: Mapping[str, Any], item: Item) -> ReadEntry:
        """The judgement in an entry. ``edits`` that are absent or null mean that there is none."""
        edits = entry.get("edits")
        if edits is None:
            return ReadEntry(None, (), ())
        reading = _Reading(self, item)
        for index, raw in enumerate(edits):
            reading.add(raw, index)
        comment = entry.get(COMMENT)
        answers = {COMMENT: comment} if self._asks_comment and isinstance(comment, str) and comment.strip() else {}
        return self._settled(item, answers, reading)

    def _settled(self, item: Item, answers: dict[str, Any], reading: _Reading) -> ReadEntry:
        """The judgement with what its operations imply, without answers that are not asked for here."""
        flags, placed = reading.flags, reading.placed
        while True:
            judgement = self.validator.settle(item, Judgement(answers, tuple(one.edit for one in placed)))
            found = self.validator.problems(item, judgement)
            unheld = [problem for problem in found if problem.question and problem.rule in DROPPED]
            if not unheld:
                break
            flags += [problem.at(fix="It stays in the imported entry.") for problem in unheld]
            gone = {(problem.edit, problem.question) for problem in unheld}
            answers = {name: value for name, value in answers.items() if ("", name) not in gone}
            placed = [one._replace(edit=_without(one.edit, gone)) for one in placed]
        settled = {edit.id: edit for edit in judgement.edits}
        kept = tuple(one._replace(edit=settled[one.edit.id]) for one in placed)
        return ReadEntry(judgement, kept, (*flags, *found))


class _Reading:
    """The edits of one entry while they are read."""

    def __init__(self, reader: EntryReader, item: Item) -> None:
        self.reader, self.item = reader, item
        self.placed: list[Placed] = []
        self.flags: list[Problem] = []
        self._ids: set[str] = set()

    def add(self, raw: Mapping[str, Any], index: int) -> None:
        """An edit, with its constituents."""
        whole = self._edit(raw, f"edit {index + 1}", "")
        if whole is None:
            return
        self.placed.append(Placed(whole, index))
        parts = raw.get("constituent_edits")
        if parts is not None and not isinstance(parts, list):
            self.flag(whole.id, "has constituents that are not a list", "form", parts)
            return
        for number, part in enumerate(parts or ()):
            if not isinstance(part, dict):
                self.flag(whole.id, f"has a constituent {number + 1} that is no object", "form", part)
                continue
            inner = self._edit(part, f"constituent {number + 1} of {whole.id}", whole.id)
            if inner is not None:
                self.placed.append(Placed(inner, index, number))

    def _edit(self, raw: Mapping[str, Any], where: str, parent: str) -> Edit | None:
        name = raw.get("category")
        category = self.reader.names.by_name.get(name) if isinstance(name, str) else None
        if category is None:
            self.flag(where, f"is of the category {name!r}, which the protocol does not have", "unknown_category", name)
            return None
        key = self._key(category.operation, raw.get("id"))
        read = read_answers(category, raw.get("annotation"))
        if parent and read.answers:
            read.odd.append(("annotation", raw.get("annotation")))
        for place, value in read.odd:
            self.flag(key, f"says {place} = {value!r}, which the protocol does not have", "unknown_answer", value)
        return Edit(
            id=key,
            operation=category.operation,
            source=tuple(self._spans(raw, "source", key)),
            rewrite=tuple(self._spans(raw, "rewrite", key)),
            answers={} if parent else read.answers,
            parent=parent,
        )

    def _key(self, operation: str, number: Any) -> str:
        """An id of our own, made of the operation and the file's number, which counts per category."""
        known = number if isinstance(number, str | int) and not isinstance(number, bool) else len(self._ids) + 1
        first = key = f"{operation}-{known}"[:LONGEST_KEY]
        again = 1
        while key in self._ids:
            again += 1
            key = f"{first}~{again}"
        if again > 1:
            self.flag(key, f"has the number {number!r} of another edit of its category", "duplicate_edit", number)
        self._ids.add(key)
        return key

    def _spans(self, raw: Mapping[str, Any], side: str, key: str) -> Iterator[Span]:
        given = raw.get(SIDES[side])
        if given is not None and not isinstance(given, list):
            self.flag(key, f"has {SIDES[side]} that is not a list", "form", given)
            return
        text = self.item.fields.get(side, "")
        pairs: list[Any] = [given] if is_pair(given) else given or []
        for pair in pairs:
            if not is_pair(pair):
                self.flag(key, f"has {SIDES[side]} that are no pairs of whole numbers", "form", pair)
                continue
            span = Span(*pair)
            if splits_a_character(text, span, self.reader.unit):
                self.flag(key, f"ends inside a character of the {side}", "span", pair)
            yield from_unit(text, span, self.reader.unit)

    def flag(self, edit: str, what: str, rule: str, value: Any) -> None:
        """Note something that the judgement cannot hold as the file has it."""
        name = edit if " " in edit else f"edit {edit}"
        fix = "It stays in the imported entry."
        self.flags.append(Problem(what=f"{name} {what}", rule=rule, fix=fix, edit=edit, value=value))


def is_pair(value: Any) -> bool:
    """Whether it is a start and an end; they may lie anywhere. A side with a single span may have it without a list."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(type(offset) is int and abs(offset) < 2**31 for offset in value)
    )


def _without(edit: Edit, gone: set[tuple[str, str]]) -> Edit:
    answers = {name: value for name, value in edit.answers.items() if (edit.id, name) not in gone}
    return attrs.evolve(edit, answers=answers) if len(answers) != len(edit.answers) else edit
