"""Which columns a sheet has, and that each can be found again by its header."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rubrica.core.texts import plain
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.edits_layout import edit_columns
from rubrica.exchange.sheets.layout import SheetFile, columns
from rubrica.exchange.sheets.rules import meanings
from tests.exchange.sheet_making import STAGES, answers_of, make_sheet, protocol_of, read_back, without_answers

Write = Callable[[SheetFile], Path]
LEXICAL = [(name, language) for name, _ in STAGES for language in protocol_of(name).partly_translated]


@pytest.mark.parametrize(("protocol_id", "language"), LEXICAL)
def test_partly_translated_languages_have_sheets_too(protocol_id: str, language: str, write: Write) -> None:
    """Where only the scale is translated, the sheet shows it and falls back for the rest; answers come back."""
    sheet = make_sheet(protocol_id, language=language, filled=True)
    back = read_back(write(sheet), without_answers(sheet), blank_is_answer=True)
    assert back.judgements == answers_of(sheet)


@pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
def test_every_header_stands_once(protocol_id: str, stage_id: str) -> None:
    """No two columns of a page share a header, in any language."""
    for language in ("en", "es", "ja"):
        sheet = make_sheet(protocol_id, stage_id, language)
        pages = [columns(sheet), edit_columns(sheet)] if sheet.has_edits else [columns(sheet)]
        for page in pages:
            headers = [column.header for column in page]
            assert len(set(headers)) == len(headers)


def test_shared_headers_are_told_apart(write: Write) -> None:
    """A text that is called like a question, a question called like a column of ours, two questions called alike."""
    sheet = make_sheet("adequacy_fluency", filled=True)
    first, second = sheet.protocol.fields
    one, two, three = sheet.protocol.questions
    protocol = attrs.evolve(
        sheet.protocol,
        fields=(attrs.evolve(first, label=plain("Fluency")), attrs.evolve(second, label=plain("Fluency"))),
        questions=(
            attrs.evolve(one, header="Fluency"),
            attrs.evolve(two, header="Fluency"),
            attrs.evolve(three, header="way_out"),
        ),
    )
    sheet = attrs.evolve(sheet, protocol=protocol)
    headers = [column.header for column in columns(sheet)]
    assert headers == [
        "Fluency (reference)",
        "Fluency (hypothesis)",
        "Fluency",
        "Fluency'",
        "way_out (comment)",
        "way_out",
        "row",
    ]
    assert read_back(write(sheet), without_answers(sheet)).judgements == answers_of(sheet)


def test_headers_are_the_words_of_the_document_else_ids() -> None:
    """BrevE's document names four columns; the others are called by their questions."""
    headers = [column.header for column in columns(make_sheet("breve", language="es")) if column.kind == "answer"]
    assert headers[:4] == ["Simplification", "Meaning Preservation", "Fluency", "Concerning Content"]
    assert headers[-6:] == ["acceptance", "edit", "severity", "corrected", "needed", "comment"]


def test_long_answers_take_several_columns() -> None:
    """One column for each option of a multiple choice, one for each short answer."""
    kinds = [column.part for column in columns(make_sheet("breve")) if column.name == "concern_kinds"]
    assert kinds == ["offensive", "stereotypes", "discrimination", "hate", "sensitive", "other"]
    short = [column.header for column in columns(make_sheet("lexical_simplification")) if column.kind == "answer"]
    assert short == ["substitutes_1", "substitutes_2", "substitutes_3", "comment"]


@pytest.mark.parametrize(("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")])
def test_letters_of_columns(index: int, letters: str) -> None:
    """Columns are lettered as spreadsheets letter them."""
    assert letter(index) == letters


def test_meanings_share_the_room_of_a_message() -> None:
    """What fits is said in full; else labels go, and what is still too long is cut to the same length."""
    assert meanings([("1", "bad", "It is bad."), ("2", "good", "")]) == "1 = bad: It is bad.\n2 = good"
    long = "word " * 22
    without_labels = meanings([("1", "label " * 10, long.strip()), ("2", "label " * 10, long.strip())])
    assert without_labels == f"1 = {long.strip()}\n2 = {long.strip()}"
    lines = meanings([(str(number), "", "word " * 40) for number in range(5)]).split("\n")
    assert all(line.endswith("…") and 45 <= len(line) <= 51 for line in lines)
    assert len("\n".join(lines)) <= 255
