"""Ratings from any table: one row for each judgement (long), or a column for each rater (wide).

Columns are named by whoever asks; nothing is guessed but the level of the answers, and that is said. Everything wrong
is reported at once, with its line.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import attrs

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.errors import InputError, Problem
from rubrica.core.ratings import Criterion, Rater, Rating, Ratings, Unit
from rubrica.exchange.rating_values import Cell, Parsed, Reading, parse_column
from rubrica.exchange.tables import Row, Table, read_table

LAST, MEAN = "last", "mean"
REPEATED = ("", LAST, MEAN)
"""What to do with a second answer of the same rater to the same unit; by default it is an error."""
JOINED = " / "
NEAREST = 3


@attrs.frozen(kw_only=True)
class Layout:
    """Which columns hold what. Long: ``unit``, ``rater``, ``value``, or one value and the ``question`` it answers.

    Wide: ``values``, for each question the columns of its raters. ``texts`` are columns to be shown with a unit,
    ``group`` is the trait of the rater by which raters are compared.
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

    def columns(self) -> list[str]:
        """Every column that is named."""
        wide = [column for columns in self.values for column in columns]
        single = [self.rater, self.question, self.system, self.dataset, self.group, self.seconds]
        return [column for column in (*self.unit, *self.value, *wide, *self.source, *self.texts, *single) if column]


class _Said(NamedTuple):
    """One cell with an answer, and whose it is."""

    unit: str
    rater: str
    question: str
    cell: Cell


def read_ratings(
    path: Path, layout: Layout, reading: Reading, *, repeated: str = "", criteria: Sequence[Criterion] = ()
) -> Ratings:
    """Read a table of ratings. ``criteria`` are those of a protocol whose questions columns are named after.

    Raises InputError with every problem: missing columns, units or raters without a name, answers that are none,
    repeated answers unless ``repeated`` says which counts.
    """
    table = read_table(path)
    problems = [*table.problems, *_layout_problems(layout), *_column_problems(table, layout)]
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in problems))
    said, problems = _wide(table, layout) if layout.values else _long(table, layout)
    known = {criterion.id: criterion for criterion in criteria}
    by_question: dict[str, list[_Said]] = defaultdict(list)
    for one in said:
        by_question[one.question].append(one)
    parsed = {
        question: parse_column(question, [one.cell for one in ones], reading, known.get(question))
        for question, ones in by_question.items()
    }
    for question, found in parsed.items():
        problems += found.problems
        problems += _settle_repeated(by_question[question], found, repeated)
    seconds = _seconds(table, layout, problems)
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in sorted(problems, key=lambda one: one.line or 0)))
    return _assemble(path, table, layout, reading, repeated, _merge(by_question, parsed, seconds), parsed)


def _layout_problems(layout: Layout) -> list[Problem]:
    if layout.values and (layout.value or layout.rater or layout.question):
        what = "--values is for a column for each rater, --rater and --value for one row for each judgement"
        return [Problem(what=what, rule="layout", fix="Give either --values, or --unit, --rater and --value.")]
    if layout.values:
        return []
    needed = {"--unit": layout.unit, "--rater": layout.rater, "--value": layout.value}
    missing = [option for option, columns in needed.items() if not columns]
    if missing:
        what = f"which columns hold the ratings is not said: {', '.join(missing)} missing"
        fix = "Give --unit, --rater and --value (a row for each judgement), or --values (a column for each rater)."
        return [Problem(what=what, rule="layout", fix=fix, value=", ".join(missing))]
    if layout.question and len(layout.value) > 1:
        what = f"--question needs one column of values, and there are {len(layout.value)}"
        return [Problem(what=what, rule="layout", fix="Give one --value.", value=",".join(layout.value))]
    return []


def _column_problems(table: Table, layout: Layout) -> list[Problem]:
    import difflib

    found = []
    for column in dict.fromkeys(layout.columns()):
        if column not in table.columns:
            near = difflib.get_close_matches(column, table.columns, n=NEAREST, cutoff=0.5) or table.columns
            fix = f"Did you mean {', '.join(near)}?" if len(near) <= NEAREST else f"Columns: {', '.join(near)}."
            what = f"there is no column {column!r}"
            found.append(Problem(what=what, rule="column", line=1, value=column, fix=fix))
    return found


