"""What is written to a sheet is what is read from it, for every stage of every protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rubrica.core.study import Judgement
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from rubrica.exchange.sheets.read import OpenedSheet
from tests.exchange.sheet_making import (
    LANGUAGES,
    STAGES,
    answers_of,
    at_desk,
    make_sheet,
    practice_items,
    protocol_of,
    read_back,
    stages_and_languages,
    type_answers,
    without_answers,
)

Write = Callable[[SheetFile], Path]
every_language = pytest.mark.parametrize("language", LANGUAGES)


@stages_and_languages()
def test_answers_that_were_written_are_read_back_equal(
    protocol_id: str, stage_id: str, language: str, write: Write
) -> None:
    """A sheet written with answers says the same answers when it is read, none left open."""
    sheet = make_sheet(protocol_id, stage_id, language, filled=True)
    back = read_back(write(sheet), without_answers(sheet), blank_is_answer=True)
    assert back.judgements == answers_of(sheet)
    assert back.open == []


@stages_and_languages()
def test_a_blank_sheet_is_all_open(protocol_id: str, stage_id: str, language: str, write: Write) -> None:
    """A sheet that nobody touched has no judgements and no problems: every row is open."""
    sheet = make_sheet(protocol_id, stage_id, language)
    back = read_back(write(sheet), sheet)
    assert back == ({}, [row.id for row in sheet.rows], [], [])


@stages_and_languages(but="salsa")
def test_answers_typed_with_another_program_are_read(
    protocol_id: str, stage_id: str, language: str, write: Write
) -> None:
    """Answers typed into the cells below a question's header, as the lists offer them, are the judgement."""
    wanted = make_sheet(protocol_id, stage_id, language, filled=True)
    sheet = without_answers(wanted)
    path = write(sheet)
    with at_desk(path) as desk:
        type_answers(desk, sheet, [row.judgement or Judgement() for row in wanted.rows])
    assert read_back(path, sheet, blank_is_answer=True).judgements == answers_of(wanted)


def test_practice_items_with_their_right_answers_come_back(write: Write) -> None:
    """Right answers, composite edits with constituents among them, survive at the stage that they belong to."""
    for protocol_id, stage_id in STAGES:
        protocol = protocol_of(protocol_id)
        stage = protocol.stage(stage_id)
        items = {item.key: item for item in practice_items(protocol)}
        rows = [
            SheetRow(practice.id, items[practice.id], Judgement(practice.answers, practice.edits, practice.outcome))
            for practice in protocol.practice
            if practice.stage == stage_id
        ]
        if not rows:
            continue
        fixed = stage.edits == "fixed"
        handed = [attrs.evolve(row, edits=row.judgement.edits if fixed and row.judgement else ()) for row in rows]
        sheet = attrs.evolve(make_sheet(protocol_id, stage_id), rows=handed)
        back = read_back(write(sheet), sheet, blank_is_answer=True)
        for row in sheet.rows:
            assert row.judgement is not None
            said = back.judgements[row.id]
            assert said.outcome == row.judgement.outcome
            assert dict(row.judgement.answers).items() <= dict(said.answers).items()
            assert [edit.id for edit in said.edits] == [edit.id for edit in row.judgement.edits]
            assert [edit.parent for edit in said.edits] == [edit.parent for edit in row.judgement.edits]


def test_reading_twice_gives_the_same(write: Write) -> None:
    """Reading changes neither the file nor what it says."""
    sheet = make_sheet("breve", filled=True)
    path = write(sheet)
    before = path.read_bytes()
    assert read_back(path, without_answers(sheet)) == read_back(path, without_answers(sheet))
    assert path.read_bytes() == before


@pytest.mark.parametrize("way", ["too_simple", "too_problematic", "skip", "uncomfortable"])
@every_language
def test_ways_out_are_written_and_read(way: str, language: str, write: Write) -> None:
    """An item left by a way out comes back as left by it, with its comment."""
    sheet = make_sheet("split_rewrite", language=language)
    left = Judgement({"comment": "No verb."}, (), way)
    sheet = attrs.evolve(sheet, rows=[attrs.evolve(sheet.rows[0], judgement=left), *sheet.rows[1:]])
    assert read_back(write(sheet), without_answers(sheet)).judgements == {"lease0001": left}


@pytest.mark.parametrize("typed", ["SIMPLE", "simple", " Simple. "])
def test_the_keyword_of_a_way_out_typed_as_the_answer_means_the_way_out(typed: str, write: Write) -> None:
    """SIMPLE in place of a rewrite means that there is nothing to split."""
    sheet = make_sheet("split_rewrite")
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(1, "rewrite", typed)
    assert read_back(path, sheet).judgements == {"lease0001": Judgement({}, (), "too_simple")}


def test_a_blank_row_above_an_answered_one_means_no_simpler_word(write: Write) -> None:
    """Where a blank is an answer, rows above the last answered one are blank answers and those below are open."""
    sheet = make_sheet("lexical_simplification")
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(3, "substitutes_1", "easy")
    back = read_back(path, sheet)
    assert [judgement.answers["substitutes"] for judgement in back.judgements.values()] == [(), (), ("easy",)]
    assert back.blanks == ["lease0001", "lease0002"]
    assert back.open == [row.id for row in sheet.rows[3:]]


def test_blank_rows_at_the_end_are_answers_when_the_reader_says_so(write: Write) -> None:
    """With ``blank_is_answer`` every blank row is an answer where the protocol allows a blank one, and only there."""
    lexical, rating = make_sheet("lexical_simplification"), make_sheet("lexical_complexity")
    assert len(read_back(write(lexical), lexical, blank_is_answer=True).blanks) == len(lexical.rows)
    assert read_back(write(rating), rating, blank_is_answer=True).judgements == {}


def test_a_blank_with_a_comment_is_an_answer(write: Write) -> None:
    """A comment without a substitute says that there is no simpler word, not that the answer is missing."""
    sheet = make_sheet("lexical_simplification")
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(1, "comment", "Nothing simpler exists.")
    said = read_back(path, sheet).judgements["lease0001"]
    assert said == Judgement({"substitutes": (), "comment": "Nothing simpler exists."})


def test_a_blank_answer_that_was_handed_out_again_is_still_an_answer(write: Write) -> None:
    """A sheet written with blank answers and read unchanged has them, also in its last rows."""
    sheet = make_sheet("lexical_simplification")
    sheet = attrs.evolve(
        sheet, rows=[attrs.evolve(row, judgement=Judgement({"substitutes": ()})) for row in sheet.rows]
    )
    assert read_back(write(sheet), sheet).judgements == answers_of(sheet)


def test_the_file_says_whose_it_is(write: Write) -> None:
    """Study, annotator, stage and protocol can be asked before anything is read."""
    sheet = make_sheet("claro", language="es")
    meta = OpenedSheet(write(sheet)).meta
    assert meta.items() >= sheet.meta().items()
    assert (meta["study"], meta["annotator"], meta["stage"], meta["hash"]) == (
        "study-pid",
        "ana",
        "rate",
        sheet.protocol.hash,
    )
