"""`rubrica report`: a study or a file of ratings as a page, tables, charts and a filled-in datasheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubrica.cli.options import now
from rubrica.cli.output import count, print_json, progress, say
from rubrica.cli.ratings.given import FORCED, Given, takes_ratings

if TYPE_CHECKING:
    from rubrica.report.sections.section import Choices, Subject


@takes_ratings
def report(
    given: Given,
    out: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to be made.")],
    charts: Annotated[bool, typer.Option("--charts/--no-charts", help="Draw charts, or leave them out.")] = True,
    force: Annotated[bool, typer.Option("--force", help="Replace a folder that is no report of ours.")] = False,
    bootstrap: Annotated[
        int, typer.Option("--bootstrap", metavar="N", min=0, help="Resamples for the intervals; 0 for none.")
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Makes the intervals repeatable.")] = 0,
    disputed: Annotated[
        int, typer.Option("--disputed", metavar="N", min=0, help="How many disputed items are shown.")
    ] = 10,
) -> None:
    """Write a report: one page (report.html), its tables as CSV, Markdown and LaTeX, its charts, and a datasheet."""
    from rubrica.report.charts import drawing
    from rubrica.report.folder import check_place, write
    from rubrica.report.report import STEPS, build
    from rubrica.report.sections.section import Choices

    check_place(out, force)
    if charts:
        drawing()
    subject = _subject(given, Choices(replicates=bootstrap, seed=seed, disputed=disputed))
    with progress("Report", STEPS) as tell:
        made = build(subject, now(), tell)
    with progress("Charts", len(made.charts)) as tell:
        files = write(made, out, charts=charts, force=force, tell=tell)
    if given.json:
        print_json(
            {
                "folder": str(out),
                "files": files,
                "results": [
                    {"table": table.id, "title": table.title, "signature": table.signature} for table in made.tables
                ],
                "signature": made.origin,
            }
        )
        return
    pictures = f", {count(len(made.charts), 'chart')}" if charts else ""
    say(f"{out / 'report.html'}: {count(len(made.sections), 'section')}, {count(len(made.tables), 'table')}{pictures}")


def _subject(given: Given, choices: Choices) -> Subject:
    """What the report is about: a study with all that is known of it, or ratings alone."""
    ratings = given.read()
    if given.is_study:
        from rubrica.store import studies
        from rubrica.store.report_facts import subject_of

        study = studies.find(given.source.removeprefix(FORCED))
        return subject_of(study, ratings=ratings, choices=choices)
    from rubrica.report.anonymous import aliases, anonymous
    from rubrica.report.sections.section import Subject

    return Subject(ratings=anonymous(ratings, aliases(ratings.raters.values())), choices=choices)
