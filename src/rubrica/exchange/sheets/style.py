"""Colours and cell formats of the sheets, in one place."""

from __future__ import annotations

from typing import Any

import xlsxwriter

INK, FAINT, LINE = "#1f2328", "#57606a", "#d0d7de"
HEADER, TEXT, ANSWER, LOCKED = "#24435c", "#f6f8fa", "#ffffff", "#eaeef2"
OPEN, WRONG = "#fff4ce", "#ffd7d5"
FONT = "Calibri"


class Formats:
    """Cell formats of one workbook, made on first use."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        self.book = book
        self._made: dict[tuple[tuple[str, Any], ...], Any] = {}

    def get(self, **properties: Any) -> Any:
        """A format with these properties on top of the common ones."""
        key = tuple(sorted(properties.items()))
        if key not in self._made:
            base = {"font_name": FONT, "font_size": 11, "font_color": INK, "valign": "top", "text_wrap": True}
            self._made[key] = self.book.add_format({**base, **properties})
        return self._made[key]

    def header(self, answer: bool) -> Any:
        """A header cell; those of answers are darker."""
        return self.get(
            bold=True,
            valign="vcenter",
            bg_color=HEADER if answer else FAINT,
            font_color="#ffffff",
            border=1,
            border_color=LINE,
            locked=True,
        )

    def text(self, right_to_left: bool = False, top: bool = False) -> Any:
        """A text to judge: locked, with its own direction; ``top`` starts a new group."""
        direction = {"reading_order": 2, "align": "right"} if right_to_left else {}
        edge = {"top": 2, "top_color": FAINT} if top else {}
        return self.get(bg_color=TEXT, border=1, border_color=LINE, locked=True, **direction, **edge)

    def answer(self, *, words: bool, locked: bool = False) -> Any:
        """An answer: open to typing unless a rule fixed it. Words are kept as text whatever they look like."""
        return self.get(
            bg_color=LOCKED if locked else ANSWER,
            border=1,
            border_color=LINE,
            locked=locked,
            font_color=FAINT if locked else INK,
            **({"num_format": "@"} if words else {"align": "center"}),
        )
