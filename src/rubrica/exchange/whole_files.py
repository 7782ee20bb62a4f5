"""Files as they are written: whole or not at all, as text, with no cell that a spreadsheet takes for a formula.

A stream of bytes that takes text.

Cells that no spreadsheet takes for a formula, and back again. A spreadsheet that opens a CSV file runs whatever begins
like a formula, and what annotators type, or items hold, may begin so: ``=HYPERLINK(…)`` sends the row to whoever wrote
it. A *safe* table has an apostrophe before such a text. So that it can be taken away again without guessing, a text
that has apostrophes before such a beginning already gets one more, and the signature of the table says ``cells:safe``.
Numbers stay numbers: -1 is an answer, not a formula.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Write a file: it gets its name when the block ends without an error, and leaves nothing behind otherwise.

    Then the disk has it. What stood under that name stays there until then.
    """
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as stream:
            yield cast(BinaryIO, stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


class Encoded:
    """Takes text and writes UTF-8. Unlike a TextIOWrapper it leaves the stream to its owner when writing fails."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        return self._out.write(text.encode())


KEY, SAFE = "cells", "safe"
"""What the signature of a safe table says."""
SIGNATURE = "signature"
_BEGINS = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_MARKED = re.compile(r"''*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?%?")


def safe_cell(value: Any) -> Any:
    """The value, with an apostrophe before a text that a spreadsheet would take for a formula."""
    if not isinstance(value, str) or not _BEGINS.match(value) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"


def safe_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of safe cells."""
    return {column: safe_cell(value) for column, value in row.items()}


def as_meant(row: Mapping[str, str]) -> Mapping[str, str]:
    """The row as it was before its cells were made safe; as it is, if its signature does not say that they were."""
    if f"{KEY}:{SAFE}" not in row.get(SIGNATURE, "").split("|"):
        return row
    return {column: value[1:] if _MARKED.match(value) else value for column, value in row.items()}
