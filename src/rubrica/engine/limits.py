"""How much of a file is taken: bounds that every reader keeps, of pages, API and command line alike.

They are looked at before a library that could be led to allocate without bound sees the file. Each is a variable of the
environment; the defaults take 200,000 items and 200 MB, packed and unpacked.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import attrs

from rubrica.core.errors import InputError, Problem, wrong

MB = 1_000_000
LONGEST_LINE = 10 * MB
"""Bytes of a line, of a row of CSV, or of a tag of XML: what is longer is no text for people."""


def _setting(name: str, default: int) -> Any:
    return attrs.field(default=default, metadata={"name": name})


@attrs.frozen(kw_only=True)
class Limits:
    """What is read at most, and what reading may take."""

    megabytes: int = _setting("RUBRICA_MAX_MB", 200)
    rows: int = _setting("RUBRICA_MAX_ROWS", 500_000)
    columns: int = _setting("RUBRICA_MAX_COLUMNS", 1_000)
    cells: int = _setting("RUBRICA_MAX_CELLS", 10_000_000)
    protocol_kilobytes: int = _setting("RUBRICA_MAX_PROTOCOL_KB", 1_000)
    memory: int = _setting("RUBRICA_READER_MB", 3_000)
    seconds: int = _setting("RUBRICA_READER_SECONDS", 60)
    readers: int = _setting("RUBRICA_READERS", 2)

    @property
    def bytes(self) -> int:
        """Bytes of a file, as it lies there and unpacked."""
        return self.megabytes * MB

    @property
    def protocol_bytes(self) -> int:
        """Bytes of a protocol's file."""
        return self.protocol_kilobytes * 1000

    def beyond(
        self, limit: str, what: str, fix: str = "Split the file", rule: str = "size", **place: Any
    ) -> InputError:
        """The error for what goes beyond a limit: it names the limit, its value and the setting."""
        name = setting_of(limit)
        return wrong(what, rule, f"{fix}, or set {name} higher: it is {getattr(self, limit):,}.", **place)

    def check_file(self, path: Path, fix: str = "Split the file") -> None:
        """Raise InputError if the file has more bytes than are taken."""
        size = path.stat().st_size
        if size > self.bytes:
            what = f"this file has {size / MB:,.1f} MB, at most {self.megabytes:,} are read"
            raise self.beyond("megabytes", what, fix, file=str(path), value=size)

    def check_shape(self, rows: int, columns: int, **place: Any) -> None:
        """Raise InputError for a table with more rows, columns or rows times columns than are read."""
        if columns > self.columns:
            what = f"this table has {columns:,} columns, at most {self.columns:,} are read"
            raise self.beyond("columns", what, "Leave out columns that nobody needs", value=columns, **place)
        if rows > self.rows:
            what = f"this table has {rows:,} rows, at most {self.rows:,} are read"
            raise self.beyond("rows", what, value=rows, **place)
        if rows * columns > self.cells:
            what = f"this table has {rows:,} rows x {columns:,} columns = {rows * columns:,} cells, "
            what += f"at most {self.cells:,} are read"
            raise self.beyond("cells", what, value=rows * columns, **place)


def setting_of(limit: str) -> str:
    """The variable of the environment that sets a limit."""
    name: str = attrs.fields_dict(Limits)[limit].metadata["name"]
    return name


def limits() -> Limits:
    """The limits that hold here. Raises InputError with every setting that is no whole number above 0."""
    given: dict[str, int] = {}
    problems = []
    for field in attrs.fields(Limits):
        text = os.environ.get(field.metadata["name"], "").strip()
        if text and text.isdecimal() and len(text) < 13 and int(text):
            given[field.name] = int(text)
        elif text:
            what, fix = (
                f"{field.metadata['name']} is {text!r}",
                f"Write a whole number above 0, such as {field.default}.",
            )
            problems.append(Problem(what=what, rule="setting", fix=fix, value=text))
    if problems:
        raise InputError(*problems)
    return Limits(**given)
