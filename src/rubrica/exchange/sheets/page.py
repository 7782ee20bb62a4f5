"""What the pages of a sheet have in common: formats, rows as they are rendered, frozen header, protection.

Colours and cell formats of the sheets, in one place.

A worksheet whose rows are rendered as they come, for two things that XlsxWriter's own rows cannot do. *Height.* Excel
fits rows to wrapped text when it opens a file, LibreOffice does not, so heights are estimated here. XlsxWriter writes
every height as fixed by hand, and such a row no longer grows when a long answer is typed into it; these are written as
fitted. *Speed.* Every answer cell must exist to be open to typing, filled or not. XlsxWriter needs about ten
microseconds for each; rendering needs one.

Everything but the rows (header, columns, rules, comments, protection) stays XlsxWriter's.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from rubrica.core.target_words import Target, mark_words
from rubrica.core.texts import is_right_to_left
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.layout import Column, labels
from rubrica.exchange.sheets.rules import note

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


POINTS_PER_LINE, MOST_POINTS = 15, 409
"""Points that a line takes, and the most that Excel gives a row."""
_LETTERS = 1.1
"""Letters that fit into a column of width 1 on average, words not being cut; a width is that of a digit."""

_ESCAPED = re.compile(r"[&<>\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_PLAIN_ONLY = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")
"""What .xlsx writes as an escape, which readers undo in plain cells but not in cells with several styles."""

Stretch = tuple[str, str]
"""Font properties in XML, empty for those of the cell, and text."""


def escape(text: str) -> str:
    """Text as it stands in the XML of a cell, by the rules of ECMA-376 for characters that XML cannot hold."""
    return _ESCAPED.sub(_escape_one, text) if _ESCAPED.search(text) else text


def _escape_one(found: re.Match[str]) -> str:
    char = found[0]
    return _ENTITIES.get(char) or f"_x{ord(char):04X}_"


class RenderedPage(Worksheet):  # type: ignore[misc]  # XlsxWriter has no types
    """A worksheet with XlsxWriter's header and rendered rows. Rows are added in order."""

    def __init__(self) -> None:
        super().__init__()
        self._rendered: list[str] = []

    def add_row(self, row: int, cells: Sequence[str], lines: int = 1, extra: float = 0) -> None:
        """Add a row of cells, high enough for this many lines of text and ``extra`` points."""
        height = min(MOST_POINTS, lines * POINTS_PER_LINE + extra)
        fitted = f' ht="{height:g}"' if height > POINTS_PER_LINE else ""
        self._rendered.append(f'<row r="{row + 1}"{fitted}>{"".join(cells)}</row>')
        self._check_dimensions(row, max(0, len(cells) - 1))

    def _write_rows(self) -> None:
        super()._write_rows()
        self.fh.write("".join(self._rendered))


def blank(place: str, style: Any) -> str:
    """A cell without content. A place is an address like B7."""
    return f'<c r="{place}" s="{style._get_xf_index()}"/>'


def words(place: str, text: str, style: Any) -> str:
    """A cell with text, never a formula."""
    return f'<c r="{place}" s="{style._get_xf_index()}" t="inlineStr"><is>{_run(text)}</is></c>'


def cell(place: str, value: Any, style: Any) -> str:
    """A cell with whatever it is: nothing, text or a number."""
    return f'<c r="{place}"{after_place(value, style)}'


def after_place(value: Any, style: Any) -> str:
    """All of a cell but its address, the same for every cell of this format that says this."""
    if value is None or value == "":
        return f' s="{style._get_xf_index()}"/>'
    if isinstance(value, str):
        return f' s="{style._get_xf_index()}" t="inlineStr"><is>{_run(value)}</is></c>'
    return f' s="{style._get_xf_index()}"><v>{value:.16g}</v></c>'


def _run(text: str) -> str:
    return f'<t xml:space="preserve">{escape(text)}</t>'


def stretches(place: str, parts: Sequence[Stretch], style: Any) -> str:
    """A cell with text in several fonts; in one font where readers could not put the text together again."""
    text = "".join(part for _, part in parts)
    if len(parts) < 2 or _PLAIN_ONLY.search(text):
        return words(place, text, style)
    runs = "".join(f"<r>{f'<rPr>{font}</rPr>' if font else ''}{_run(part)}</r>" for font, part in parts if part)
    return f'<c r="{place}" s="{style._get_xf_index()}" t="inlineStr"><is>{runs}</is></c>'


def lines_of(text: str, width: float) -> int:
    """How many lines the text takes in a column of this width (in characters), wide characters counted twice."""
    room = width * _LETTERS
    if "\n" not in text:
        return 1 if len(text) * 2 <= room else max(1, math.ceil(_cells(text) / room))
    return sum(max(1, math.ceil(_cells(part) / room)) for part in text.split("\n"))


def _cells(text: str) -> int:
    """Places that the text takes. Below U+1100 no character is wide."""
    if text.isascii() or max(text, default="") < "\u1100":
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


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
