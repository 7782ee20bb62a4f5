"""Writing the guidelines sheet, so that it can be read like a page."""

from __future__ import annotations

from typing import Any

import xlsxwriter

from rubrica.core.texts import is_right_to_left
from rubrica.exchange.sheets.guide import Line, bold_parts, guide_lines
from rubrica.exchange.sheets.layout import SheetFile
from rubrica.exchange.sheets.rendered_page import RenderedPage, blank, lines_of, stretches, words
from rubrica.exchange.sheets.style import BOLD_FONT, HEADER, LINE, LOCKED, TEXT, Formats

NAME_WIDTH, TEXT_WIDTH = 26, 100
_SPACE = {"title": 12, "heading": 5, "subheading": 3, "text": 5, "bullet": 2, "quote": 6, "head": 1, "row": 1}
"""Points that a row is higher than its lines."""
_LOOKS: dict[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 18, "font_color": HEADER, "text_wrap": False},
    "heading": {
        "bold": True,
        "font_size": 14,
        "font_color": HEADER,
        "text_wrap": False,
        "bottom": 1,
        "bottom_color": HEADER,
    },
    "subheading": {"bold": True, "font_size": 12, "text_wrap": False},
    "head": {"bold": True, "bg_color": LOCKED, "border": 1, "border_color": LINE},
    "row": {"border": 1, "border_color": LINE},
    "quote": {"bg_color": TEXT, "left": 5, "left_color": LINE, "align": "left", "indent": 1},
    "bullet": {"align": "left", "indent": 1},
    "text": {},
}
_WITH_NAME = ("title", "heading", "subheading", "head", "row")


def write_guidelines(book: xlsxwriter.Workbook, sheet: SheetFile, formats: Formats) -> None:
    """Add the guidelines sheet to the workbook."""
    page = book.add_worksheet(sheet.names[2], RenderedPage)
    page.hide_gridlines(2)
    page.set_column(0, 0, NAME_WIDTH)
    page.set_column(1, 1, TEXT_WIDTH)
    row = 0
    for line in guide_lines(sheet):
        if row and line.style in ("heading", "subheading"):
            row += 1
        _add_line(page, row, line, formats)
        row += 1
    page.set_paper(9)
    page.fit_to_pages(1, 0)
    page.protect("", {"format_columns": True, "format_rows": True})
    if is_right_to_left(sheet.language):
        page.right_to_left()


def _add_line(page: RenderedPage, row: int, line: Line, formats: Formats) -> None:
    text = f"B{row + 1}"
    style = formats.get(**_LOOKS[line.style])
    cells = [words(f"A{row + 1}", line.name, style)] if line.style in _WITH_NAME else []
    lines = 1
    if line.style in ("head", "row") or not cells:
        parts = [(BOLD_FONT if is_bold else "", part) for is_bold, part in bold_parts(line.text)]
        cells.append(stretches(text, parts, style) if parts else blank(text, style))
        shown = "".join(part for _, part in parts)
        lines = max(lines_of(line.name, NAME_WIDTH * 0.9), lines_of(shown, TEXT_WIDTH * 0.96))
    elif line.style == "heading":
        cells.append(blank(text, style))
    page.add_row(row, cells, lines, _SPACE[line.style])
