"""A sheet speaks one language: headers, lists, explanations, messages and names, in every protocol and language."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import attrs
import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from rubrica.core.study import Item
from rubrica.exchange.sheets.layout import SheetFile
from rubrica.language import catalogues
from rubrica.protocols.catalog import load_shipped
from tests.exchange.sheet_making import (
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

FOREIGN = [
    (name, stage, language)
    for name, stage in STAGES
    for language in load_shipped(name).protocol.languages
    if language != "en"
]
SAME_IN_BOTH = {"context", "neutral", "natural", "no", "original", "test"}
"""Words that English shares with one of the languages."""
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|with|this|that|answer(ing)?|row|which|not|you|your|or|for|word|sheet)\b", re.I
)
OF_OTHERS = {"fil": r"\b(sheet|is|not)\b", "pt": r"\b(for)\b"}
"""The same letters are words of theirs."""


def texts_of(path: Path, *, guidelines: bool = True) -> set[str]:
    """Every text that somebody sees: names of sheets, cells, drop-down lists and what is told beside a cell."""
    found: set[str] = set()
    book = openpyxl.load_workbook(path)
    for page in book.worksheets:
        found.add(page.title)
        if page.sheet_state == "visible":
            last = None if guidelines or page is not book.worksheets[-2] else 1
            cells = (cell.value for row in page.iter_rows(max_col=last) for cell in row)
            found |= {text for text in cells if isinstance(text, str)}
        else:
            # Lists that are too long for a cell's rule stand from the third column on.
            found |= {
                str(cell.value) for row in page.iter_rows(min_col=3) for cell in row if isinstance(cell.value, str)
            }
        for rule in page.data_validations.dataValidation:
            found |= {text for text in (rule.promptTitle, rule.prompt, rule.errorTitle, rule.error) if text}
            listed = rule.formula1 or ""
            found |= set(listed.strip('"').split(",")) if listed.startswith('"') else set()
    found -= {"_rubrica", "lease0001", "lease0002"}
    return {text for text in found if re.search(r"[^\W\d_]{2}", text)}


def _word(text: str) -> str:
    return text.strip("0123456789,.: ").casefold()


def sheet_in(name: str, stage: str, language: str, wording: str = "") -> SheetFile:
    """A sheet whose items' texts are of no language."""
    protocol = protocol_of(name)
    if wording:
        protocol = load_shipped(name).protocol.resolve({"wording": wording})
    fields = {field.id: "0 1 2 3" for field in protocol.fields} | {"target": "1", "substitute": "2"}
    items = [Item(str(number), {one: fields[one] for one in (f.id for f in protocol.fields)}) for number in range(2)]
    return attrs.evolve(make_sheet(name, stage, language, items=items), protocol=protocol)


@pytest.mark.parametrize(("name", "stage", "language"), FOREIGN)
def test_nothing_on_a_sheet_is_english(name: str, stage: str, language: str, write: Write) -> None:
    """No text of a sheet is as on the English one, and none has words that only English has."""
    wordings = [""]
    if any(one.id == "wording" for one in load_shipped(name).protocol.parameters):
        wordings = ["you", "audience"]
    for wording in wordings:
        english = texts_of(write(sheet_in(name, stage, "en", wording)))
        protocol = load_shipped(name).protocol
        # The guidelines of these are full of English sentences, which they are about.
        about_english = name.startswith("split_")
        own = texts_of(write(sheet_in(name, stage, language, wording)), guidelines=not about_english)
        named = {one.id for one in protocol.fields} | {one.header for one in protocol.questions if one.header}
        assert {text for text in own & english if _word(text) not in SAME_IN_BOTH} - named == set()
        strange = re.compile(OF_OTHERS.get(language, r"(?!)"), re.I)
        assert [text for text in own if ENGLISH.search(strange.sub("", text))] == []


def test_a_sheet_from_before_our_words_were_corrected_is_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Headers and names of sheets are those that the file says it has."""
    sheet = make_sheet("salsa", "select", "es", filled=True)
    path = write(sheet)
    spoken = catalogues._of_sheets("es")
    better = {"Instead of answering": "En vez de responder", "Judgements": "Valoraciones", "Edits": "Cambios"}
    monkeypatch.setattr(catalogues, "_of_sheets", lambda language: {**spoken, **better, "Edit no.": "Cambio n.º"})
    assert sheet.names[:2] == ("Valoraciones", "Cambios")
    assert read_back(path, without_answers(sheet)).judgements == answers_of(sheet)


@pytest.mark.parametrize("language", [one for one in protocol_of("lexical_complexity").languages if one != "en"])
def test_a_wrong_answer_is_told_in_the_language_of_the_sheet(language: str, write: Write) -> None:
    """What is wrong with a cell, and how to mend it, is said in the words that stand on the sheet."""
    sheet = make_sheet("lexical_complexity", language=language)
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(1, "complexity", "9")
    (problem,) = refused(path, sheet)
    assert not ENGLISH.search(re.sub(OF_OTHERS.get(language, r"(?!)"), "", f"{problem.what} {problem.fix}"))
    assert "1" in problem.fix


@pytest.mark.parametrize("language", [one for one in protocol_of("lexical_complexity").languages if one != "en"])
def test_a_spoilt_sheet_is_told_in_its_language(language: str, write: Write) -> None:
    """What is wrong with columns, rows, cells and the file is said in the words of the sheet, and how to mend it."""
    items = [
        Item(str(number), {"context": f"0 1 {number}", "target": "1"}, metadata={"language": language})
        for number in range(10, 16)
    ]
    sheet = make_sheet("lexical_complexity", language=language, items=items)
    found: dict[str, str] = {}

    def spoil(change: Callable[[Worksheet], object]) -> None:
        path = write(sheet)
        with at_desk(path) as desk:
            change(desk.page)
        for problem in refused(path, sheet):
            found[problem.rule] = f"{problem.what} {problem.fix}"

    spoil(lambda page: page.delete_cols(1))
    spoil(lambda page: page.insert_cols(1) or page.cell(1, 1, page.cell(1, 3).value))
    spoil(lambda page: page.insert_rows(1, 2))
    spoil(lambda page: page.cell(2, 1, "9 9 9"))
    spoil(lambda page: page.cell(3, 3, "=1+1"))
    spoil(lambda page: page.merge_cells("C2:C4"))
    spoil(lambda page: page.delete_rows(3, 2))
    spoil(lambda page: page.delete_rows(3, 1))
    spoil(lambda page: page.cell(4, page.max_column, page.cell(3, page.max_column).value))
    spoil(lambda page: page.cell(4, page.max_column, "lease9999"))
    spoil(lambda page: page.cell(9, 3, "1"))
    spoil(lambda page: page.cell(3, page.max_column - 1, "xyz"))
    spoil(lambda page: setattr(page, "title", "9"))
    for other in (attrs.evolve(sheet, pid="other"), attrs.evolve(sheet, study="9", study_pid="9")):
        for problem in refused(write(sheet), other):
            found[problem.rule] = f"{problem.what} {problem.fix}"
    strange = re.compile(OF_OTHERS.get(language, r"(?!)"), re.I)
    assert len(found) > 10
    assert {rule: said for rule, said in found.items() if ENGLISH.search(strange.sub("", said))} == {}


def test_the_name_of_a_sheet_is_one_that_excel_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a translation says, the file can be written."""
    monkeypatch.setattr(catalogues, "_of_sheets", lambda language: {"Judgements": "a/b" * 20})
    assert make_sheet("quality").names[0] == ("a b" * 20)[:31]
