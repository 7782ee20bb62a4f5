"""Colours and cell formats of the sheets, in one place."""

from __future__ import annotations

from typing import Any

import xlsxwriter

INK, FAINT, LINE = "#1f2328", "#57606a", "#d0d7de"
HEADER, TEXT, ANSWER, LOCKED = "#24435c", "#f6f8fa", "#ffffff", "#eaeef2"
OPEN, WRONG = "#fff4ce", "#ffc9c4"
FONT = "Calibri"
_FONT = f'<sz val="11"/><color rgb="FF{{colour}}"/><rFont val="{FONT}"/><family val="2"/>'
BOLD_FONT = "<b/>" + _FONT.format(colour=INK[1:].upper())
TARGET_FONT = "<b/><u/>" + _FONT.format(colour="9A3412")


class Formats:
    """Cell formats of one workbook, made on first use."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        self.book = book
        self._made: dict[Any, Any] = {}

    def get(self, **properties: Any) -> Any:
        """A format with these properties on top of the common ones."""
        key = tuple(sorted(properties.items()))
        if key not in self._made:
            base = {"font_name": FONT, "font_size": 11, "font_color": INK, "valign": "top", "text_wrap": True}
            self._made[key] = self.book.add_format({**base, **properties})
        return self._made[key]

    def fill(self, colour: str) -> Any:
        """What a conditional format paints."""
        if colour not in self._made:
            self._made[colour] = self.book.add_format({"bg_color": colour})
        return self._made[colour]

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
        key = ("text", right_to_left, top)
        if key not in self._made:
            direction = {"reading_order": 2, "align": "right"} if right_to_left else {}
            self._made[key] = self.get(bg_color=TEXT, locked=True, **_edges(top), **direction)
        return self._made[key]

    def number(self, top: bool = False) -> Any:
        """The number of a pair: locked and centred."""
        return self.get(bg_color=TEXT, locked=True, align="center", font_color=FAINT, **_edges(top))

    def answer(self, words: bool, locked: bool = False, top: bool = False) -> Any:
        """An answer: open to typing unless a rule fixed it. Words are kept as text whatever they look like."""
        key = ("answer", words, locked, top)
        if key not in self._made:
            self._made[key] = self.get(
                bg_color=LOCKED if locked else ANSWER,
                locked=locked,
                font_color=FAINT if locked else INK,
                **_edges(top),
                **({"num_format": "@"} if words else {"align": "center"}),
            )
        return self._made[key]


def _edges(top: bool) -> dict[str, Any]:
    """Thin lines around a cell, with a strong one above where a new group starts."""
    strong = {"top": 2, "top_color": FAINT} if top else {"top": 1, "top_color": LINE}
    return {"border": 1, "border_color": LINE, **strong}
