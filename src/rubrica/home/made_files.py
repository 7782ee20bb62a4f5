"""Files that jobs make, in the home: exports and reports.

A file has a random name that nobody is shown; what a browser is told to call it is made of the study's name, which
holds only safe characters. It appears under its name at once and whole, when it is finished.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from rubrica.exchange.whole_files import whole_file

EXPORT, REPORT = "export", "report"
KINDS = (EXPORT, REPORT)
PAGE = ".page"
"""Ends the name of what a page shows of a file."""
FORGOTTEN = timedelta(days=1)
"""After this, an unfinished file belongs to a worker that is long dead."""


@attrs.define
class Making:
    """A file in the making: write to ``stream``, and to ``page`` what a page shows of it, if it shows anything.

    When it is whole, ``about`` is what the job's result says of it.
    """

    stream: BinaryIO
    page: str = ""
    about: dict[str, Any] = attrs.field(factory=dict)


@contextmanager
def making(home: Path, kind: str, name: str) -> Iterator[Making]:
    """Make a file: it gets its name when the block ends without an error, and leaves nothing behind otherwise."""
    place = folder(home, kind)
    place.mkdir(parents=True, exist_ok=True)
    with whole_file(place / name) as stream:
        made = Making(stream)
        yield made
        if made.page:
            (place / f"{name}{PAGE}").write_text(made.page, encoding="utf-8")
    made.about |= {"file": name, "bytes": (place / name).stat().st_size, "sha256": _digest(place / name)}


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def folder(home: Path, kind: str = EXPORT) -> Path:
    """Where files of a kind are kept."""
    return home / "files" / f"{kind}s"


def find(home: Path, kind: str, name: str) -> Path | None:
    """A finished file; nothing if there is none, or not any more."""
    file = folder(home, kind) / name if name.isalnum() else None
    return file if file is not None and file.is_file() else None


def page_of(file: Path) -> str | None:
    """What a page shows of a file."""
    page = file.with_suffix(PAGE)
    return page.read_text(encoding="utf-8") if page.is_file() else None


def remove(file: Path) -> None:
    """Delete a file with what a page shows of it."""
    file.unlink(missing_ok=True)
    file.with_suffix(PAGE).unlink(missing_ok=True)


def strays(home: Path, known: Container[str], now: datetime) -> list[Path]:
    """What dead workers left behind: files that no job names, and nobody has written to for long."""
    late = (now - FORGOTTEN).timestamp()
    every = [file for kind in KINDS for file in folder(home, kind).glob("*")]
    return [file for file in every if file.name.removesuffix(PAGE) not in known and file.stat().st_mtime < late]
