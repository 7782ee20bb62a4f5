"""Tables as people keep them in spreadsheets: titles above them, merged cells, columns that are called the same.

Such a table is read as it is meant where that is plain, and what was done is said. Names that span columns may stand
above the header, or part of it in one row and the rest in the row below.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median

from rubrica.core.errors import Problem
from rubrica.exchange.delimited import Line
from rubrica.exchange.sheets.addresses import area

MOST_TITLES, SAMPLE = 20, 200
"""How many rows below the first may be the header, and how many rows below that are compared with it."""
SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？")
LONGEST_NAME, NAME_WORDS, SENTENCE_WORDS, SENTENCE_SIGNS = 80, 12, 2, 16
"""What is longer is no name; and from how many words or signs on a full stop makes a sentence."""
_NUMBERED = re.compile(r" \(\d+\)$")


def is_text(name: str) -> bool:
    """Whether this is a sentence and no name; the number of a doubled name aside."""
    name = _NUMBERED.sub("", name)
    ends = name.rstrip("\"'»”’)").endswith(SENTENCE_ENDS)
    sentence = ends and (len(name.split()) > SENTENCE_WORDS or len(name) > SENTENCE_SIGNS)
    return sentence or len(name) > LONGEST_NAME or len(name.split()) > NAME_WORDS


def with_merged(rows: Sequence[Sequence[str | None]], merged: Sequence[str], first: int) -> list[list[str | None]]:
    """The rows of a sheet that begin in its column ``first``, with what cells merged over several rows hold in each."""
    filled = [list(row) for row in rows]
    for lines, columns in map(area, merged):
        top, column = lines[0] - 1, columns[0] - first
        if len(columns) > 1 or not 0 <= top < len(filled) or not 0 <= column < len(filled[top]):
            continue
        for row in filled[top + 1 : lines[-1]]:
            row[column] = row[column] or filled[top][column]
    return filled


def titles_above(rows: Sequence[Line]) -> list[Problem]:
    """Whether the first row is a title, or names that span columns, and the header stands below it.

    It is, if most of what is filled in below has no name. One column without a name is none: numbers of rows have none.
    """
    if not rows:
        return []
    names, nameless = rows[0].cells, _nameless(rows)
    named = {place for place, name in enumerate(names) if name.strip()}
    if not nameless or (len(nameless) < len(named) and max(nameless) < len(names)):
        return []
    what = f"this row names {len(named)} of the {len(named | nameless)} columns that are filled in below it"
    fix = "It is read as the header: delete rows above the real one, part merged cells, and name every column you use."
    held = [name for name in names if name.strip()]
    return [Problem(what=what, rule="title", line=rows[0].number, value=held, fix=fix)]


def from_header(rows: Sequence[Line]) -> list[Line]:
    """The rows from the header on: the first, or, if columns have no name there, one further down that names all.

    A header in two rows is joined. What holds numbers or texts is no header, nor is what is as long as the texts below.
    """
    if not rows or not _nameless(rows):
        return list(rows)
    for place in range(1, min(MOST_TITLES, len(rows) - 1) + 1):
        number, cells = rows[place]
        above = [*rows[place - 1].cells, *[""] * len(cells)]
        data = rows[place + 1 : place + 1 + SAMPLE]
        for names in (cells, [cell.strip() or above[at] for at, cell in enumerate(cells)]):
            header = Line(number, names)
            if _are_names(cells, data) and _are_names(names, data) and not _nameless([header, *data]):
                return [header, *rows[place + 1 :]]
    return list(rows)


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """The names with a number behind each that stands again: *words*, *words (2)*."""
    found: list[str] = []
    for name in names:
        told, number = name, 1
        while name and told in (*found, *(names if number > 1 else ())):
            number += 1
            told = f"{name} ({number})"
        found.append(told)
    return tuple(found)


def _nameless(rows: Sequence[Line]) -> set[int]:
    """The columns that are filled in most rows and have no name in the first."""
    (_, names), *data = rows
    filled = Counter(place for line in data for place, cell in enumerate(line.cells) if cell.strip())
    named = {place for place, name in enumerate(names) if name.strip()}
    return {place for place, many in filled.items() if many * 2 > len(data)} - named


def _are_names(cells: Sequence[str], data: Sequence[Line]) -> bool:
    """Whether these can be names of the columns below, and are no row of them."""
    held = {place: cell.strip() for place, cell in enumerate(cells) if cell.strip()}
    if len(held) < 2 or any(is_text(name) or not re.search(r"[^\W\d_]|#", name) for name in held.values()):
        return False
    lengths = {
        place: [len(line.cells[place]) for line in data if place < len(line.cells) and line.cells[place].strip()]
        for place in held
    }
    return any(below and median(below) >= 2 * len(held[place]) for place, below in lengths.items())
