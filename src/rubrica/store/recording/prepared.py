"""Statements of the ORM that are written once and run many times.

For the few statements of every save, Django takes longer to write the SQL than the database to run it. Here the SQL is
the ORM's own, with its parameters, written for stand-ins on first use and kept for each kind of database. PostgreSQL
also keeps its plan, which for a join of several tables takes longer to find than to follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.sql import InsertQuery, UpdateQuery

_NUMBER = 2_000_000_011
"""Stand-ins are numbers and texts that no query has as a constant; numbers fit every column."""
Written = tuple[str, list[tuple[bool, Any]]]


@contextmanager
def executed(sql: str, parameters: Sequence[Any]) -> Iterator[Any]:
    """A cursor of the driver's own that has run the statement, without what Django does to each anew."""
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    with connection.wrap_database_errors:
        if connection.vendor == "postgresql":
            from psycopg import Cursor

            with Cursor(connection.connection) as cursor:
                yield cursor.execute(sql, parameters, prepare=True)
        else:
            with closing(connection.connection.execute(_with_question_marks(sql), parameters)) as cursor:
                yield cursor


@cache
def _with_question_marks(sql: str) -> str:
    """The statement as SQLite's driver takes it. None of ours has a percent sign of its own."""
    return sql.replace("%s", "?")


class Prepared:
    """A query for rows of plain values. ``kinds`` are the types of its parameters, ``int`` or ``str``.

    ``build`` makes the query from the parameters, ending in ``values_list``. Values come as the database gives them:
    numbers and texts; JSON as text; on SQLite, times without a zone and 0 or 1 for a truth.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], *kinds: type) -> None:
        self._build = build
        self._stand_ins = [_NUMBER + at if kind is int else f"\uffffstand-in {at}" for at, kind in enumerate(kinds)]
        self._written: dict[str, Written] = {}

    def row(self, *values: int | str) -> tuple[Any, ...] | None:
        """The first row for these parameters."""
        sql, order = self._statement()
        with executed(sql, [values[part] if is_ours else part for is_ours, part in order]) as cursor:
            found: tuple[Any, ...] | None = cursor.fetchone()
            return found

    def rows(self, *values: int | str) -> list[tuple[Any, ...]]:
        """Every row for these parameters."""
        sql, order = self._statement()
        with executed(sql, [values[part] if is_ours else part for is_ours, part in order]) as cursor:
            found: list[tuple[Any, ...]] = cursor.fetchall()
            return found

    def _statement(self) -> Written:
        written = self._written.get(connection.vendor)
        if written is None:
            sql, parameters = self._sql()
            places = {stand_in: at for at, stand_in in enumerate(self._stand_ins)}
            written = (sql, [(part in places, places.get(part, part)) for part in parameters])
            self._written[connection.vendor] = written
        return written

    def _sql(self) -> tuple[str, Sequence[Any]]:
        return self._build(*self._stand_ins).query.sql_with_params()


def aware(value: datetime) -> datetime:
    """A time as a query gives it, with its zone: SQLite keeps times in UTC without saying so."""
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value


class PreparedUpdate(Prepared):
    """Sets columns of the row with a number: whole numbers, such as references to other rows, or as ``kinds`` say."""

    def __init__(self, model: type[Model], *columns: str, kinds: Sequence[type] = ()) -> None:
        self._columns = columns
        rows = model._default_manager.all()
        super().__init__(lambda *values: rows.filter(pk=values[0]), int, *(kinds or (int for _ in columns)))

    def run(self, pk: int, *values: int | str | None) -> None:
        """Set them."""
        sql, order = self._statement()
        given = (pk, *values)
        with executed(sql, [given[part] if is_ours else part for is_ours, part in order]):
            pass

    def _sql(self) -> tuple[str, Sequence[Any]]:
        query: Any = self._build(*self._stand_ins).query.chain(UpdateQuery)
        query.add_update_values(dict(zip(self._columns, self._stand_ins[1:], strict=True)))
        sql, parameters = query.get_compiler(connection=connection).as_sql()
        return sql, parameters


class PreparedInsert:
    """Adds a row and gives its number. The row may have any values, and defaults as the model says."""

    def __init__(self, model: type[Model]) -> None:
        self._model = model
        self._fields = [field for field in model._meta.concrete_fields if not field.primary_key]
        self._written: dict[str, str] = {}

    def run(self, **values: Any) -> int:
        """Add it; ``values`` are by column, references by number (``judgement_id``)."""
        sql = self._written.get(connection.vendor)
        if sql is None:
            sql = self._written[connection.vendor] = self.statement(values)
        with executed(sql, self.parameters(values)) as cursor:
            return int(cursor.fetchone()[0])

    def parameters(self, values: dict[str, Any]) -> list[Any]:
        """The values of every column, as the database takes them."""
        return [
            field.get_db_prep_save(
                values[field.attname] if field.attname in values else field.get_default(), connection=connection
            )
            for field in self._fields
        ]

    def statement(self, values: dict[str, Any]) -> str:
        """The SQL for such a row."""
        query = InsertQuery(self._model)
        query.insert_values(self._fields, [self._model(**values)])
        compiler = query.get_compiler(connection=connection)
        compiler.returning_fields = [self._model._meta.pk]
        ((sql, _),) = compiler.as_sql()
        return str(sql)
