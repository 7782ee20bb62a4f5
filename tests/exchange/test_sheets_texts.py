"""Texts that spreadsheets like to change survive a sheet, as items and as answers, and never become formulas."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import attrs
import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubrica.core.study import Item, Judgement
from rubrica.core.typed import storable
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from rubrica.exchange.sheets.write import write_sheet
from tests.exchange.sheet_making import at_desk, make_sheet, read_back, without_answers
from tests.length import either

Write = Callable[[SheetFile], Path]

TEXTS = {
    "long": ("A long sentence. " * 1177)[:19_999] + ".",
    "right to left": "הכלב \u200fרץ אל הבית 12 פעמים",
    "mixed directions": "He said «مرحبا» twice.",
    "emoji": "Good 👍🏽 👩‍👩‍👧 🇨🇴",
    "combining marks": "e\u0301 is not é, nor n\u0303 ñ",
    "equals": "=1+1",
    "a dangerous formula": '=HYPERLINK("http://localhost","x")',
    "plus": "+34 600 000 000",
    "minus": "-5 degrees",
    "at": "@home",
    "line breaks": "One.\nTwo.\n\nFour.",
    "windows line breaks": "One.\r\nTwo.",
    "tabs": "a\tb\tc",
    "spaces at the ends": "  padded  ",
    "quotes": "\"double\" 'single' “curly” «angle»",
    "markup": "<b>&amp;</b> <![CDATA[x]]> ]]>",
    "what Excel writes for a control character": "_x000D_ and _x0041_",
    "control characters": "bell \x07 and unit \x1f",
    "digits": "1984",
    "a leading zero": "007",
    "a date": "1/2",
    "a long number": "12345678901234567890",
    "a word that means true": "TRUE",
    "an error": "#N/A",
    "a link": "https://localhost/path?a=1&b=2",
    "Chinese": "他昨天去了北京。",
    "Sinhala": "සිංහල භාෂාව",
    "line separator": "one\u2028two",
}
tricky = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())


def pair_sheet(source: str, comment: str | None = None) -> SheetFile:
    """A sheet of one pair, rated with a comment if there is one."""
    answers = {"content_preservation": 3, "fluency": 2}
    said = Judgement({**answers, "comment": comment}) if comment is not None else None
    row = SheetRow("lease0001", Item("1", {"reference": source, "hypothesis": "Other."}), said)
    return attrs.evolve(make_sheet("adequacy_fluency"), rows=[row])


def formulas_in(path: Path) -> list[str]:
    """Formulas of cells anywhere in the workbook; rules and colours have theirs elsewhere."""
    with zipfile.ZipFile(path) as archive:
        parts = [archive.read(name).decode() for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
    return [found for part in parts for found in re.findall(r"<f[ >/].*?>", part)]


@tricky
def test_a_text_to_judge_survives_and_is_no_formula(text: str, write: Write) -> None:
    """Another program shows the text as it is, and reading it back finds it unchanged."""
    sheet = pair_sheet(text)
    path = write(sheet)
    assert formulas_in(path) == []
    if not re.search(r"[\x00-\x08\x0b-\x1f]|_x", text):
        assert openpyxl.load_workbook(path).worksheets[0]["A2"].value == text
    assert read_back(path, sheet).open == ["lease0001"]


@tricky
def test_a_written_answer_survives_and_is_no_formula(text: str, write: Write) -> None:
    """A comment that was written into the sheet is read back code point by code point; lines end in one way."""
    sheet = pair_sheet("Source.", text)
    path = write(sheet)
    assert formulas_in(path) == []
    comment = read_back(path, without_answers(sheet)).judgements["lease0001"].answers["comment"]
    assert comment == text.replace("\r\n", "\n")


UNESCAPED = ("control characters", "windows line breaks", "what Excel writes for a control character")
"""What Excel escapes when it saves and openpyxl, which stands for it here, does not."""


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in UNESCAPED])
def test_a_typed_answer_survives(name: str, write: Write) -> None:
    """A comment typed with another program is read as it was typed."""
    sheet = pair_sheet("Source.")
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(1, "content_preservation", 3)
        desk.type(1, "fluency", 2)
        cell = desk.page.cell(2, desk.column("comment"))
        cell.value = TEXTS[name]
        cell.data_type = "s"
    assert read_back(path, sheet).judgements["lease0001"].answers["comment"] == TEXTS[name]


@pytest.mark.parametrize(("typed", "meant"), [(1984, "1984"), (12.5, "12.5"), ("1984", "1984"), (" easy ", "easy")])
def test_a_substitute_that_looks_like_a_number_is_a_word(typed: object, meant: str, write: Write) -> None:
    """A short answer is text, whatever the spreadsheet took it for."""
    sheet = make_sheet("lexical_simplification")
    path = write(sheet)
    with at_desk(path) as desk:
        desk.type(1, "substitutes_1", typed)
    assert read_back(path, sheet).judgements["lease0001"].answers == {"substitutes": (meant,)}


@tricky
def test_a_context_with_a_marked_word_survives(text: str, write: Write) -> None:
    """A cell in which one word stands out is still the same text, whatever is around the word."""
    item = Item("1", {"context": f"{text} tortuous", "target": "tortuous"})
    sheet = attrs.evolve(make_sheet("lexical_complexity"), rows=[SheetRow("lease0001", item)])
    assert read_back(write(sheet), sheet).open == ["lease0001"]


@pytest.mark.parametrize("text", ["\ufffe", "\uffff"])
def test_a_character_that_no_cell_can_hold_is_no_change_of_the_text(text: str, write: Write) -> None:
    """A text with a noncharacter can be put on a sheet and is not reported as changed."""
    sheet = pair_sheet(f"Odd {text} text.")
    assert read_back(write(sheet), sheet).open == ["lease0001"]


storable_texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufffe\uffff"), min_size=1, max_size=60)


@settings(max_examples=either(20, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=storable_texts, comment=storable_texts)
def test_any_storable_text_survives(source: str, comment: str, tmp_path: Path) -> None:
    """Whatever can be stored can be judged and answered on a sheet."""
    assert storable(source)
    says_something = bool(comment.strip()) and comment.strip().casefold() not in ("n/a", "n.a.", "not_applicable")
    sheet = pair_sheet(source, comment)
    path = tmp_path / "sheet.xlsx"
    write_sheet(sheet, path)
    answers = read_back(path, without_answers(sheet)).judgements["lease0001"].answers
    assert answers.get("comment") == (comment if says_something else None)


def test_text_keeps_its_direction(write: Write) -> None:
    """Right-to-left text is set from the right, whatever the language of the sheet."""
    page = openpyxl.load_workbook(write(pair_sheet("הכלב רץ")), rich_text=True).worksheets[0]
    assert (page["A2"].alignment.readingOrder, page["A2"].alignment.horizontal) == (2, "right")
    assert page["B2"].alignment.readingOrder == 0


def test_a_sheet_in_a_right_to_left_language_runs_from_the_right(write: Write) -> None:
    """In a language that is written from right to left, the first column is the one on the right."""
    sheet = attrs.evolve(make_sheet("adequacy_fluency"), language="he")
    views = [page.sheet_view.rightToLeft for page in openpyxl.load_workbook(write(sheet)).worksheets[:2]]
    assert views == [True, True]
