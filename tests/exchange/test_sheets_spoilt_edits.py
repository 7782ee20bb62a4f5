"""The Edits sheet spoilt: one message for each mistake, at its cell."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from rubrica.core.edits import Edit, Span
from rubrica.core.study import Item, Judgement
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from tests.exchange.sheet_making import Desk, at_desk, make_sheet, read_back, refused, rules_and_cells
from tests.exchange.test_sheets_spoilt import ENGLISH

Write = Callable[[SheetFile], Path]
FIELDS = {"source": "The old dog saw the old cat.", "rewrite": "The dog saw it. It was old."}
LESS, SAME = {"information": "less"}, {"information": "same"}
EDITS = (
    Edit("1", "deletion", (Span(4, 7),), answers=LESS),
    Edit("2", "split", answers=SAME),
    Edit("3", "insertion", (), (Span(16, 18),), parent="2"),
)
RATED = {"deletion_type": "good_deletion", "efficacy": 2, "grammar_error": "no"}


def selected() -> SheetFile:
    """Two pairs at the stage where edits are free, the first with three edits."""
    rows = [
        SheetRow("lease0001", Item("key1", FIELDS), Judgement({}, EDITS)),
        SheetRow("lease0002", Item("key2", FIELDS)),
    ]
    return attrs.evolve(make_sheet("salsa", "select"), rows=rows)


def classified() -> SheetFile:
    """The same at the stage where edits are fixed, answered."""
    answers = [{**LESS, **RATED}, {**SAME, "impact": "no_impact", "grammar_error": "no"}, {}]
    own = tuple(attrs.evolve(edit, answers=given) for edit, given in zip(EDITS, answers, strict=True))
    rows = [
        SheetRow("lease0001", Item("key1", FIELDS), Judgement({}, own), EDITS),
        SheetRow("lease0002", Item("key2", FIELDS), None, EDITS),
    ]
    return attrs.evolve(make_sheet("salsa", "classify"), rows=rows)


def typed(desk: Desk, row: int, cells: dict[str, Any]) -> None:
    """Type into a row of the Edits sheet."""
    for name, value in cells.items():
        desk.type(row, name, value, desk.edits)


DELETION = {"operation": "Deletion", "source_span": "dog"}
FREE: dict[str, tuple[int, dict[str, Any], str, str]] = {
    "unknown pair": (4, {**DELETION, "item": 9}, "unknown_item", "item"),
    "no pair": (4, {**DELETION, "item": None}, "unknown_item", "item"),
    "a pair by words": (4, {**DELETION, "item": "first"}, "unknown_item", "item"),
    "a pair by a raised digit": (4, {**DELETION, "item": "²"}, "unknown_item", "item"),
    "unknown operation": (4, {**DELETION, "operation": "Removal"}, "operation", "operation"),
    "no operation": (4, {**DELETION, "operation": None}, "operation", "operation"),
    "words that are not there": (4, {**DELETION, "source_span": "dgo"}, "span_not_found", "source_span"),
    "words of the other side": (4, {**DELETION, "source_span": "It was"}, "span_not_found", "source_span"),
    "words that occur twice": (4, {**DELETION, "source_span": "old"}, "ambiguous_span", "source_span"),
    "an occurrence too far": (4, {**DELETION, "source_span": "old", "source_nth": 3}, "nth", "source_nth"),
    "an occurrence of a single one": (4, {**DELETION, "source_nth": 2}, "nth", "source_nth"),
    "an occurrence in words": (4, {**DELETION, "source_nth": "second"}, "nth", "source_nth"),
    "more occurrences than stretches": (4, {**DELETION, "source_nth": "1 // 1"}, "nth", "source_nth"),
    "words on the wrong side": (4, {**DELETION, "rewrite_span": "It was"}, "span", "rewrite_span"),
    "no words": (4, {"operation": "Deletion", "information": "less"}, "span", "source_span"),
    "several stretches of one deletion": (4, {**DELETION, "source_span": "The // cat."}, "span", "source_span"),
    "unknown parent": (4, {**DELETION, "parent": 8}, "parent", "parent"),
    "a parent that is not composite": (4, {**DELETION, "parent": 1}, "parent", "parent"),
    "a constituent with answers": (3, {"information": "more"}, "constituents", "information"),
    "a number twice": (4, {**DELETION, "edit": 1}, "duplicate_edit", "edit"),
    "a missing answer": (
        4,
        {"operation": "Substitution", "source_span": "dog", "rewrite_span": "dog"},
        "required",
        "information",
    ),
    "an answer off the scale": (
        4,
        {"operation": "Substitution", "source_span": "dog", "rewrite_span": "dog", "information": "some"},
        "scale",
        "information",
    ),
    "an answer that is not asked": (4, {**DELETION, "reorder_level": "word"}, "unknown_question", "reorder_level"),
    "an answer against the operation": (4, {**DELETION, "information": "more"}, "operation", "information"),
    "a changed text": (1, {"Original sentence": "Something else."}, "locked_cell", "Original sentence"),
    "a formula": (4, {**DELETION, "source_span": "=A1"}, "formula", "source_span"),
}


@pytest.mark.parametrize(("row", "cells", "rule", "column"), FREE.values(), ids=FREE.keys())
def test_a_mistake_in_an_edit_gets_one_message_at_its_cell(
    row: int, cells: dict[str, Any], rule: str, column: str, write: Write
) -> None:
    """Quotes that cannot be found, unknown numbers and answers out of place are each reported once."""
    sheet = selected()
    path = write(sheet)
    with at_desk(path) as desk:
        typed(desk, row, cells)
        cell = f"{desk.letter(column, desk.edits)}{row + 1}"
    (problem,) = refused(path, sheet)
    assert (problem.rule, problem.sheet, problem.cell) == (rule, "Edits", cell)


@pytest.mark.parametrize(("row", "cells", "rule", "column"), FREE.values(), ids=FREE.keys())
def test_a_spanish_edits_sheet_is_answered_in_spanish(
    row: int, cells: dict[str, Any], rule: str, column: str, write: Write
) -> None:
    """What is wrong with an edit is said in the sheet's language, with its headers and its names of operations."""
    sheet = attrs.evolve(selected(), language="es")
    path = write(sheet)
    with at_desk(path) as desk:
        typed(desk, row, cells)
    (problem,) = refused(path, sheet)
    assert (problem.rule, problem.sheet) == (rule, "Ediciones")
    said = re.sub("«[^»]*»", "", f"{problem.what} {problem.fix}").replace(FIELDS["source"], "")
    assert not ENGLISH.search(said), said
    assert "_nth" not in said


