"""Writing the Edits sheet: a block of rows for each pair, with the edits to start from, if any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubrica.core.edits import Edit, Span, nth_of
from rubrica.core.scales import FreeText
from rubrica.core.texts import shown
from rubrica.exchange.sheets import write
from rubrica.exchange.sheets.cells import to_cell
from rubrica.exchange.sheets.edits_layout import BETWEEN, SPARE_ROWS, edit_columns
from rubrica.exchange.sheets.formulas import ROW, Formulas, quote
from rubrica.exchange.sheets.layout import Column, SheetFile, SheetRow, letter
from rubrica.exchange.sheets.style import OPEN, WRONG, Formats

if TYPE_CHECKING:
    import xlsxwriter

    from rubrica.exchange.sheets.write import Lists

_HELP = {
    "en": {
        "edit": "A number for this edit, different from the others of the same pair.",
        "operation": "What kind of change is it?",
        "span": "Copy the words from the text, exactly. Several stretches: join them with //",
        "nth": "Only if these words occur more than once: which one (1 is the first).",
        "parent": "Only for a part of a split or structure edit: the number of that edit.",
    },
    "es": {
        "edit": "Un número para esta edición, distinto de los demás del mismo par.",
        "operation": "¿Qué tipo de cambio es?",
        "span": "Copie las palabras del texto, exactamente. Varios fragmentos: únalos con //",
        "nth": "Solo si estas palabras aparecen más de una vez: cuál (1 es la primera).",
        "parent": "Solo para una parte de una división o un cambio de estructura: el número de esa edición.",
    },
}


def write_edits(book: xlsxwriter.Workbook, sheet: SheetFile, formats: Formats, lists: Lists) -> None:
    """Add the Edits sheet to the workbook."""
    columns = edit_columns(sheet)
    page = book.add_worksheet(sheet.names[1])
    fixed = sheet.stage.edits == "fixed"
    blocks = [_block(row, fixed) for row in sheet.rows]
    last = sum(map(len, blocks)) or 1
    write.prepare_page(page, len(columns), last, sheet.language)
    for index, column in enumerate(columns):
        write.write_header(page, index, column, formats)
        page.set_column(index, index, _width(column))
        _rules(page, index, column, columns, sheet, lists, last, fixed)
    line = 1
    for number, (row, block) in enumerate(zip(sheet.rows, blocks, strict=True), start=1):
        for place, edit in enumerate(block):
            for index, column in enumerate(columns):
                _cell(page, line, index, column, (number, place, row, edit, fixed), sheet, formats)
            line += 1


def _block(row: SheetRow, fixed: bool) -> list[Edit | None]:
    edits: list[Edit | None] = [*(row.judgement.edits if row.judgement else row.edits)]
    return edits if fixed else edits + [None] * SPARE_ROWS


def _cell(
    page: Any,
    line: int,
    index: int,
    column: Column,
    where: tuple[int, int, SheetRow, Edit | None, bool],
    sheet: SheetFile,
    formats: Formats,
) -> None:
    number, place, row, edit, fixed = where
    locked = fixed and column.kind not in ("answer",)
    words = formats.answer(words=True, locked=locked)
    value: Any = None
    match column.kind:
        case "number":
            page.write_number(line, index, number, formats.text(top=place == 0 and number > 1))
            return
        case "field":
            text = row.item.fields.get(column.name, "") if place == 0 else ""
            write.write_text(page, line, index, text, formats, starts=place == 0 and number > 1)
            return
        case "edit":
            value = edit.id if edit else _spare_id(row, place, fixed)
        case "operation":
            value = _label(sheet, edit.operation) if edit else None
        case "span":
            value = _quotes(edit, column.name, row) if edit else None
        case "nth":
            value = _which(edit, column.name, row) if edit else None
        case "parent":
            value = edit.parent or None if edit else None
        case "answer":
            words = formats.answer(words=isinstance(column.scale, FreeText))
            value = to_cell(edit.answers.get(column.name), column, sheet.language) if edit else None
    if value is None:
        page.write_blank(line, index, None, words)
    elif isinstance(value, int | float):
        page.write_number(line, index, value, words)
    else:
        page.write_string(line, index, str(value), words)


def _spare_id(row: SheetRow, place: int, fixed: bool) -> str | None:
    taken = {edit.id for edit in (row.judgement.edits if row.judgement else row.edits)}
    number = place + 1
    while str(number) in taken:
        number += len(taken)
    return None if fixed else str(number)


def _label(sheet: SheetFile, operation: str) -> str:
    assert sheet.protocol.edits is not None
    return shown(sheet.protocol.edits.by_id[operation].label, sheet.language)


def _quotes(edit: Edit, side: str, row: SheetRow) -> str | None:
    text = row.item.fields.get(side, "")
    return BETWEEN.join(span.of(text) for span in edit.spans(side)) or None


def _which(edit: Edit, side: str, row: SheetRow) -> str | None:
    text = row.item.fields.get(side, "")
    ranks: list[int | None] = [nth_of(text, Span(span.start, span.end)) for span in edit.spans(side)]
    return BETWEEN.join(str(rank or 1) for rank in ranks) if any(ranks) else None


def _rules(
    page: Any, index: int, column: Column, columns: list[Column], sheet: SheetFile, lists: Lists, last: int, fixed: bool
) -> None:
    assert sheet.protocol.edits is not None
    texts = _HELP.get(sheet.language.split("-")[0], _HELP["en"])
    operations = {operation.id: _label(sheet, operation.id) for operation in sheet.protocol.edits.operations}
    cell = f"${letter(index)}{ROW}"
    operation = f"${letter(next(i for i, other in enumerate(columns) if other.kind == 'operation'))}{ROW}"
    if column.kind == "operation":
        rule = write.list_rule(lists.source(list(operations.values())), column.header, texts["operation"])
        page.data_validation(1, index, last, index, rule)
        spans = [f"${letter(i)}{ROW}" for i, other in enumerate(columns) if other.kind == "span"]
        started = f"OR({','.join(f'LEN({span})>0' for span in spans)})"
        write.paint(page, index, last, f"AND(LEN({cell})=0,{started})", lists.book, OPEN)
    elif column.kind in texts:
        rule = {"validate": "any", "input_title": column.header, "input_message": texts[column.kind]}
        page.data_validation(1, index, last, index, rule)
        if column.kind == "span" and not fixed:
            takes = [
                f"{operation}={quote(label)}" for name, label in operations.items() if _takes(sheet, name, column.name)
            ]
            needed = f"OR({','.join(takes)})"
            write.paint(page, index, last, f"AND(LEN({cell})=0,{needed})", lists.book, OPEN)
            write.paint(page, index, last, f"AND(LEN({cell})>0,LEN({operation})>0,NOT({needed}))", lists.book, WRONG)
    elif column.kind == "answer":
        assert column.scale is not None
        assert column.question is not None
        page.data_validation(1, index, last, index, write.answer_rule(column, column.scale, sheet.language, lists))
        _answer_colours(page, index, column, columns, sheet, lists, last, operations, operation)


def _answer_colours(
    page: Any,
    index: int,
    column: Column,
    columns: list[Column],
    sheet: SheetFile,
    lists: Lists,
    last: int,
    operations: dict[str, str],
    operation: str,
) -> None:
    """Open: the operation is asked this, given what it implies. Wrong: filled although it is not asked."""
    assert column.question is not None
    assert sheet.protocol.edits is not None
    cell = f"${letter(index)}{ROW}"
    parent = f"${letter(next(i for i, other in enumerate(columns) if other.kind == 'parent'))}{ROW}"
    formulas = Formulas(columns, sheet.language)
    asked, needed = [], []
    for name in column.question.operations:
        known = sheet.protocol.edits.by_id[name]
        if column.name in known.preset:
            asked.append(f"{operation}={quote(operations[name])}")
            continue
        given = formulas.knowing(known.preset).condition(column.question.when)
        test = f"AND({operation}={quote(operations[name])},{given})"
        asked.append(test)
        needed.append(test)
    book = lists.book
    write.paint(
        page,
        index,
        last,
        f"AND(LEN({cell})>0,OR(LEN({parent})>0,AND(LEN({operation})>0,NOT(OR({','.join(asked)})))))",
        book,
        WRONG,
    )
    if needed and column.question.required:
        write.paint(page, index, last, f"AND(LEN({cell})=0,LEN({parent})=0,OR({','.join(needed)}))", book, OPEN)


def _takes(sheet: SheetFile, operation: str, side: str) -> bool:
    assert sheet.protocol.edits is not None
    return side in sheet.protocol.edits.by_id[operation].sides


def _width(column: Column) -> float:
    widths = {"field": 50, "span": 32, "operation": 16, "number": 7, "edit": 7, "parent": 9, "nth": 12}
    return widths.get(column.kind, 18)