def _long(table: Table, layout: Layout) -> tuple[list[_Said], list[Problem]]:
    said, problems = [], []
    for row in table.rows:
        unit, found = _unit(row, layout)
        rater = row.values.get(layout.rater, "").strip()
        if not rater:
            what = f"nobody is named in the column {layout.rater!r}"
            found.append(Problem(what=what, rule="rater", line=row.line, fix="Say who gave this rating."))
        problems += found
        for column in layout.value:
            question = row.values.get(layout.question, "").strip() if layout.question else column
            if not question:
                what = f"the column {layout.question!r} does not say which question this answers"
                problems.append(Problem(what=what, rule="question", line=row.line, fix="Fill it in."))
            elif not found:
                said.append(_Said(unit, rater, question, Cell(row.values.get(column, ""), row.line)))
    return said, problems


def _wide(table: Table, layout: Layout) -> tuple[list[_Said], list[Problem]]:
    said, problems = [], []
    names = [_question_of(columns) for columns in layout.values]
    for row in table.rows:
        unit, found = _unit(row, layout)
        problems += found
        for question, columns in zip(names, layout.values, strict=True):
            for number, column in enumerate(columns, start=1):
                rater = column if len(layout.values) == 1 else str(number)
                said.append(_Said(unit, rater, question, Cell(row.values.get(column, ""), row.line)))
    return said, problems


def _question_of(columns: Sequence[str]) -> str:
    """What the columns of one question have in common: ``rating`` of rating_1, rating_2; else the first's name."""
    if len(columns) == 1:
        return columns[0]
    same = takewhile(lambda signs: len(set(signs)) == 1, zip(*columns, strict=False))
    common = "".join(signs[0] for signs in same).rstrip("_-. 0123456789")
    return common or "+".join(columns)


def _unit(row: Row, layout: Layout) -> tuple[str, list[Problem]]:
    """The unit's name, of all its columns; the number of the line where no column is named."""
    if not layout.unit:
        return str(row.line), []
    parts = [row.values.get(column, "").strip() for column in layout.unit]
    empty = [column for column, part in zip(layout.unit, parts, strict=True) if not part]
    problems = [
        Problem(
            what=f"the column {column!r} is empty, so it cannot be told what was rated",
            rule="unit",
            line=row.line,
            fix="Fill it in.",
        )
        for column in empty
    ]
    return JOINED.join(parts), problems


def _settle_repeated(said: Sequence[_Said], parsed: Parsed, repeated: str) -> list[Problem]:
    """Make one answer of several of one rater to one unit, in place; without a rule for that they are problems."""
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, (one, answer) in enumerate(zip(said, parsed.answers, strict=True)):
        if answer is not None:
            places[one.unit, one.rater].append(index)
    problems = []
    for (unit, rater), indices in places.items():
        if len(indices) < 2:
            continue
        for index in indices[1:]:
            if not repeated:
                first = said[indices[0]].cell.line
                what = f"{rater!r} rated {unit!r} already in line {first} ({said[index].question})"
                fix = "Remove one, add a column to --unit that tells them apart, or use --repeated last or mean."
                problems.append(Problem(what=what, rule="repeated", line=said[index].cell.line, value=unit, fix=fix))
        answers = [parsed.answers[index] for index in indices]
        kept, problem = _one_of(answers, repeated)
        if problem:
            problems.append(problem.at(line=said[indices[-1]].cell.line))
        for index in indices[:-1]:
            parsed.answers[index] = None
        parsed.answers[indices[-1]] = kept
    return problems