def test_words_that_are_nearly_there_are_suggested(write: Write) -> None:
    """A misspelt quote gets the word that it was probably meant to be."""
    sheet = selected()
    path = write(sheet)
    with at_desk(path) as desk:
        typed(desk, 4, {**DELETION, "source_span": "dgo"})
    assert "'dog'" in refused(path, sheet)[0].fix


@pytest.mark.parametrize("column", ["item", "edit", "operation", "source_span", "source_nth", "parent", "information"])
def test_a_lost_column_is_one_message(column: str, write: Write) -> None:
    """Without a column the edits cannot be understood; that is said once, not for each edit."""
    sheet = selected()
    path = write(sheet)
    with at_desk(path) as desk:
        header = desk.edits.cell(1, desk.column(column, desk.edits)).value
        desk.edits.delete_cols(desk.column(column, desk.edits))
    (problem,) = refused(path, sheet)
    assert (problem.rule, problem.sheet, problem.value) == ("column", "Edits", header)


def test_a_renamed_edits_sheet_is_one_message(write: Write) -> None:
    """The sheet is gone or renamed, and nothing else is wrong."""
    for sheet in (selected(), classified()):
        path = write(sheet)
        with at_desk(path) as desk:
            desk.edits.title = "Mine"
        assert rules_and_cells(refused(path, sheet)) == [("sheet", "")]


def test_an_unreadable_composite_does_not_make_orphans(write: Write) -> None:
    """When a composite edit's operation is misspelt, its constituents are not reported as belonging to nothing."""
    sheet = selected()
    path = write(sheet)
    with at_desk(path) as desk:
        typed(desk, 2, {"operation": "Splitting"})
    assert [problem.rule for problem in refused(path, sheet)] == ["operation"]


