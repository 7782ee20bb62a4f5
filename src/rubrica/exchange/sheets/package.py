"""A look into an .xlsx file as the zip archive it is, for what the fast reader does not tell.

Merged cells and formulas, names of sheets; and a refusal of archives that would unpack to something huge or that
declare XML entities.
"""

from __future__ import annotations

import re
import zipfile
from html import unescape
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import wrong

MAX_UNPACKED = 1_000_000_000
_SHEET = re.compile(rb"<(?:\w+:)?sheet\s[^>]*>")
_NAME = re.compile(rb'\bname="([^"]*)"')
_RELATION = re.compile(rb'\b(?:r|\w+):id="([^"]*)"')
_RELATIONSHIP = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_ID, _TARGET = re.compile(rb'\bId="([^"]*)"'), re.compile(rb'\bTarget="([^"]*)"')
_MERGE = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*ref="([^"]+)"')
_FORMULA = re.compile(rb'<(?:\w+:)?c\s[^>]*?r="([A-Z]+[0-9]+)"[^>]*>\s*<(?:\w+:)?f[\s>/]')


class Package:
    """An opened .xlsx file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
        try:
            self._archive = zipfile.ZipFile(path)
            names = self._archive.namelist()
        except (zipfile.BadZipFile, OSError) as error:
            raise _not_excel(path) from error
        if "xl/workbook.xml" not in names:
            raise _not_excel(path)
        if sum(info.file_size for info in self._archive.infolist()) > MAX_UNPACKED:
            raise wrong(
                "this file unpacks to more than 1 GB", "size", "It is damaged: ask for it again.", file=str(path)
            )
        self.sheets = self._find_sheets()

    def _read(self, name: str) -> bytes:
        try:
            data = self._archive.read(name)
        except (KeyError, zipfile.BadZipFile, OSError) as error:
            raise _not_excel(self.path) from error
        if b"<!DOCTYPE" in data[:4096] or b"<!ENTITY" in data[:4096]:
            raise wrong(
                "this file declares XML entities", "xml", "Save it again with a spreadsheet.", file=str(self.path)
            )
        return data

    def _find_sheets(self) -> dict[str, str]:
        """Names of the sheets and the parts of the archive that hold them."""
        targets = {
            _one(_ID, tag): _one(_TARGET, tag)
            for tag in _RELATIONSHIP.findall(self._read("xl/_rels/workbook.xml.rels"))
        }
        found = {}
        for tag in _SHEET.findall(self._read("xl/workbook.xml")):
            target = targets.get(_one(_RELATION, tag), "")
            part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            found[unescape(_one(_NAME, tag))] = part
        return found

    def oddities(self, sheet: str) -> Oddities:
        """Merged ranges and cells with formulas on a sheet."""
        data = self._read(self.sheets[sheet])
        return Oddities(
            [found.decode() for found in _MERGE.findall(data)],
            [found.decode() for found in _FORMULA.findall(data)] if b"<f" in data or b":f" in data else [],
        )


class Oddities(NamedTuple):
    """What a table for answers should not have."""

    merged: list[str]
    formulas: list[str]


def _one(pattern: re.Pattern[bytes], tag: bytes) -> str:
    found = pattern.search(tag)
    return found[1].decode() if found else ""


def _not_excel(path: Path) -> Exception:
    return wrong("this is not an Excel file (.xlsx)", "xlsx", "Save it as .xlsx, without a password.", file=str(path))
