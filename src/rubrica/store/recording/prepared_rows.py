"""Queries for rows of a model whose SQL is written once: see ``prepared``.

What comes back are the same objects that the query itself would give, with all that ``select_related`` brings along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

from rubrica.store.recording.prepared import Prepared, executed

Row = TypeVar("Row", bound=Model)


class _Form(NamedTuple):
    """How the columns of a query become objects, as its compiler knows: what ``ModelIterable`` asks it each time."""

    compiler: Any
    converters: dict[int, Any]
    model: type[Model]
    start: int
    names: list[str]
    related: list[Any]


class PreparedRows(Prepared, Generic[Row]):
    """A query for rows. ``build`` makes it from the parameters; ``kinds`` are their types, ``int`` or ``str``."""

    def __init__(self, build: Callable[..., QuerySet[Row]], *kinds: type) -> None:
        super().__init__(build, *kinds)
        self._forms: dict[str, _Form] = {}

    def all(self, *values: int | str) -> list[Row]:
        """Every row for these parameters."""
        sql, order = self._statement()
        with executed(sql, [values[part] if is_ours else part for is_ours, part in order]) as cursor:
            found = cursor.fetchall()
        return _objects(self._forms[connection.vendor], found)

    def first(self, *values: int | str) -> Row | None:
        """The first row for these parameters, if there is one."""
        found = self.all(*values)
        return found[0] if found else None

    def _sql(self) -> tuple[str, Sequence[Any]]:
        compiler = self._build(*self._stand_ins).query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        shape = compiler.klass_info
        start, end = shape["select_fields"][0], shape["select_fields"][-1] + 1
        self._forms[connection.vendor] = _Form(
            compiler,
            compiler.get_converters([column for column, _, _ in compiler.select]),
            shape["model"],
            start,
            [column[0].target.attname for column in compiler.select[start:end]],
            get_related_populators(shape, compiler.select, "default"),  # type: ignore[call-arg]
        )
        return sql, parameters


def _objects(form: _Form, found: Sequence[Sequence[Any]]) -> list[Any]:
    rows = form.compiler.apply_converters(found, form.converters) if form.converters else found
    objects = []
    for row in rows:
        one = form.model.from_db("default", form.names, row[form.start : form.start + len(form.names)])
        for populator in form.related:
            populator.populate(row, one)
        objects.append(one)
    return objects
