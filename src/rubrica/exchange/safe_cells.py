"""Cells that no spreadsheet takes for a formula, and back again.

A spreadsheet that opens a CSV file runs whatever begins like a formula, and what annotators type, or items hold, may
begin so: ``=HYPERLINK(…)`` sends the row to whoever wrote it. A *safe* table has an apostrophe before such a text. So
that it can be taken away again without guessing, a text that has apostrophes before such a beginning already gets one
more, and the signature of the table says ``cells:safe``. Numbers stay numbers: -1 is an answer, not a formula.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

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
