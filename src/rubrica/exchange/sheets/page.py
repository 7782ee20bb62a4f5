"""What the pages of a sheet have in common: frozen header, protection, texts that are never formulas."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from rubrica.core.target_words import Target, mark_words
from rubrica.core.texts import is_right_to_left
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.layout import Column, labels
from rubrica.exchange.sheets.rendered_page import lines_of, stretches, words
from rubrica.exchange.sheets.rules import note
from rubrica.exchange.sheets.style import TARGET_FONT, Formats

FROZEN = 84
"""How many characters wide the texts that stay in view may be together: half of a small screen."""


def prepare_page(page: Any, columns: Sequence[Column], widths: Sequence[float], last: int, language: str) -> None:
    """What every table page has: header and texts that stay in view, filter, protection, print layout."""
    width = len(columns)
    page.freeze_panes(1, sum(column.kind in ("field", "number") for column in columns))
    page.autofilter(0, 0, last, width - 1)
    page.protect(
        "", {"sort": True, "autofilter": True, "format_columns": True, "format_rows": True, "format_cells": True}
    )
    page.unprotect_range(f"A2:{letter(width - 1)}{last + 1}", "table")
    page.set_landscape()
    page.set_paper(9)
    page.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.5)
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)
    lines = max(lines_of(column.header, room - 2) for column, room in zip(columns, widths, strict=True))
    page.set_row(0, max(36, 16 * lines + 4))
    if is_right_to_left(language):
        page.right_to_left()


def write_header(page: Any, index: int, column: Column, formats: Formats) -> None:
    """A header cell; the question itself appears when the cell is chosen."""
    page.write_string(0, index, column.header, formats.header(column.kind not in ("field", "number")))
    if column.question is not None:
        page.data_validation(0, index, 0, index, {"validate": "any", **note(column.header, column.title)})


def text_cell(place: str, text: str, formats: Formats, target: Target | None = None, starts: bool = False) -> str:
    """A text to judge, never a formula; the target word stands out in its context."""
    style = formats.text(reads_right_to_left(text), starts)
    pieces = mark_words(text, [target]) if target else []
    if len(pieces) < 2:
        return words(place, text, style)
    return stretches(place, [(TARGET_FONT if piece.kind else "", piece.text) for piece in pieces], style)


def answer_width(column: Column, language: str) -> float:
    """The width of an answer's column: room for its longest label, within reason."""
    assert column.scale is not None or column.kind == "id"
    listed = labels(column.scale, language).values() if column.scale is not None else ()
    longest = max((len(str(label)) for label in listed), default=0)
    return max(13, min(18, len(column.header) + 4), min(28, longest * 1.1 + 3))


def reads_right_to_left(text: str) -> bool:
    """Whether the first letter with a direction reads from right to left."""
    if text.isascii():
        return False
    for char in text:
        direction = unicodedata.bidirectional(char)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False
