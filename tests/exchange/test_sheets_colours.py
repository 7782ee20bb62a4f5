"""Colours: what is still open and what contradicts itself, which is what the validator would say about the row."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import openpyxl
import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.edits import Edit, Span
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.layout import Column, SheetFile, SheetRow, columns, edit_columns
from rubrica.exchange.sheets.page import OPEN, WRONG
from tests.exchange.excel_formulas import colours
from tests.exchange.sheet_making import LANGUAGES, STAGES, Desk, make_sheet, stages_and_languages
from tests.length import either

Write = Callable[[SheetFile], Path]
SEEDS = range(either(3, 8))


def half_answered(sheet: SheetFile, rng: random.Random) -> SheetFile:
    """The sheet with some answers gone and others put where they do not belong."""
    rows = []
    names = [question.id for question in sheet.questions()]
    everything = [row.judgement.answers for row in sheet.rows if row.judgement]
    for row in sheet.rows:
        assert row.judgement is not None
        plan = Validator(sheet.protocol, sheet.stage).plan(row.item)
        fixed = {**plan.preset, **plan.dropped}
        answers: dict[str, Any] = {}
        for name in names:
            donor = rng.choice([row.judgement.answers, row.judgement.answers, {}, rng.choice(everything)])
            if name in donor and donor[name] is not NOT_APPLICABLE and name not in fixed:
                answers[name] = donor[name]
        rows.append(attrs.evolve(row, judgement=Judgement(answers)))
    return attrs.evolve(sheet, rows=rows)


def painted(found: dict[str, str], listed: list[Column], colour: str) -> set[str]:
    """Questions with at least one cell of this colour."""
    places = {letter(index): column for index, column in enumerate(listed) if column.kind == "answer"}
    return {places[place].name for place, given in found.items() if given == colour and place in places}


@stages_and_languages(but="salsa")
def test_colours_say_what_the_validator_says(protocol_id: str, stage_id: str, language: str, write: Write) -> None:
    """A cell is coloured as open where an answer is required, as wrong where one is not asked, and otherwise not."""
    for seed in SEEDS:
        sheet = half_answered(make_sheet(protocol_id, stage_id, language, filled=True), random.Random(seed))
        validator, listed = Validator(sheet.protocol, sheet.stage), columns(sheet)
        page = openpyxl.load_workbook(write(sheet)).worksheets[0]
        for number, row in enumerate(sheet.rows, start=2):
            assert row.judgement is not None
            found = validator.problems(row.item, row.judgement)
            blanks = {"substitutes"}
            missing = {problem.question for problem in found if problem.rule == "required"} - blanks
            contradicting = {problem.question for problem in found if problem.rule == "not_shown"}
            colour = colours(page, number)
            assert painted(colour, listed, OPEN) == missing
            assert painted(colour, listed, WRONG) == contradicting


@pytest.mark.parametrize("language", LANGUAGES)
def test_colours_of_edits_say_what_the_validator_says(language: str, write: Write) -> None:
    """The same for questions about edits, given the operation and what it implies."""
    for stage in ("select", "classify"):
        full = make_sheet("salsa", stage, language, filled=True)
        rng = random.Random(f"{stage}{language}")
        rows = []
        for row in full.rows:
            assert row.judgement is not None
            edits = tuple(attrs.evolve(edit, answers=_some(edit, rng)) for edit in row.judgement.edits)
            rows.append(attrs.evolve(row, judgement=Judgement({}, edits)))
        sheet = attrs.evolve(full, rows=rows)
        validator, listed = Validator(sheet.protocol, sheet.stage), edit_columns(sheet)
        desk = Desk(write(sheet))
        edit_place = desk.column("edit", desk.edits)
        line = 1
        for row in sheet.rows:
            assert row.judgement is not None
            found = validator.problems(row.item, row.judgement)
            for edit in row.judgement.edits:
                line += 1
                while desk.edits.cell(line, edit_place).value != edit.id:
                    line += 1
                mine = [problem for problem in found if problem.edit == edit.id]
                colour = colours(desk.edits, line)
                missing = {problem.question for problem in mine if problem.rule == "required"}
                wrong = {p.question for p in mine if p.rule in ("not_shown", "unknown_question", "operation")}
                assert painted(colour, listed, OPEN) == missing
                assert painted(colour, listed, WRONG) == wrong
            line += 0 if stage == "classify" else 8


def _some(edit: Edit, rng: random.Random) -> dict[str, Any]:
    if edit.parent:
        return {}
    kept = {name: value for name, value in edit.answers.items() if rng.random() < 0.7}
    return kept | ({"reorder_level": "word"} if rng.random() < 0.2 else {})


def test_a_value_that_is_not_on_the_scale_is_wrong(write: Write) -> None:
    """What the list would not have offered is coloured, whether it was pasted as a number or as text."""
    desk = Desk(write(make_sheet("breve")))
    desk.type(1, "simplification", 7)
    desk.type(2, "simplification", "3")
    desk.type(3, "concern", "perhaps")
    desk.type(4, "concern_kinds: hate", "q")
    desk.type(4, "concern", "yes")
    column = {name: desk.letter(name) for name in ("simplification", "concern", "concern_kinds: hate")}
    assert colours(desk.page, 2)[column["simplification"]] == WRONG
    assert column["simplification"] not in colours(desk.page, 3)
    assert colours(desk.page, 4)[column["concern"]] == WRONG
    assert colours(desk.page, 5)[column["concern_kinds: hate"]] == WRONG


def test_nothing_is_open_in_a_row_left_by_a_way_out_and_answers_beside_it_are_wrong(write: Write) -> None:
    """A way out closes a row; an answer that still stands in it contradicts it."""
    desk = Desk(write(make_sheet("breve")))
    desk.type(1, "way_out", "I would rather not judge this")
    assert OPEN not in colours(desk.page, 2).values()
    desk.type(1, "simplification", 3)
    assert colours(desk.page, 2) == {desk.letter("simplification"): WRONG}


def test_pairs_that_are_not_marked_as_done_are_open(write: Write) -> None:
    """On sheets with edits, the mark that a pair is done is what is open."""
    desk = Desk(write(make_sheet("salsa", "select")))
    assert colours(desk.page, 2) == {desk.letter("done"): OPEN}
    desk.type(1, "done", "x")
    desk.type(2, "way_out", "uncomfortable")
    assert colours(desk.page, 2) == colours(desk.page, 3) == {}


def test_words_are_asked_for_on_the_sides_that_an_operation_has(write: Write) -> None:
    """A span is open where the operation marks words and wrong where it does not; words alone ask for an operation."""
    edit = Edit("1", "deletion", (Span(0, 3),), answers={"information": "less"})
    row = SheetRow("lease0001", Item("1", {"source": "The cat.", "rewrite": "Cat."}), Judgement({}, (edit,)))
    desk = Desk(write(attrs.evolve(make_sheet("salsa", "select"), rows=[row])))
    desk.type(1, "rewrite_span", "Cat", desk.edits)
    desk.type(2, "operation", "Substitution", desk.edits)
    desk.type(3, "source_span", "cat", desk.edits)
    place = {
        name: desk.letter(name, desk.edits) for name in ("source_span", "rewrite_span", "operation", "information")
    }
    assert colours(desk.edits, 2) == {place["rewrite_span"]: WRONG}
    assert colours(desk.edits, 3) == dict.fromkeys(
        (place["source_span"], place["rewrite_span"], place["information"]), OPEN
    )
    assert colours(desk.edits, 4) == {place["operation"]: OPEN}


@pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
def test_formulas_are_short_enough_for_excel(protocol_id: str, stage_id: str, write: Write) -> None:
    """Excel refuses formulas of more than 8,192 characters, texts in them of more than 255, and nesting beyond 64."""
    for page in openpyxl.load_workbook(write(make_sheet(protocol_id, stage_id, "es"))).worksheets[:2]:
        for area in page.conditional_formatting:
            for rule in area.rules:
                formula = rule.formula[0]
                assert len(formula) < 8192
                assert all(len(text) <= 255 for text in formula.split('"')[1::2])
                depth = [formula[:place].count("(") - formula[:place].count(")") for place in range(len(formula))]
                assert max(depth) <= 64
