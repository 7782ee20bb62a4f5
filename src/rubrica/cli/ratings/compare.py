"""`rubrica compare`: systems side by side on everything that was judged, with intervals, tests and ranks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubrica.cli.options import choose, input_file
from rubrica.cli.output import print_json, say, track
from rubrica.cli.ratings.given import Given, GoodOption, read_with_good, takes_ratings
from rubrica.cli.tables import Format, check_form, print_tables

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings
    from rubrica.exchange.scores import SystemScore
    from rubrica.report.comparison import Comparison
    from rubrica.report.comparison_tests import Checked


@takes_ratings
def compare(
    given: Given,
    bootstrap: Annotated[
        int, typer.Option("--bootstrap", metavar="N", min=0, help="Resamples for intervals and a test; 0 for none.")
    ] = 1000,
    permutations: Annotated[
        int, typer.Option("--permutations", metavar="N", min=0, help="Signs to try where not all can be.")
    ] = 10_000,
    alpha: Annotated[
        float, typer.Option("--alpha", metavar="P", min=0.0, max=1.0, help="Below it a difference is significant.")
    ] = 0.05,
    holm: Annotated[
        str, typer.Option("--holm", metavar="figure|all", help="Correct over the pairs of each figure, or all tests.")
    ] = "figure",
    metrics: Annotated[
        Path | None,
        typer.Option("--metrics", metavar="FILE", help="Scores to put beside: system[, dataset], a column a metric."),
    ] = None,
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Also fit mixed-effects models; slow with very many annotators.")
    ] = False,
    good: GoodOption = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Makes intervals and tests repeatable.")] = 0,
    form: Format = "text",
) -> None:
    """Systems side by side: shares and means with intervals, paired tests with Holm's correction, ranks and clusters.

    Sources are resampled with all their ratings; tests use the sources that both systems were rated on.
    """
    from rubrica.report.comparison import Choices
    from rubrica.report.comparison import compare as compare_systems
    from rubrica.report.comparison_json import comparison_json, mixed_json
    from rubrica.report.comparison_tables import comparison_tables, figure_table, review_table
    from rubrica.report.comparison_tests import mixed_tables

    choose(holm, ["figure", "all"], "family of tests")
    check_form(form)
    beside = read_system_scores(metrics)
    ratings = read_with_good(given, good)
    scores = [*beside, *given.registered_scores()]
    choices = Choices(replicates=bootstrap, permutations=permutations, seed=seed, alpha=alpha, together=holm == "all")
    found = compare_systems(ratings, choices, scores)
    _say_odd(found, beside)
    checked = _checked(ratings, choices.together) if mixed else []
    if given.json:
        print_json({**comparison_json(found), "mixed": [mixed_json(one, alpha) for one in checked]})
        return
    fits = mixed_tables(checked, found.signature) if mixed else []
    if form == "csv":
        print_tables([figure_table(found), *fits], form)
    else:
        tables = [*comparison_tables(found, ratings), review_table(found), *fits]
        print_tables([table for table in tables if table.rows], form)


def read_system_scores(file: Path | None) -> list[SystemScore]:
    """Scores of whole systems from a table; none without a file."""
    if file is None:
        return []
    from rubrica.exchange.scores import read_scores

    with input_file(file) as path:
        assert path is not None
        return read_scores(path)


def _checked(ratings: Ratings, together: bool) -> list[Checked]:
    from rubrica.report.comparison_tests import mixed_checks, planned, with_holm

    found = list(track(mixed_checks(ratings), "fitting models", total=len(planned(ratings))))
    return with_holm(found, together=together)


def _say_odd(found: Comparison, scores: list[SystemScore]) -> None:
    if not found.figures:
        say("nothing was rated that systems could be compared by")
    known = {one.system for one in found.figures}
    for name in dict.fromkeys(score.system for score in scores if score.system not in known):
        say(f"--metrics has scores of {name!r}, which nobody rated")
    if found.unplaced:
        say(found.unplaced)
