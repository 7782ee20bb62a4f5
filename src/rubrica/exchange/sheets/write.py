"""Writing an annotator's Excel file.

Cells other than answers are locked without a password. Excel refuses to sort a protected range that has locked
cells, so the table is also declared an editable range, and typing over a text is stopped by a validation rule
instead: sorting works, slips do not, and whatever slips through is found when the file is read.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import xlsxwriter

from rubrica.core.scales import FreeText, Ordinal, RewrittenText, Scale, ShortAnswers, Slider
from rubrica.core.study import ANSWERED
from rubrica.core.texts import is_right_to_left, shown
from rubrica.core.validation import Plan, Validator
from rubrica.exchange.sheets.cells import to_cell
from rubrica.exchange.sheets.edits_write import write_edits
from rubrica.exchange.sheets.formulas import ROW, Formulas
from rubrica.exchange.sheets.guide import guide_lines
from rubrica.exchange.sheets.layout import (
    MARK,
    META_SHEET,
    NOT_APPLICABLE_CELL,
    Column,
    SheetFile,
    SheetRow,
    columns,
    labels,
    letter,
    way_out_labels,
)
from rubrica.exchange.sheets.style import OPEN, WRONG, Formats

_MESSAGE, _TITLE = 255, 32
_FIXED = {
    "en": ("This text is fixed", "It belongs to the item. Press Esc. Answers go into the white cells."),
    "es": ("Este texto es fijo", "Pertenece al ejemplo. Pulse Esc. Las respuestas van en las celdas blancas."),
}
_WAY_OUT = {
    "en": "Only if you do not answer: choose why. You may leave any item you are uncomfortable with, at no loss.",
    "es": "Solo si no responde: elija el motivo. Puede dejar cualquier ejemplo que le incomode, sin perjuicio.",
}
_DONE = {
    "en": "Put x when all edits of this pair are on the Edits sheet, or when there are none.",
    "es": "Ponga x cuando todas las ediciones de este par estén en la hoja Ediciones, o si no hay ninguna.",
}


def write_sheet(sheet: SheetFile, path: Path) -> None:
    """Write the file. The answers already given, if any, are filled in."""
    with xlsxwriter.Workbook(str(path), {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        book.set_properties({"title": f"{sheet.study}: {sheet.annotator} {sheet.number}", "author": "Rubrica"})
        writer = _Writer(book, sheet)
        writer.judgements()
        if sheet.has_edits:
            write_edits(book, sheet, writer.formats, writer.lists)
        writer.guidelines()
        writer.lists.close()


class Lists:
    """The hidden sheet: what the file is, and the drop-down lists that do not fit into a cell's rule."""

    def __init__(self, book: xlsxwriter.Workbook, meta: dict[str, str]) -> None:
        self.book = book
        self._meta = meta
        self._columns: list[list[Any]] = []

    def source(self, values: list[Any]) -> Any:
        """What a validation rule's `source` is: the values themselves, or where they stand."""
        if len(",".join(map(str, values))) <= _MESSAGE and not any("," in str(value) for value in values):
            return values
        if values not in self._columns:
            self._columns.append(values)
        column = letter(self._columns.index(values) + 2)
        return f"='{META_SHEET}'!${column}$1:${column}${len(values)}"

    def close(self) -> None:
        """Write the sheet; last, because by then all lists are known."""
        page = self.book.add_worksheet(META_SHEET)
        for row, (key, value) in enumerate(self._meta.items()):
            page.write_string(row, 0, key)
            page.write_string(row, 1, value)
        for column, values in enumerate(self._columns, start=2):
            for row, value in enumerate(values):
                page.write(row, column, value)
        page.very_hidden()


