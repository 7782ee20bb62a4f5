"""Writing an annotator's Excel file.

Cells other than answers are locked without a password. Excel refuses to sort a protected range that has locked
cells, so the table is also declared an editable range, and typing over a text is stopped by a validation rule
instead: sorting works, slips do not, and whatever slips through is found when the file is read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import xlsxwriter
import xlsxwriter.exceptions

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.scales import Choices, FreeText, RewrittenText, ShortAnswers
from rubrica.core.study import ANSWERED
from rubrica.core.validation import Plan, Validator
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.cells import CellWriter
from rubrica.exchange.sheets.edits_write import write_edits
from rubrica.exchange.sheets.guide import write_guidelines
from rubrica.exchange.sheets.layout import (
    MARK,
    NOT_APPLICABLE_CELL,
    Column,
    SheetFile,
    SheetRow,
    columns,
    edit_columns,
    field_text,
    way_out_labels,
)
from rubrica.exchange.sheets.page import (
    FROZEN,
    OPEN,
    WRONG,
    Formats,
    RenderedPage,
    after_place,
    answer_width,
    cell,
    lines_of,
    prepare_page,
    text_cell,
    write_header,
)
from rubrica.exchange.sheets.rules import ROW, Formulas, Lists, answer_rule, filled, list_rule, paint
from rubrica.language.catalogues import on_sheet, sheet_text

_FIXED = (
    sheet_text("This text is fixed"),
    sheet_text("It belongs to the item. Press Esc. Answers go into the white cells."),
)
_WAY_OUT = sheet_text(
    "Only if you do not answer: choose why. You may leave any item you are uncomfortable with, at no loss."
)
_DONE = sheet_text("Put x when all edits of this pair are on the Edits sheet, or when there are none.")


def write_sheet(sheet: SheetFile, path: Path) -> None:
    """Write the file, whole or not at all. The answers already given, if any, are filled in. Raises OSError."""
    part = path.with_name(f".{path.name}.part")
    try:
        _write(sheet, part)
        part.replace(path)
    except xlsxwriter.exceptions.FileCreateError as error:
        reason = error.args[0] if error.args and isinstance(error.args[0], OSError) else OSError(0, str(error))
        raise reason from error
    finally:
        part.unlink(missing_ok=True)


def _write(sheet: SheetFile, path: Path) -> None:
    with xlsxwriter.Workbook(str(path), {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        book.set_properties({"title": f"{sheet.study}: {sheet.annotator} {sheet.number}", "author": "Rubrica"})
        formats, lists = Formats(book), Lists({**sheet.meta(), **_named("", columns(sheet))})
        _Judgements(book, sheet, formats, lists).write()
        if sheet.has_edits:
            lists.add(_named(f"{sheet.names[1]}:", edit_columns(sheet)))
            write_edits(book, sheet, formats, lists)
        write_guidelines(book, sheet, formats)
        lists.write(book)


def _named(page: str, listed: list[Column]) -> dict[str, str]:
    """Which header is which question's, for programs that fill sheets in: people see words only."""
    found = {column.old: column.header for column in listed if column.old}
    for column in listed:
        apart = (
            "" if not column.part else f": {column.part}" if isinstance(column.scale, Choices) else f"_{column.part}"
        )
        found[column.name + apart] = column.header
    return {f"column:{page}{name}": header for name, header in found.items()}


