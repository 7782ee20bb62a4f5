"""Edits as tables: a row for each edit, or a row for each word and annotator, for training and for statistics."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from rubrica.core import answers as answer_values
from rubrica.core.edits import SIDES, Edit, Span
from rubrica.core.protocol import EditType, Protocol
from rubrica.core.verdicts import edit_types
from rubrica.exchange.records import Record, about_cell, cell
from rubrica.exchange.whole_files import Encoded, safe_row

WORD = re.compile(r"\S+")
BETWEEN = " … "
"""Between the words of several spans in a cell."""

_FIRST = ("study", "stage", "item", "group", "system", "annotator", "revision")
_EDIT = ("edit", "operation", "parent", "type", "kind", "also", "source_spans", "rewrite_spans")
_TEXTS = ("source_words", "rewrite_words", "flags")
WORD_COLUMNS = (*_FIRST, "side", "number", "start", "end", "word", "labels", "types", "kinds", "rating", "about_texts")


class EditRow(NamedTuple):
    """An edit with what follows from it: its own type, types that count on top, and what is odd about it."""

    record: Record
    edit: Edit
    own: EditType | None
    added: list[EditType]
    flags: list[str]


def edit_rows(records: Iterable[Record], protocol: Protocol) -> Iterator[EditRow]:
    """Every edit of these judgements, constituents included, in their order."""
    for record in records:
        for edit in record.judgement.edits:
            types = [] if edit.parent else edit_types(protocol, edit.operation, dict(edit.answers))
            own = next((kind for kind in types if not kind.added), None)
            added = [kind for kind in types if kind.added]
            yield EditRow(record, edit, own, added, _flags(record, edit, protocol))


def _flags(record: Record, edit: Edit, protocol: Protocol) -> list[str]:
    texts = record.item.fields
    outside = [
        side
        for side in SIDES
        if any(not 0 <= span.start < span.end <= len(texts.get(side, "")) for span in edit.spans(side))
    ]
    unknown = protocol.edits is None or edit.operation not in protocol.edits.by_id
    return [f"outside_{side}" for side in outside] + (["unknown_operation"] if unknown else [])


def words_of(text: str, span: Span) -> str:
    """The words of a span as far as they lie in the text."""
    return text[max(0, span.start) : max(0, span.end)]


def _shared(record: Record) -> dict[str, Any]:
    item = record.item
    return {
        "study": record.study,
        "stage": record.stage,
        "item": item.key,
        "group": item.group,
        "system": item.system,
        "annotator": record.annotator,
        "revision": record.revision,
    }


def write_edits_jsonl(records: Iterable[Record], protocol: Protocol, out: BinaryIO) -> int:
    """One JSON object for each edit, with its words and answers. Returns how many were written."""
    count = 0
    for row in edit_rows(records, protocol):
        record, edit = row.record, row.edit
        line = _shared(record) | {
            "edit": edit.id,
            "operation": edit.operation,
            "parent": edit.parent,
            "type": row.own.id if row.own else None,
            "kind": row.own.side if row.own else None,
            "also": [kind.id for kind in row.added],
        }
        for side in SIDES:
            line[side] = [
                {"start": span.start, "end": span.end, "words": words_of(record.item.fields.get(side, ""), span)}
                for span in edit.spans(side)
            ]
        line |= {"answers": answer_values.to_json(edit.answers), "flags": row.flags}
        line |= {"about_texts": dict(record.about_texts)} if record.about_texts else {}
        line |= {"protocol": record.protocol, "signature": record.signature}
        out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        count += 1
    return count


def edit_columns(protocol: Protocol) -> list[str]:
    """The columns of a table of edits; each question on edits has one."""
    questions = [question.id for question in protocol.edits.questions] if protocol.edits else []
    return [*_FIRST, *_EDIT, *_TEXTS, *questions, "about_texts", "protocol", "signature"]


def write_edits_csv(records: Iterable[Record], protocol: Protocol, out: BinaryIO, *, safe: bool = False) -> int:
    """The same as a table with a header, UTF-8; spans are JSON, the words of several spans are joined."""
    columns = edit_columns(protocol)
    writer = csv.DictWriter(Encoded(out), columns, extrasaction="ignore")
    writer.writeheader()
    count = 0
    for row in edit_rows(records, protocol):
        record, edit = row.record, row.edit
        cells: dict[str, Any] = {name: cell(value) for name, value in edit.answers.items()}
        cells |= _shared(record) | {
            "edit": edit.id,
            "operation": edit.operation,
            "parent": edit.parent,
            "type": row.own.id if row.own else "",
            "kind": row.own.side if row.own else "",
            "also": " ".join(kind.id for kind in row.added),
            "flags": " ".join(row.flags),
            "about_texts": about_cell(record),
            "protocol": record.protocol,
            "signature": record.signature,
        }
        for side in SIDES:
            spans, text = edit.spans(side), record.item.fields.get(side, "")
            cells[f"{side}_spans"] = json.dumps([[span.start, span.end] for span in spans]) if spans else ""
            cells[f"{side}_words"] = BETWEEN.join(words_of(text, span) for span in spans)
        writer.writerow(safe_row(cells) if safe else cells)
        count += 1
    return count


def write_words(records: Iterable[Record], protocol: Protocol, out: BinaryIO, *, safe: bool = False) -> int:
    """A row for each word of source and rewrite and each annotator, also where nothing is marked.

    A word is what stands between white space, punctuation and ``||`` included. It has the label of every edit that
    touches it; a composite edit labels the words of its constituents, which have no labels of their own.
    """
    writer = csv.DictWriter(Encoded(out), WORD_COLUMNS)
    writer.writeheader()
    count = 0
    for record in records:
        for row in _word_rows(record, protocol):
            writer.writerow(safe_row(row) if safe else row)
            count += 1
    return count


class _Mark(NamedTuple):
    spans: list[Span]
    label: str
    types: list[EditType]
    rating: int | None


def _word_rows(record: Record, protocol: Protocol) -> Iterator[dict[str, Any]]:
    shared = _shared(record) | {"about_texts": about_cell(record)}
    for side in SIDES:
        marks = [_mark(edit, record, protocol, side) for edit in record.judgement.edits if not edit.parent]
        for number, word in enumerate(WORD.finditer(record.item.fields.get(side, "")), start=1):
            start, end = word.span()
            here = [mark for mark in marks if any(span.start < end and start < span.end for span in mark.spans)]
            types = [kind for mark in here for kind in mark.types]
            ratings = [mark.rating for mark in here if mark.rating is not None]
            yield shared | {
                "side": side,
                "number": number,
                "start": start,
                "end": end,
                "word": word[0],
                "labels": " ".join(dict.fromkeys(mark.label for mark in here)),
                "types": " ".join(dict.fromkeys(kind.id for kind in types)),
                "kinds": " ".join(dict.fromkeys(kind.side for kind in types)),
                "rating": max(ratings) if ratings else "",
            }


def _mark(edit: Edit, record: Record, protocol: Protocol, side: str) -> _Mark:
    parts = [part for part in record.judgement.edits if part.parent == edit.id]
    spans = [span for one in (edit, *parts) for span in one.spans(side)]
    rating = next((value for value in edit.answers.values() if type(value) is int), None)
    return _Mark(spans, edit.operation, edit_types(protocol, edit.operation, dict(edit.answers)), rating)
