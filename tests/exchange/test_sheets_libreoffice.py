"""Sheets saved again by LibreOffice are still the same sheets."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import attrs
import pytest

from rubrica.core.study import Item, Judgement
from rubrica.exchange.sheets.layout import META_SHEET, SheetFile, SheetRow
from rubrica.exchange.sheets.write import write_sheet
from tests.exchange.sheet_making import Desk, answers_of, make_sheet, read_back, without_answers
from tests.exchange.test_sheets_texts import TEXTS

SOFFICE = shutil.which("soffice")
if_libreoffice = pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed: there is no soffice")
SHEETS = [
    ("breve", "rate"),
    ("lexical_simplification", "annotate"),
    ("salsa", "select"),
    ("salsa", "classify"),
    ("split_rewrite", "rewrite"),
]
every_sheet = pytest.mark.parametrize(("protocol_id", "stage_id"), SHEETS)


class Saved(NamedTuple):
    """Sheets, and where they are after LibreOffice saved them."""

    sheets: dict[tuple[str, str], SheetFile]
    folder: Path

    def path(self, protocol_id: str, stage_id: str) -> Path:
        """The file of a sheet."""
        return self.folder / f"{protocol_id}-{stage_id}.xlsx"


def tricky_sheet() -> SheetFile:
    """Texts that spreadsheets like to change, as items and as comments."""
    rows = []
    for number, text in enumerate(TEXTS.values()):
        said = Judgement({"content_preservation": 3, "fluency": 2, "comment": text})
        rows.append(SheetRow(f"lease{number}", Item(str(number), {"reference": text, "hypothesis": "Other."}), said))
    return attrs.evolve(make_sheet("adequacy_fluency"), rows=rows)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    """Filled sheets, opened and saved by LibreOffice, all in one run of it."""
    assert SOFFICE is not None
    folder = tmp_path_factory.mktemp("libreoffice")
    sheets = {(name, stage): make_sheet(name, stage, "es", filled=True) for name, stage in SHEETS}
    sheets["tricky", "texts"] = tricky_sheet()
    (folder / "written").mkdir()
    for (name, stage), sheet in sheets.items():
        write_sheet(sheet, folder / "written" / f"{name}-{stage}.xlsx")
    files = [str(path) for path in sorted((folder / "written").iterdir())]
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = [SOFFICE, profile, "--headless", "--convert-to", "xlsx", "--outdir", str(folder / "saved"), *files]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return Saved(sheets, folder / "saved")


@if_libreoffice
@every_sheet
def test_a_saved_sheet_reads_equal_if_libreoffice_is_installed(protocol_id: str, stage_id: str, saved: Saved) -> None:
    """Every answer, edit and blank is what it was before."""
    sheet = saved.sheets[protocol_id, stage_id]
    back = read_back(saved.path(protocol_id, stage_id), without_answers(sheet), blank_is_answer=True)
    assert back.judgements == answers_of(sheet)


@if_libreoffice
def test_tricky_texts_survive_if_libreoffice_is_installed(saved: Saved) -> None:
    """Texts and comments are what they were, but for line endings, which LibreOffice makes its own."""
    sheet = saved.sheets["tricky", "texts"]
    back = read_back(saved.path("tricky", "texts"), without_answers(sheet))
    for name, (row_id, given) in zip(TEXTS, answers_of(sheet).items(), strict=True):
        wanted = str(given.answers["comment"]).replace("\r\n", "\n")
        assert str(back.judgements[row_id].answers["comment"]).replace("\r\n", "\n") == wanted, name


@if_libreoffice
@every_sheet
def test_guards_and_help_survive_if_libreoffice_is_installed(protocol_id: str, stage_id: str, saved: Saved) -> None:
    """Protection, unlocked answers, lists, messages, colours and what is hidden are still there."""
    desk = Desk(saved.path(protocol_id, stage_id))
    page = desk.page
    assert page.protection.sheet
    assert page.auto_filter.ref
    rules = page.data_validations.dataValidation
    assert {rule.type for rule in rules} >= {"list", "custom"}
    assert any(rule.prompt for rule in rules)
    assert len(page.conditional_formatting) > 0
    assert page.column_dimensions[desk.letter("row")].hidden
    assert not page.cell(2, desk.column("comment")).protection.locked
    assert page.cell(2, 1).protection.locked
    assert desk.book[META_SHEET].sheet_state in ("hidden", "veryHidden")
