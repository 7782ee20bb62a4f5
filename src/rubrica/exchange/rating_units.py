"""What the rows of a table of ratings say of units and raters: names, systems, data sets, groups."""

from __future__ import annotations

from typing import NamedTuple

from rubrica.core.errors import Problem
from rubrica.core.ratings import Rater, Unit
from rubrica.exchange.rating_layout import Layout
from rubrica.exchange.tables import Row, Table

JOINED = " / "


class Rated(NamedTuple):
    """Units and raters by name, and the name of each row's unit (empty where the row does not say it)."""

    units: dict[str, Unit]
    raters: dict[str, Rater]
    of_row: list[str]


def rated_of(table: Table, layout: Layout) -> tuple[Rated, list[Problem]]:
    """Units and raters. Problems: no unit, no rater, a unit of two systems or data sets, a rater of two groups."""
    rated = Rated({}, {}, [])
    problems: list[Problem] = []
    named: dict[str, list[str]] = {}
    for row in table.rows:
        name, found = _name(row, layout, named)
        problems += found
        rated.of_row.append(name)
        if name:
            problems += _add_unit(rated.units, name, row, layout)
        if layout.rater:
            problems += _add_rater(rated.raters, row, layout)
    return rated, problems


def _name(row: Row, layout: Layout, named: dict[str, list[str]]) -> tuple[str, list[Problem]]:
    """The unit's name, of all its columns; the number of the line where no column is named.

    ``named`` are the columns of all names so far: two units must not get one name because theirs hold the sign between.
    """
    if not layout.unit:
        return str(row.line), []
    parts = [row.values.get(column, "").strip() for column in layout.unit]
    if all(parts):
        name = JOINED.join(parts)
        if named.setdefault(name, parts) == parts:
            return name, []
        one, other = (" and ".join(map(repr, columns)) for columns in (parts, named[name]))
        what = f"{one} would make the same name of a unit as {other}"
        fix = f"Change {JOINED.strip()!r} in one of the columns {', '.join(layout.unit)}."
        return "", [Problem(what=what, rule="unit", line=row.line, fix=fix, value=name, question=layout.unit[0])]
    empty = [column for column, part in zip(layout.unit, parts, strict=True) if not part]
    what = "the column {!r} is empty, so it cannot be told what was rated"
    return "", [
        Problem(what=what.format(column), rule="unit", line=row.line, fix="Fill it in.", question=column)
        for column in empty
    ]


def _add_unit(units: dict[str, Unit], name: str, row: Row, layout: Layout) -> list[Problem]:
    """Note a new unit; one that is known must be of the same system and data set."""
    system = row.values.get(layout.system, "").strip() if layout.system else ""
    dataset = row.values.get(layout.dataset, "").strip() if layout.dataset else ""
    first = units.get(name)
    if first is None:
        source = layout.source or tuple(column for column in layout.unit if column != layout.system)
        pair = JOINED.join(row.values.get(column, "").strip() for column in source)
        texts = {column: row.values.get(column, "") for column in layout.texts}
        target = row.values.get(layout.target, "") if layout.target else ""
        units[name] = Unit(name, system, pair or name, dataset, texts, target)
        return []
    problems = []
    for what, column, one, other in (
        ("system", layout.system, first.system, system),
        ("data set", layout.dataset, first.dataset, dataset),
    ):
        if one != other:
            fix = f"Add the column of the {what} to --unit, or correct it."
            message = f"the unit {name!r} has the {what} {other!r}, and {one!r} in an earlier line"
            problem = Problem(what=message, rule="unit", line=row.line, value=other, fix=fix, question=column)
            problems.append(problem)
    return problems


def _add_rater(raters: dict[str, Rater], row: Row, layout: Layout) -> list[Problem]:
    """Note a new rater; one who is known must be of the same group."""
    name = row.values.get(layout.rater, "").strip()
    if not name:
        what = f"nobody is named in the column {layout.rater!r}"
        fix = "Say who gave this rating."
        return [Problem(what=what, rule="rater", line=row.line, fix=fix, question=layout.rater)]
    group = row.values.get(layout.group, "").strip() if layout.group else ""
    known = raters.get(name)
    if known is None:
        raters[name] = Rater(name, traits={layout.group: group} if layout.group else {})
        return []
    before = known.traits.get(layout.group, "")
    if before == group:
        return []
    what = f"{name!r} is of the group {group!r}, and of {before!r} in an earlier line"
    fix = "A rater belongs to one group: correct it."
    return [Problem(what=what, rule="group", line=row.line, value=group, fix=fix, question=layout.group)]
