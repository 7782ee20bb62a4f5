"""Everything that can be wrong: one record for a problem in the input, one small exception tree."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One thing wrong with the input: what it is, which rule it breaks, the value, and how to mend it.

    ``rule`` is a short stable name (``scale``, ``required``, ``unknown_key``, …) that scripts may
    rely on. ``file``, ``line``, ``sheet`` and ``cell`` say where, as far as it is known.
    """

    what: str
    rule: str
    fix: str
    value: Any = None
    question: str = ""
    edit: str = ""
    file: str = ""
    line: int | None = None
    sheet: str = ""
    cell: str = ""

    def at(self, **place: Any) -> Problem:
        """The same problem with its place filled in."""
        return dataclasses.replace(self, **place)

    @property
    def place(self) -> str:
        """``FILE:LINE``, or ``FILE:SHEET!CELL`` for a spreadsheet; empty if unknown."""
        where = self.file
        if self.sheet:
            where += f":{self.sheet}" + (f"!{self.cell}" if self.cell else "")
        elif self.line is not None:
            where += f":{self.line}"
        return where

    def __str__(self) -> str:
        head = f"{self.place}: " if self.place else ""
        return f"{head}{self.what} [{self.rule}] {self.fix}"

    def as_json(self) -> dict[str, Any]:
        """The keys that the command line promises for ``--json``, and the place in a spreadsheet."""
        record: dict[str, Any] = {
            "file": self.file,
            "line": self.line,
            "rule": self.rule,
            "value": _plain(self.value),
            "fix": self.fix,
            "what": self.what,
        }
        extra = {"question": self.question, "edit": self.edit, "sheet": self.sheet, "cell": self.cell}
        return record | {key: text for key, text in extra.items() if text}


def _plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, Iterable):
        return [_plain(part) for part in value]
    return str(value)


class RubricaError(Exception):
    """The root: whatever Rubrica raises on purpose."""


class InputError(RubricaError):
    """The input or the request is wrong. Carries every problem found, not the first only."""

    def __init__(self, *problems: Problem) -> None:
        if not problems:
            raise ValueError("an InputError needs at least one problem")
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))

    def __reduce__(self) -> tuple[type[InputError], tuple[Problem, ...]]:
        """It comes back whole from another process."""
        return type(self), self.problems


def wrong(what: str, rule: str, fix: str, **details: Any) -> InputError:
    """An error with a single problem; ``raise wrong(…)`` reads well where only one is possible."""
    return InputError(Problem(what=what, rule=rule, fix=fix, **details))
