"""What annotators see when they open a sheet, looked at with another program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.utils import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

from rubrica.core.scales import Choice, Choices, Option, Ordinal, Slider, YesNo
from rubrica.core.study import Item
from rubrica.core.texts import plain, shown
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.layout import META_SHEET, SheetFile, SheetRow, columns, edit_columns, labels
from tests.exchange.sheet_making import (
    LANGUAGES,
    STAGES,
    Desk,
    at_desk,
    make_sheet,
    protocol_of,
    read_back,
    stages_and_languages,
)

Write = Callable[[SheetFile], Path]
every_stage = pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
every_language = pytest.mark.parametrize("language", LANGUAGES)
SAME = {"source": "El gato duerme al sol.", "rewrite": "El gato duerme al sol."}


def rule_at(page: Worksheet, cell: Any) -> Any:
    """The validation rule of a cell."""
    return next(rule for rule in page.data_validations.dataValidation if cell.coordinate in rule.sqref)


def offered(book: openpyxl.Workbook, rule: Any) -> list[str]:
    """What a drop-down list offers: values in the rule, or in the cells that it names."""
    if rule.formula1.startswith('"'):
        return [str(part) for part in rule.formula1.strip('"').split(",")]
    sheet, cells = rule.formula1.replace("'", "").split("!")
    return [str(cell.value) for row in book[sheet][cells.replace("$", "")] for cell in row]


@every_stage
def test_tables_have_a_frozen_header_a_filter_and_soft_protection(
    protocol_id: str, stage_id: str, write: Write
) -> None:
    """The header stays, every column can be filtered, and slips are stopped without a password or a ban on sorting."""
    sheet = make_sheet(protocol_id, stage_id)
    desk = Desk(write(sheet))
    for page in [desk.page, desk.edits] if sheet.has_edits else [desk.page]:
        listed = columns(sheet) if page is desk.page else edit_columns(sheet)
        texts = sum(column.kind in ("field", "number") for column in listed)
        assert page.freeze_panes == f"{letter(texts)}2"
        left, top, right, bottom = range_boundaries(page.auto_filter.ref)
        assert (left, top, right, bottom) == (1, 1, page.max_column, page.max_row)
        guard = page.protection
        assert guard.sheet
        assert guard.password is None
        assert not guard.sort, "sorting is allowed: what is false is not forbidden"
        assert not guard.autoFilter


def test_sorting_is_possible_because_the_table_is_an_editable_range(write: Write) -> None:
    """Excel sorts a protected table only if it may edit all of it: a range without a password says so."""
    desk = Desk(write(make_sheet("breve")))
    import zipfile

    with zipfile.ZipFile(write(make_sheet("breve"))) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml").decode()
    last = f"{openpyxl.utils.get_column_letter(desk.page.max_column)}{desk.page.max_row}"
    assert f'<protectedRange sqref="A2:{last}" name="table"/>' in xml


@every_stage
def test_answers_are_open_to_typing_and_all_else_is_locked(protocol_id: str, stage_id: str, write: Write) -> None:
    """Cells of answers are unlocked, blank ones too; texts and header are locked."""
    sheet = make_sheet(protocol_id, stage_id)
    page = Desk(write(sheet)).page
    for index, column in enumerate(columns(sheet), start=1):
        assert page.cell(1, index).protection.locked
        cell = page.cell(2, index)
        if column.kind in ("answer", "way_out", "done") and cell.value is None:
            assert not cell.protection.locked, column.header
        if column.kind in ("field", "number"):
            assert cell.protection.locked, column.header


@pytest.mark.parametrize("protocol_id", ["breve", "claro"])
def test_identical_pairs_have_their_answers_preset_and_locked(protocol_id: str, write: Write) -> None:
    """Where source and rewrite are the same, meaning and fluency are 3, dropped questions say N/A, all locked."""
    rows = [SheetRow("lease0001", Item("1", SAME)), SheetRow("lease0002", Item("2", SAME | {"rewrite": "Otra."}))]
    desk = Desk(write(attrs.evolve(make_sheet(protocol_id), rows=rows)))
    for name, value in {"meaning": 3, "fluency": 3, "acceptance": "N/A", "edit": "N/A", "severity": "N/A"}.items():
        cell = desk.page.cell(2, desk.column(name))
        assert (cell.value, cell.protection.locked) == (value, True)
        other = desk.page.cell(3, desk.column(name))
        assert (other.value, other.protection.locked) == (None, False)
    assert not desk.page.cell(2, desk.column("needed")).protection.locked


def test_a_question_that_only_a_rule_asks_is_closed_elsewhere(write: Write) -> None:
    """Items to which the rule does not apply show N/A in a locked cell, and reading them asks for nothing."""
    sheet = make_sheet("claro")
    rule = attrs.evolve(sheet.protocol.rules[0], ask=("needed",))
    protocol = attrs.evolve(sheet.protocol, rules=(rule,))
    rows = [SheetRow("lease0001", Item("1", SAME)), SheetRow("lease0002", Item("2", SAME | {"rewrite": "Otra."}))]
    sheet = attrs.evolve(sheet, protocol=protocol, rows=rows)
    path = write(sheet)
    with at_desk(path) as desk:
        cells = [desk.page.cell(row, desk.column("needed")) for row in (2, 3)]
        assert [(cell.value, cell.protection.locked) for cell in cells] == [(None, False), ("N/A", True)]
        for name, value in {"meaning": 3, "fluency": 3, "concern": "no", "acceptance": "accept"}.items():
            desk.type(2, name, value)
    assert "needed" not in read_back(path, sheet).judgements["lease0002"].answers


@stages_and_languages()
def test_every_scale_has_a_list_that_offers_all_its_answers(
    protocol_id: str, stage_id: str, language: str, write: Write
) -> None:
    """A drop-down list stands in every row of every scale's column and offers exactly what may be answered."""
    sheet = make_sheet(protocol_id, stage_id, language)
    desk = Desk(write(sheet))
    pages = [(desk.page, columns(sheet))]
    if sheet.has_edits:
        from rubrica.exchange.sheets.layout import edit_columns

        pages.append((desk.edits, edit_columns(sheet)))
    for page, listed in pages:
        for index, column in enumerate(listed, start=1):
            if not isinstance(column.scale, Ordinal | Slider | YesNo | Choice | Choices):
                continue
            rule = rule_at(page, page.cell(2, index))
            assert page.cell(page.max_row, index).coordinate in rule.sqref
            assert rule.type == "list"
            wanted = ["x"] if column.part else [str(label) for label in labels(column.scale, language).values()]
            assert offered(desk.book, rule) == wanted


