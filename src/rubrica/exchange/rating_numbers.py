"""Numbers in the cells of ratings, and texts that look like numbers and are none, each with its reason."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

LABEL, DATE, DECIMAL = "number", "date", "decimal"
"""Rules of numbers: a word among numbers, a date, a comma or signs between thousands."""
SPREADSHEET_ERRORS = ("#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#ERROR!")
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ]\d\d?:\d\d.*)?|\d{1,2}([./-])\d{1,2}\2\d{2,4}")
_GROUPS = re.compile(r"[+-]?\d{1,3}((,\d{3})+(\.\d+)?|(\.\d{3})+,\d+|(\.\d{3}){2,}|([ \u00a0\u202f']\d{3})+([.,]\d+)?)")
"""Thousands apart, as English, German or French write them."""


class Fault(NamedTuple):
    """Why a text is no answer: what is wrong with it, the rule, and how to mend it."""

    what: str
    rule: str
    fix: str


SPREADSHEET_ERROR = Fault("is an error of a spreadsheet", "error", "Correct it there, or leave the cell empty.")
OBJECT = Fault("is an object, no answer", "object", "Name its entry: --value COLUMN.ENTRY.")


def number(text: str) -> int | float | Fault:
    """The number that a text is, or why it is none. Which comma a comma is, nobody can know: it is never guessed."""
    value = _float(text)
    if math.isfinite(value):
        return int(value) if value.is_integer() else value
    if math.isinf(value):
        return Fault("is not a finite number", "finite", "Correct it, or leave the cell empty.")
    if _DATE.fullmatch(text):
        fix = "If a spreadsheet made a date of a number, format the column as text and enter it again."
        return Fault("is a date, no number", DATE, fix)
    if _GROUPS.fullmatch(text):
        return Fault("has signs between thousands, or a decimal comma", DECIMAL, "Write it like 1234.5.")
    swapped = text.replace(",", ".", 1)
    if math.isfinite(_float(swapped)):
        return Fault("has a decimal comma", DECIMAL, f"Write the decimal with a point: {swapped}.")
    fix = "Write a number; labels need --level nominal or --scale LOW,…,HIGH; words for no answer --missing."
    return Fault("is not a number", LABEL, fix)


def _float(text: str) -> float:
    """The number that a text is; NaN if it is none."""
    try:
        return float(text.replace("−", "-")) if "_" not in text else math.nan
    except ValueError:
        return math.nan
