"""Which columns a sheet has, and that each can be found again by its header."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rubrica.core.texts import plain
from rubrica.exchange.sheets.addresses import letter
from rubrica.exchange.sheets.layout import SheetFile, columns, edit_columns
from rubrica.exchange.sheets.rules import meanings, whole_sentences
from tests.exchange.sheet_making import (
    LANGUAGES,
    STAGES,
    answers_of,
    at_desk,
    make_sheet,
    protocol_of,
    read_back,
    refused,
    without_answers,
)

Write = Callable[[SheetFile], Path]
LEXICAL = [
    (name, language)
    for name, _ in STAGES
    for language in (*protocol_of(name).languages[2:], *protocol_of(name).partly_translated)
]


@pytest.mark.parametrize(("protocol_id", "language"), LEXICAL)
def test_every_language_has_sheets(protocol_id: str, language: str, write: Write) -> None:
    """Beyond English and Spanish too, whole or in part; answers come back."""
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
            attrs.evolve(three, header="Instead of answering"),
        ),
    )
    sheet = attrs.evolve(sheet, protocol=protocol)
    headers = [column.header for column in columns(sheet)]
    assert headers == [
        "Fluency",
        "Fluency (2)",
        "Fluency (3)",
        "Fluency (4)",
        "Instead of answering (2)",
        "Instead of answering",
        "Row id",
    ]
    assert read_back(write(sheet), without_answers(sheet)).judgements == answers_of(sheet)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
def test_headers_are_words_never_ids(protocol_id: str, stage_id: str, language: str) -> None:
    """No header of any protocol has the form of an id, and those of BrevE are in the language of the sheet."""
    sheet = make_sheet(protocol_id, stage_id, language)
    listed = [*columns(sheet), *(edit_columns(sheet) if sheet.has_edits else [])]
    own = [column.header for column in listed if column.kind != "field"]
    assert [header for header in own if re.search(r"[a-z]_[a-z0-9]|^[a-z]", header)] == []
    if (protocol_id, language) == ("breve", "es"):
        assert "Contenido preocupante" in own
        assert "Tipo de preocupación: Lenguaje ofensivo o soez" in own


def test_files_with_the_headers_of_earlier_versions_are_read(write: Write) -> None:
    """A sheet that was handed out with ids in its headers comes back as any other."""
    sheet = make_sheet("breve", filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        old = {column.header: column.old for column in columns(sheet) if column.old}
        for cell in desk.page[1]:
            cell.value = old.get(str(cell.value), cell.value)
        assert desk.page.cell(1, 7).value == "concern_kinds: offensive"
    assert read_back(path, without_answers(sheet)).judgements == answers_of(sheet)


@pytest.mark.parametrize(
    ("language", "typed", "said"),
    [
        ("es", "quizá", "¿Hacía falta reescribir? es 'quizá', que no es una de Sí, No"),
        ("en", "maybe", "Was rewriting needed? is 'maybe', which is not one of Yes, No"),
    ],
)
def test_messages_use_the_words_of_the_sheet(language: str, typed: str, said: str, write: Write) -> None:
    """What is wrong with an answer is said with header and labels in the sheet's language."""
    sheet = make_sheet("breve", language=language, filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        cell = desk.type(1, "needed", typed)
    (problem,) = refused(path, without_answers(sheet))
    assert (problem.cell, problem.rule, problem.what) == (cell, "scale", said)


@pytest.mark.parametrize("typed", ["si", "SI", "Sí", "sí ", "yes", "S\u0069\u0301"])
def test_labels_are_read_without_regard_to_accents_and_capitals(typed: str, write: Write) -> None:
    """The list says Sí: whoever types si means it."""
    sheet = make_sheet("breve", language="es", filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(1, "needed", typed)
    assert read_back(path, without_answers(sheet)).judgements["lease0001"].answers["needed"] == "yes"


def test_long_answers_take_several_columns() -> None:
    """One column for each option of a multiple choice, one for each short answer."""
    kinds = [column.part for column in columns(make_sheet("breve")) if column.name == "concern_kinds"]
    assert kinds == ["offensive", "stereotypes", "discrimination", "hate", "sensitive", "other"]
    short = [column.header for column in columns(make_sheet("lexical_simplification")) if column.kind == "answer"]
    assert short == ["Substitutes 1", "Substitutes 2", "Substitutes 3", "Comment"]


@pytest.mark.parametrize(("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")])
def test_letters_of_columns(index: int, letters: str) -> None:
    """Columns are lettered as spreadsheets letter them."""
    assert letter(index) == letters


def test_meanings_share_the_room_of_a_message() -> None:
    """What fits is said in full; else meanings go, the last first, and every point keeps its label: nothing is cut."""
    assert meanings([("1", "Bad", "It is bad."), ("2", "Good", "")]) == "1 = Bad: It is bad.\n2 = Good"
    long = "word " * 40
    told = meanings([("1", "Bad", long.strip()), ("2", "Good", long.strip())])
    assert told == f"1 = Bad: {long.strip()}\n2 = Good"
    longest = meanings([("1", "Bad", "word " * 60), ("2", "Good", "word " * 60)])
    assert longest == "1 = Bad\n2 = Good"
    assert whole_sentences("One is here. Two is too long to fit.", 20) == "One is here."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("protocol_id", "stage_id"), STAGES)
def test_no_header_is_cut(protocol_id: str, stage_id: str, language: str) -> None:
    """What is asked stands whole above its column, in every protocol and language, and is no id."""
    sheet = make_sheet(protocol_id, stage_id, language)
    listed = columns(sheet) + (edit_columns(sheet) if sheet.has_edits else [])
    assert [column.header for column in listed if "…" in column.header or "_" in column.header] == []


def test_a_sheet_with_cut_headers_from_before_is_read(write: Callable[[SheetFile], Path]) -> None:
    """Headers that an earlier version cut with an ellipsis are known again, each for its own part."""
    sheet = make_sheet("lexical_simplification", language="es", filled=True)
    path = write(sheet)
    with at_desk(path) as desk:
        for cell in desk.page[1]:
            start, mark, end = str(cell.value).partition(" sencillas para ti?")
            cell.value = f"{start}…{end}" if mark else cell.value
        assert sum("…" in str(cell.value) for cell in desk.page[1]) == 3
    assert read_back(path, sheet).judgements == answers_of(sheet)
