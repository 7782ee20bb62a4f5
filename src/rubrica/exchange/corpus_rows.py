"""One rewrite to be scored with its source and references: the same shape for tables and for studies."""

from __future__ import annotations

import re
from typing import NamedTuple

from rubrica.core.edit_scoring import SPLIT_MARK

_MARK = re.compile(rf"\s*(?<!\S){re.escape(SPLIT_MARK)}(?!\S)\s*")


class CorpusRow(NamedTuple):
    """A rewrite by one system.

    ``id`` names the row: the item of a study, the id column of a table; empty where there is none. ``references`` may
    be any number, also none. ``system`` is empty if nobody said who made the rewrite. ``line`` is the line of a file
    for error messages, counted from 1; 0 for a study.
    """

    id: str
    source: str
    rewrite: str
    references: tuple[str, ...] = ()
    system: str = ""
    line: int = 0


def without_marks(text: str) -> str:
    """The text as it was written: without the marks that SALSA's files have where a sentence was split."""
    return _MARK.sub(" ", text).strip() if SPLIT_MARK in text else text
