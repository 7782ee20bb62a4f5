"""Problems of a table of ratings: in the order of lines, at their place, and not thousands of the same kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rubrica.core.errors import Problem
from rubrica.exchange.tables import Table

ALIKE = 25
"""How many problems of one rule and question are shown one by one."""


def at_most(problems: Sequence[Problem]) -> list[Problem]:
    """Problems by line; of many that break the same rule in the same column, the first and how many more."""
    ordered = sorted(problems, key=lambda problem: problem.line or 0)
    seen: Counter[tuple[str, str]] = Counter()
    shown = []
    for problem in ordered:
        kind = problem.rule, problem.question
        seen[kind] += 1
        if seen[kind] <= ALIKE:
            shown.append(problem)
    for (rule, question), number in seen.items():
        if number > ALIKE:
            about = f" ({question})" if question else ""
            what = f"{number - ALIKE:,} more problems of this kind{about}"
            fix = "Mend those above in the whole file."
            shown.append(Problem(what=what, rule=rule, fix=fix, value=number - ALIKE, question=question))
    return shown


def placed(problems: Sequence[Problem], table: Table) -> list[Problem]:
    """Problems with their file; of a spreadsheet with sheet and cell, if the column is known."""
    return [
        problem.at(file=table.file, sheet=table.sheet, cell=_cell(problem, table) if table.sheet else "")
        for problem in problems
    ]


def _cell(problem: Problem, table: Table) -> str:
    if problem.line is None:
        return ""
    column = table.columns.index(problem.question) if problem.question in table.columns else 0
    return f"{_letters(column)}{problem.line}"


def _letters(column: int) -> str:
    """A, B, …, Z, AA, … of columns counted from 0."""
    letters = ""
    number = column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
