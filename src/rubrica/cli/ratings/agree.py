"""`rubrica agree`: how far raters agree, on any file of ratings or on a study."""

from __future__ import annotations

from typing import Annotated

import typer

from rubrica.cli.options import choose, listed
from rubrica.cli.output import print_json
from rubrica.cli.ratings.given import Given, takes_ratings
from rubrica.cli.tables import Format, print_tables


@takes_ratings
def agree(
    given: Given,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", metavar="NAME", help="alpha, fleiss, … or all (default: alpha at its level)."),
    ] = None,
    bootstrap: Annotated[
        int, typer.Option("--bootstrap", metavar="N", min=0, help="Resamples for the intervals; 0 for none.")
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Makes the intervals repeatable.")] = 0,
    form: Format = "text",
) -> None:
    """How far raters agree on each question: Krippendorff's alpha, kappas and more, each with an interval."""
    from rubrica.report.agreement import Asked, agreement, agreement_table
    from rubrica.stats.agreement.measures import MEASURES

    names = [choose(name, list(MEASURES), "measure") for one in measure or ["alpha"] for name in listed(one)]
    ratings = given.read()
    asked = Asked(measures=tuple(names), replicates=bootstrap, seed=seed)
    rows = agreement(ratings, asked)
    signature = ratings.sign(agree="questions", level=given.level, **asked.parts())
    if given.json:
        print_json({"results": [row.as_json() for row in rows], "signature": signature})
        return
    print_tables([agreement_table(rows, signature)], form)
