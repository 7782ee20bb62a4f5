"""Writing the Edits sheet: a block of rows for each pair, with the edits to start from, if any."""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

import xlsxwriter

from rubrica.core.edits import Edit, nth_of
from rubrica.core.texts import shown
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.cells import CellWriter
from rubrica.exchange.sheets.layout import (
    BETWEEN,
    MORE_ROWS,
    SPARE_ROWS,
    Column,
    SheetFile,
    SheetRow,
    edit_columns,
    quotes,
    starting_edits,
)
from rubrica.exchange.sheets.page import (
    OPEN,
    WRONG,
    Formats,
    RenderedPage,
    answer_width,
    cell,
    lines_of,
    prepare_page,
    text_cell,
    write_header,
)
from rubrica.exchange.sheets.rules import (
    ROW,
    Formulas,
    Lists,
    answer_rule,
    filled,
    list_rule,
    meanings,
    note,
    paint,
    same,
)
from rubrica.language.catalogues import on_sheet, sheet_text

_HELP = {
    "edit": sheet_text("A number for this edit, different from the others of the same pair."),
    "span": sheet_text("Copy the words from the text, exactly. Several stretches: join them with //"),
    "nth": sheet_text("Only if these words occur more than once: which one (1 is the first)."),
    "parent": sheet_text("Only for a part of a split or structure edit: the number of that edit."),
}
_WIDTHS = {"field": 38, "span": 32, "operation": 21, "number": 7, "edit": 7, "parent": 9, "nth": 13}


class _Place(NamedTuple):
    """An edit (or a spare row) of a pair: the pair's number, the row in its block, the id that it has or gets."""

    number: int
    place: int
    row: SheetRow
    id: str
    edit: Edit | None


def write_edits(book: xlsxwriter.Workbook, sheet: SheetFile, formats: Formats, lists: Lists) -> None:
    """Add the Edits sheet to the workbook."""
    _Edits(book, sheet, formats, lists).write()


