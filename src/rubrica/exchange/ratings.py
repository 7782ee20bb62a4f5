"""Ratings from any table: one row for each judgement (long), or a column for each rater (wide).

Columns are named by whoever asks; nothing is guessed but the level of the answers, and that is said. Everything wrong
is reported at once, with its line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import attrs

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.ratings import NOMINAL, Rater, Rating, Ratings
from rubrica.exchange.columns import guess_columns
from rubrica.exchange.decoding import WINDOWS
from rubrica.exchange.rating_layout import Layout, Rated, layout_problems, question_of, rated_of, without_mistyped_keys
from rubrica.exchange.rating_problems import at_most, placed, without_spoilt_cells
from rubrica.exchange.rating_values import MISSING, Cell, Parsed, Reading, parse_column, parse_seconds
from rubrica.exchange.tables import Table, with_nested
from rubrica.protocols.criteria import criteria_of

__all__ = ["LAST", "MEAN", "REPEATED", "Layout", "ratings_of_table"]

LAST, MEAN = "last", "mean"
REPEATED = ("", LAST, MEAN)
"""What to do with a second answer of the same rater to the same unit; by default it is an error."""


ALIKE = "differ by capitals or spaces, and count as different"


class _Said(NamedTuple):
    """Cells with answers to one question, and whose they are."""

    units: list[str]
    raters: list[str]
    cells: list[Cell]


def ratings_of_table(
    read: Table, layout: Layout, reading: Reading, *, repeated: str = "", protocol: Protocol | None = None
) -> Ratings:
    """The ratings of a table that was read whatever is wrong with it; all of that is said here, with its lines.

    ``protocol`` is one whose questions columns are named after. Raises InputError with every problem: missing columns,
    units or raters without a name, answers that are none, repeated answers unless ``repeated`` says which counts.
    """
    table, path = read, Path(read.file)
    layout = layout.named_in(table)
    table, problems = _checked(with_nested(table, layout.columns()), layout)
    layout = _with_target(layout.within(table), table, protocol)
    rated, found = rated_of(table, layout)
    problems += found
    said = _wide(table, layout, rated) if layout.values else _long(table, layout, rated, problems)
    known = {criterion.id: criterion for criterion in criteria_of(protocol)} if protocol else {}
    parsed = {
        question: parse_column(question, ones.cells, reading, known.get(question)) for question, ones in said.items()
    }
    encoding = [f"read as {WINDOWS}"] if WINDOWS in read.detected else []
    remarks = [*encoding, *_remarks(parsed, rated.raters), *_on_words(parsed, layout)]
    for question, column in parsed.items():
        problems += column.problems
        problems += _settle_repeated(question, said[question], column, repeated, wide=bool(layout.values))
    seconds = _seconds(table, layout, problems, reading.missing)
    if problems:
        raise InputError(*placed(at_most(problems), table))
    ratings = _merge(said, parsed, seconds)
    named = {rating.rater: rated.raters.get(rating.rater, Rater(rating.rater)) for rating in ratings}
    return Ratings(
        path.stem,
        tuple(found.criterion for found in parsed.values()),
        tuple(ratings),
        rated.units,
        named,
        _origin(read, layout, reading, repeated),
        tuple(remarks),
    )


def _with_target(layout: Layout, table: Table, protocol: Protocol | None) -> Layout:
    """The same with the column of the word that is to be made simpler, where the protocol has one and it is called so.

    The column may name the unit as well.
    """
    if protocol is None or all(field.role != "target" for field in protocol.fields):
        return layout
    columns = guess_columns(table, protocol, {})
    found = next((columns.get(field.id, "") for field in protocol.fields if field.role == "target"), "")
    taken = {*layout.value, *(column for columns in layout.values for column in columns), layout.rater}
    return attrs.evolve(layout, target="" if found in taken else found)


def _on_words(parsed: dict[str, Parsed], layout: Layout) -> list[str]:
    """What says that none is simpler, where answers are words."""
    if not any(found.criterion.blank for found in parsed.values()):
        return []
    if layout.target:
        return [f"the word itself is in the column {layout.target!r}: as an answer it says that none is simpler"]
    return ["no column has the word itself: only an empty answer says that none is simpler"]


def _checked(table: Table, layout: Layout) -> tuple[Table, list[Problem]]:
    """The table, and everything that is wrong before cells are looked at.

    Raises InputError where that would be in vain: options contradict each other, or no column is found.
    """
    wrong_layout = layout_problems(table, layout)
    unreadable = [problem for problem in table.problems if problem.rule not in ("width", "delimiter")]
    if not table.columns:
        raise InputError(*placed(at_most(table.problems or wrong_layout), table))
    if any(problem.rule == "layout" for problem in wrong_layout) or len(layout.absent(table)) == len(
        set(layout.columns())
    ):
        raise InputError(*placed(at_most([*wrong_layout, *unreadable]), table))
    table, cells = without_spoilt_cells(table, layout.columns(), layout.names())
    table, keys = without_mistyped_keys(table, layout.columns())
    problems = [*table.problems, *wrong_layout, *cells, *keys]
    if not table.rows and not problems:
        what, fix = "there is a header and no row below it", "Add a row for each judgement."
        problems.append(Problem(what=what, rule="empty", line=table.top, fix=fix))
    return table, problems


def _long(table: Table, layout: Layout, rated: Rated, problems: list[Problem]) -> dict[str, _Said]:
    said: dict[str, _Said] = {} if layout.question else {column: _Said([], [], []) for column in layout.value}
    for row, unit in zip(table.rows, rated.of_row, strict=True):
        # Without the column of raters the file is refused; what else is wrong with its cells is said as well.
        rater = row.values.get(layout.rater, "").strip() if layout.rater else str(row.line)
        if not unit or not rater:
            continue
        for column in layout.value:
            question = row.values.get(layout.question, "").strip() if layout.question else column
            if not question:
                what = f"the column {layout.question!r} does not say which question this answers"
                problems.append(Problem(what=what, rule="question", line=row.line, fix="Fill it in."))
                continue
            ones = said.get(question) or said.setdefault(question, _Said([], [], []))
            ones.units.append(unit)
            ones.raters.append(rater)
            ones.cells.append(Cell(row.values.get(column, ""), row.line))
    return said


def _wide(table: Table, layout: Layout, rated: Rated) -> dict[str, _Said]:
    said = {question_of(columns): _Said([], [], []) for columns in layout.values}
    for row, unit in zip(table.rows, rated.of_row, strict=True):
        for ones, columns in zip(said.values(), layout.values, strict=True):
            for number, column in enumerate(columns, start=1):
                ones.units.append(unit)
                ones.raters.append(column if len(layout.values) == 1 else str(number))
                ones.cells.append(Cell(row.values.get(column, ""), row.line, column))
    return said


def _settle_repeated(question: str, said: _Said, parsed: Parsed, repeated: str, *, wide: bool) -> list[Problem]:
    """Make one answer of several of one rater to one unit, in place; without a rule for that they are problems."""
    first: dict[tuple[str, str], int] = {}
    again: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, (key, answer) in enumerate(zip(zip(said.units, said.raters, strict=True), parsed.answers, strict=True)):
        if answer is not None and first.setdefault(key, index) != index:
            again[key].append(index)
    problems = []
    if repeated == MEAN and again and (parsed.criterion.level == NOMINAL or _has_words(parsed.answers)):
        line = min(said.cells[index].line for later in again.values() for index in later)
        what, fix = f"{question}: labels have no mean", "Use --repeated last."
        return [Problem(what=what, rule="repeated", fix=fix, line=line, value=MEAN, question=question)]
    for key, later in again.items():
        indices = [first[key], *later]
        if not repeated:
            lines = [said.cells[index].line for index in indices]
            problems += [_twice(question, key, lines[0], line, wide) for line in lines[1:]]
        answers = [parsed.answers[index] for index in indices]
        for index in indices[:-1]:
            parsed.answers[index] = None
        parsed.answers[indices[-1]] = _one_of(answers, repeated)
    return list({(problem.what, problem.line): problem for problem in problems}.values())


def _has_words(answers: Sequence[Answer | None]) -> bool:
    return any(isinstance(answer, str | tuple) for answer in answers)


def _twice(question: str, key: tuple[str, str], first: int, line: int, wide: bool) -> Problem:
    unit, rater = key
    fix = "Remove one, add a column to --unit that tells them apart, or use --repeated last or mean."
    who = "this unit was rated" if wide else f"{rater!r} rated this unit"
    what = f"{question}: {who} already in line {first}: {unit!r}"
    return Problem(what=what, rule="repeated", line=line, value=unit, fix=fix, question=question)


def _one_of(answers: Sequence[Answer | None], repeated: str) -> Answer | None:
    """The last, or the mean of numbers; not applicable counts only if nothing else was said."""
    numbers = [answer for answer in answers if isinstance(answer, int | float)]
    if repeated != MEAN or not numbers:
        return answers[-1]
    mean = sum(numbers) / len(numbers)
    return int(mean) if float(mean).is_integer() else mean


def _seconds(table: Table, layout: Layout, problems: list[Problem], missing: Collection[str]) -> dict[int, float]:
    """Time on task by line."""
    if not layout.seconds:
        return {}
    rows = [Cell(row.values.get(layout.seconds, ""), row.line) for row in table.rows]
    parsed = parse_seconds(layout.seconds, rows, missing)
    problems += parsed.problems
    return {
        cell.line: float(answer)
        for cell, answer in zip(rows, parsed.answers, strict=True)
        if isinstance(answer, int | float)
    }


def _merge(said: dict[str, _Said], parsed: dict[str, Parsed], seconds: dict[int, float]) -> list[Rating]:
    """One rating for each rater and unit, with the answers to all questions."""
    merged: dict[tuple[str, str], tuple[int, dict[str, Answer]]] = {}
    for question, ones in said.items():
        keys = zip(ones.units, ones.raters, strict=True)
        for key, cell, answer in zip(keys, ones.cells, parsed[question].answers, strict=True):
            if answer is not None:
                found = merged.get(key)
                if found is None:
                    merged[key] = (cell.line, {question: answer})
                else:
                    found[1][question] = answer
    ordered = sorted(merged.items(), key=lambda entry: entry[1][0]) if len(said) > 1 else merged.items()
    return [
        Rating(unit, rater, answers, line=line, seconds=seconds.get(line)) for (unit, rater), (line, answers) in ordered
    ]


def _origin(table: Table, layout: Layout, reading: Reading, repeated: str) -> dict[str, object]:
    """What a signature says of how the file was read."""
    return {
        "file": Path(table.file).name,
        "sha256": table.digest,
        "unit": "+".join(layout.unit),
        "rater": layout.rater,
        "value": "+".join(layout.value) or "/".join("+".join(columns) for columns in layout.values),
        "question": layout.question,
        "system": layout.system,
        "pair": "+".join(layout.source),
        "dataset": layout.dataset,
        "repeated": repeated,
        "scale": "+".join(reading.scale),
        "missing": "" if set(reading.missing) == set(MISSING) else "+".join(reading.missing),
    }


def _remarks(parsed: dict[str, Parsed], raters: Iterable[str]) -> list[str]:
    absent = sum(found.answers.count(None) for found in parsed.values())
    apart = sum(answer is NOT_APPLICABLE for found in parsed.values() for answer in found.answers)
    remarks = [found.remark for found in parsed.values() if found.remark]
    remarks += [f"without an answer: {absent:,} of {sum(map(_cells, parsed.values())):,} cells"] if absent else []
    labels = {found.criterion.label: _words(found) for found in parsed.values()}
    for what, words in {"raters": raters, **labels}.items():
        remarks += [
            f"{what}: {_listed(alike)} differ by capitals or spaces, and count as different" for alike in _alike(words)
        ]
    remarks += [f"not applicable, and not counted: {apart:,}"] if apart else []
    return remarks


def _words(parsed: Parsed) -> list[str]:
    """The different labels of a column; of sets, their parts."""
    return [value for value in parsed.criterion.values if isinstance(value, str)]


def _alike(words: Iterable[str]) -> list[list[str]]:
    """Words that are probably meant to be one."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(" ".join(word.split()).casefold(), []).append(word)
    return [alike for alike in found.values() if len(alike) > 1]


def _listed(words: Sequence[str]) -> str:
    return " and ".join(map(repr, words))


def _cells(parsed: Parsed) -> int:
    return len(parsed.answers)
