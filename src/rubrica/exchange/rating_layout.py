"""What stands where in a table of ratings: its columns, and what its rows say of units and raters.

Which columns of a table hold ratings, and what is wrong with how they were named.

What the rows of a table of ratings say of units and raters: names, systems, data sets, groups.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import attrs

from rubrica.core.errors import Problem
from rubrica.core.ratings import Rater, Unit
from rubrica.core.text_helpers import folded
from rubrica.exchange.columns import no_column
from rubrica.exchange.tables import Row, Table


@attrs.frozen(kw_only=True)
class Layout:
    """Which columns hold what. Long: ``unit``, ``rater``, ``value``, or one value and the ``question`` it answers.

    Wide: ``values``, for each question the columns of its raters. ``texts`` are columns to be shown with a unit,
    ``group`` is the trait of the rater by which raters are compared, ``target`` the word that is to be made simpler.
    """

    unit: tuple[str, ...] = ()
    rater: str = ""
    value: tuple[str, ...] = ()
    question: str = ""
    values: tuple[tuple[str, ...], ...] = ()
    system: str = ""
    source: tuple[str, ...] = ()
    dataset: str = ""
    group: str = ""
    seconds: str = ""
    texts: tuple[str, ...] = ()
    target: str = ""

    def columns(self) -> list[str]:
        """Every column that is named."""
        wide = [column for columns in self.values for column in columns]
        single = [self.rater, self.question, self.system, self.dataset, self.group, self.seconds]
        return [column for column in (*self.unit, *self.value, *wide, *self.source, *self.texts, *single) if column]

    def names(self) -> list[str]:
        """The columns that name something: without them a row cannot be counted at all."""
        return [*self.unit, *filter(None, (self.rater, self.question))]

    def named_in(self, table: Table) -> Layout:
        """The same where ``a,b`` are two columns, unless the table has one of that name.

        Several ``values`` of one column each are the raters of one question.
        """
        known = set(table.columns)

        def apart(names: Iterable[str]) -> tuple[str, ...]:
            return tuple(column for name in names for column in names_in(name, known))

        values = tuple(filter(None, map(apart, self.values)))
        if len(values) > 1 and all(len(columns) == 1 for columns in values):
            values = (tuple(column for columns in values for column in columns),)
        several: dict[str, Any] = {name: apart(getattr(self, name)) for name in ("unit", "value", "source", "texts")}
        return attrs.evolve(self, **several, values=values)

    def absent(self, table: Table) -> list[str]:
        """The columns that the table does not have."""
        return [column for column in dict.fromkeys(self.columns()) if column not in table.columns]

    def within(self, table: Table) -> Layout:
        """The same without columns that the table does not have."""
        gone = set(self.absent(table))
        if not gone:
            return self

        def kept(columns: Iterable[str]) -> tuple[str, ...]:
            return tuple(column for column in columns if column not in gone)

        changed: dict[str, Any] = {
            name: "" if getattr(self, name) in gone else getattr(self, name)
            for name in ("rater", "question", "system", "dataset", "group", "seconds")
        }
        changed |= {name: kept(getattr(self, name)) for name in ("unit", "value", "source", "texts")}
        return Layout(**changed, values=tuple(filter(None, map(kept, self.values))))


def layout_problems(table: Table, layout: Layout) -> list[Problem]:
    """What is missing or contradicts itself, and columns that the table does not have."""
    return [*_contradictions(layout), *_absent_columns(table, layout)]


def names_in(name: str, known: Collection[str]) -> list[str]:
    """The names in a comma list. One that is known and has commas itself is found first, the longest before others."""
    parts = name.split(",")
    found = []
    while parts:
        size = next((size for size in range(len(parts), 1, -1) if ",".join(parts[:size]).strip() in known), 1)
        found.append(",".join(parts[:size]).strip())
        parts = parts[size:]
    return [column for column in found if column]


def without_mistyped_keys(table: Table, wanted: Iterable[str]) -> tuple[Table, list[Problem]]:
    """JSON lines whose keys are those of the others, and a problem for each that spells a wanted one differently.

    Other formats have one header for all rows, and a key that is not there is a missing answer.
    """
    alike = {
        column: [name for name in table.columns if name != column and folded(name) == folded(column)]
        for column in wanted
        if column in table.columns
    }
    if not table.file.endswith((".jsonl", ".ndjson")) or not any(alike.values()):
        return table, []
    rows, problems = [], []
    for row in table.rows:
        found = [
            Problem(
                what=f"the key {name!r} is spelt {column!r} in other lines",
                rule="column",
                line=row.line,
                value=name,
                fix="Spell it the same in every line.",
                question=column,
            )
            for column, names in alike.items()
            if column not in row.values
            for name in names
            if name in row.values
        ]
        problems += found
        rows += [] if found else [row]
    return table._replace(rows=rows), problems


def _contradictions(layout: Layout) -> list[Problem]:
    if layout.values and (layout.value or layout.rater or layout.question):
        what = "--values is for a column for each rater, --rater and --value for one row for each judgement"
        return [Problem(what=what, rule="layout", fix="Give either --values, or --unit, --rater and --value.")]
    if layout.values and layout.group:
        what = "a group is said row by row of one rater, and with --values a row has several raters"
        return [Problem(what=what, rule="layout", fix="Turn the table so that it has a row for each judgement.")]
    if layout.values:
        return _uneven_questions(layout)
    needed = {"--unit": layout.unit, "--rater": layout.rater, "--value": layout.value}
    missing = [option for option, columns in needed.items() if not columns]
    if missing:
        what = f"which columns hold the ratings is not said: {', '.join(missing)} missing"
        fix = "Give --unit, --rater and --value (a row for each judgement), or --values (a column for each rater)."
        return [Problem(what=what, rule="layout", fix=fix, value=", ".join(missing))]
    if layout.question and len(layout.value) > 1:
        what = f"--question needs one column of values, and there are {len(layout.value)}"
        return [Problem(what=what, rule="layout", fix="Give one --value.", value=",".join(layout.value))]
    return _two_roles(layout)


def _two_roles(layout: Layout) -> list[Problem]:
    """A column that is named twice for the same, or is to say two things."""
    named = [*(("--unit", one) for one in layout.unit), ("--rater", layout.rater), ("--question", layout.question)]
    named += [("--value", one) for one in layout.value]
    roles: dict[str, list[str]] = {}
    for option, column in named:
        if column:
            roles.setdefault(column, []).append(option)
    return [
        Problem(
            what=f"the column {column!r} is given for {' and '.join(options)}",
            rule="layout",
            fix="Name each column once.",
            value=column,
        )
        for column, options in roles.items()
        if len(options) > 1
    ]


def _uneven_questions(layout: Layout) -> list[Problem]:
    """Two questions of one name, or a column that stands for two raters."""
    names = [question_of(columns) for columns in layout.values]
    every = [column for columns in layout.values for column in columns]
    problems = []
    for what, given in (("question", names), ("column of --values", every)):
        twice = [name for name in dict.fromkeys(given) if given.count(name) > 1]
        problems += [
            Problem(what=f"the {what} {name!r} is given twice", rule="layout", fix="Give it once.", value=name)
            for name in twice
        ]
    return problems


def _absent_columns(table: Table, layout: Layout) -> list[Problem]:
    absent = layout.absent(table)
    lost = len(absent) == len(set(layout.columns()))
    return [no_column(column, table, lost=lost) for column in absent]


def question_of(columns: Sequence[str]) -> str:
    """What the columns of one question have in common: ``rating`` of rating_1, rating_2; else their names."""
    if len(columns) == 1:
        return columns[0]
    same = takewhile(lambda signs: len(set(signs)) == 1, zip(*columns, strict=False))
    common = "".join(signs[0] for signs in same).rstrip("_-. 0123456789")
    return common or "+".join(columns)


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
