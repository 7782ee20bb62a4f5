"""A report as one archive: the folder that ``folder.py`` writes, packed, and single files out of it."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

FIGURES = "results.json"
"""The file of a report that programs read."""
LINKED = ("tables/", "charts/")
"""Folders of a report whose files its page links to."""


def pack(folder: Path, stream: BinaryIO) -> None:
    """Write the folder into an archive, its files in order."""
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            with file.open("rb") as content, archive.open(f"{folder.name}/{file.relative_to(folder)}", "w") as packed:
                shutil.copyfileobj(content, packed)


def part_of(archive: Path, name: str) -> bytes | None:
    """One file of a report that the page links to; nothing if there is none of that name."""
    return _read(archive, name) if name.startswith(LINKED) or name == "report.html" else None


def numbers_of(archive: Path) -> dict[str, Any] | None:
    """The figures of a report for programs; None for one that was made before there were any in it."""
    found = _read(archive, FIGURES)
    return dict(json.loads(found)) if found else None


def _read(archive: Path, name: str) -> bytes | None:
    with zipfile.ZipFile(archive) as packed:
        found = next((entry for entry in packed.namelist() if entry.partition("/")[2] == name), None)
        return packed.read(found) if found else None
