"""Which columns of a table hold ratings, and what is wrong with how they were named."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import attrs

from rubrica.core.errors import Problem
from rubrica.exchange.tables import Table

NEAREST = 3


@attrs.frozen(kw_only=True)
class Layout:
    """Which columns hold what. Long: ``unit``, ``rater``, ``value``, or one value and the ``question`` it answers.

    Wide: ``values``, for each question the columns of its raters. ``texts`` are columns to be shown with a unit,
    ``group`` is the trait of the rater by which raters are compared.
    """

    unit: tuple[str, ...] = ()
    rater: str = ""
    value: tuple[str, ...] = ()
    question: str = ""
    values: tuple[tuple[str, ...], ...] = ()
    system: str = ""
    source: tuple[str, ...] = ()
    dataset: str = ""
    group: str = ""
    seconds: str = ""
    texts: tuple[str, ...] = ()

    def columns(self) -> list[str]:
        """Every column that is named."""
        wide = [column for columns in self.values for column in columns]
        single = [self.rater, self.question, self.system, self.dataset, self.group, self.seconds]
        return [column for column in (*self.unit, *self.value, *wide, *self.source, *self.texts, *single) if column]


def layout_problems(table: Table, layout: Layout) -> list[Problem]:
    """What is missing or contradicts itself, and columns that the table does not have."""
    return [*_contradictions(layout), *_absent_columns(table, layout)]


def _contradictions(layout: Layout) -> list[Problem]:
    if layout.values and (layout.value or layout.rater or layout.question):
        what = "--values is for a column for each rater, --rater and --value for one row for each judgement"
        return [Problem(what=what, rule="layout", fix="Give either --values, or --unit, --rater and --value.")]
    if layout.values and layout.group:
        what = "a group is said row by row of one rater, and with --values a row has several raters"
        return [Problem(what=what, rule="layout", fix="Turn the table so that it has a row for each judgement.")]
    if layout.values:
        return _uneven_questions(layout)
    needed = {"--unit": layout.unit, "--rater": layout.rater, "--value": layout.value}
    missing = [option for option, columns in needed.items() if not columns]
    if missing:
        what = f"which columns hold the ratings is not said: {', '.join(missing)} missing"
        fix = "Give --unit, --rater and --value (a row for each judgement), or --values (a column for each rater)."
        return [Problem(what=what, rule="layout", fix=fix, value=", ".join(missing))]
    if layout.question and len(layout.value) > 1:
        what = f"--question needs one column of values, and there are {len(layout.value)}"
        return [Problem(what=what, rule="layout", fix="Give one --value.", value=",".join(layout.value))]
    return []


def _uneven_questions(layout: Layout) -> list[Problem]:
    """Two questions of one name, or a column that stands for two raters."""
    names = [question_of(columns) for columns in layout.values]
    every = [column for columns in layout.values for column in columns]
    problems = []
    for what, given in (("question", names), ("column of --values", every)):
        twice = [name for name in dict.fromkeys(given) if given.count(name) > 1]
        problems += [
            Problem(what=f"the {what} {name!r} is given twice", rule="layout", fix="Give it once.", value=name)
            for name in twice
        ]
    return problems


def _absent_columns(table: Table, layout: Layout) -> list[Problem]:
    import difflib

    found = []
    for column in dict.fromkeys(layout.columns()):
        if column not in table.columns:
            near = difflib.get_close_matches(column, table.columns, n=NEAREST, cutoff=0.5) or table.columns
            fix = f"Did you mean {', '.join(near)}?" if len(near) <= NEAREST else f"Columns: {', '.join(near)}."
            what = f"there is no column {column!r}"
            found.append(Problem(what=what, rule="column", line=1, value=column, fix=fix))
    return found


def question_of(columns: Sequence[str]) -> str:
    """What the columns of one question have in common: ``rating`` of rating_1, rating_2; else their names."""
    if len(columns) == 1:
        return columns[0]
    same = takewhile(lambda signs: len(set(signs)) == 1, zip(*columns, strict=False))
    common = "".join(signs[0] for signs in same).rstrip("_-. 0123456789")
    return common or "+".join(columns)
