"""A spoilt sheet gets one clear message for each mistake, at its cell, and nothing else; nothing of it is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rubrica.core.errors import InputError, Problem
from rubrica.core.study import Item, Judgement
from rubrica.exchange.sheets.layout import META_SHEET, SheetFile, SheetRow, way_out_labels
from rubrica.exchange.sheets.read import OpenedSheet
from tests.exchange.sheet_making import at_desk, make_sheet, read_back, refused, rules_and_cells
from tests.exchange.spoils import SPOILS, Spoil

Write = Callable[[SheetFile], Path]
ACCEPTED = {"simplification": 3, "meaning": 3, "fluency": 3, "concern": "no", "acceptance": "accept", "needed": "yes"}
SAME = {"source": "El gato duerme.", "rewrite": "El gato duerme."}


def rated(count: int = 6) -> SheetFile:
    """Pairs judged by BrevE, the last of them identical."""
    rows = []
    for number in range(1, count):
        fields = {"source": f"El gato {number} que es negro duerme.", "rewrite": f"El gato negro {number} duerme."}
        rows.append(SheetRow(f"lease000{number}", Item(f"key{number}", fields), Judgement(ACCEPTED)))
    alike = Judgement({"simplification": 2, "concern": "no", "needed": "yes"})
    rows.append(SheetRow(f"lease000{count}", Item(f"key{count}", SAME), alike))
    return attrs.evolve(make_sheet("breve"), rows=rows)


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS.keys())
def test_each_mistake_gets_its_own_message_and_no_other(spoil: Spoil, write: Write) -> None:
    """The rule and the cell are those of the mistake; what follows from it is not reported again."""
    sheet = rated()
    path = write(sheet)
    with at_desk(path) as desk:
        expected = spoil(desk)
    problems = refused(path, sheet)
    assert rules_and_cells(problems) == sorted(expected)
    assert all(complete(problem, path) for problem in problems)


ENGLISH = re.compile(r"\b(the|this|is|are|was|of|with|in|Put|Remove|Use|Type|row|column|cell|item|edit)\b")
"""Words by which an English message is known."""


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS.keys())
def test_a_spanish_sheet_is_answered_in_spanish(spoil: Spoil, write: Write) -> None:
    """Whatever is wrong with the answers or with the sheet itself, nothing is said in English."""
    sheet = attrs.evolve(rated(), language="es")
    path = write(sheet)
    with at_desk(path) as desk:
        expected = spoil(desk)
    problems = refused(path, sheet)
    assert rules_and_cells(problems) == sorted(expected)
    for problem in problems:
        said = (
            f"{problem.what} {problem.fix}".replace("too boring", "").replace("a little", "").replace("quite good", "")
        )
        assert not ENGLISH.search(said), said


def complete(problem: Problem, path: Path) -> bool:
    """Whether a message says where it is, what is wrong, by which rule, and what to do."""
    place = f"{path}:{problem.sheet}!{problem.cell}: " if problem.cell else f"{path}:"
    return str(problem).startswith(place) and bool(
        problem.what and problem.rule and problem.fix.endswith((".", "…", "s"))
    )


def test_ten_mistakes_in_one_file_get_at_least_ten_messages(write: Write) -> None:
    """Everything is said at once, whatever else is wrong with the file."""
    together = [
        "answer_beyond_the_scale",
        "answer_with_words",
        "change_a_text",
        "leave_an_answer_out",
        "change_a_preset_answer",
        "copy_a_row",
        "add_a_row",
        "merge_answers",
        "double_a_column",
    ]
    sheet = rated()
    path = write(sheet)
    with at_desk(path) as desk:
        expected = [found for name in together for found in SPOILS[name](desk)]
        expected.append(("formula", desk.type(5, "edit", "=A1")))
    assert set(rules_and_cells(refused(path, sheet))) == set(expected)
    assert len(expected) == 10


def test_a_lost_column_does_not_hide_mistakes_in_the_others(write: Write) -> None:
    """With a column gone, the answers in the other columns are still checked."""
    sheet = rated()
    path = write(sheet)
    with at_desk(path) as desk:
        desk.page.delete_cols(desk.column("needed"))
        cell = desk.type(3, "simplification", 9)
    assert rules_and_cells(refused(path, sheet)) == [("column", "1:1"), ("scale", cell)]


def test_an_emptied_first_column_does_not_shift_the_addresses(write: Write) -> None:
    """Cells are named as the spreadsheet names them, also when its first column holds nothing."""
    sheet = rated()
    path = write(sheet)
    with at_desk(path) as desk:
        for row in range(1, desk.page.max_row + 1):
            desk.page.cell(row, 1).value = None
        cell = desk.type(3, "simplification", 9)
    assert rules_and_cells(refused(path, sheet)) == [("column", "1:1"), ("scale", cell)]


def test_a_rewrite_of_one_sentence_is_refused_with_the_ways_out(write: Write) -> None:
    """A sentence that was not split is either split or left by a way out, and the message says which there are."""
    sheet = make_sheet("split_rewrite")
    path = write(sheet)
    with at_desk(path) as desk:
        cell = desk.type(1, "rewrite", "This is only one sentence.")
    (problem,) = refused(path, sheet)
    assert (problem.rule, problem.cell) == ("scale", cell)
    assert all(label in problem.fix for label in way_out_labels(sheet).values())


@pytest.mark.parametrize(("change", "rule"), [({"pid": "other"}, "identity"), ({"study_pid": "other"}, "identity")])
def test_another_sheet_is_recognised_as_a_whole(change: dict[str, str], rule: str, write: Write) -> None:
    """Another annotator's or another study's file gets one message, not one for each of its rows."""
    sheet = rated()
    path = write(attrs.evolve(sheet, annotator="ben", **change))
    (problem,) = refused(path, sheet)
    assert problem.rule == rule
    assert "'ben'" in problem.what


def test_a_sheet_of_another_version_is_recognised_as_a_whole(write: Write) -> None:
    """Questions that have changed since make the sheet unreadable: one message says so."""
    sheet = rated()
    path = write(sheet)
    (problem,) = refused(path, attrs.evolve(sheet, protocol=attrs.evolve(sheet.protocol, hash="0" * 64)))
    assert problem.rule == "protocol"


def test_a_sheet_without_its_hidden_page_is_refused_at_once(write: Write) -> None:
    """Without the hidden sheet nobody knows whose the file is."""
    path = write(rated())
    with at_desk(path) as desk:
        del desk.book[META_SHEET]
    with pytest.raises(InputError, match="hidden sheet"):
        OpenedSheet(path)


def test_a_sheet_of_a_later_format_is_refused_at_once(write: Write) -> None:
    """A file that another version of Rubrica wrote in another form is not guessed at."""
    sheet = rated()
    path = write(sheet)
    with at_desk(path) as desk:
        desk.book[META_SHEET]["B1"] = "2"
    (problem,) = refused(path, sheet)
    assert (problem.rule, problem.value) == ("format", "2")


def test_a_clean_sheet_is_read_after_all(write: Write) -> None:
    """What the tests above spoil is itself without a problem."""
    sheet = rated()
    assert len(read_back(write(sheet), sheet).judgements) == 6
