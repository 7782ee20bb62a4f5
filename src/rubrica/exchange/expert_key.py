"""The files of a sample for an expert: items to judge, and the key that says which output each of them is."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.ratings import Ratings
from rubrica.exchange.columns import no_column
from rubrica.exchange.tables import read_table

ITEM, UNIT = "id", "unit"


def items_csv(ratings: Ratings, keys: Mapping[str, str]) -> str:
    """Items in the order of the sample: a neutral id and the texts, nothing else.

    Raises InputError if the outputs have no texts: an expert needs something to read.
    """
    columns = list(dict.fromkeys(name for unit in keys for name in ratings.units[unit].texts))
    if not columns:
        raise wrong("the outputs have no texts to judge", "text", "Name their columns with --text.", value="")
    rows = [{ITEM: key, **ratings.units[unit].texts} for unit, key in keys.items()]
    return _csv([ITEM, *columns], rows)


def key_csv(ratings: Ratings, keys: Mapping[str, str], groups: Mapping[str, int]) -> str:
    """Which output each item is, with its group, system and data set: to be kept from the expert."""
    rows = [
        {
            ITEM: key,
            UNIT: unit,
            "group": groups[unit],
            "system": ratings.units[unit].system,
            "dataset": ratings.units[unit].dataset,
        }
        for unit, key in keys.items()
    ]
    return _csv([ITEM, UNIT, "group", "system", "dataset"], rows)


def _csv(columns: list[str], rows: Sequence[Mapping[str, object]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read_key(path: Path) -> dict[str, str]:
    """The output of each item. Raises InputError with every problem."""
    table = read_table(path)
    problems = [*table.problems]
    missing = [column for column in (ITEM, UNIT) if column not in table.columns]
    fix = "Give the key that rubrica reliability sample wrote."
    problems += [no_column(column, table).at(fix=fix) for column in missing]
    found: dict[str, str] = {}
    for row in table.rows if not missing else ():
        item, unit = row.values.get(ITEM, "").strip(), row.values.get(UNIT, "").strip()
        if not item or not unit or item in found:
            what = "an item without an id or a unit" if not item or not unit else f"the item {item!r} stands twice"
            problems.append(Problem(what=what, rule="key", line=row.line, fix=fix, value=item))
        found[item] = unit
    if problems:
        raise InputError(*(problem.at(file=table.file) for problem in problems))
    return found
