"""Everything that can be wrong: one record for a problem in the input, one small exception tree."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rubrica.core.text_helpers import shortened

MOST_LISTED = 100
"""How many problems of one file are listed; where there are more, the last one tells how many."""
MORE_PROBLEMS = "more_problems"
"""The rule of the problem that stands for those that are not listed; its value is their number."""
LONGEST_TEXT = 2_000
"""Characters of a message or of a value that are told."""


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


def first_problems(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems as people are told them: at most a hundred of each file, of which the last tells how many more it has.

    What is cut already stays as it is; of very long messages and values the beginning is told.
    """
    found = list(problems)
    sizes: Counter[str] = Counter()
    for problem in found:
        sizes[problem.file] += number_of([problem])
    shown: list[Problem] = []
    taken: Counter[str] = Counter()
    for problem in found:
        room = MOST_LISTED if sizes[problem.file] <= MOST_LISTED else MOST_LISTED - 1
        if problem.rule != MORE_PROBLEMS and taken[problem.file] < room:
            taken[problem.file] += 1
            shown.append(_shortened(problem))
    fix = "Mend those that are listed first."
    for file, size in sizes.items():
        more = size - taken[file]
        if more:
            what = "1 more problem is not listed" if more == 1 else f"{more:,} more problems are not listed"
            shown.append(Problem(what=what, rule=MORE_PROBLEMS, fix=fix, value=more, file=file))
    return tuple(shown)


def number_of(problems: Iterable[Problem]) -> int:
    """How many problems there are, those that are not listed among them."""
    return sum(problem.value if problem.rule == MORE_PROBLEMS else 1 for problem in problems)


def _shortened(problem: Problem) -> Problem:
    found = {name: getattr(problem, name) for name in ("what", "fix", "value")}
    texts = {name: str(part) for name, part in found.items() if isinstance(part, str | Mapping | list | tuple)}
    long = {name: shortened(text, LONGEST_TEXT) for name, text in texts.items() if len(text) > LONGEST_TEXT}
    return problem.at(**long) if long else problem


class RubricaError(Exception):
    """The root: whatever Rubrica raises on purpose."""


class InputError(RubricaError):
    """The input or the request is wrong. Carries the problems found, not the first only: see :func:`first_problems`."""

    def __init__(self, *problems: Problem) -> None:
        if not problems:
            raise ValueError("an InputError needs at least one problem")
        self.problems = first_problems(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[InputError], tuple[Problem, ...]]:
        """It comes back whole from another process."""
        return type(self), self.problems


def wrong(what: str, rule: str, fix: str, **details: Any) -> InputError:
    """An error with a single problem; ``raise wrong(…)`` reads well where only one is possible."""
    return InputError(Problem(what=what, rule=rule, fix=fix, **details))


def refuse(problems: Iterable[Problem]) -> None:
    """Raise InputError with these problems, if there are any."""
    found = tuple(problems)
    if found:
        raise InputError(*found)


def check_one_of(known: Collection[str], value: str, what: str, rule: str, **details: Any) -> None:
    """Raise InputError if the value is none of those known, with what is wrong then."""
    if value not in known:
        raise wrong(what, rule, f"Use one of {', '.join(known)}.", value=value, **details)
