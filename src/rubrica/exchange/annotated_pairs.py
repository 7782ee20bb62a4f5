"""Annotated pairs for analysis: out of judgements, or out of Thresh data without a study.

Annotated pairs out of judgements: of a study, or of a file that `rubrica export` wrote.

Annotated pairs out of Thresh data, for analysis without a study. Answers are put into the words of our own protocol
`salsa`, so that one typology serves both. Edits of other templates keep their category and have no answers. Entries
without ``edits`` were not annotated and are left out; spans outside their text are kept as they are.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import attrs

from rubrica.core.edits import Edit, Span
from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import ANSWERED
from rubrica.core.thresh import ThreshNames
from rubrica.edits.annotated import AnnotatedPair
from rubrica.exchange.records import Record
from rubrica.exchange.thresh.answers import names_of, read_answers, write_answers
from rubrica.exchange.thresh.entries import ANNOTATORS, SIDES, SYSTEMS, is_pair, named_in
from rubrica.exchange.thresh.files import EntryAt, read_file
from rubrica.exchange.thresh.offsets import UTF16, from_unit
from rubrica.protocols.catalog import load_shipped


class Judged(NamedTuple):
    """Annotated pairs, and how many judgements are none: of planted items, or left by a way out."""

    pairs: list[AnnotatedPair]
    planted: int
    left: int


def judged_pairs(records: Iterable[Record], protocol: Protocol) -> Judged:
    """The pairs of these judgements; the texts are the fields that the protocol calls source and rewrite.

    A protocol that was made from a Thresh template has no types of its own: its edits are put into the words of
    `salsa`.
    """
    source, rewrite = (_field(protocol, role) for role in ("source", "rewrite"))
    found, planted, left = [], 0, 0
    for record in records:
        if record.planted:
            planted += 1
        elif record.judgement.outcome != ANSWERED:
            left += 1
        else:
            item = record.item
            found.append(
                AnnotatedPair(
                    key=item.key,
                    name=item.key,
                    source=item.fields.get(source, ""),
                    rewrite=item.fields.get(rewrite, ""),
                    annotator=record.annotator,
                    edits=tuple(_edit(edit, protocol) for edit in record.judgement.edits),
                    system=item.system,
                    stage=record.stage,
                )
            )
    return Judged(found, planted, left)


def has_types(protocol: Protocol) -> bool:
    """Whether the protocol says of what type its edits are."""
    return protocol.edits is not None and bool(protocol.edits.types)


def _edit(edit: Edit, protocol: Protocol) -> Edit:
    return edit if has_types(protocol) else in_salsa_words(edit, protocol)


def _field(protocol: Protocol, role: str) -> str:
    return next((field.id for field in protocol.fields if field.role == role), role)


def read_thresh_pairs(path: Path, unit: str = UTF16) -> list[AnnotatedPair]:
    """The annotated entries of a file. Raises InputError with everything that cannot be understood."""
    reader = _Reader(path.stem, unit)
    pairs = [reader.pair(entry) for entry in read_file(path).entries if entry.data.get("edits") is not None]
    if reader.problems:
        raise InputError(*(problem.at(file=str(path)) for problem in reader.problems))
    return pairs


def salsa_names() -> ThreshNames:
    """How Thresh files name the edits of our protocol `salsa`."""
    return names_of(load_shipped("salsa").protocol)


def in_salsa_words(edit: Edit, protocol: Protocol) -> Edit:
    """An edit of a protocol that was made from a Thresh template, as `salsa` would have it: by way of the template."""
    category = names_of(protocol).by_operation.get(edit.operation)
    ours = salsa_names().by_name.get(category.name) if category else None
    if category is None or ours is None:
        return edit
    answers = read_answers(ours, write_answers(category, edit.answers)).answers
    return attrs.evolve(edit, operation=ours.operation, answers=answers)


class _Reader:
    """Turns entries into pairs; what cannot be understood becomes a problem."""

    def __init__(self, file: str, unit: str) -> None:
        self.problems: list[Problem] = []
        self._file, self._unit = file, unit
        self._names = salsa_names()
        self._met: Counter[tuple[str, str]] = Counter()

    def pair(self, entry: EntryAt) -> AnnotatedPair:
        """An entry's pair."""
        data = entry.data
        texts = {"source": data.get("source") or "", "rewrite": data.get("target") or ""}
        system, annotator = named_in(data, SYSTEMS), named_in(data, ANNOTATORS) or self._file
        digest = hashlib.sha256("\0".join((*texts.values(), system)).encode()).hexdigest()[:16]
        # Two outputs may read alike: an annotator's second such entry is another pair.
        self._met[digest, annotator] += 1
        return AnnotatedPair(
            key=f"{digest}-{self._met[digest, annotator]}",
            name=str(entry.number),
            source=texts["source"],
            rewrite=texts["rewrite"],
            annotator=annotator,
            system=system,
            edits=tuple(self._edits(entry, texts)),
        )

    def _edits(self, entry: EntryAt, texts: dict[str, str]) -> Iterator[Edit]:
        taken: Counter[str] = Counter()
        for raw in entry.data["edits"]:
            whole = self._edit(raw, entry, texts, taken, "")
            if whole is None:
                continue
            yield whole
            for part in raw.get("constituent_edits") or ():
                inner = self._edit(part, entry, texts, taken, whole.id)
                if inner is not None:
                    yield inner

    def _edit(self, raw: Any, entry: EntryAt, texts: dict[str, str], taken: Counter[str], parent: str) -> Edit | None:
        if not isinstance(raw, dict) or not isinstance(raw.get("category"), str):
            self._refuse(entry, "an edit without category", "An edit is an object with a category.")
            return None
        category = self._names.by_name.get(raw["category"])
        operation = category.operation if category else raw["category"]
        name = f"{operation}-{raw.get('id', '')}"
        taken[name] += 1
        return Edit(
            id=name if taken[name] == 1 else f"{name}~{taken[name]}",
            operation=operation,
            source=self._spans(raw, entry, "source", texts["source"]),
            rewrite=self._spans(raw, entry, "rewrite", texts["rewrite"]),
            answers=read_answers(category, raw.get("annotation")).answers if category and not parent else {},
            parent=parent,
        )

    def _spans(self, raw: dict[str, Any], entry: EntryAt, side: str, text: str) -> tuple[Span, ...]:
        given = raw.get(SIDES[side]) or []
        if not isinstance(given, list) or not all(map(is_pair, given)):
            what = f"{SIDES[side]} is {json.dumps(given, default=str)[:60]}"
            self._refuse(entry, what, "Spans are [start, end], whole numbers.")
            return ()
        return tuple(from_unit(text, Span(start, end), self._unit) for start, end in given)

    def _refuse(self, entry: EntryAt, what: str, fix: str) -> None:
        self.problems.append(
            Problem(what=f"entry {entry.number}: {what}", rule="form", fix=fix, value=entry.number, line=entry.line)
        )