class _Edits:
    def __init__(self, book: xlsxwriter.Workbook, sheet: SheetFile, formats: Formats, lists: Lists) -> None:
        assert sheet.protocol.edits is not None
        self.sheet = sheet
        self.formats = formats
        self.lists = lists
        self.scheme = sheet.protocol.edits
        self.page = book.add_worksheet(sheet.names[1], RenderedPage)
        self.columns = edit_columns(sheet)
        self.letters = [letter(index) for index in range(len(self.columns))]
        self.widths = [_WIDTHS.get(column.kind) or answer_width(column, sheet.language) for column in self.columns]
        self.fixed = sheet.stage.edits == "fixed"
        self.labels = {operation.id: shown(operation.label, sheet.language) for operation in self.scheme.operations}
        self.writers = {
            column.header: CellWriter(column, sheet.language) for column in self.columns if column.kind == "answer"
        }

    def write(self) -> None:
        lines = [line for number, row in enumerate(self.sheet.rows, start=1) for line in self._block(number, row)]
        last = len(lines) or 1
        prepare_page(self.page, self.columns, self.widths, last, self.sheet.language)
        below = None if self.fixed else self.formats.get(locked=False)
        for index, column in enumerate(self.columns):
            write_header(self.page, index, column, self.formats)
            self.page.set_column(index, index, self.widths[index], below)
            self._rules(index, column, last if self.fixed else last + MORE_ROWS)
        for line, where in enumerate(lines, start=1):
            self._row(line, where)

    def _block(self, number: int, row: SheetRow) -> list[_Place]:
        edits = starting_edits(row, self.fixed)
        block = [_Place(number, place, row, edit.id, edit) for place, edit in enumerate(edits)]
        if not self.fixed:
            taken = {edit.id for edit in edits}
            free = (str(candidate) for candidate in count(1) if str(candidate) not in taken)
            block += [_Place(number, len(edits) + place, row, next(free), None) for place in range(SPARE_ROWS)]
        return block

    def _row(self, line: int, where: _Place) -> None:
        edit, fields = where.edit, where.row.item.fields
        starts = where.place == 0 and where.number > 1
        cells, lines = [], 1
        for index, column in enumerate(self.columns):
            place, value = f"{self.letters[index]}{line + 1}", None
            if column.kind == "field":
                value = fields.get(column.name, "") if where.place == 0 else ""
                cells.append(text_cell(place, value, self.formats, starts=starts))
            elif column.kind == "number":
                cells.append(cell(place, where.number, self.formats.number(starts)))
            else:
                value = where.id if column.kind == "edit" else self._value(column, edit, fields) if edit else None
                cells.append(cell(place, value, self._style(column, starts)))
            if isinstance(value, str):
                lines = max(lines, lines_of(value, self.widths[index]))
        self.page.add_row(line, cells, lines)

    def _style(self, column: Column, starts: bool) -> Any:
        words = self.writers[column.header].words if column.kind == "answer" else column.kind == "span"
        return self.formats.answer(words, self.fixed and column.kind != "answer", starts)

    def _value(self, column: Column, edit: Edit, fields: Any) -> Any:
        match column.kind:
            case "operation":
                return self.labels[edit.operation]
            case "span":
                return quotes(edit, column.name, fields.get(column.name, ""))
            case "nth":
                ranks = [nth_of(fields.get(column.name, ""), span) for span in edit.spans(column.name)]
                return BETWEEN.join(str(rank or 1) for rank in ranks) if any(ranks) else None
            case "parent":
                return edit.parent
        return self.writers[column.header].cell(edit.answers.get(column.name))

    def _rules(self, index: int, column: Column, last: int) -> None:
        """Drop-down list, input message and colours of one column."""
        place = f"${letter(index)}{ROW}"
        if column.kind == "operation":
            told = meanings(
                (self.labels[known.id], "", shown(known.meaning, self.sheet.language))
                for known in self.scheme.operations
            )
            rule = list_rule(self.lists.source(list(self.labels.values())), column.header, told)
            self.page.data_validation(1, index, last, index, rule)
            started = ",".join(filled(self._address("span", side)) for side in ("source", "rewrite"))
            self._paint(index, last, f"AND(NOT({filled(place)}),OR({started}))", OPEN)
        elif column.kind in _HELP:
            rule = {"validate": "any", **note(column.header, on_sheet(_HELP[column.kind], self.sheet.language))}
            self.page.data_validation(1, index, last, index, rule)
            if column.kind == "span" and not self.fixed:
                self._span_colours(index, column, last, place)
        elif column.kind == "answer":
            assert column.scale is not None
            rule = answer_rule(column, column.scale, self.sheet.language, self.lists)
            self.page.data_validation(1, index, last, index, rule)
            self._answer_colours(index, column, last, place)

    def _span_colours(self, index: int, column: Column, last: int, place: str) -> None:
        """Open: the operation marks words here. Wrong: words are marked where it does not take any."""
        takes = [self._is(known.id) for known in self.scheme.operations if column.name in known.sides]
        needed = f"OR({','.join(takes)})" if takes else "FALSE"
        self._paint(index, last, f"AND(NOT({filled(place)}),{needed})", OPEN)
        chosen = filled(self._address("operation"))
        self._paint(index, last, f"AND({filled(place)},{chosen},NOT({needed}))", WRONG)

    def _answer_colours(self, index: int, column: Column, last: int, place: str) -> None:
        """Open: the operation is asked this, given what it implies. Wrong: filled although it is not asked."""
        assert column.question is not None
        formulas = Formulas(self.columns, self.sheet.language)
        asked, needed = ["FALSE"], []
        for name in column.question.operations:
            known = self.scheme.by_id[name]
            if column.name in known.preset:
                asked.append(f"AND({self._is(name)},{self._says(column, known.preset[column.name], place)})")
                continue
            test = f"AND({self._is(name)},{formulas.knowing(known.preset).condition(column.question.when)})"
            asked.append(test)
            needed.append(test)
        part, chosen = filled(self._address("parent")), filled(self._address("operation"))
        wrong = [part, f"AND({chosen},NOT(OR({','.join(asked)})))"]
        outside = formulas.outside(column, index)
        wrong += [outside] if outside else []
        self._paint(index, last, f"AND({filled(place)},OR({','.join(wrong)}))", WRONG)
        if needed and column.question.required:
            self._paint(index, last, f"AND(NOT({filled(place)}),NOT({part}),OR({','.join(needed)}))", OPEN)

    def _says(self, column: Column, value: Any, place: str) -> str:
        """True when a cell repeats what the operation implies anyway."""
        words = dict.fromkeys((value, self.writers[column.header].cell(value)))
        return f"OR({','.join(same(place, word) for word in words)})"

    def _is(self, operation: str) -> str:
        """True when the row's operation is this one."""
        words = {word.casefold(): word for word in (operation, self.labels[operation])}
        return f"OR({','.join(same(self._address('operation'), word) for word in words.values())})"

    def _address(self, kind: str, name: str = "") -> str:
        index = next(i for i, other in enumerate(self.columns) if other.kind == kind and name in ("", other.name))
        return f"${letter(index)}{ROW}"

    def _paint(self, index: int, last: int, formula: str, colour: str) -> None:
        paint(self.page, index, last, formula, self.formats.fill(colour))
