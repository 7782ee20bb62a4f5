"""Problems of a table of ratings: where they are said, and cells that do not say what they seem to.

Problems of a table: in the order of lines, at their place, and not thousands of the same kind.

Cells of a spreadsheet that do not say what they seem to: merged ones, errors, formulas that were never computed. All
of them are read as empty cells, and an empty cell is a missing answer; so that none is counted as one in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from rubrica.core.errors import MOST_LISTED, Problem
from rubrica.exchange.sheets.addresses import area, letter
from rubrica.exchange.tables import Row, Table

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


class _Spoilt(NamedTuple):
    """What is wrong with a cell."""

    what: str
    rule: str
    fix: str


ERROR = _Spoilt("this cell holds an error value", "error", "Correct its formula, or empty the cell.")
FORMULA = _Spoilt(
    "this cell holds a formula that was never computed, or gives an error",
    "formula",
    "Open the file with a spreadsheet, correct errors and save it; or type the value itself.",
)


def without_spoilt_cells(table: Table, wanted: Collection[str], names: Collection[str]) -> tuple[Table, list[Problem]]:
    """The table, and a problem for each cell of the wanted columns that does not hold what it seems to.

    Merged cells are filled with what their first cell says, and rows left out whose cells in the columns of ``names``
    are spoilt, so that nothing is called empty as well.
    """
    if table.odd is None or not any(table.odd):
        return table, []
    places = {table.first + place: name for place, name in enumerate(table.columns) if name in wanted}
    texts = {row.line: dict(row.values) for row in table.rows}
    problems: list[Problem] = []
    for merged in table.odd.merged:
        if len(problems) == MOST_LISTED:
            break
        problems += _unmerge(merged, places, texts)
    broken, blank = set(), set(table.odd.formulas).difference(table.odd.texts)
    for cell, spoilt in [*((one, ERROR) for one in table.odd.errors), *((one, FORMULA) for one in sorted(blank))]:
        (line, *_), (place, *_) = area(cell)
        name = places.get(place, "")
        if name and line in texts and (spoilt is ERROR or not texts[line].get(name)):
            broken.update([line] if name in names else [])
            what = f"{name}: {spoilt.what}"
            problems.append(Problem(what=what, rule=spoilt.rule, fix=spoilt.fix, line=line, cell=cell, question=name))
    rows = [Row(row.line, texts[row.line]) for row in table.rows if row.line not in broken]
    return table._replace(rows=rows), problems


def _unmerge(merged: str, places: dict[int, str], texts: dict[int, dict[str, str]]) -> list[Problem]:
    """Fill merged cells; a problem if they are cells of the table that count."""
    rows, columns = area(merged)
    names = [name for place, name in places.items() if place in columns]
    shorter = rows if len(rows) < len(texts) else texts  # a range may reach to the end of the sheet
    lines = [line for line in shorter if line in texts and line in rows]
    if not names or not lines:
        return []
    start = places.get(columns[0], names[0])
    for line in lines:
        for name in names:
            texts[line][name] = texts[lines[0]].get(start, "")
    what = f"{names[0]}: the cells {merged} are merged, and only the first of them holds a value"
    fix = "Unmerge them and fill in each cell."
    cell = f"{letter(columns[0])}{rows[0]}"
    return [Problem(what=what, rule="merged", fix=fix, line=rows[0], value=merged, cell=cell, question=names[0])]