def _one_of(answers: Sequence[Answer | None], repeated: str) -> tuple[Answer | None, Problem | None]:
    if repeated != MEAN:
        return answers[-1], None
    numbers = [answer for answer in answers if isinstance(answer, int | float)]
    if len(numbers) < len(answers):
        what = "only numbers have a mean"
        return answers[-1], Problem(what=what, rule="repeated", fix="Use --repeated last.", value=str(answers[-1]))
    mean = sum(numbers) / len(numbers)
    return (int(mean) if float(mean).is_integer() else mean), None


def _seconds(table: Table, layout: Layout, problems: list[Problem]) -> dict[int, float]:
    """Time on task by line."""
    if not layout.seconds:
        return {}
    rows = [Cell(row.values.get(layout.seconds, ""), row.line) for row in table.rows]
    parsed = parse_column(layout.seconds, rows, Reading(level="ratio"))
    problems += parsed.problems
    return {
        cell.line: float(answer)
        for cell, answer in zip(rows, parsed.answers, strict=True)
        if isinstance(answer, int | float)
    }


def _merge(said: dict[str, list[_Said]], parsed: dict[str, Parsed], seconds: dict[int, float]) -> list[Rating]:
    """One rating for each rater and unit, with the answers to all questions."""
    merged: dict[tuple[str, str], tuple[int, dict[str, Answer]]] = {}
    for question, ones in said.items():
        for one, answer in zip(ones, parsed[question].answers, strict=True):
            if answer is not None:
                merged.setdefault((one.unit, one.rater), (one.cell.line, {}))[1][question] = answer
    return [
        Rating(unit, rater, answers, line=line, seconds=seconds.get(line))
        for (unit, rater), (line, answers) in sorted(merged.items(), key=lambda entry: entry[1][0])
    ]


def _assemble(
    path: Path,
    table: Table,
    layout: Layout,
    reading: Reading,
    repeated: str,
    ratings: Sequence[Rating],
    parsed: dict[str, Parsed],
) -> Ratings:
    units, raters, problems = _units_and_raters(table, layout)
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in problems))
    named = {rating.rater: raters.get(rating.rater, Rater(rating.rater)) for rating in ratings}
    absent = sum(found.answers.count(None) for found in parsed.values())
    apart = sum(answer is NOT_APPLICABLE for found in parsed.values() for answer in found.answers)
    remarks = [found.remark for found in parsed.values() if found.remark]
    remarks += [f"{absent:,} cells without an answer"] if absent else []
    remarks += [f"{apart:,} answers are not applicable, and not counted"] if apart else []
    criteria = tuple(found.criterion for found in parsed.values())
    origin = {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest()[:12],
        "unit": "+".join(layout.unit),
        "rater": layout.rater,
        "repeated": repeated,
        "scale": "+".join(reading.scale),
    }
    return Ratings(path.stem, criteria, tuple(ratings), units, named, origin, tuple(remarks))


def _units_and_raters(table: Table, layout: Layout) -> tuple[dict[str, Unit], dict[str, Rater], list[Problem]]:
    """What the rows say of units and raters. A unit of two systems or data sets is a problem."""
    source = layout.source or tuple(column for column in layout.unit if column != layout.system)
    units: dict[str, Unit] = {}
    raters: dict[str, Rater] = {}
    problems = []
    for row in table.rows:
        cell = {column: row.values.get(column, "").strip() for column in layout.columns()}
        key, _ = _unit(row, layout)
        unit = Unit(
            key,
            cell.get(layout.system, ""),
            JOINED.join(cell[column] for column in source) or key,
            cell.get(layout.dataset, ""),
            {column: row.values.get(column, "") for column in layout.texts},
        )
        first = units.setdefault(key, unit)
        for what, one, other in (("system", first.system, unit.system), ("data set", first.dataset, unit.dataset)):
            if one != other:
                fix = f"Add the column of the {what} to --unit."
                message = f"the unit {key!r} has the {what} {other!r}, and {one!r} in an earlier line"
                problems.append(Problem(what=message, rule="unit", line=row.line, value=other, fix=fix))
        if layout.group and cell[layout.rater]:
            raters.setdefault(cell[layout.rater], Rater(cell[layout.rater], traits={layout.group: cell[layout.group]}))
    return units, raters, problems