@stages_and_languages()
def test_messages_say_what_each_point_means_and_fit_into_excel(
    protocol_id: str, stage_id: str, language: str, write: Write
) -> None:
    """Choosing a cell shows each point with its meaning; Excel shows 255 characters below a title of 32."""
    sheet = make_sheet(protocol_id, stage_id, language)
    desk = Desk(write(sheet))
    for page in desk.book.worksheets[:2]:
        for rule in page.data_validations.dataValidation:
            assert len(rule.prompt or "") <= 255
            assert len(rule.promptTitle or "") <= 32
            assert len(rule.error or "") <= 255
    for index, column in enumerate(columns(sheet), start=1):
        if isinstance(column.scale, Ordinal):
            lines = rule_at(desk.page, desk.page.cell(2, index)).prompt.split("\n")
            for line, point in zip(lines, column.scale.points, strict=True):
                head, told = line.split(" = ")
                meaning, label = shown(point.meaning, language), shown(point.label, language)
                assert head == str(point.value)
                assert told.rstrip("…").strip()
                assert f"{label}: {meaning}".startswith(told.rstrip("…")) or (meaning or label).startswith(
                    told.rstrip("…")
                )


def test_lists_with_commas_and_quotes_work_through_the_hidden_sheet(write: Write) -> None:
    """A label with a comma or a quote would break a list inside a rule, so such lists stand in cells."""
    sheet = make_sheet("breve")
    awkward = Choice((Option("accept", plain('Yes, "as is"')), Option("accept_with_edit", plain("Yes, but"))))
    protocol = attrs.evolve(sheet.protocol, scales={**sheet.protocol.scales, "decision": awkward})
    sheet = attrs.evolve(sheet, protocol=protocol)
    desk = Desk(write(sheet))
    rule = rule_at(desk.page, desk.page.cell(2, desk.column("acceptance")))
    assert META_SHEET in rule.formula1
    assert offered(desk.book, rule) == ['Yes, "as is"', "Yes, but"]
    assert desk.book[META_SHEET].sheet_state == "veryHidden"


