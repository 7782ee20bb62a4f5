"""Which row of a table of scores belongs to which unit that people rated.

Ratings and scores often come from different tools and name the same rewrite differently, so several ways are tried:
the unit's own name, the name of its source with its system, the item's id, the texts themselves. The way that joins the
most units counts, and is said; a way in which one unit would have two different scores does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.ratings import Ratings, Unit
from rubrica.exchange.rating_layout import JOINED
from rubrica.exchange.rating_problems import at_most
from rubrica.exchange.scores import ScoreTable
from rubrica.exchange.tables import Row

Name = tuple[str, ...]
SYSTEM, DATASET, SOURCE, REWRITE = "system", "dataset", "source", "rewrite"
USUAL: tuple[Name, ...] = (
    (DATASET, "id", SYSTEM),
    ("id", SYSTEM),
    ("item", SYSTEM),
    ("id",),
    ("item",),
    (SOURCE, REWRITE, SYSTEM),
    (SOURCE, REWRITE),
)
"""Columns of tables that Rubrica writes; texts last, since they may be edited on the way."""


class JoinedScores(NamedTuple):
    """Scores by unit and metric, the columns they were joined by, units without scores, rows that nobody rated.

    ``stray`` is the line of the first such row, 0 without any.
    """

    scores: Mapping[str, Mapping[str, float]]
    columns: Name
    unscored: int
    unrated: int
    stray: int = 0


class _Way(NamedTuple):
    """Columns of the scores, how many of the first make one name, and what a unit is called in them (None: nothing).

    Without columns, a row is called by the number of its line.
    """

    columns: Name
    joined: int
    name: Callable[[Unit], Name | None]

    def of_row(self, row: Row) -> Name:
        """What a row of scores is about."""
        parts = [row.values.get(column, "").strip() for column in self.columns]
        if not parts:
            return (str(row.line),)
        together = (JOINED.join(parts[: self.joined]),) if self.joined else ()
        return (*together, *parts[self.joined :])


class _Tried(NamedTuple):
    columns: Name
    scores: dict[str, dict[str, float]]
    strays: list[int]
    conflicts: list[Problem]


def join_scores(
    ratings: Ratings,
    table: ScoreTable,
    units: Sequence[Unit],
    own: Sequence[str] = (),
    given: Sequence[str] = (),
    *,
    same: bool = False,
) -> JoinedScores:
    """The scores of the units. ``given`` are the columns to join by, if they were named; ``own`` those of the ratings.

    ``same`` says that scores stand in the file of the ratings, where a unit without a name is a line.

    Raises InputError if nothing joins, or if a unit has two different scores of one metric.
    """
    lines = [_Way((), 0, lambda unit: (unit.key,))] if same and not own else []
    tried = [_try(way, table, units) for way in (*lines, *_ways(ratings, table, own, given))]
    clean = [one for one in tried if one.scores and not one.conflicts]
    if not clean:
        raise _unclear(table, units, given, tried)
    best = max(clean, key=lambda one: len(one.scores))
    stray = best.strays[0] if best.strays else 0
    return JoinedScores(best.scores, best.columns, len(units) - len(best.scores), len(best.strays), stray)


def _ways(ratings: Ratings, table: ScoreTable, own: Sequence[str], given: Sequence[str]) -> Iterator[_Way]:
    candidates = [tuple(given)] if given else [tuple(own), *USUAL]
    system, dataset = (str(ratings.origin.get(name) or name) for name in (SYSTEM, DATASET))
    for columns in dict.fromkeys(candidates):
        if not columns or not set(columns) <= set(table.columns):
            continue
        yield _Way(columns, len(columns), lambda unit: (unit.key,))
        meaning = {system: SYSTEM, SYSTEM: SYSTEM, dataset: DATASET}
        for apart in ((SYSTEM,), (SYSTEM, DATASET)):
            beside = [column for column in columns if meaning.get(column) in apart]
            rest = [column for column in columns if column not in beside]
            if beside and rest:
                names = [meaning[column] for column in beside]
                yield _Way((*rest, *beside), len(rest), _named("source", names))
                yield _Way((*rest, *beside), len(rest), _named("key", names))
        yield from _by_texts(ratings, columns)


def _named(what: str, beside: Sequence[str]) -> Callable[[Unit], Name | None]:
    return lambda unit: (getattr(unit, what), *(getattr(unit, name) for name in beside))


def _by_texts(ratings: Ratings, columns: Name) -> Iterator[_Way]:
    """Ways by the texts of the rewrite: under the columns' own names, or by the roles of a protocol's fields."""
    roles = {field.role: field.id for field in ratings.protocol.fields} if ratings.protocol else {}

    def name(unit: Unit) -> Name | None:
        found = [
            unit.system if column == SYSTEM else unit.texts.get(column, unit.texts.get(roles.get(column, ""), ""))
            for column in columns
        ]
        return tuple(text.strip() for text in found) if all(found) else None

    if any(column != SYSTEM for column in columns):
        yield _Way(columns, 0, name)


def _try(way: _Way, table: ScoreTable, units: Sequence[Unit]) -> _Tried:
    names: dict[Name, list[str]] = {}
    for unit in units:
        name = way.name(unit)
        if name is not None:
            names.setdefault(name, []).append(unit.key)
    others = [column for column in table.columns if column not in (*way.columns, *table.metrics)]
    scores: dict[str, dict[str, float]] = {}
    first: dict[tuple[Name, str], Row] = {}
    strays: list[int] = []
    conflicts: list[Problem] = []
    for row, found in zip(table.rows, table.scores, strict=True):
        called = way.of_row(row)
        keys = names.get(called, [])
        if not keys:
            strays.append(row.line)
        for metric, score in found.items() if keys else ():
            if scores.get(keys[0], {}).get(metric, score) != score:
                earlier = first[called, metric]
                apart = [one for one in others if earlier.values.get(one) != row.values.get(one)]
                conflicts.append(_twice(called, metric, earlier.line, row.line, apart))
            first.setdefault((called, metric), row)
            for key in keys:
                scores.setdefault(key, {})[metric] = score
    return _Tried(way.columns, scores, strays, conflicts)


def _twice(name: Name, metric: str, first: int, line: int, apart: Sequence[str]) -> Problem:
    """Two scores of one unit; ``apart`` are columns in which the two rows differ, as a column of metrics does."""
    what = f"{JOINED.join(name)!r} has another score of {metric} already in line {first}"
    fix = "Remove one, or name the columns that tell them apart: --score-unit C,C."
    if apart:
        fix += f" If {apart[0]!r} says which metric a row has: --metric {apart[0]} --score {metric}."
    return Problem(what=what, rule="repeated", line=line, value=JOINED.join(name), fix=fix, question=metric)


def _unclear(table: ScoreTable, units: Sequence[Unit], given: Sequence[str], tried: Sequence[_Tried]) -> InputError:
    """The error when scores and units do not join: units with two scores, or no unit with any.

    That the same id has several scores says nothing where systems are not part of it.
    """
    several = any(unit.system for unit in units)
    for one in tried:
        if one.conflicts and (given or not several or SYSTEM in one.columns):
            return InputError(*(problem.at(file=table.file) for problem in at_most(one.conflicts)))
    columns = tuple(given) or (tried[0].columns if tried else ())
    named = JOINED.join(table.rows[0].values.get(column, "") for column in columns) if table.rows and columns else ""
    there = f"scores, by {', '.join(columns)}, such as {named!r}" if columns else f"columns {', '.join(table.columns)}"
    what = f"no score belongs to a unit that was rated: there are units such as {units[0].key!r}, and {there}"
    fix = "Name the columns of the scores that say what was scored, in the order of --unit: --score-unit C,C."
    return wrong(what, "join", fix, file=table.file, value=named or None)
