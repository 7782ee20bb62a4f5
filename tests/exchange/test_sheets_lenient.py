"""What an annotator may do to a sheet without harm: sort, filter, move, resize; and what may be typed for an answer."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import attrs
import pytest

from rubrica.core.edits import Edit, Span
from rubrica.core.study import Item, Judgement
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from tests.exchange.sheet_making import Desk, answers_of, at_desk, make_sheet, read_back, without_answers

Write = Callable[[SheetFile], Path]


def rows_of(page: Any) -> list[list[Any]]:
    """The cells below the header, as values."""
    return [[cell.value for cell in row] for row in page.iter_rows(min_row=2)]


def put(page: Any, rows: list[list[Any]]) -> None:
    """Write rows below the header."""
    for number, row in enumerate(rows, start=2):
        for column, value in enumerate(row, start=1):
            page.cell(number, column).value = value


def sort(page: Any, column: int) -> None:
    """Sort the rows by what stands in a column, last first, as a spreadsheet does."""
    put(page, sorted(rows_of(page), key=lambda row: str(row[column - 1]), reverse=True))


@pytest.mark.parametrize(("protocol_id", "by"), [("breve", "Source"), ("split_rate", "sensible"), ("claro", "row")])
def test_sorted_rows_are_read(protocol_id: str, by: str, write: Write) -> None:
    """Rows are known by their own id, in whatever order they stand."""
    sheet = make_sheet(protocol_id, filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        sort(desk.page, desk.column(by))
    assert read_back(path, without_answers(sheet)).judgements == answers_of(sheet)


@pytest.mark.parametrize("stage", ["select", "adjudicate", "classify"])
def test_sorted_edits_are_read_in_their_first_order(stage: str, write: Write) -> None:
    """Sorting the Edits sheet changes nothing, so that it makes no new revision of a judgement."""
    sheet = make_sheet("salsa", stage, filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        sort(desk.page, desk.column("Original sentence"))
        sort(desk.edits, desk.column("edit", desk.edits))
    assert read_back(path, sheet).judgements == answers_of(sheet)


def test_moved_columns_are_read(write: Write) -> None:
    """Columns are known by their header, wherever they stand."""
    sheet = make_sheet("breve", "rate", "es", filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        turned = [[cell.value for cell in row][::-1] for row in desk.page.iter_rows()]
        for number, row in enumerate(turned, start=1):
            for column, value in enumerate(row, start=1):
                desk.page.cell(number, column).value = value
    assert read_back(path, without_answers(sheet)).judgements == answers_of(sheet)


def test_filtered_rows_are_read(write: Write) -> None:
    """Rows that a filter hides are read like the others."""
    sheet = make_sheet("split_rate", filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        desk.page.auto_filter.add_filter_column(2, ["5"])
        for number in range(2, 6):
            desk.page.row_dimensions[number].hidden = True
    assert read_back(path, without_answers(sheet)).judgements == answers_of(sheet)


def test_empty_rows_and_further_columns_do_no_harm(write: Write) -> None:
    """Empty rows between and below the others, rows of blanks, and notes in a new column are passed over."""
    sheet = make_sheet("adequacy_fluency", filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        desk.page.insert_rows(3, 2)
        desk.page.cell(40, 1).value = "   "
        desk.page.cell(1, 20).value = "my notes"
        desk.page.cell(2, 20).value = "look again"
    assert read_back(path, without_answers(sheet)).judgements == answers_of(sheet)


def test_looks_do_not_matter(write: Write) -> None:
    """Widths, colours, zoom, another active sheet and a new sheet change nothing."""
    sheet = make_sheet("claro", filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        desk.page.column_dimensions["A"].width = 10
        desk.page.sheet_view.zoomScale = 150
        desk.page["A2"].fill = copy(desk.page["C2"].fill)
        desk.book.create_sheet("Notes", 0)["A1"] = "mine"
        desk.book.active = 2
    assert read_back(path, without_answers(sheet)).judgements == answers_of(sheet)


BREVE = {"simplification": 3, "meaning": 3, "fluency": 3, "concern": "no", "acceptance": "accept", "needed": "yes"}
TYPED = [
    ("simplification", "3", 3),
    ("simplification", 3.0, 3),
    ("simplification", "3.0", 3),
    ("simplification", "3,0", 3),
    ("simplification", " 3 ", 3),
    ("simplification", "2 - partly", 2),
    ("simplification", "2: more concise", 2),
    ("simplification", "2 (more concise)", 2),
    ("simplification", "As concise as possible", 3),
    ("simplification", "tan concisa como se puede", 3),
    ("concern", "No", "no"),
    ("concern", "NO", "no"),
    ("needed", "Sí", "yes"),
    ("needed", "yes", "yes"),
    ("acceptance", "Accept", "accept"),
    ("acceptance", "accept", "accept"),
    ("acceptance", "ACEPTAR", "accept"),
    ("acceptance", " Accept ", "accept"),
]


@pytest.mark.parametrize(("question", "typed", "meant"), TYPED)
@pytest.mark.parametrize("language", ["en", "es"])
def test_labels_ids_and_numbers_are_understood(
    question: str, typed: Any, meant: Any, language: str, write: Write
) -> None:
    """A number as text, with its label, a label in any language and an id in any case all mean the answer."""
    item = Item("1", {"source": "El gato que es negro duerme.", "rewrite": "El gato negro duerme."})
    sheet = attrs.evolve(make_sheet("breve", language=language), rows=[SheetRow("lease0001", item)])
    path = write(sheet)
    with at_desk(path) as desk:
        for name, value in (BREVE | {question: typed}).items():
            desk.type(1, name, value)
    assert read_back(path, sheet).judgements["lease0001"].answers == BREVE | {question: meant}


def test_a_word_typed_twice_counts_once_whatever_its_capitals(write: Write) -> None:
    """The first stands as it was typed."""
    sheet = make_sheet("lexical_simplification")
    path = write(sheet)
    with at_desk(path) as desk:
        for number, word in enumerate(("Easy", "EASY", "plain"), start=1):
            desk.type(1, f"substitutes_{number}", word)
    assert read_back(path, sheet).judgements["lease0001"].answers["substitutes"] == ("Easy", "plain")


@pytest.mark.parametrize("mark", ["x", "X", " x ", "✓", 1, "yes", "sí", True])
def test_options_are_chosen_by_any_usual_mark(mark: Any, write: Write) -> None:
    """A chosen option may be marked as people mark things."""
    sheet = make_sheet("breve")
    path = write(sheet)
    with at_desk(path) as desk:
        for name, value in (BREVE | {"concern": "yes"}).items():
            desk.type(1, name, value)
        desk.type(1, "concern_kinds: hate", mark)
        desk.type(1, "concern_kinds: other", "x")
    assert read_back(path, sheet).judgements["lease0001"].answers["concern_kinds"] == ("hate", "other")


@pytest.mark.parametrize(
    "typed", ["Too simple to split", "Demasiado sencilla para dividirla", "too_simple", "TOO_SIMPLE"]
)
def test_a_way_out_is_known_by_label_in_any_language_or_by_id(typed: str, write: Write) -> None:
    """A way out may be chosen from the list or typed."""
    sheet = make_sheet("split_rewrite")
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(1, "way_out", typed)
    assert read_back(path, sheet).judgements == {"lease0001": Judgement({}, (), "too_simple")}


def test_a_label_on_the_sheet_goes_before_an_id_that_reads_the_same(write: Write) -> None:
    """Where one option's label is another one's id, the label that the list shows is what was chosen."""
    sheet = make_sheet("split_rate")
    scale = sheet.protocol.scales["yes_no"]
    crossed = attrs.evolve(scale, yes=attrs.evolve(scale.yes, languages={"en": "no"}), no=scale.yes)
    protocol = attrs.evolve(sheet.protocol, scales={**sheet.protocol.scales, "yes_no": crossed})
    answers = {"sensible": 1, "grammatical": 1} | dict.fromkeys(
        ("missing_facts", "new_facts", "wrong_split", "further_split"), "yes"
    )
    rows = [attrs.evolve(sheet.rows[0], judgement=Judgement(answers))]
    sheet = attrs.evolve(sheet, protocol=protocol, rows=rows)
    assert read_back(write(sheet), without_answers(sheet)).judgements["lease0001"].answers == answers


def type_edit(desk: Desk, row: int, cells: dict[str, Any]) -> None:
    """Type an edit into a row of the Edits sheet."""
    for name, value in cells.items():
        desk.type(row, name, value, desk.edits)


def test_edits_typed_with_another_program_are_read(write: Write) -> None:
    """Words copied from the texts become spans: several stretches, one of many occurrences, parts of a composite."""
    fields = {"source": "The dog, which was old, saw the old cat.", "rewrite": "The dog was old. It saw the cat."}
    sheet = attrs.evolve(make_sheet("salsa", "select"), rows=[SheetRow("lease0001", Item("1", fields))])
    path = write(sheet)
    with at_desk(path) as desk:
        type_edit(desk, 1, {"operation": "Sentence split"})
        type_edit(desk, 2, {"operation": "deletion", "source_span": "which", "parent": 1})
        type_edit(desk, 3, {"operation": "INSERTION", "rewrite_span": " It ", "parent": "1"})
        type_edit(desk, 4, {"operation": "Deletion", "source_span": "old", "source_nth": 2})
        spans = {"source_span": "dog, // saw", "rewrite_span": "dog // saw"}
        type_edit(desk, 5, {"operation": "Substitution", **spans, "information": "The same information"})
        row = {"item": 1, "edit": None, "operation": "Deletion", "source_span": "The"}
        type_edit(desk, desk.edits.max_row + 40, row)
        desk.type(1, "done", "x")
    edits = read_back(path, sheet).judgements["lease0001"].edits
    assert edits == (
        Edit("1", "split", answers={"information": "same"}),
        Edit("2", "deletion", (Span(9, 14),), parent="1"),
        Edit("3", "insertion", (), (Span(17, 19),), parent="1"),
        Edit("4", "deletion", (Span(32, 35),), answers={"information": "less"}),
        Edit("5", "substitution", (Span(4, 8), Span(24, 27)), (Span(4, 7), Span(20, 23)), {"information": "same"}),
        Edit("6", "deletion", (Span(0, 3),), answers={"information": "less"}),
    )


def test_the_mark_that_joins_stretches_may_stand_in_the_text(write: Write) -> None:
    """Words that contain // are one stretch if the text has them so."""
    fields = {"source": "See http://localhost now.", "rewrite": "See now."}
    sheet = attrs.evolve(make_sheet("salsa", "select"), rows=[SheetRow("lease0001", Item("1", fields))])
    path = write(sheet)
    with at_desk(path) as desk:
        type_edit(desk, 1, {"operation": "Deletion", "source_span": "http://localhost"})
    assert read_back(path, sheet).judgements["lease0001"].edits[0].source == (Span(4, 20),)


