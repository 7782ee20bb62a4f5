"""What people typed: numbers, wherever they stand, and words in a form.

Numbers that people and programs wrote: in sheets, ratings, scores, imports and forms. One rule for all of them. A
point is a decimal point. A comma is a decimal comma where it can be nothing else (``2,5`` and ``0,125``); where it
could stand between thousands (``1,234``), nobody can know, and it is refused with that reason. Texts that look like
numbers and are none, dates above all, are told apart.

Words that people type into a form: trimmed, and refused if they are missing, too long or no text at all.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from rubrica.core.errors import Problem, wrong

LABEL, DATE, DECIMAL = "number", "date", "decimal"
"""Rules of numbers: a word among numbers, a date, a comma or signs between thousands."""
SPREADSHEET_ERRORS = ("#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#ERROR!")
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ]\d\d?:\d\d.*)?|\d{1,2}([./-])\d{1,2}\2\d{2,4}")
_GROUPS = re.compile(
    r"[+-]?[1-9]\d{0,2}((,\d{3})+(\.\d+)?|(\.\d{3})+,\d+|(\.\d{3}){2,}|([ \u00a0\u202f']\d{3})+([.,]\d+)?)"
)
"""Thousands apart, as English, German or French write them."""
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(e[+-]?\d+)?", re.IGNORECASE)


class Fault(NamedTuple):
    """Why a text is no answer: what is wrong with it, the rule, and how to mend it."""

    what: str
    rule: str
    fix: str


SPREADSHEET_ERROR = Fault("is an error of a spreadsheet", "error", "Correct it there, or leave the cell empty.")
OBJECT = Fault("is an object, no answer", "object", "Name its entry: --value COLUMN.ENTRY.")


def number(text: str) -> int | float | Fault:
    """The number that a text is, or why it is none."""
    plain = with_point(text)
    if isinstance(plain, Fault):
        return plain
    value = float(plain)
    return int(value) if value.is_integer() else value


def whole(text: str, least: int = 0, most: int = 999_999_999) -> int | None:
    """The whole number that a text is, if it lies within these bounds."""
    found = number(text)
    return found if isinstance(found, int) and least <= found <= most else None


def with_point(text: str) -> str | Fault:
    """A finite number as programs write it, to the last digit that was given; or why it is none."""
    said = text.strip().replace("−", "-")
    if _GROUPS.fullmatch(said):
        fix = "Write it with a point for the decimals and nothing between thousands, like 1234.5."
        return Fault("has signs between thousands, or a decimal comma: nobody can know which", DECIMAL, fix)
    plain = said.replace(",", ".") if _DECIMAL_COMMA.fullmatch(said) else said
    value = _float(plain)
    if math.isfinite(value):
        return plain
    if math.isinf(value):
        return Fault("is not a finite number", "finite", "Correct it, or leave the cell empty.")
    if _DATE.fullmatch(said):
        fix = "If a spreadsheet made a date of a number, format the column as text and enter it again."
        return Fault("is a date, no number", DATE, fix)
    return Fault("is not a number", LABEL, "Write a number, or leave the cell empty.")


def _float(text: str) -> float:
    """The number that a text is; NaN if it is none."""
    try:
        return float(text) if "_" not in text else math.nan
    except ValueError:
        return math.nan


LONGEST = 2000
"""Characters of a reason, a note or a remark."""


def checked_text(text: str, what: str, *, required: bool = True, question: str = "text") -> str:
    """The words, trimmed. ``what`` names them. Raises InputError if they are missing or cannot be kept."""
    said = text.strip()
    if required and not said:
        raise wrong(f"{what} is empty", "required", "Write a few words.", value="", question=question)
    problem = unfit(said, what, LONGEST)
    if problem is not None:
        raise wrong(problem.what, problem.rule, problem.fix, value=problem.value, question=question)
    return said


def unfit(said: str, what: str, longest: int) -> Problem | None:
    """Why these words cannot be kept; nothing if they can."""
    if len(said) > longest:
        fix = f"Use at most {longest:,}."
        return Problem(what=f"{what} has {len(said):,} characters", rule="length", fix=fix, value=len(said))
    if not storable(said):
        fix = "Type it instead of pasting it."
        return Problem(what=f"{what} holds a broken character", rule="characters", fix=fix)
    return None


def storable(text: str) -> bool:
    """Whether every database and file can hold the text: no NUL, no lone surrogate."""
    if "\0" in text or text.isascii():
        return "\0" not in text
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def storable_json(data: Any) -> bool:
    """Whether every text in a JSON value is storable, keys included."""
    if isinstance(data, dict):
        return all(storable(key) and storable_json(value) for key, value in data.items())
    if isinstance(data, list):
        return all(map(storable_json, data))
    return not isinstance(data, str) or storable(data)
