"""Planted units: items with known answers, and the columns of a table of ratings that say what was planted.

Items with known answers, which measure the annotator: read from a table and checked like judgements.

Planted units in somebody's table: a column with the known answer, a column that names the unit repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from rubrica.core.answers import Answer, Answers
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.ratings import DUPLICATE, GOLD, Rating, Ratings
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.columns import no_column
from rubrica.exchange.items import read_items
from rubrica.exchange.rating_layout import JOINED
from rubrica.exchange.rating_values import Cell, Reading, parse_column
from rubrica.exchange.records import RecordReader
from rubrica.exchange.tables import Row, Table, read_table


def read_gold(file: Path, protocol: Protocol) -> list[tuple[Item, Answers]]:
    """Items with known answers: a table with the fields and, in columns named like questions, the answers.

    Raises InputError with every problem; an item needs at least one known answer.
    """
    table = read_table(file)
    read = read_items(table, protocol)
    reader, validator = RecordReader(protocol), Validator(protocol)
    gold: list[tuple[Item, Answers]] = []
    problems: list[Problem] = []
    for item, row in zip(read.items, table.rows, strict=True):
        record = reader.from_row({**row.values, "item": item.key, "annotator": "gold"}, row.line)
        answers = record.judgement.answers if record else {}
        found = validator.problems(item, Judgement(answers), complete=False)
        if not answers:
            questions = ", ".join(question.id for question in protocol.questions)
            found.append(Problem(what="no known answer", rule="gold", fix=f"Fill in one of the columns {questions}."))
        problems += [problem.at(file=str(file), line=row.line) for problem in found]
        gold.append((item, answers))
    problems += [problem.at(file=str(file)) for problem in reader.problems]
    if problems:
        raise InputError(*problems)
    return gold


@attrs.frozen(kw_only=True)
class Planted:
    """Columns: with known answers, in the order of questions; the one that names the original; those of the unit."""

    gold: tuple[str, ...] = ()
    duplicate: str = ""
    unit: tuple[str, ...] = ()


def with_planted(ratings: Ratings, table: Table, columns: Planted, reading: Reading) -> Ratings:
    """The ratings of this table, with those of planted units marked. A row with an empty cell is not planted.

    Raises InputError with every problem: missing columns, known answers that are none, originals that nobody rated.
    """
    questions = [criterion.id for criterion in ratings.criteria]
    if len(columns.gold) > len(questions):
        fix = f"Give one column for each question: {', '.join(questions)}."
        raise wrong(f"--gold names {len(columns.gold)} columns", "option", fix, value=",".join(columns.gold))
    absent = missing_columns(table, columns)
    if absent:
        raise InputError(*absent)
    known, problems = _known(ratings, table, dict(zip(questions, columns.gold, strict=False)), reading)
    rows = {row.line: row for row in table.rows}
    marked = []
    for rating in ratings.every:
        original, problem = _original(ratings, rows[rating.line], columns)
        problems += [problem] if problem else []
        marked.append(_mark(rating, known.get(rating.line, {}), original))
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in problems))
    origin = {**ratings.origin, "gold": "+".join(columns.gold), "duplicate": columns.duplicate}
    return attrs.evolve(ratings, every=tuple(marked), origin=origin)


def missing_columns(table: Table, columns: Planted) -> list[Problem]:
    """What is said of columns that the table has not."""
    return [
        no_column(column, table).at(file=table.file)
        for column in (*columns.gold, columns.duplicate)
        if column and column not in table.columns
    ]


def _mark(rating: Rating, known: Mapping[str, Answer], original: str) -> Rating:
    if known:
        return attrs.evolve(rating, planted=GOLD, known=known)
    return attrs.evolve(rating, planted=DUPLICATE, original=original) if original else rating


def _known(
    ratings: Ratings, table: Table, gold: Mapping[str, str], reading: Reading
) -> tuple[dict[int, dict[str, Answer]], list[Problem]]:
    """Known answers by line and question, read as the answers themselves are."""
    known: dict[int, dict[str, Answer]] = {}
    problems: list[Problem] = []
    for question, column in gold.items():
        criterion = ratings.criterion(question)
        cells = [Cell(row.values.get(column, "").strip(), row.line) for row in table.rows]
        fixed = reading._replace(level=criterion.level, scale=())
        listed = criterion if criterion.values and not criterion.numeric else None
        parsed = parse_column(column, cells, fixed, listed)
        problems += parsed.problems
        for cell, answer in zip(cells, parsed.answers, strict=True):
            if answer is not None:
                known.setdefault(cell.line, {})[question] = answer
    return known, problems


def _original(ratings: Ratings, row: Row, columns: Planted) -> tuple[str, Problem | None]:
    """The key of the unit that a row repeats: a whole key, or what stands in the first column of the unit."""
    cell = row.values.get(columns.duplicate, "").strip() if columns.duplicate else ""
    if not cell:
        return "", None
    rest: Sequence[str] = [row.values.get(column, "").strip() for column in columns.unit[1:]]
    for key in (cell, JOINED.join([cell, *rest])):
        if key in ratings.units:
            return key, None
    fix = f"Name a unit as --unit does, or leave the cell empty, in the column {columns.duplicate!r}."
    return "", Problem(what=f"nobody rated {cell!r}", rule="duplicate", line=row.line, value=cell, fix=fix)