class _Writer:
    def __init__(self, book: xlsxwriter.Workbook, sheet: SheetFile) -> None:
        self.book = book
        self.sheet = sheet
        self.formats = Formats(book)
        self.columns = columns(sheet)
        self.formulas = Formulas(self.columns, sheet.language)
        self.validator = Validator(sheet.protocol, sheet.stage)
        self.lists = Lists(book, sheet.meta())
        self.base = sheet.language.split("-")[0]

    def say(self, texts: dict[str, Any]) -> Any:
        return texts.get(self.base, texts["en"])

    def judgements(self) -> None:
        page = self.book.add_worksheet(self.sheet.names[0])
        last = len(self.sheet.rows)
        prepare_page(page, len(self.columns), last, self.sheet.language)
        for index, column in enumerate(self.columns):
            write_header(page, index, column, self.formats)
            page.set_column(index, index, _width(column), None, {"hidden": column.kind == "id"})
            self._rules(page, index, column, last)
        roles = {field.role: field.id for field in self.sheet.protocol.fields}
        marked = (roles.get("context", ""), roles["target"]) if "target" in roles else ("", "")
        previous = ""
        for number, row in enumerate(self.sheet.rows, start=1):
            starts = bool(row.item.group) and row.item.group != previous and number > 1
            self._row(page, number, row, marked, starts)
            previous = row.item.group

    def _row(self, page: Any, number: int, row: SheetRow, marked: tuple[str, str], starts: bool) -> None:
        plan = self.validator.plan(row.item)
        for index, column in enumerate(self.columns):
            match column.kind:
                case "field":
                    text = row.item.fields.get(column.name, "")
                    target = row.item.fields.get(marked[1], "").strip() if column.name == marked[0] else ""
                    write_text(page, number, index, text, self.formats, target, starts)
                case "number":
                    page.write_number(number, index, number, self.formats.text())
                case "id":
                    page.write_string(number, index, row.id)
                case "answer":
                    self._answer(page, number, index, column, row, plan)
                case "done" if row.judgement and row.judgement.outcome == ANSWERED:
                    page.write_string(number, index, MARK, self.formats.answer(words=False))
                case _:
                    page.write_blank(number, index, None, self.formats.answer(words=column.kind == "way_out"))
        if row.judgement and row.judgement.outcome != ANSWERED:
            place = next(i for i, column in enumerate(self.columns) if column.kind == "way_out")
            label = way_out_labels(self.sheet)[row.judgement.outcome]
            page.write_string(number, place, label, self.formats.answer(words=True))

    def _answer(self, page: Any, number: int, index: int, column: Column, row: SheetRow, plan: Plan) -> None:
        words = isinstance(column.scale, FreeText | RewrittenText | ShortAnswers)
        if column.name in plan.dropped:
            page.write_string(number, index, NOT_APPLICABLE_CELL, self.formats.answer(words=False, locked=True))
            return
        locked = column.name in plan.preset
        value = plan.preset[column.name][0] if locked else None
        if not locked and row.judgement:
            value = row.judgement.answers.get(column.name)
        cell = to_cell(value, column, self.sheet.language)
        style = self.formats.answer(words=words, locked=locked)
        if cell is None:
            page.write_blank(number, index, None, style)
        elif isinstance(cell, str):
            page.write_string(number, index, cell, style)
        else:
            page.write_number(number, index, cell, style)

    def _rules(self, page: Any, index: int, column: Column, last: int) -> None:
        """Drop-down list, input message and colours of one column."""
        if column.kind in ("field", "number"):
            title, message = self.say(_FIXED)
            page.data_validation(
                1,
                index,
                last,
                index,
                {"validate": "custom", "value": "=FALSE", "error_title": title, "error_message": message},
            )
            return
        if column.kind == "way_out":
            page.data_validation(
                1,
                index,
                last,
                index,
                list_rule(self.lists.source(list(way_out_labels(self.sheet).values())), "way_out", self.say(_WAY_OUT)),
            )
        elif column.kind == "done":
            page.data_validation(1, index, last, index, list_rule([MARK], "done", self.say(_DONE)))
        elif column.kind == "answer":
            assert column.scale is not None
            assert column.question is not None
            rule = answer_rule(column, column.scale, self.sheet.language, self.lists)
            page.data_validation(1, index, last, index, rule)
            self._colours(page, index, column, last)

    def _colours(self, page: Any, index: int, column: Column, last: int) -> None:
        assert column.question is not None
        cell = f"${letter(index)}{ROW}"
        way_out = next(letter(i) for i, other in enumerate(self.columns) if other.kind == "way_out")
        left = f"LEN(${way_out}{ROW})>0"
        shown_when = self.formulas.condition(column.question.when)
        filled = f'AND(LEN({cell})>0,{cell}<>"{NOT_APPLICABLE_CELL}")'
        wrong = [f"AND({filled},OR({left},NOT({shown_when})))"]
        outside = self.formulas.outside(column, index)
        if outside:
            wrong.append(f"AND({filled},{outside})")
        paint(page, index, last, f"OR({','.join(wrong)})", self.formats.book, WRONG)
        first_part = column.part in ("", "1")
        if column.question.required and first_part and not getattr(column.scale, "none", None):
            paint(page, index, last, f"AND(LEN(TRIM({cell}))=0,NOT({left}),{shown_when})", self.formats.book, OPEN)

    def guidelines(self) -> None:
        page = self.book.add_worksheet(self.sheet.names[2])
        page.hide_gridlines(2)
        for index, width in enumerate((28, 60, 24, 70)):
            page.set_column(index, index, width)
        styles = {
            "title": self.formats.get(bold=True, font_size=16, text_wrap=False),
            "heading": self.formats.get(bold=True, font_size=13, text_wrap=False),
            "head": self.formats.header(True),
            "item": self.formats.get(),
            "text": self.formats.get(),
        }
        for row, line in enumerate(guide_lines(self.sheet)):
            if line.style == "text" and line.cells[0]:
                page.merge_range(row, 0, row, 3, line.cells[0], styles["text"])
                page.set_row(row, 15 * (1 + len(line.cells[0]) // 170))
                continue
            for column, cell in enumerate(line.cells):
                page.write_string(row, column, cell, styles[line.style])
        page.protect()
        if is_right_to_left(self.sheet.language):
            page.right_to_left()


def prepare_page(page: Any, width: int, last: int, language: str) -> None:
    """What every table page has: frozen header, filter, protection that still lets people sort, print layout."""
    page.freeze_panes(1, 0)
    page.autofilter(0, 0, last, width - 1)
    page.protect(
        "", {"sort": True, "autofilter": True, "format_columns": True, "format_rows": True, "format_cells": True}
    )
    page.unprotect_range(f"A2:{letter(width - 1)}{last + 1}", "table")
    page.set_landscape()
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)
    page.set_row(0, 32)
    if is_right_to_left(language):
        page.right_to_left()


def write_header(page: Any, index: int, column: Column, formats: Formats) -> None:
    """A header cell; the question's id is its comment, the question itself appears when the cell is chosen."""
    page.write_string(0, index, column.header, formats.header(column.kind not in ("field", "number")))
    if column.question is not None:
        page.write_comment(0, index, column.question.id, {"x_scale": 1.2, "y_scale": 0.4, "author": "Rubrica"})
        title = column.header[:_TITLE]
        page.data_validation(
            0,
            index,
            0,
            index,
            {"validate": "any", "input_title": title, "input_message": _cut(column.title, _MESSAGE)},
        )


def write_text(
    page: Any, row: int, index: int, text: str, formats: Formats, target: str = "", starts: bool = False
) -> None:
    """A text to judge, never a formula; the target word stands out in its context."""
    style = formats.text(_reads_right_to_left(text), starts)
    before, found, after = text.partition(target) if target else ("", "", "")
    if found and len(text) > len(target):
        bold = formats.get(bold=True, underline=1, font_color="#9a3412")
        parts = [part for part in (before, bold, found, after) if part]
        if page.write_rich_string(row, index, *parts, style) == 0:
            return
    page.write_string(row, index, text, style)


def _reads_right_to_left(text: str) -> bool:
    """Whether the first letter with a direction reads from right to left."""
    for char in text:
        direction = unicodedata.bidirectional(char)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def list_rule(source: Any, title: str, message: str) -> dict[str, Any]:
    """A drop-down list with an explanation beside it."""
    return {
        "validate": "list",
        "source": source,
        "input_title": title[:_TITLE],
        "input_message": _cut(message, _MESSAGE),
    }


def answer_rule(column: Column, scale: Scale, language: str, lists: Lists) -> dict[str, Any]:
    """The validation rule of an answer: its list where there is one, and what each point means."""
    title = column.header
    message = meaning_of(scale, language) or column.title
    if column.part and hasattr(scale, "options"):
        return list_rule([MARK], title, column.title)
    listed = list(labels(scale, language).values())
    if listed:
        return list_rule(lists.source(listed), title, message)
    if isinstance(scale, Slider):
        kind = "integer" if scale.whole else "decimal"
        return {
            "validate": kind,
            "criteria": "between",
            "minimum": scale.minimum,
            "maximum": scale.maximum,
            "input_title": title[:_TITLE],
            "input_message": _cut(message, _MESSAGE),
        }
    none = shown(scale.none, language) if isinstance(scale, ShortAnswers) else ""
    text = " ".join(filter(None, (column.title, none)))
    return {"validate": "any", "input_title": title[:_TITLE], "input_message": _cut(text, _MESSAGE)}


def meaning_of(scale: Scale, language: str) -> str:
    """What each point means, within the 255 characters that Excel shows; long meanings are cut evenly."""
    if isinstance(scale, Ordinal):
        pairs = [
            (str(point.value), shown(point.label, language), shown(point.meaning, language)) for point in scale.points
        ]
    elif isinstance(scale, Slider):
        pairs = [
            (f"{scale.minimum:g}", shown(scale.low, language), ""),
            (f"{scale.maximum:g}", shown(scale.high, language), ""),
        ]
    else:
        pairs = [
            (shown(option.label, language), "", shown(option.meaning, language))
            for option in getattr(scale, "options", ())
        ]
        if not any(meaning for _, _, meaning in pairs):
            return ""
    texts = [f"{head} = {': '.join(filter(None, rest))}" for head, *rest in pairs if any(rest)]
    if not texts:
        return ""
    share = (_MESSAGE - len(texts) + 1) // len(texts)
    spare = sum(max(0, share - len(text)) for text in texts)
    long = sum(len(text) > share for text in texts) or 1
    return "\n".join(_cut(text, share + spare // long) for text in texts)[:_MESSAGE]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def paint(page: Any, index: int, last: int, formula: str, book: xlsxwriter.Workbook, colour: str) -> None:
    """Colour the cells of a column for which the formula, written for its first row, is true."""
    page.conditional_format(
        1,
        index,
        last,
        index,
        {"type": "formula", "criteria": f"={formula}", "format": book.add_format({"bg_color": colour})},
    )


def _width(column: Column) -> float:
    if column.kind == "field":
        return 55
    if isinstance(column.scale, FreeText | RewrittenText):
        return 45
    if column.kind == "way_out" or isinstance(column.scale, ShortAnswers):
        return 24
    return max(12, min(24, len(column.header) + 4))