def test_a_composite_without_constituents_is_reported(write: Write) -> None:
    """A split is made of other edits."""
    sheet = selected()
    path = write(sheet)
    with at_desk(path) as desk:
        typed(desk, 4, {"operation": "Sentence split"})
    assert [problem.rule for problem in refused(path, sheet)] == ["constituents"]


def test_edits_of_a_pair_that_was_left_are_one_message(write: Write) -> None:
    """A way out together with edits is reported at the way out."""
    sheet = selected()
    path = write(sheet)
    with at_desk(path) as desk:
        cell = desk.type(1, "way_out", "uncomfortable")
    assert rules_and_cells(refused(path, sheet)) == [("way_out", cell)]


def test_a_mark_that_is_none_is_reported(write: Write) -> None:
    """The column that says a pair is done takes a mark."""
    sheet = selected()
    path = write(sheet)
    with at_desk(path) as desk:
        cell = desk.type(2, "done", "nearly")
    assert rules_and_cells(refused(path, sheet)) == [("scale", cell)]


def test_a_changed_pair_number_is_reported(write: Write) -> None:
    """Edits find their pair by its number, so that the numbers must stay."""
    sheet = selected()
    path = write(sheet)
    with at_desk(path) as desk:
        cell = desk.type(2, "no", 7)
    assert rules_and_cells(refused(path, sheet)) == [("locked_cell", cell)]


FIXED: dict[str, tuple[dict[str, Any], str]] = {
    "another operation": ({"operation": "Insertion"}, "operation"),
    "other words": ({"source_span": "cat."}, "operation"),
    "another occurrence": ({"source_nth": 2}, "operation"),
    "another parent": ({"parent": 2}, "operation"),
}


@pytest.mark.parametrize(("cells", "column"), FIXED.values(), ids=FIXED.keys())
def test_a_fixed_edit_cannot_be_changed(cells: dict[str, Any], column: str, write: Write) -> None:
    """Where edits are fixed, everything but the answers must be as it was handed out."""
    sheet = classified()
    path = write(sheet)
    with at_desk(path) as desk:
        typed(desk, 1, cells)
        cell = f"{desk.letter(column, desk.edits)}2"
    assert rules_and_cells(refused(path, sheet)) == [("fixed_edit", cell)]


def test_a_fixed_edit_with_words_that_are_not_there_is_one_message(write: Write) -> None:
    """The words are not found; that the edit was changed goes without saying."""
    sheet = classified()
    path = write(sheet)
    with at_desk(path) as desk:
        cell = f"{desk.letter('source_span', desk.edits)}2"
        typed(desk, 1, {"source_span": "nowhere"})
    assert rules_and_cells(refused(path, sheet)) == [("span_not_found", cell)]


@pytest.mark.parametrize(("first", "count", "gone"), [(2, 1, ["1"]), (2, 3, ["1", "2", "3"]), (5, 3, ["1", "2", "3"])])
def test_fixed_edits_cannot_be_removed(first: int, count: int, gone: list[str], write: Write) -> None:
    """Removed rows are named together, for a pair that was answered and for one that is still open."""
    sheet = classified()
    path = write(sheet)
    with at_desk(path) as desk:
        desk.edits.delete_rows(first, count)
    (problem,) = refused(path, sheet)
    assert (problem.rule, problem.sheet, problem.value) == ("fixed_edit", "Edits", gone)


def test_a_fixed_edit_cannot_be_added(write: Write) -> None:
    """A further edit is reported where it stands."""
    sheet = classified()
    path = write(sheet)
    with at_desk(path) as desk:
        typed(desk, 7, {"item": 1, "edit": 9, "operation": "Deletion", "source_span": "dog"})
        cell = f"{desk.letter('edit', desk.edits)}8"
    assert rules_and_cells(refused(path, sheet)) == [("fixed_edit", cell)]


def test_a_missing_answer_about_a_fixed_edit_is_reported(write: Write) -> None:
    """Answers are what is asked at this stage."""
    sheet = classified()
    path = write(sheet)
    with at_desk(path) as desk:
        cell = desk.type(1, "grammar_error", None, desk.edits)
    assert rules_and_cells(refused(path, sheet)) == [("required", cell)]


def test_the_sheets_above_are_clean(write: Write) -> None:
    """What the tests above spoil is itself without a problem."""
    for sheet in (selected(), classified()):
        assert list(read_back(write(sheet), sheet).judgements) == ["lease0001"]
