"""The cells of one column as answers: numbers, labels or sets, with everything that cannot be one as a problem."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from rubrica.core.answers import NOT_APPLICABLE, NOT_APPLICABLE_WORD, Answer
from rubrica.core.errors import Problem
from rubrica.core.ratings import (
    CHOICE,
    CHOICES,
    INTERVAL,
    JACCARD,
    MASI,
    NOMINAL,
    ORDINAL,
    RATIO,
    SCALE,
    Criterion,
)
from rubrica.exchange.tables import parse_json

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>", "#N/A")
"""Words for a missing answer, spelt exactly so: ``none`` in small letters is a label."""
FEW = 11
"""Whole numbers with at most so many different values are taken for an ordinal scale."""
SHOWN = 60


class Cell(NamedTuple):
    """The text of an answer and where it stands."""

    text: str
    line: int


class Parsed(NamedTuple):
    """What a column holds: its criterion, an answer for each cell (None: missing), problems, and what was decided."""

    criterion: Criterion
    answers: list[Answer | None]
    problems: list[Problem]
    remark: str = ""


class Reading(NamedTuple):
    """How cells are to be read: the level if it is given, the scale in order, words for missing, what parts a set."""

    level: str = ""
    scale: tuple[str, ...] = ()
    missing: Collection[str] = MISSING
    separator: str = ";"


def parse_column(name: str, cells: Sequence[Cell], reading: Reading, known: Criterion | None = None) -> Parsed:
    """The answers of a column. A known criterion (of a protocol) says what is allowed, and nothing is guessed."""
    texts = [cell._replace(text=cell.text.strip()) for cell in cells]
    if known is not None:
        return _of_protocol(known, texts, reading)
    if reading.level in (MASI, JACCARD):
        return _sets(name, texts, reading)
    if reading.scale:
        return _on_scale(name, texts, reading)
    numbers = [_number(cell, reading) for cell in texts]
    given = sum(not _absent(cell.text, reading) for cell in texts)
    wrong = [found for found in numbers if isinstance(found, Problem)]
    labels = reading.level == NOMINAL or (not reading.level and 2 * len(wrong) >= given)
    if labels and wrong:
        return _labels(name, texts, reading)
    answers = [None if isinstance(found, Problem) else found for found in numbers]
    problems = [problem.at(question=name) for problem in wrong] + _out_of_level(name, texts, answers, reading.level)
    level, remark = (reading.level, "") if reading.level else _guess(name, answers)
    return Parsed(_numeric(name, level, answers), answers, problems, remark)


def _numeric(name: str, level: str, answers: Sequence[Answer | None]) -> Criterion:
    present = sorted({answer for answer in answers if isinstance(answer, int | float)})
    kind = CHOICE if level == NOMINAL else SCALE
    few = tuple(present) if len(present) <= FEW else ()
    return Criterion(name, name, kind, level, few, present[-1] if present and kind == SCALE else None)


def _guess(name: str, answers: Sequence[Answer | None]) -> tuple[str, str]:
    """The level of numbers when nobody says it, and the remark that says which it is."""
    present = {answer for answer in answers if isinstance(answer, int | float)}
    whole = all(isinstance(answer, int) for answer in present)
    if whole and len(present) <= FEW:
        return ORDINAL, f"{name}: {len(present)} different whole numbers, taken as ordinal; --level takes another"
    kind = "whole numbers" if whole else "numbers"
    return INTERVAL, f"{name}: {len(present)} different {kind}, taken as interval; --level takes another"


def _absent(text: str, reading: Reading) -> bool:
    return text in reading.missing or not text or text == NOT_APPLICABLE_WORD


def _missing(text: str) -> Answer | None:
    return NOT_APPLICABLE if text == NOT_APPLICABLE_WORD else None


def _number(cell: Cell, reading: Reading) -> Answer | Problem | None:
    if _absent(cell.text, reading):
        return _missing(cell.text)
    try:
        value = float(cell.text.replace("−", "-")) if "_" not in cell.text else math.nan
    except ValueError:
        value = math.nan
    if math.isfinite(value):
        return int(value) if value.is_integer() else value
    if math.isinf(value):
        return _problem(cell, "is not a finite number", "number", "Correct it, or leave the cell empty.")
    swapped = cell.text.replace(",", ".", 1)
    try:
        float(swapped)
        fix = f"Write the decimal with a point: {swapped}."
    except ValueError:
        fix = "Write a number; labels need --level nominal, or --scale LOW,…,HIGH; words for missing --missing."
    return _problem(cell, "is not a number", "number", fix)


def _problem(cell: Cell, what: str, rule: str, fix: str) -> Problem:
    shown = cell.text if len(cell.text) <= SHOWN else cell.text[:SHOWN] + "…"
    return Problem(what=f"{shown!r} {what}", rule=rule, line=cell.line, value=shown, fix=fix)


def _out_of_level(name: str, cells: Sequence[Cell], answers: Sequence[Answer | None], level: str) -> list[Problem]:
    """Negative numbers where zero means nothing at all."""
    if level != RATIO:
        return []
    return [
        _problem(cell, "is negative, and a ratio scale starts at 0", "level", "Use --level interval.").at(question=name)
        for cell, answer in zip(cells, answers, strict=True)
        if isinstance(answer, int | float) and answer < 0
    ]


def _labels(name: str, cells: Sequence[Cell], reading: Reading) -> Parsed:
    answers: list[Answer | None] = [_missing(cell.text) if _absent(cell.text, reading) else cell.text for cell in cells]
    present = tuple(sorted({answer for answer in answers if isinstance(answer, str)}))
    remark = "" if reading.level else f"{name}: {len(present)} different labels, taken as nominal"
    return Parsed(Criterion(name, name, CHOICE, NOMINAL, present), answers, [], remark)


def _on_scale(name: str, cells: Sequence[Cell], reading: Reading) -> Parsed:
    """Labels whose order was given; if all of them are numbers, numbers."""
    points = [_number(Cell(text, 0), reading) for text in reading.scale]
    numeric = all(isinstance(point, int | float) for point in points)
    order: dict[str, Answer] = dict(zip(reading.scale, points if numeric else reading.scale, strict=True))  # type: ignore[arg-type]
    answers: list[Answer | None] = []
    problems = []
    for cell in cells:
        if _absent(cell.text, reading) and cell.text not in order:
            answers.append(_missing(cell.text))
            continue
        number = _number(cell, reading) if numeric else None
        value = order.get(cell.text, number if number in order.values() else None)
        if value is None or isinstance(value, Problem):
            fix = f"Use one of {', '.join(reading.scale)}."
            problems.append(_problem(cell, "is not on the scale", "scale", fix).at(question=name))
            value = None
        answers.append(value)
    level = reading.level or ORDINAL
    values = tuple(order.values())
    kind = CHOICE if level == NOMINAL else SCALE
    return Parsed(Criterion(name, name, kind, level, values, None if kind == CHOICE else values[-1]), answers, problems)


def _sets(name: str, cells: Sequence[Cell], reading: Reading) -> Parsed:
    answers: list[Answer | None] = []
    problems = []
    for cell in cells:
        if _absent(cell.text, reading):
            answers.append(_missing(cell.text))
            continue
        found = _set(cell.text, reading.separator)
        if found is None:
            problems.append(_problem(cell, "is not a list", "set", 'Write a;b or ["a", "b"].').at(question=name))
        answers.append(found)
    present = tuple(sorted({part for answer in answers if isinstance(answer, tuple) for part in answer}))
    return Parsed(Criterion(name, name, CHOICES, reading.level, present), answers, problems)


def _set(text: str, separator: str) -> tuple[str, ...] | None:
    """The parts of a set in alphabetical order, each once; None if it starts like JSON and is none."""
    if text.startswith("["):
        try:
            parts = parse_json(text)
        except ValueError:
            return None
        return tuple(sorted({str(part).strip() for part in parts})) if isinstance(parts, list) else None
    return tuple(sorted({part.strip() for part in text.split(separator) if part.strip()}))


def _of_protocol(known: Criterion, cells: Sequence[Cell], reading: Reading) -> Parsed:
    """Answers to a protocol's question: those that it allows."""
    criterion = known
    if known.level in (MASI, JACCARD):
        found = _sets(known.id, cells, reading._replace(level=known.level))
        return found._replace(criterion=known)
    if not known.values:
        if not known.numeric:
            return _labels(known.id, cells, reading)._replace(criterion=known, remark="")
        return parse_column(known.id, cells, reading._replace(level=known.level))._replace(criterion=known, remark="")
    scale = tuple(map(str, known.values))
    found = _on_scale(known.id, cells, reading._replace(level=reading.level or known.level, scale=scale))
    return found._replace(criterion=criterion)
