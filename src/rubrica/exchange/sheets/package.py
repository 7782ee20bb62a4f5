"""A look into an .xlsx file as the zip archive it is, for what the fast reader does not tell.

Merged cells and formulas, names of sheets; and a refusal of archives that are damaged, would unpack to something huge
or declare XML entities, before anything else opens them.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError, wrong

MAX_UNPACKED = 300_000_000
"""Bytes. Ten thousand rows of long texts are far below it."""

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, KeyError)
"""What the standard library raises for archives that are damaged, encrypted or packed in an unusual way."""

_SHEET = re.compile(rb"<(?:\w+:)?sheet\s[^>]*>")
_NAME = re.compile(rb'\bname="([^"]*)"')
_RELATION = re.compile(rb'\b\w+:id="([^"]*)"')
_RELATIONSHIP = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_ID, _TARGET = re.compile(rb'\bId="([^"]*)"'), re.compile(rb'\bTarget="([^"]*)"')
_MERGE = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*ref="([^"]+)"')
_PREFIXED = re.compile(rb"(?:<\?[^>]*>\s*)?<\w+:")
_FORMULA = re.compile(rb'<(?:\w+:)?c\s[^>]*?\br="([A-Z]+[0-9]+)"[^>]*>\s*<(?:\w+:)?f[\s>/]')
_TEXT = re.compile(rb'<(?:\w+:)?c\s(?=[^>]*\bt="str")[^>]*?\br="([A-Z]+[0-9]+)"[^>]*>\s*<(?:\w+:)?f[\s>/]')
_ERROR = re.compile(rb'<(?:\w+:)?c\s[^>]*\bt="e"[^>]*>(?!\s*<(?:\w+:)?f[\s>/])')
_PLACE = re.compile(rb'\br="([A-Z]+[0-9]+)"')
_FILLED = re.compile(rb'<(?:\w+:)?c\s[^>]*?\br="([A-Z]+)[0-9]+"[^>]*[^/]>(?!\s*</)')


class Oddities(NamedTuple):
    """What a table for answers should not have: merged ranges, cells with formulas, error values such as #REF!.

    ``texts`` are those formulas whose result is a text, which may be an empty one.
    """

    merged: list[str]
    formulas: list[str]
    errors: list[str]
    texts: Sequence[str] = ()


class Package:
    """An .xlsx file whose parts were all unpacked once and found whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._oddities: dict[str, Oddities] = {}
        if not path.is_file():
            raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
        try:
            with zipfile.ZipFile(path) as archive:
                self._check(archive)
                self.sheets = _find_sheets(archive)
        except InputError:
            raise
        except _BROKEN as error:
            raise _not_excel(path) from error

    def _check(self, archive: zipfile.ZipFile) -> None:
        """Unpack every part: sizes and checksums are then what the archive says they are."""
        if sum(info.file_size for info in archive.infolist()) > MAX_UNPACKED:
            raise wrong(
                f"this file unpacks to more than {MAX_UNPACKED // 1_000_000} MB",
                "size",
                "It is damaged, or no sheet of answers: ask for it again.",
                file=str(self.path),
            )
        for info in archive.infolist():
            data = archive.read(info)
            if info.filename.startswith("xl/worksheets/"):
                self._oddities[info.filename] = _find_oddities(data)
            if b"<!DOCTYPE" in data:
                raise wrong(
                    "this file declares XML entities",
                    "xml",
                    "Spreadsheets never do: save it again with one, or ask for it again.",
                    file=str(self.path),
                    value=info.filename,
                )

    def oddities(self, sheet: str) -> Oddities:
        """Merged ranges and cells with formulas on a sheet."""
        return self._oddities.get(self.sheets[sheet], Oddities([], [], []))

    def first_column(self, sheet: str) -> str:
        """The letters of the first column that holds anything; the fast reader starts there."""
        with zipfile.ZipFile(self.path) as archive:
            letters = {found.decode() for found in _FILLED.findall(archive.read(self.sheets[sheet]))}
        return min(letters, key=lambda name: (len(name), name), default="A")


def _find_oddities(data: bytes) -> Oddities:
    """Patterns are slow on large sheets, so that plain text is looked for first."""
    formulas = b"</f>" in data or b"<f " in data or _PREFIXED.match(data)
    return Oddities(
        [found.decode() for found in _MERGE.findall(data)] if b"mergeCell" in data else [],
        [found.decode() for found in _FORMULA.findall(data)] if formulas else [],
        [_one(_PLACE, tag) for tag in _ERROR.findall(data)] if b't="e"' in data else [],
        [found.decode() for found in _TEXT.findall(data)] if formulas and b't="str"' in data else [],
    )


def _find_sheets(archive: zipfile.ZipFile) -> dict[str, str]:
    """Names of the sheets and the parts of the archive that hold them."""
    relations = _RELATIONSHIP.findall(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {_one(_ID, tag): _one(_TARGET, tag) for tag in relations}
    found = {}
    for tag in _SHEET.findall(archive.read("xl/workbook.xml")):
        target = targets.get(_one(_RELATION, tag), "")
        part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        archive.getinfo(part)
        found[unescape(_one(_NAME, tag))] = part
    return found


def _one(pattern: re.Pattern[bytes], tag: bytes) -> str:
    found = pattern.search(tag)
    return found[1].decode(errors="replace") if found else ""


def _not_excel(path: Path) -> InputError:
    with path.open("rb") as file:
        start = file.read(8)
    if not start:
        return wrong("this file is empty", "xlsx", "Ask for it again.", file=str(path))
    if start == _OLD_OFFICE:
        what = "this is an old .xls file, or an .xlsx file with a password"
        return wrong(what, "xlsx", "Open it, remove the password and save it as .xlsx.", file=str(path))
    if start.startswith(b"PK"):
        fix = "It did not arrive whole: ask for it again, or open it with a spreadsheet and save it as .xlsx."
        return wrong("this Excel file is damaged", "xlsx", fix, file=str(path))
    return wrong("this is not an Excel file (.xlsx)", "xlsx", "Open it and save it as .xlsx.", file=str(path))
