"""`rubrica check`: what planted items and behaviour say of each annotator."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubrica.cli.options import input_file, listed
from rubrica.cli.output import print_json, progress, say
from rubrica.cli.ratings.given import FixedOption, Given, takes_ratings
from rubrica.cli.tables import Format, check_form, print_tables
from rubrica.core.errors import InputError, wrong

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings


@takes_ratings
def check(
    given: Given,
    gold: Annotated[
        list[str] | None,
        typer.Option("--gold", metavar="COLUMN", help="A file's known answers; several: in the order of --value."),
    ] = None,
    duplicate: Annotated[
        str,
        typer.Option("--duplicate", metavar="COLUMN", help="Which unit a row of a file repeats; empty if none."),
    ] = "",
    every: Annotated[bool, typer.Option("--all", help="Show every annotator at every check.")] = False,
    alpha: Annotated[
        float, typer.Option("--alpha", metavar="P", min=0, max=1, help="Adjusted p below which it is unusual.")
    ] = 0.05,
    fixed: FixedOption = False,
    form: Format = "text",
) -> None:
    """Who is unusual, alone and among the annotators, and by what evidence. Nobody is excluded but by --exclude."""
    from rubrica.report.agreement import fixed_left_out
    from rubrica.report.checks import STEPS
    from rubrica.report.checks import check as run_checks
    from rubrica.report.checks_tables import FEW, as_json, every_table, ranking_table, unusual_table, without_table
    from rubrica.report.checks_without import differences

    check_form(form)
    read = _read(given, [part for one in gold or [] for part in listed(one)], duplicate)
    everybody = read.with_fixed() if fixed else read
    names = [part for one in given.exclude for part in listed(one)]
    ratings = everybody.without(names) if names else everybody
    with progress("Checking", STEPS) as tell:
        found = run_checks(ratings, alpha=alpha, tell=tell)
    rows = differences(everybody, ratings) if names else []
    if given.json:
        print_json({**as_json(found, rows, names), "fixed_left_out": ratings.fixed_answers})
        return
    shown = every_table(found) if every or form == "csv" else unusual_table(found)
    tables = [shown] if shown.rows or form != "text" else []
    if form != "csv":
        tables += [ranking_table(found, len(found.ranking) if every else FEW)] if found.ranking else []
        tables += [without_table(rows, names, found.signature)] if names else []
    if not found.unusual:
        (print if form == "text" else say)(found.nobody)
    print_tables(tables, form)
    if not tables:
        say(found.signature)
    for remark in (
        *(one.text for one in found.untold if found.unusual or one.text not in found.nobody),
        fixed_left_out(ratings),
    ):
        if remark:
            say(remark)


def _read(given: Given, gold: list[str], duplicate: str) -> Ratings:
    """Everybody's ratings, with the planted units of a file marked."""
    from rubrica.exchange.planted_columns import Planted, missing_columns, with_planted
    from rubrica.exchange.rating_values import MISSING, Reading

    path = Path(given.source)
    try:
        everybody = dataclasses.replace(given, exclude=[]).read()
    except InputError as error:
        absent = missing_columns(path, [*gold, duplicate]) if path.is_file() else []
        raise InputError(*error.problems, *absent) from error
    if not gold and not duplicate:
        return everybody
    if not path.is_file() or not (given.unit or given.values):
        what = "--gold and --duplicate name columns of a table of ratings"
        fix = "Leave them out: studies and exports know their planted items. A table must be a file, not stdin."
        raise wrong(what, "option", fix, value=given.source)
    questions = [criterion.id for criterion in everybody.criteria]
    if len(gold) > len(questions):
        fix = f"Give one column for each question: {', '.join(questions)}."
        raise wrong(f"--gold names {len(gold)} columns", "option", fix, value=",".join(gold))
    missing = [part for one in given.missing for part in listed(one)] or list(MISSING)
    reading = Reading(missing=missing, separator=given.separator)
    unit = tuple(part for one in given.unit for part in listed(one))
    columns = Planted(gold=dict(zip(questions, gold, strict=False)), duplicate=duplicate, unit=unit)
    with input_file(path) as file:
        assert file is not None
        return with_planted(everybody, file, columns, reading)
