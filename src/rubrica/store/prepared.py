"""Queries of the ORM that are written once and run many times.

For the few queries of every save, Django takes longer to write the SQL than the database to run it. Here the SQL is the
ORM's own, with its parameters, written for stand-ins on first use and kept for each kind of database.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

_NUMBER = 2_000_000_011
"""Stand-ins are numbers and texts that no query has as a constant; numbers fit every column."""


class Prepared:
    """A query for one row of plain values. ``kinds`` are the types of its parameters, ``int`` or ``str``.

    ``build`` makes the query from the parameters, ending in ``values_list``. Values come as the database gives them:
    numbers and texts; JSON as text; on SQLite, times without a zone and 0 or 1 for a truth.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], *kinds: type) -> None:
        self._build = build
        self._stand_ins = [_NUMBER + at if kind is int else f"\uffffstand-in {at}" for at, kind in enumerate(kinds)]
        self._written: dict[str, tuple[str, list[Any]]] = {}

    def row(self, *values: int | str) -> tuple[Any, ...] | None:
        """The first row for these parameters."""
        written = self._written.get(connection.vendor) or self._write()
        sql, order = written
        with connection.cursor() as cursor:
            cursor.execute(sql, [values[part] if is_ours else part for is_ours, part in order])
            found: tuple[Any, ...] | None = cursor.fetchone()
            return found

    def _write(self) -> tuple[str, list[Any]]:
        sql, parameters = self._build(*self._stand_ins).query.sql_with_params()
        places = {stand_in: at for at, stand_in in enumerate(self._stand_ins)}
        order = [(part in places, places.get(part, part)) for part in parameters]
        written = self._written[connection.vendor] = (sql, order)
        return written
