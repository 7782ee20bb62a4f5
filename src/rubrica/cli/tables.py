"""Tables of results on the terminal, or in the form that was asked for."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from rubrica.cli.options import choose
from rubrica.cli.output import print_table, say
from rubrica.cli.table_layout import fitted

if TYPE_CHECKING:
    from rubrica.report.tables import Table

Format = Annotated[
    str, typer.Option("--format", metavar="FORM", help="How tables are written: text, csv, markdown, latex.")
]

LEAST_WIDTH = 40
"""A narrower terminal breaks lines as it likes."""


def check_form(form: str) -> None:
    """Refuse a form that there is none of, before anything long is computed."""
    from rubrica.report.tables import FORMS

    choose(form, ["text", *FORMS], "form")


def print_tables(tables: Sequence[Table], form: str = "text") -> None:
    """Print tables one after the other; as text, with their titles, notes and the reasons of empty cells."""
    from rubrica.report.tables import FORMS

    check_form(form)
    for number, table in enumerate(tables):
        if number:
            print()
        if form == "text":
            _print(table)
        else:
            print(FORMS[form](table), end="")
    if form == "text":
        for signature in dict.fromkeys(table.signature for table in tables if table.signature):
            say(signature)


def _print(table: Table) -> None:
    from rubrica.report.tables import TEXT, shown

    right = [column.kind != TEXT for column in table.columns]
    rows = [[shown(cell, column) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]
    notes = table.notes()
    header = [column.title for column in table.columns]
    print(table.title)
    print()
    if not sys.stdout.isatty():
        print_table(header, rows, right=right)
        print("\n".join(notes) + "\n" * bool(notes), end="")
        return
    width = max(LEAST_WIDTH, shutil.get_terminal_size().columns)
    lines = fitted(header, rows, right, width)
    wrapped = [line for note in notes for line in textwrap.wrap(note, width, break_on_hyphens=False)]
    print("\n".join([*lines, *wrapped]))
