"""`rubrica check`: what planted items and behaviour say of each annotator."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from rubrica.cli.options import listed
from rubrica.cli.output import print_json, progress, say
from rubrica.cli.ratings.given import FixedOption, Given, takes_ratings
from rubrica.cli.tables import Format, check_form, print_tables
from rubrica.core.errors import wrong

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
    from rubrica.report.checks import STEPS, differences
    from rubrica.report.checks import check as run_checks
    from rubrica.report.checks_tables import FEW, as_json, every_table, ranking_table, unusual_table, without_table

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
    from rubrica.exchange.planted import Planted

    everybody = dataclasses.replace(given, exclude=[])
    if not gold and not duplicate:
        return everybody.read()
    if given.is_study or not (given.unit or given.values):
        what = "--gold and --duplicate name columns of a table of ratings"
        fix = "Leave them out: studies and exports know their planted items."
        raise wrong(what, "option", fix, value=given.source)
    unit = tuple(part for one in given.unit for part in listed(one))
    return everybody.read(Planted(gold=tuple(gold), duplicate=duplicate, unit=unit))
