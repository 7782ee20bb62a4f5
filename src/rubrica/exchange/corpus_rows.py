"""One rewrite to be scored with its source and references: the same shape for tables and for studies."""

from __future__ import annotations

from typing import NamedTuple


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
