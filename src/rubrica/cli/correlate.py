"""`rubrica correlate`: how well metrics agree with people, sentence by sentence and system by system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rubrica.cli.options import choose, listed, pairs
from rubrica.cli.output import count, print_json, progress, say
from rubrica.cli.ratings.given import Given, takes_ratings_option
from rubrica.cli.ratings.scored import Asked, score_problems, scored
from rubrica.cli.tables import Format, check_form, print_tables
from rubrica.core.errors import InputError, wrong

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings, Unit
    from rubrica.exchange.score_units import JoinedScores
    from rubrica.report.correlation import Correlations, Scored
    from rubrica.report.correlation_data import People

FEW_METRICS = 6
"""Up to so many metrics every pair is tested without being asked: pairs, and their time, grow with the square."""


class _Source(NamedTuple):
    """What people said, and what signs whatever is made of it."""

    ratings: Ratings
    sign: Callable[..., str]


@takes_ratings_option
def correlate(
    given: Given,
    scores: Annotated[
        str,
        typer.Option("--scores", metavar="FILE", help="Scores of sentences (default: of the ratings or study)."),
    ] = "",
    score: Annotated[
        list[str] | None,
        typer.Option("--score", metavar="COLUMN", help="A column of scores, again for each (default: all numbers)."),
    ] = None,
    score_unit: Annotated[
        list[str] | None,
        typer.Option("--score-unit", metavar="COLUMN", help="What was scored, ordered as --unit (default: found)."),
    ] = None,
    metric: Annotated[
        str, typer.Option("--metric", metavar="COLUMN", help="Which metric a row's score is of, if rows say it.")
    ] = "",
    human: Annotated[
        list[str] | None,
        typer.Option("--human", metavar="SYSTEM", help="Rewrites by people, left out; none keeps those found."),
    ] = None,
    statistic: Annotated[
        str, typer.Option("--statistic", metavar="NAME", help="What tables show: pearson, spearman, kendall.")
    ] = "spearman",
    combine: Annotated[
        str,
        typer.Option("--combine", metavar="HOW", help="One score of several raters: mean, median or z."),
    ] = "mean",
    good: Annotated[
        list[str] | None,
        typer.Option("--good", metavar="QUESTION=ANSWER", help="The answer that counts as 1, the others as 0."),
    ] = None,
    edits: Annotated[
        bool, typer.Option("--edits", help="Scores from marked edits are what people said (SALSA study, Thresh file).")
    ] = False,
    weights: Annotated[
        str, typer.Option("--weights", metavar="rubrica|published", help="How edits are weighed, with --edits.")
    ] = "rubrica",
    offsets: Annotated[
        str, typer.Option("--offsets", metavar="utf16|codepoints", help="What the offsets of Thresh files count.")
    ] = "utf16",
    lower: Annotated[
        list[str] | None,
        typer.Option("--lower", metavar="METRIC", help="Less is better (known of Rubrica's own); again for each."),
    ] = None,
    compare: Annotated[
        bool | None,
        typer.Option("--compare/--no-compare", help=f"Test pairs of metrics (default: of up to {FEW_METRICS})."),
    ] = None,
    bootstrap: Annotated[
        int, typer.Option("--bootstrap", metavar="N", min=0, help="Resamples for intervals; 0 for none.")
    ] = 1000,
    resample: Annotated[
        str,
        typer.Option("--resample", metavar="WHAT", help="What is drawn: sources with all their rewrites, or units."),
    ] = "sources",
    permutations: Annotated[
        int, typer.Option("--permutations", metavar="N", min=0, help="For tests of metrics and soft accuracy.")
    ] = 1000,
    alpha: Annotated[
        float, typer.Option("--alpha", metavar="P", min=0.0, max=1.0, help="A p-value not below it has a dagger.")
    ] = 0.05,
    charts: Annotated[
        Path | None, typer.Option("--charts", metavar="DIR", help="Write scatter charts: SVG, PNG, Vega-Lite, CSV.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Makes intervals and tests repeatable.")] = 0,
    form: Format = "text",
) -> None:
    """Metrics against people: Pearson, Spearman, Kendall, pairwise accuracies, and which metric agrees better.

    Rows for each data set and system, each data set, each system, and all; a dagger where it is not significant.
    """
    from rubrica.report.correlation import SOURCES, UNITS, WEIGHTS, Choices, prepared
    from rubrica.report.correlation_data import COMBINED, people_scores
    from rubrica.stats.correlation.coefficients import COEFFICIENTS

    for value, known, what in (
        (statistic, list(COEFFICIENTS), "statistic"),
        (combine, list(COMBINED), "way to combine raters"),
        (resample, [SOURCES, UNITS], "way to resample"),
        (weights, list(WEIGHTS), "set of weights"),
    ):
        choose(value, known, what)
    check_form(form)
    if charts is not None:
        from rubrica.report.charts import chart_library

        chart_library()
    asked = Asked(scores, _all(score), _all(score_unit), metric, _all(lower))
    try:
        source = _edits(given, weights, offsets) if edits else _answers(given)
    except InputError as error:
        raise InputError(*error.problems, *score_problems(given, asked)) from error
    if edits and not source.ratings.every:
        fix = "Rate them, or take the stage in which they are rated: --stage ID."
        raise wrong("no edit has a type and a rating", "edits", fix, value=given.source)
    people = people_scores(source.ratings, combine, pairs(good or [], "--good"))
    left_out = _human(source.ratings, human or [])
    rated = _rated(source.ratings, people)
    beside = scored(given, source.ratings, rated, asked._replace(human=left_out))
    choices = Choices(
        statistic=statistic,
        combine=combine,
        replicates=bootstrap,
        permutations=permutations,
        seed=seed,
        alpha=alpha,
        resample=resample,
        human=left_out,
        lower=beside.lower,
        compare=_comparing(beside, compare),
    )
    ready = prepared(source.sign, people, rated, beside, choices)
    if choices.human:
        say(f"left out as human: {count(len(beside.joined.scores) - len(ready.data.units), 'unit')}")
    with progress("correlating", ready.steps) as done:
        found = ready.correlate(done)
    if charts is not None:
        from rubrica.report.correlation_charts import write_correlation_charts

        say(f"{charts}: {count(len(write_correlation_charts(found, charts)), 'file')}")
    _print(found, beside.joined, given.json, form)


def _all(values: Sequence[str] | None) -> list[str]:
    return [part for value in values or () for part in listed(value)]


def _answers(given: Given) -> _Source:
    """What people answered; what models and metrics did is left out."""
    from rubrica.report.correlation import by_people

    ratings = given.read()
    others = [name for name, rater in ratings.raters.items() if rater.kind != "person"]
    if others:
        say(f"no people, and left out: {', '.join(others)}")
        ratings = by_people(ratings)
    return _Source(ratings, ratings.sign)


def _edits(given: Given, weights: str, offsets: str) -> _Source:
    from rubrica.cli.edits.given import read_given
    from rubrica.report.correlation import edit_ratings

    found = read_given([given.source], given.home, offsets, given.protocol)
    chosen = found.stage(given.stage)
    ratings = edit_ratings(chosen, found.typology, weights, given.registered())
    for remark in ratings.remarks:
        say(remark)
    out = _all(given.exclude)
    if out:
        ratings = ratings.without(out)

    def sign(**parts: object) -> str:
        return found.sign(chosen[0].stage, edits="score", weights=weights, without="+".join(sorted(out)), **parts)

    return _Source(ratings, sign)


def _human(ratings: Ratings, named: list[str]) -> tuple[str, ...]:
    """The systems that are left out as people's; says which were found without being named."""
    found = ratings.human(named)
    if found.left_out and found.found:
        say(found.remark("and left out"))
    return found.left_out


