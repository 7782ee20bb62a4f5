"""Files that are no sheets at all, or dangerous ones: refused with one message, before anything is read."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.core.errors import InputError, Problem
from rubrica.exchange.sheets.layout import SheetFile
from rubrica.exchange.sheets.read import OpenedSheet
from tests.exchange.sheet_making import make_sheet, read_back

Write = Callable[[SheetFile], Path]
OLD_OFFICE = bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 504


def the_problem(path: Path) -> Problem:
    """The one problem for which a file is refused."""
    with pytest.raises(InputError) as caught:
        OpenedSheet(path)
    (problem,) = caught.value.problems
    assert problem.file == str(path)
    return problem


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "empty"),
        (b"just some text", "not an Excel file"),
        (b"source,rewrite\nuno,dos\n", "not an Excel file"),
        (b"<html><table></table></html>", "not an Excel file"),
        (OLD_OFFICE, "with a password"),
        (b"PK\x03\x04 and nothing more", "damaged"),
    ],
)
def test_what_is_no_workbook_is_called_what_it_is(content: bytes, what: str, tmp_path: Path) -> None:
    """An empty file, text, a web page, an old or protected file: each is named, with what to do about it."""
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(content)
    problem = the_problem(path)
    assert problem.rule == "xlsx"
    assert what in problem.what
    assert problem.fix


def test_a_missing_file_is_no_traceback(tmp_path: Path) -> None:
    """A name that is not there, or is a folder, is a problem like any other."""
    assert the_problem(tmp_path / "nowhere.xlsx").rule == "file"
    assert the_problem(tmp_path).rule == "file"


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_damaged(share: float, write: Write) -> None:
    """A file that did not arrive whole is said to be damaged."""
    path = write(make_sheet("breve"))
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    assert "damaged" in the_problem(path).what


@pytest.mark.parametrize("place", [0.2, 0.4, 0.6])
def test_a_file_with_broken_bytes_is_damaged(place: float, write: Write) -> None:
    """Bytes that changed on the way are noticed, whichever part of the file they hit."""
    path = write(make_sheet("breve"))
    data = bytearray(path.read_bytes())
    middle = int(len(data) * place)
    data[middle : middle + 40] = b"\xff" * 40
    path.write_bytes(bytes(data))
    assert "damaged" in the_problem(path).what


def test_a_zip_that_is_no_workbook_is_refused(tmp_path: Path) -> None:
    """A zip archive of something else is not taken for a workbook."""
    path = tmp_path / "sheet.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")
    assert the_problem(path).rule == "xlsx"


def rewritten(path: Path, changes: dict[str, bytes]) -> None:
    """Replace or add parts of a workbook."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (parts | changes).items():
            archive.writestr(name, data)


def test_a_file_that_would_unpack_to_something_huge_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kilobytes that become more than any sheet needs are not unpacked; the limit is lowered to save time."""
    monkeypatch.setenv("RUBRICA_MAX_MB", "3")
    path = write(make_sheet("breve"))
    rewritten(path, {"xl/media/image1.png": b"\0" * 3_000_000})
    assert path.stat().st_size < 100_000
    assert the_problem(path).rule == "size"


def test_a_part_that_lies_about_its_size_is_damaged(write: Write) -> None:
    """A part that says it is small and is not never reaches the reader."""
    path = write(make_sheet("breve"))
    rewritten(path, {"xl/media/image1.png": b"\0" * 5_000_000})
    data = path.read_bytes()
    said, lie = (5_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little")
    assert data.count(said) == 2
    path.write_bytes(data.replace(said, lie))
    assert "damaged" in the_problem(path).what


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"])
def test_xml_entities_are_refused(part: str, write: Write) -> None:
    """A document type declaration, wherever it stands, is a reason to read nothing."""
    path = write(make_sheet("breve"))
    with zipfile.ZipFile(path) as archive:
        text = archive.read(part).decode()
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    rewritten(path, {part: text.replace("?>", f"?>{' ' * 9000}{bomb}", 1).encode()})
    problem = the_problem(path)
    assert (problem.rule, problem.value) == ("xml", part)


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/worksheets/sheet3.xml"])
def test_xml_that_cannot_be_parsed_is_a_problem(part: str, write: Write) -> None:
    """A page whose XML is broken, the one with answers or the hidden one, is said to be unreadable."""
    sheet = make_sheet("breve")
    path = write(sheet)
    rewritten(path, {part: b"<worksheet><sheetData><row r='1'><c r='A1' t='s'><v>x</sheetData>"})
    with pytest.raises(InputError) as caught:
        read_back(path, sheet)
    (problem,) = caught.value.problems
    assert problem.rule == "xlsx"