def test_a_pair_without_edits_is_answered_by_its_mark(write: Write) -> None:
    """A pair marked as done has no edits; one that is not marked is open."""
    sheet = make_sheet("salsa", "select")
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(2, "done", "x")
    back = read_back(path, sheet)
    assert back.judgements == {"lease0002": Judgement()}
    assert len(back.open) == len(sheet.rows) - 1


@pytest.mark.parametrize("stage", ["adjudicate", "classify"])
def test_a_pair_can_be_left_with_the_edits_it_came_with(stage: str, write: Write) -> None:
    """Whoever would rather not judge a pair need not remove the edits that were handed out with it."""
    sheet = make_sheet("salsa", stage)
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(5, "way_out", "uncomfortable")
    assert read_back(path, sheet).judgements == {"lease0005": Judgement({}, (), "uncomfortable")}


def test_spare_rows_get_numbers_of_their_own(write: Write) -> None:
    """New edits never take the number of one that is there, however those are numbered."""
    fields = {"source": "one two three four five", "rewrite": "six"}
    given = tuple(Edit(name, "deletion", (Span(0, 3),), answers={"information": "less"}) for name in ("3", "7"))
    row = SheetRow("lease0001", Item("1", fields), Judgement({}, given))
    path = write(attrs.evolve(make_sheet("salsa", "select"), rows=[row]))
    desk = Desk(path)
    numbers = [desk.edits.cell(line, desk.column("edit", desk.edits)).value for line in range(2, 12)]
    assert numbers[:2] == ["3", "7"]
    assert len(set(numbers)) == 10


def test_spans_that_begin_or_end_with_a_space_come_back(write: Write) -> None:
    """Offsets that include white space, as another tool may have set them, are kept in cells that nobody touched."""
    fields = {"source": "one two three two", "rewrite": "one"}
    given = (
        Edit(
            "1", "reorder", (Span(3, 8), Span(13, 14)), (Span(0, 3),), {"information": "same", "reorder_level": "word"}
        ),
    )
    row = SheetRow("lease0001", Item("1", fields), Judgement({}, given))
    sheet = attrs.evolve(make_sheet("salsa", "select"), rows=[row])
    assert read_back(write(sheet), sheet).judgements["lease0001"].edits == given