def _rated(ratings: Ratings, people: People) -> list[Unit]:
    """The units that people said something of that is a number. Raises InputError without any."""
    from rubrica.report.correlation import rated_units

    for remark in people.remarks:
        say(remark)
    found = rated_units(ratings, people)
    if not found:
        fix = "Give ratings on a scale or yes and no; --good QUESTION=ANSWER makes 1 and 0 of labels."
        if ratings.protocol is not None and ratings.protocol.edits is not None:
            fix = "Its answers are edits: --edits makes scores of them."
        raise wrong("nothing was rated that is a number", "ratings", fix)
    return found


def _comparing(beside: Scored, wanted: bool | None) -> bool:
    many = len(beside.metrics) > FEW_METRICS
    if many and wanted is None:
        say(f"{len(beside.metrics)} metrics: pairs of them are not tested; --compare does, --score takes fewer metrics")
    return not many if wanted is None else wanted


def _print(found: Correlations, joined: JoinedScores, as_json: bool, form: str) -> None:
    from rubrica.report.correlation_tables import correlation_json, correlation_tables, figure_table, metric_table

    if as_json:
        counts = {
            "columns": list(joined.columns),
            "units": len(joined.scores),
            "human": len(joined.scores) - len(found.data.units),
            "unscored": joined.unscored,
            "unrated": joined.unrated,
        }
        print_json({**correlation_json(found), "joined": counts, "signature": found.signature})
    elif form == "csv":
        print_tables([table for table in (figure_table(found), metric_table(found)) if table.rows], form)
    else:
        print_tables(correlation_tables(found), form)