class _Judgements:
    """The page with one row for each item."""

    def __init__(self, book: xlsxwriter.Workbook, sheet: SheetFile, formats: Formats, lists: Lists) -> None:
        self.sheet = sheet
        self.formats = formats
        self.lists = lists
        self.page = book.add_worksheet(sheet.names[0], RenderedPage)
        self.columns = columns(sheet)
        self.letters = [letter(index) for index in range(len(self.columns))]
        self.widths = [self._width(column) for column in self.columns]
        self.formulas = Formulas(self.columns, sheet.language)
        self.validator = Validator(sheet.protocol, sheet.stage)
        self.answers = {
            index: _AnswerCells(CellWriter(column, sheet.language), formats)
            for index, column in enumerate(self.columns)
            if column.kind == "answer"
        }
        self.ways_out = way_out_labels(sheet)
        self.way_out = next(index for index, column in enumerate(self.columns) if column.kind == "way_out")

    def write(self) -> None:
        last = len(self.sheet.rows) or 1
        prepare_page(self.page, self.columns, self.widths, last, self.sheet.language)
        for index, column in enumerate(self.columns):
            write_header(self.page, index, column, self.formats)
            self.page.set_column(index, index, self.widths[index], None, {"hidden": column.kind == "id"})
            self._rules(index, column, last)
        previous = ""
        for number, row in enumerate(self.sheet.rows, start=1):
            starts = number > 1 and row.item.group != previous
            self._row(number, row, starts)
            previous = row.item.group

    def _row(self, number: int, row: SheetRow, starts: bool) -> None:
        formats, judgement = self.formats, row.judgement
        plan = self.validator.plan(row.item)
        said: dict[str, Answer | None] = {question.id: None for question in plan.asked}
        said |= judgement.answers if judgement else {}
        outcome = judgement.outcome if judgement else ""
        cells, lines = [], 1
        for index, column in enumerate(self.columns):
            place = f"{self.letters[index]}{number + 1}"
            match column.kind:
                case "answer":
                    answer = self.answers[index]
                    value, locked = _fixed(column.name, plan, said)
                    cells.append(answer.cell(place, value, locked, starts))
                    if value.__class__ is str and answer.writer.words:
                        lines = max(lines, lines_of(value, self.widths[index]))
                case "field":
                    text, target = field_text(self.sheet.protocol, row.item, column.name)
                    cells.append(text_cell(place, text, formats, target, starts))
                    lines = max(lines, lines_of(text, self.widths[index]))
                case "number":
                    cells.append(cell(place, number, formats.number(starts)))
                case "id":
                    cells.append(cell(place, row.id, formats.get()))
                case "done":
                    mark = MARK if outcome == ANSWERED else None
                    cells.append(cell(place, mark, formats.answer(False, False, starts)))
                case _:
                    left = None if outcome in ("", ANSWERED) else self.ways_out[outcome]
                    cells.append(cell(place, left, formats.answer(True, False, starts)))
        self.page.add_row(number, cells, lines)

    def _say(self, text: str) -> str:
        return on_sheet(text, self.sheet.language)

    def _rules(self, index: int, column: Column, last: int) -> None:
        """Drop-down list, input message and colours of one column."""
        match column.kind:
            case "field" | "number":
                title, message = map(self._say, _FIXED)
                rule = {"validate": "custom", "value": "=FALSE", "error_title": title, "error_message": message}
            case "way_out":
                rule = list_rule(self.lists.source(list(self.ways_out.values())), column.header, self._say(_WAY_OUT))
            case "done":
                rule = list_rule([MARK], column.header, self._say(_DONE))
                paint(self.page, index, last, f"NOT(OR({self._filled(index)},{self._left()}))", self._fill(OPEN))
            case "answer":
                assert column.scale is not None
                rule = answer_rule(column, column.scale, self.sheet.language, self.lists)
                self._colours(index, column, last)
            case _:
                return
        self.page.data_validation(1, index, last, index, rule)

    def _colours(self, index: int, column: Column, last: int) -> None:
        assert column.question is not None
        shown_when = self.formulas.condition(column.question.when)
        told = f'AND({self._filled(index)},${letter(index)}{ROW}<>"{NOT_APPLICABLE_CELL}")'
        wrong = [self._left(), f"NOT({shown_when})"]
        outside = self.formulas.outside(column, index)
        wrong += [outside] if outside else []
        paint(self.page, index, last, f"AND({told},OR({','.join(wrong)}))", self._fill(WRONG))
        if not column.question.required or getattr(column.scale, "none", None):
            return
        if column.part in ("", "1") or isinstance(column.scale, Choices):
            told = ",".join(map(filled, self.formulas.cells(column.name)))
            is_open = f"AND(NOT(OR({told},{self._left()})),{shown_when})"
            paint(self.page, index, last, is_open, self._fill(OPEN))

    def _filled(self, index: int) -> str:
        return filled(f"${letter(index)}{ROW}")

    def _left(self) -> str:
        """True when the row was left by a way out."""
        return self._filled(self.way_out)

    def _fill(self, colour: str) -> Any:
        return self.formats.fill(colour)

    def _width(self, column: Column) -> float:
        """Wide enough for its texts, narrow enough for the screen, in characters."""
        if column.kind == "field":
            texts = (field_text(self.sheet.protocol, row.item, column.name).text for row in self.sheet.rows)
            longest = max(map(len, texts), default=0)
            widest = FROZEN / sum(1 for one in self.columns if one.kind == "field")
            return min(55, widest, max(16, len(column.header) + 4, longest * 1.1 + 3))
        if isinstance(column.scale, FreeText | RewrittenText):
            return 45
        if column.kind == "way_out" or isinstance(column.scale, ShortAnswers):
            return 24
        return 9 if column.kind in ("number", "done") else answer_width(column, self.sheet.language)


def _fixed(name: str, plan: Plan, said: dict[str, Answer | None]) -> tuple[Answer | None, bool]:
    """The answer to show, and whether the cell is locked: a rule gives the answer, or the question is not asked."""
    if name in plan.preset:
        return plan.preset[name][0], True
    answer = said.get(name, NOT_APPLICABLE)
    return answer, answer is NOT_APPLICABLE


class _AnswerCells:
    """The cells of one answer column. What they look like is kept: most say what another has said."""

    def __init__(self, writer: CellWriter, formats: Formats) -> None:
        self.writer = writer
        self._formats = formats
        self._known: dict[tuple[Answer | None, bool, bool], str] = {}

    def cell(self, place: str, answer: Answer | None, locked: bool, starts: bool) -> str:
        key = (answer, locked, starts)
        known = self._known.get(key)
        if known is None:
            words = self.writer.words and answer is not NOT_APPLICABLE
            style = self._formats.answer(words, locked, starts)
            known = after_place(self.writer.cell(answer), style)
            if answer is None or not self.writer.words:
                self._known[key] = known
        return f'<c r="{place}"{known}'