@every_stage
def test_row_ids_are_hidden_and_question_ids_are_not_shown(protocol_id: str, stage_id: str, write: Write) -> None:
    """The row's id is in a hidden last column; which header is which question's is on the hidden sheet."""
    sheet = make_sheet(protocol_id, stage_id)
    desk = Desk(write(sheet))
    page = desk.page
    last = page.cell(1, page.max_column)
    assert (last.value, page.column_dimensions[last.column_letter].hidden) == ("Row id", True)
    assert [page.cell(row, page.max_column).value for row in range(2, page.max_row + 1)] == [r.id for r in sheet.rows]
    for index, column in enumerate(columns(sheet), start=1):
        assert page.cell(1, index).comment is None
        assert column.kind != "answer" or column.part or desk.column(column.name) == index


@every_language
def test_the_first_four_columns_of_adequacy_and_fluency_are_those_of_its_document(language: str, write: Write) -> None:
    """The document names its columns: they are the same in every language."""
    page = Desk(write(make_sheet("adequacy_fluency", language=language))).page
    assert [cell.value for cell in page[1]][:4] == ["reference", "hypothesis", "Content Preservation", "Fluency"]


@pytest.mark.parametrize(("protocol", "language"), [("quality", "es"), ("lexical_posthoc", "es"), ("quality", "en")])
def test_no_header_is_a_word_of_another_language(protocol: str, language: str, write: Write) -> None:
    """What we call a column in English stands in English sheets alone; a translated one asks its question."""
    page = Desk(write(make_sheet(protocol, language=language))).page
    english = {"Meaning", "Fluency", "Simplicity", "Meaning Preservation"}
    assert bool(english & {cell.value for cell in page[1]}) == (language == "en")


@pytest.mark.parametrize(
    ("context", "target", "marked_at"),
    [
        ("The party made art of it.", "art", 15),
        ("Tortuous roads.", "Tortuous", 0),
        ("A road that is tortuous", "tortuous", 15),
        ("彼は昨日東京へ行った。", "東京", 4),
    ],
)
def test_the_target_word_stands_out_in_its_context(context: str, target: str, marked_at: int, write: Write) -> None:
    """The word to judge is bold and underlined where it stands as a word, not inside another."""
    row = SheetRow("lease0001", Item("1", {"context": context, "target": target}))
    cell = Desk(write(attrs.evolve(make_sheet("lexical_complexity"), rows=[row]))).page["A2"].value
    assert isinstance(cell, CellRichText)
    assert str(cell) == context
    place = 0
    for part in cell:
        text = part.text if isinstance(part, TextBlock) else str(part)
        bold = isinstance(part, TextBlock) and part.font is not None and bool(part.font.b) and part.font.u == "single"
        assert bold == (place == marked_at), text
        place += len(text)


def test_groups_are_set_apart_by_a_line_across_the_whole_row(write: Write) -> None:
    """The rows of one context stay together; a strong line stands above the first row of each further context."""
    items = [Item(str(n), {"context": f"Text {n // 3}.", "target": "Text"}, group=str(n // 3)) for n in range(9)]
    page = Desk(write(make_sheet("lexical_complexity", items=items))).page
    for row in range(2, 11):
        strong = {page.cell(row, column).border.top.style == "medium" for column in range(1, page.max_column)}
        assert strong == {row in (5, 8)}


@pytest.mark.parametrize("protocol_id", sorted({name for name, _ in STAGES}))
def test_rows_are_high_enough_and_free_to_grow(protocol_id: str, write: Write) -> None:
    """A wrapped text has its row's height, which is not fixed by hand, so that the row grows with a long answer."""
    fields = {field.id: "Some words. " * 20 for field in protocol_of(protocol_id).fields}
    path = write(make_sheet(protocol_id, items=[Item("1", fields)]))
    page = Desk(path).page
    assert page.row_dimensions[2].height >= 3 * 15
    import zipfile

    with zipfile.ZipFile(path) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml").decode()
    assert '<row r="2" ht=' in xml
    assert "customHeight" not in xml.split('<row r="2"')[1]
