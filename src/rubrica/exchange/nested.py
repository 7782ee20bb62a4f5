"""Columns inside columns: ``answers.fluency`` of JSON lines whose ``answers`` are objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rubrica.core.json_text import parse_json
from rubrica.exchange.tables import Row, Table, as_text


def with_nested(table: Table, wanted: Iterable[str]) -> Table:
    """The table with the wanted columns that stand inside others, where any row has them.

    ``a.b`` is the entry ``b`` of the object in column ``a``; a column that is really called ``a.b`` goes before it.
    """
    inside = [path for column in wanted if column not in table.columns and (path := _path(table, column))]
    if not inside:
        return table
    rows = []
    found: set[str] = set()
    for row in table.rows:
        more = {".".join(path): value for path in inside if (value := _value(row.values, path)) is not None}
        found.update(more)
        rows.append(Row(row.line, {**row.values, **more}) if more else row)
    added = tuple(".".join(path) for path in inside if ".".join(path) in found)
    return table._replace(columns=(*table.columns, *added), rows=rows)


def _path(table: Table, column: str) -> tuple[str, ...]:
    """The column that holds the object, and the keys inside it; empty if there is none."""
    parts = column.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        if ".".join(parts[:cut]) in table.columns:
            return ".".join(parts[:cut]), *parts[cut:]
    return ()


def _value(values: Mapping[str, str], path: tuple[str, ...]) -> str | None:
    text = values.get(path[0], "")
    if not text.startswith("{"):
        return None
    try:
        found: Any = parse_json(text)
    except ValueError:
        return None
    for key in path[1:]:
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return as_text(found)
