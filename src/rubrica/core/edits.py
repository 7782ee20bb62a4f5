"""Edits: spans in the source and the rewrite, an operation, answers, constituents.

Offsets are half-open ``[start, end)`` in Unicode code points of the text exactly as imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from rubrica.core import answers as answer_values
from rubrica.core.answers import Answers

SIDES = ("source", "rewrite")


@attrs.frozen(order=True)
class Span:
    """A stretch of text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words it covers."""
        return text[self.start : self.end]


@attrs.frozen
class Edit:
    """One change that the rewrite made. ``id`` is unique in its judgement; ``parent`` names a composite."""

    id: str
    operation: str
    source: tuple[Span, ...] = ()
    rewrite: tuple[Span, ...] = ()
    answers: Answers = attrs.field(factory=dict)
    parent: str = ""

    def spans(self, side: str) -> tuple[Span, ...]:
        """The spans on one side, ``source`` or ``rewrite``."""
        return self.source if side == "source" else self.rewrite


def to_json(edit: Edit) -> dict[str, Any]:
    """An edit as it is exported; empty parts are left out."""
    record: dict[str, Any] = {"id": edit.id, "operation": edit.operation}
    for side in SIDES:
        if edit.spans(side):
            record[side] = [[span.start, span.end] for span in edit.spans(side)]
    if edit.answers:
        record["answers"] = answer_values.to_json(edit.answers)
    if edit.parent:
        record["parent"] = edit.parent
    return record


def from_json(record: Mapping[str, Any]) -> Edit:
    """The inverse of :func:`to_json`."""
    return Edit(
        id=str(record["id"]),
        operation=str(record["operation"]),
        source=tuple(Span(start, end) for start, end in record.get("source", ())),
        rewrite=tuple(Span(start, end) for start, end in record.get("rewrite", ())),
        answers=answer_values.from_json(record.get("answers", {})),
        parent=str(record.get("parent", "")),
    )


@attrs.frozen
class NotFound:
    """Why a quoted stretch of text could not be turned into a span: how often it occurs."""

    quote: str
    times: int


def find_quote(text: str, quote: str, nth: int | None = None) -> Span | NotFound:
    """Where ``quote`` stands in ``text``.

    When it occurs more than once, ``nth`` (from 1) must say which. Occurrences may overlap.
    """
    starts = []
    start = text.find(quote) if quote else -1
    while start >= 0:
        starts.append(start)
        start = text.find(quote, start + 1)
    if not starts or (nth is None and len(starts) > 1) or (nth is not None and not 0 < nth <= len(starts)):
        return NotFound(quote, len(starts))
    first = starts[(nth or 1) - 1]
    return Span(first, first + len(quote))


def nth_of(text: str, span: Span) -> int | None:
    """Which occurrence of its own words a span is; None when they occur only once."""
    quote, count, start = span.of(text), 0, -1
    rank = 1
    while quote and (start := text.find(quote, start + 1)) >= 0:
        count += 1
        if start == span.start:
            rank = count
    return rank if count > 1 else None
