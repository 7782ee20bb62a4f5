"""A worksheet whose rows are rendered as they come, for two things that XlsxWriter's own rows cannot do.

*Height.* Excel fits rows to wrapped text when it opens a file, LibreOffice does not, so heights are estimated here.
XlsxWriter writes every height as fixed by hand, and such a row no longer grows when a long answer is typed into it;
these are written as fitted. *Speed.* Every answer cell must exist to be open to typing, filled or not. XlsxWriter needs
about ten microseconds for each; rendering needs one.

Everything but the rows (header, columns, rules, comments, protection) stays XlsxWriter's.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from xlsxwriter.worksheet import Worksheet

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
