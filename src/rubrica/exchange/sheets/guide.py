"""The guidelines sheet: the protocol's Markdown as plain, readable rows, and every scale in full.

There are two columns: a narrow one for names and values, a wide one for sentences. No cells are merged, so that every
spreadsheet makes the rows as high as their text.

Writing the guidelines sheet, so that it can be read like a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import xlsxwriter

from rubrica.core.protocol import UNCOMFORTABLE, Question
from rubrica.core.scales import Ordinal, Scale, ShortAnswers, Slider
from rubrica.core.texts import is_right_to_left, shown
from rubrica.exchange.sheets.layout import SheetFile, answer_columns, labels, question_header, way_out_labels
from rubrica.exchange.sheets.page import (
    BOLD_FONT,
    HEADER,
    LINE,
    LOCKED,
    TEXT,
    Formats,
    RenderedPage,
    blank,
    lines_of,
    stretches,
    words,
)
from rubrica.language.catalogues import on_sheet, sheet_text

_ANCHOR = re.compile(r"\s*\{#[a-z0-9_-]+\}\s*$")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_INLINE = re.compile(r"`(.+?)`|~~(.+?)~~|\[(.+?)\]\([^)]*\)|(?<![\w*])\*(?![\s*])(.+?)\*(?![\w*])")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|>~-])")
_NUMBERED = re.compile(r"\d+\. ")
_TABLE_RULE = re.compile(r"[|\s:-]+")
_PLACES = sheet_text("Where each answer goes")
_WAYS_OUT = sheet_text("Instead of answering")
_OPERATIONS = sheet_text("Operations of an edit")
_MAY_LEAVE = sheet_text(
    "You may leave any item that makes you uncomfortable. You need not say why, and you lose nothing by it."
)
_SPECIAL = sheet_text("Special cases")


class Line(NamedTuple):
    """A row: title, heading, subheading, head, row (of a table), text, bullet or quote; its name and its text.

    Names stand in the narrow column. Stretches between ``**`` are bold.
    """

    style: str
    name: str
    text: str = ""


def guide_lines(sheet: SheetFile) -> Iterator[Line]:
    """The rows of the guidelines sheet."""
    yield from markdown_lines(sheet.protocol.guidelines.get(sheet.language))
    language = sheet.language
    yield Line("heading", on_sheet(_PLACES, language))
    for question in (*sheet.questions(), *sheet.edit_questions()):
        scale = sheet.protocol.scale_of(question)
        header = question_header(question, sheet.protocol, language)
        if isinstance(scale, ShortAnswers):
            header = ", ".join(column.header for column in answer_columns(question, sheet.protocol, language))
        yield Line("head", header, shown(question.prompt, language))
        for value, meaning in _points(scale, language):
            yield Line("row", value, meaning)
        yield from _advice(question, scale, language)
    yield from _special_cases(sheet)
    if sheet.has_edits and sheet.protocol.edits is not None:
        yield Line("heading", on_sheet(_OPERATIONS, language))
        for operation in sheet.protocol.edits.operations:
            yield Line("row", shown(operation.label, language), shown(operation.meaning, language))
    yield Line("heading", on_sheet(_WAYS_OUT, language))
    meanings = {way.id: shown(way.meaning, language) for way in sheet.protocol.ways_out} | {
        UNCOMFORTABLE: on_sheet(_MAY_LEAVE, language)
    }
    for way, label in way_out_labels(sheet).items():
        yield Line("row", label, meanings.get(way, ""))


def _advice(question: Question, scale: Scale, language: str) -> Iterator[Line]:
    """Notes on a question, then examples: of what is wanted and of what is not."""
    named = labels(scale, language)
    for note in question.notes:
        yield Line("bullet", "", f"• {shown(note, language)}")
    for example in question.examples:
        mark = "✓" if example.good else "✗"
        answer = "" if example.answer is None else f" **{named.get(example.answer, example.answer)}**"
        yield Line("quote", "", f"{mark}{answer} {shown(example.shows, language)} ({shown(example.why, language)})")


def _special_cases(sheet: SheetFile) -> Iterator[Line]:
    """What changes for some items, for instance when both texts are the same: the note, and other wordings."""
    if sheet.protocol.rules:
        yield Line("heading", on_sheet(_SPECIAL, sheet.language))
    for rule in sheet.protocol.rules:
        yield Line("text", "", shown(rule.note, sheet.language))
        for name, text in rule.reword.items():
            question = sheet.protocol.questions_by_id[name]
            yield Line("row", question_header(question, sheet.protocol, sheet.language), shown(text, sheet.language))


def _points(scale: Scale, language: str) -> list[tuple[str, str]]:
    if isinstance(scale, Ordinal):
        return [
            (str(point.value), ": ".join(filter(None, (shown(point.label, language), shown(point.meaning, language)))))
            for point in scale.points
        ]
    if isinstance(scale, Slider):
        low, high = shown(scale.low, language), shown(scale.high, language)
        return [(f"{scale.minimum:g}", low), (f"{scale.maximum:g}", high)]
    if isinstance(scale, ShortAnswers):
        return [("", shown(scale.none, language))] if scale.none else []
    options = getattr(scale, "options", ())
    return [(shown(option.label, language), shown(option.meaning, language)) for option in options]


def markdown_lines(text: str) -> Iterator[Line]:
    """The little Markdown that guidelines use: headings, paragraphs, lists, quotes, tables."""
    block: list[str] = []
    kind = ""
    for raw in [*text.splitlines(), ""]:
        line = raw.rstrip()
        found = _kind(line, kind)
        if block and (found != kind or found in ("bullet", "heading")):
            if found == "more":
                block.append(line.strip())
                continue
            yield from _finish(kind, block)
            block = []
        kind = found
        if found:
            block.append(line)
    if block:
        yield from _finish(kind, block)


def _kind(line: str, before: str) -> str:
    """What a line is, given what the line before it was; empty for a blank line."""
    if not line.strip():
        return ""
    if line.startswith("#"):
        return "heading"
    if line.startswith("|"):
        return "table"
    if line.startswith(">"):
        return "quote"
    if line.lstrip().startswith(("- ", "* ")) or _NUMBERED.match(line.lstrip()):
        return "bullet"
    return "more" if before == "bullet" else "text"


def _finish(kind: str, block: list[str]) -> Iterator[Line]:
    match kind:
        case "heading":
            level = len(block[0]) - len(block[0].lstrip("#"))
            style = {1: "title", 2: "heading"}.get(level, "subheading")
            yield Line(style, without_marks(block[0].lstrip("# ")))
        case "table":
            yield from _table(block)
        case "quote":
            yield Line("quote", "", _joined(line.lstrip("> ") if line.strip("> ") else "" for line in block))
        case "bullet":
            first = block[0].lstrip()
            text = "• " + first[2:] if first.startswith(("- ", "* ")) else first
            yield Line("bullet", "", _joined([text, *block[1:]]))
        case _:
            yield Line("text", "", _joined(block))


def _table(block: list[str]) -> Iterator[Line]:
    style = "head"
    for line in block:
        if _TABLE_RULE.fullmatch(line):
            style = "row"
            continue
        cells = [_inline(cell.strip()) for cell in line.strip().strip("|").split("|")]
        name, text = ([*cells, ""])[:2] if len(cells) < 3 else (", ".join(cells[:-1]), cells[-1])
        yield Line(style, name.replace("**", ""), text)


def _joined(lines: Iterable[str]) -> str:
    """Lines of one paragraph; a backslash at the end, or an empty line of a quote, breaks it."""
    text = ""
    for line in lines:
        if not line:
            text = text.rstrip() + "\n"
        elif line.endswith("\\"):
            text += line[:-1].rstrip() + "\n"
        else:
            text += line + " "
    return _inline(text.strip())


def _inline(text: str) -> str:
    """Text without Markdown's marks, except those of bold stretches."""
    cleaned = _INLINE.sub(lambda found: next(part for part in found.groups() if part), _ANCHOR.sub("", text))
    return _ESCAPED.sub(r"\1", cleaned)


def without_marks(text: str) -> str:
    """Text without any of Markdown's marks."""
    return _BOLD.sub(r"\1", _inline(text))


def bold_parts(text: str) -> list[tuple[bool, str]]:
    """The text cut into bold stretches (True) and others."""
    parts = _BOLD.split(text)
    return [(index % 2 == 1, part) for index, part in enumerate(parts) if part]


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
