"""`rubrica report`: a study or a file of ratings as a page, tables, charts and a filled-in datasheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rubrica.cli.options import Bootstrap, find_study, now
from rubrica.cli.output import count, print_json, progress, say
from rubrica.cli.ratings.compare import read_system_scores
from rubrica.cli.ratings.given import FixedOption, Given, takes_ratings
from rubrica.cli.ratings.reliability import read_experts
from rubrica.cli.ratings.scored import Asked, scored

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings
    from rubrica.report.correlation import Scored
    from rubrica.report.sections.section import Choices, Subject


@takes_ratings
def report(
    given: Given,
    out: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to be made.")],
    charts: Annotated[bool, typer.Option("--charts/--no-charts", help="Draw charts, or leave them out.")] = True,
    force: Annotated[bool, typer.Option("--force", help="Replace a folder that is no report of ours.")] = False,
    bootstrap: Bootstrap = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Makes the intervals repeatable.")] = 0,
    disputed: Annotated[
        int, typer.Option("--disputed", metavar="N", min=0, help="How many disputed items are shown.")
    ] = 10,
    metrics: Annotated[
        Path | None,
        typer.Option("--metrics", metavar="FILE", help="Scores of systems to put beside: system[, dataset], …"),
    ] = None,
    scores: Annotated[
        str, typer.Option("--scores", metavar="FILE", help="Scores of sentences (default: registered metrics).")
    ] = "",
    human: Annotated[
        list[str] | None,
        typer.Option("--human", metavar="SYSTEM", help="Rewrites by people, left out beside metrics; none keeps them."),
    ] = None,
    expert: Annotated[
        list[str] | None,
        typer.Option("--expert", metavar="RATER|study:NAME", help="Who is the expert (default: a study's samples)."),
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="Which outputs the expert's items are, if files were.")
    ] = None,
    fixed: FixedOption = False,
) -> None:
    """Write a report: one page (report.html), its tables as CSV, Markdown and LaTeX, its charts, and a datasheet."""
    from rubrica.report.charts import drawing
    from rubrica.report.folder import check_place, write
    from rubrica.report.report import STEPS, build
    from rubrica.report.sections.section import Choices

    check_place(out, force)
    if charts:
        drawing()
    choices = Choices(replicates=bootstrap, seed=seed, disputed=disputed, human=tuple(human or ()))
    subject = _subject(given, choices, metrics, Asked(scores, [], [], "", []), _Expert(expert or [], key), fixed=fixed)
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


class _Expert(NamedTuple):
    """Who the expert is: raters and studies, and the key of a sample that was written to files."""

    names: list[str]
    key: Path | None


def _subject(
    given: Given, choices: Choices, metrics: Path | None, asked: Asked, expert: _Expert, *, fixed: bool
) -> Subject:
    """What the report is about: a study with all that is known of it, or ratings alone."""
    beside_systems = read_system_scores(metrics)
    ratings = given.read().with_fixed() if fixed else given.read()
    ratings.human(choices.human)
    beside = _beside(given, ratings, asked, choices) if asked.file else None
    experts = read_experts(given, ratings, expert.names, expert.key) if expert.names else None
    if given.is_study:
        study = find_study(given.source, given.home)
        from rubrica.store.reporting import subject_of

        return subject_of(
            study, ratings=ratings, choices=choices, scores=beside_systems, beside=beside, experts=experts
        )
    from rubrica.report.anonymous import aliases, anonymous
    from rubrica.report.crowd_reliability import anonymous_experts
    from rubrica.report.sections.section import Subject

    known = aliases(ratings.raters.values())
    return Subject(
        ratings=anonymous(ratings, known),
        choices=choices,
        scores=tuple(beside_systems),
        beside=beside,
        experts=anonymous_experts(experts, known) if experts else None,
    )


def _beside(given: Given, ratings: Ratings, asked: Asked, choices: Choices) -> Scored:
    """The scores of a file, joined with what people rated."""
    from rubrica.report.correlation import by_people, rated_units
    from rubrica.report.correlation_data import people_scores

    said = by_people(ratings)
    people = people_scores(said)
    left_out = said.human(choices.human).left_out
    return scored(given, said, rated_units(said, people), asked._replace(human=left_out))
