"""Problems of a table: in the order of lines, at their place, and not thousands of the same kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rubrica.core.errors import Problem
from rubrica.exchange.sheets.addresses import letter
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
    if not table.sheet:
        return [problem.at(file=table.file) for problem in problems]
    return [
        problem.at(file=table.file, sheet=table.sheet, cell=problem.cell or _cell(problem, table))
        for problem in problems
    ]


def _cell(problem: Problem, table: Table) -> str:
    """The cell that a problem is about; of a row, or of a column that is not there, the first."""
    if problem.line is None:
        return ""
    places = [place for place, name in enumerate(table.columns) if name == problem.question] or [0]
    return f"{letter(table.first + places[-1])}{problem.line}"
