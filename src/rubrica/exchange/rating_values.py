"""The cells of one column as answers: numbers, labels or sets, with everything that cannot be one as a problem.

A column has few different texts, so each is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from rubrica.core.answers import NOT_APPLICABLE, NOT_APPLICABLE_WORD, Answer, NotApplicable
from rubrica.core.errors import Problem
from rubrica.core.json_text import parse_json
from rubrica.core.ratings import (
    CHOICE,
    CHOICES,
    INTERVAL,
    JACCARD,
    MASI,
    NOMINAL,
    OPEN,
    ORDINAL,
    RATIO,
    SCALE,
    TEXT,
    Criterion,
)
from rubrica.core.text_helpers import first_of, shortened
from rubrica.core.typed import DATE, DECIMAL, LABEL, OBJECT, SPREADSHEET_ERROR, SPREADSHEET_ERRORS, Fault, number

MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "None", "<NA>", "#N/A", "#NA")
"""Words for a missing answer, those of pandas, spelt exactly so: ``none`` in small letters is a label."""
FEW = 11
"""Whole numbers with at most so many different values are taken for an ordinal scale."""
LONG, MOST_LABELS = 20, 21
"""Texts of so many characters, and of more different ones than this, are no labels."""
SHOWN, EXAMPLES = 60, 3


class Cell(NamedTuple):
    """The text of an answer and where it stands; the column, where a question has several."""

    text: str
    line: int
    column: str = ""


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


Understood = Mapping[str, "Answer | Fault | None"]
"""Every different text of a column with what it means."""


def parse_column(name: str, cells: Sequence[Cell], reading: Reading, known: Criterion | None = None) -> Parsed:
    """The answers of a column. A known criterion (of a protocol) says what is allowed, and nothing is guessed."""
    if known is not None:
        return _of_protocol(known, cells, reading)
    if reading.level in (MASI, JACCARD):
        return _sets(name, cells, reading)
    if reading.scale:
        return _on_scale(name, cells, reading)
    if not reading.level and _all_lists(cells, reading):
        remark = f"{name}: lists, taken as sets at the level {MASI}; --level {JACCARD} takes the other"
        return _sets(name, cells, reading._replace(level=MASI))._replace(remark=remark)
    understood = _understand(cells, reading, _number)
    words = (LABEL, DATE, DECIMAL) if reading.level == NOMINAL else (LABEL,)
    labels = [text for text, found in understood.items() if isinstance(found, Fault) and found.rule in words]
    if labels and (reading.level == NOMINAL or _mostly(cells, labels, understood)):
        return _labels(name, cells, reading, labels)
    return _numbers(name, cells, reading, understood)


def parse_seconds(name: str, cells: Sequence[Cell], missing: Collection[str] = ()) -> Parsed:
    """A column of times: numbers from 0 on, whatever most of its cells are. The usual words are missing as well."""
    reading = Reading(level=RATIO, missing={*MISSING, *missing})
    understood = {
        text: found._replace(fix="Give a number of seconds.")
        if isinstance(found, Fault) and found.rule == LABEL
        else found
        for text, found in _understand(cells, reading, _number).items()
    }
    return _numbers(name, cells, reading, understood, Fault("is less than no time", "level", "Correct it."))


def _number(text: str, reading: Reading) -> int | float | Fault:
    found = number(text)
    if reading.level == NOMINAL and "," in text:
        return Fault("is a label with a comma", LABEL, "")
    if isinstance(found, Fault) and found.rule == LABEL:
        fix = "Write a number; labels need --level nominal or --scale LOW,…,HIGH; words for no answer --missing."
        return found._replace(fix=fix)
    return found


def _numbers(
    name: str, cells: Sequence[Cell], reading: Reading, understood: Understood, negative: Fault | None = None
) -> Parsed:
    answers = [_answer(understood[cell.text]) for cell in cells]
    problems = _problems(name, cells, understood) + _out_of_level(name, cells, answers, reading.level, negative)
    level, remark = (reading.level, "") if reading.level else _guess(name, answers)
    return Parsed(_numeric(name, level, answers), answers, problems, remark)


def _understand(
    cells: Sequence[Cell], reading: Reading, meaning: Callable[[str, Reading], Answer | Fault | None]
) -> Understood:
    """What each different text means; missing and not applicable are the same in every column."""
    found: dict[str, Answer | Fault | None] = {}
    for raw in {cell.text for cell in cells}:
        text = raw.strip()
        if text == NOT_APPLICABLE_WORD:
            found[raw] = NOT_APPLICABLE
        elif not text or (text in reading.missing and text not in reading.scale):
            found[raw] = None
        elif text.upper() in SPREADSHEET_ERRORS:
            found[raw] = SPREADSHEET_ERROR
        elif text.startswith("{") and isinstance(_json(text), dict):
            found[raw] = OBJECT
        else:
            found[raw] = meaning(text, reading)
    return found


def _answer(found: Answer | Fault | None) -> Answer | None:
    return None if isinstance(found, Fault) else found


def _problems(name: str, cells: Sequence[Cell], understood: Understood) -> list[Problem]:
    faults = {text: found for text, found in understood.items() if isinstance(found, Fault)}
    if not faults:
        return []
    return [_problem(name, cell, faults[cell.text]) for cell in cells if cell.text in faults]


def _problem(name: str, cell: Cell, fault: Fault) -> Problem:
    text = cell.text.strip()
    shown = shortened(text, SHOWN)
    name = cell.column or name
    what = f"{name}: {shown!r} {fault.what}"
    return Problem(what=what, rule=fault.rule, line=cell.line, value=shown, fix=fault.fix, question=name)


def _mostly(cells: Sequence[Cell], labels: Collection[str], understood: Understood) -> bool:
    """Whether at least half of the answers are words, so that the column holds labels and no mistyped numbers."""
    words = set(labels)
    numbers = {text for text, found in understood.items() if not isinstance(found, NotApplicable | None)} - words
    return 2 * sum(cell.text in words for cell in cells) >= sum(
        cell.text in words or cell.text in numbers for cell in cells
    )


def _numeric(name: str, level: str, answers: Sequence[Answer | None]) -> Criterion:
    present = sorted({answer for answer in answers if isinstance(answer, int | float)})
    kind = CHOICE if level == NOMINAL else SCALE
    few = tuple(present) if len(present) <= FEW else ()
    return Criterion(name, name, kind, level, few, present[-1] if present and kind == SCALE else None)


def _guess(name: str, answers: Sequence[Answer | None]) -> tuple[str, str]:
    """The level of numbers when nobody says it, and the remark that says which it is."""
    present = {answer for answer in answers if isinstance(answer, int | float)}
    if not present:
        return ORDINAL, f"{name}: no answers"
    whole = all(isinstance(answer, int) for answer in present)
    kind = "whole number" if whole else "number"
    different = f"{len(present):,} different {kind}s" if len(present) > 1 else f"one {kind}"
    level = ORDINAL if whole and len(present) <= FEW else INTERVAL
    return level, f"{name}: {different}, taken as {level}; --level takes another"


NEGATIVE = Fault("is negative, and a ratio scale starts at 0", "level", "Use --level interval.")


def _out_of_level(
    name: str, cells: Sequence[Cell], answers: Sequence[Answer | None], level: str, negative: Fault | None = None
) -> list[Problem]:
    """Negative numbers where zero means nothing at all."""
    if level != RATIO:
        return []
    return [
        _problem(name, cell, negative or NEGATIVE)
        for cell, answer in zip(cells, answers, strict=True)
        if isinstance(answer, int | float) and answer < 0
    ]


def _labels(name: str, cells: Sequence[Cell], reading: Reading, words: Sequence[str] = ()) -> Parsed:
    """A column of labels. An order or distance of labels has to be told: without a scale that is one problem."""
    understood = _understand(cells, reading, lambda text, _: text)
    answers = [_answer(understood[cell.text]) for cell in cells]
    present = tuple(sorted({answer for answer in answers if isinstance(answer, str)}))
    problems = _problems(name, cells, understood)
    if not reading.level and not problems and _written(answers):
        remark = f"{name}: {len(present):,} different texts, taken as free text; --level nominal takes them as labels"
        return Parsed(Criterion(name, name, TEXT, OPEN), answers, [], remark)
    different = f"{len(present):,} different labels" if len(present) != 1 else "one label"
    remark = "" if reading.level else f"{name}: {different}, taken as nominal"
    if reading.level in (ORDINAL, INTERVAL, RATIO):
        line = next(cell.line for cell in cells if cell.text in words)
        shown = first_of(present, EXAMPLES)
        fix = "Name them from the lowest: --scale LOW,…,HIGH." if reading.level == ORDINAL else "Use --level nominal."
        what = f"{name}: labels ({shown}) have no {'order' if reading.level == ORDINAL else 'distance'} of their own"
        problems.append(Problem(what=what, rule="level", line=line, value=reading.level, fix=fix, question=name))
    return Parsed(Criterion(name, name, CHOICE, NOMINAL, present), answers, problems, remark)


def _written(answers: Sequence[Answer | None]) -> bool:
    """Whether these are texts that people wrote and no labels: mostly long ones of several words, mostly different."""
    texts = [answer for answer in answers if isinstance(answer, str)]
    long = sum(len(text) >= LONG and " " in text for text in texts)
    return 2 * long >= len(texts) and len(set(texts)) > MOST_LABELS and 2 * len(set(texts)) >= len(texts)


def _on_scale(name: str, cells: Sequence[Cell], reading: Reading) -> Parsed:
    """Labels whose order was given; if all of them are numbers, numbers."""
    points = [number(text) for text in reading.scale]
    numeric = not any(isinstance(point, Fault) for point in points)
    order = {text: point if numeric else text for text, point in zip(reading.scale, points, strict=True)}
    by_value = {point: point for point in points} if numeric else {}
    fault = Fault("is not on the scale", "scale", f"Use one of {', '.join(reading.scale)}.")

    def meaning(text: str, _: Reading) -> Answer | Fault | None:
        if text in order:
            return order[text]
        return by_value.get(number(text), fault) if numeric else fault

    understood = _understand(cells, reading, meaning)
    level = reading.level or ORDINAL
    values: tuple[Answer, ...] = tuple(value for value in map(_answer, order.values()) if value is not None)
    kind = CHOICE if level == NOMINAL else SCALE
    criterion = Criterion(name, name, kind, level, values, None if kind == CHOICE else values[-1])
    problems = _problems(name, cells, understood)
    if level in (INTERVAL, RATIO) and not numeric:
        what = f"{name}: a scale of labels has an order, and no distances"
        problems.append(Problem(what=what, rule="level", value=level, fix="Use --level ordinal.", question=name))
    return Parsed(criterion, [_answer(understood[cell.text]) for cell in cells], problems)


def _sets(name: str, cells: Sequence[Cell], reading: Reading) -> Parsed:
    understood = _understand(cells, reading, lambda text, how: _set(text, how.separator))
    answers = [_answer(understood[cell.text]) for cell in cells]
    present = tuple(sorted({part for answer in answers if isinstance(answer, tuple) for part in answer}))
    criterion = Criterion(name, name, CHOICES, reading.level, present)
    return Parsed(criterion, answers, _problems(name, cells, understood))


def _set(text: str, separator: str) -> tuple[str, ...] | Fault:
    """The parts of a set in alphabetical order, each once; ``[]`` is the empty set."""
    if not text.startswith("["):
        return tuple(sorted({part.strip() for part in text.split(separator) if part.strip()}))
    parts = _json(text)
    if not isinstance(parts, list):
        return Fault("is not a list", "set", 'Write a;b or ["a", "b"].')
    return tuple(sorted({str(part).strip() for part in parts}))


def _all_lists(cells: Sequence[Cell], reading: Reading) -> bool:
    """Whether every answer is a list as JSON writes it."""
    texts = {text for cell in cells if (text := cell.text.strip()) and text not in reading.missing}
    texts.discard(NOT_APPLICABLE_WORD)
    return bool(texts) and all(text.startswith("[") and isinstance(_json(text), list) for text in texts)


def _json(text: str) -> object:
    """What a text is as JSON; None if it is none."""
    try:
        found: object = parse_json(text)
    except ValueError:
        return None
    return found


def _of_protocol(known: Criterion, cells: Sequence[Cell], reading: Reading) -> Parsed:
    """Answers to a protocol's question: those that it allows."""
    if known.level in (MASI, JACCARD):
        found = _sets(known.id, cells, reading._replace(level=known.level))
        if known.blank:
            # A row is a judgement, so that a blank in it is an answer; where raters have columns, it may be nobody's.
            blank = [not cell.text.strip() and not cell.column for cell in cells]
            answers = [() if empty else answer for empty, answer in zip(blank, found.answers, strict=True)]
            found = found._replace(answers=answers)
    elif known.values:
        scale = tuple(map(str, known.values))
        found = _on_scale(known.id, cells, reading._replace(level=known.level, scale=scale))
    elif known.numeric:
        found = parse_column(known.id, cells, reading._replace(level=known.level, scale=()))
    else:
        found = _labels(known.id, cells, reading._replace(level=NOMINAL))
    return found._replace(criterion=known, remark="")
