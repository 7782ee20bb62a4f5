"""`rubrica compare`: systems side by side on everything that was judged, with intervals, tests and ranks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import choose, input_file
from rubrica.cli.output import print_json, say, track
from rubrica.cli.ratings.given import Given, takes_ratings
from rubrica.cli.tables import Format, print_tables

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings
    from rubrica.exchange.system_scores import SystemScore
    from rubrica.report.comparison import Comparison, SystemFigure
    from rubrica.report.comparison_mixed import Checked
    from rubrica.report.comparison_tests import PairTest, Ranked
    from rubrica.report.tables import Estimate


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
        bool, typer.Option("--mixed", help="Also fit mixed-effects models (statsmodels); slow on large files.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Makes intervals and tests repeatable.")] = 0,
    form: Format = "text",
) -> None:
    """Systems side by side: shares and means with intervals, paired tests with Holm's correction, ranks and clusters.

    Sources are resampled with all their ratings; tests use the sources that both systems were rated on.
    """
    from rubrica.report.comparison import Choices
    from rubrica.report.comparison import compare as compare_systems
    from rubrica.report.comparison_mixed import mixed_tables
    from rubrica.report.comparison_tables import comparison_tables, figure_table, review_table

    choose(holm, ["figure", "all"], "family of tests")
    scores = _scores(metrics)
    ratings = given.read()
    choices = Choices(replicates=bootstrap, permutations=permutations, seed=seed, alpha=alpha, together=holm == "all")
    found = compare_systems(ratings, choices)
    _say_odd(found, scores)
    checked = _checked(ratings) if mixed else []
    if given.json:
        print_json({**_as_json(found, scores), "mixed": [_mixed(one) for one in checked]})
        return
    models = mixed_tables(checked, found.signature) if mixed else []
    if form == "csv":
        print_tables([figure_table(found, scores), *models], form)
    else:
        tables = [*comparison_tables(found, ratings, scores), review_table(found), *models]
        print_tables([table for table in tables if table.rows], form)


def _scores(file: Path | None) -> list[SystemScore]:
    if file is None:
        return []
    from rubrica.exchange.system_scores import read_scores

    with input_file(file) as path:
        assert path is not None
        return read_scores(path)


def _checked(ratings: Ratings) -> list[Checked]:
    from rubrica.report.comparison_mixed import mixed_checks, planned

    return list(track(mixed_checks(ratings), "fitting models", total=len(planned(ratings))))


def _say_odd(found: Comparison, scores: list[SystemScore]) -> None:
    if not found.figures:
        say("nothing was rated that systems could be compared by")
    known = {one.system for one in found.figures}
    for name in dict.fromkeys(score.system for score in scores if score.system not in known):
        say(f"--metrics has scores of {name!r}, which nobody rated")


def _as_json(found: Comparison, scores: list[SystemScore]) -> dict[str, Any]:
    return {
        "results": [_figure(one) for one in found.figures],
        "tests": [_test(one, found.choices.alpha) for one in found.tests],
        "ranks": [_rank(one) for one in found.ranks],
        "metrics": [
            {"dataset": one.dataset, "system": one.system, "metric": one.metric, "value": one.value} for one in scores
        ],
        "signature": found.signature,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(estimate, name).value for name in ("value", "low", "high")}
    reason = next((part.reason for part in estimate if part.value is None), "")
    return {**found, "reason": reason} if reason else found


def _figure(one: SystemFigure) -> dict[str, Any]:
    return {
        "dataset": one.dataset,
        "system": one.system,
        "criterion": one.measure.criterion,
        "figure": one.measure.figure,
        "answer": one.measure.answer,
        "title": one.measure.title,
        "per": one.measure.per,
        **_estimate(one.estimate),
        "counted": one.counted,
        "ratings": one.ratings,
        "rewrites": one.rewrites,
        "sources": one.sources,
    }


def _test(one: PairTest, alpha: float) -> dict[str, Any]:
    return {
        "dataset": one.dataset,
        "criterion": one.measure.criterion,
        "figure": one.measure.figure,
        "first": one.first,
        "second": one.second,
        **_estimate(one.difference),
        "permutation": {"p": one.permutation.value, "holm": one.permutation_holm.value, "exact": one.exact},
        "bootstrap": {"p": one.bootstrap.value, "holm": one.bootstrap_holm.value},
        "significant": one.significant(alpha),
        "sources": one.sources,
        "unpaired": one.unpaired,
    }


def _rank(one: Ranked) -> dict[str, Any]:
    return {
        "dataset": one.dataset,
        "criterion": one.measure.criterion,
        "figure": one.measure.figure,
        "system": one.rank.system,
        "score": one.rank.score,
        "place": one.rank.place,
        "best": one.rank.best,
        "worst": one.rank.worst,
        "cluster": one.rank.cluster,
    }


def _mixed(one: Checked) -> dict[str, Any]:
    model = one.model
    return {
        "dataset": one.dataset,
        "criterion": one.measure.criterion,
        "figure": one.measure.figure,
        "reference": model.reference,
        "effects": [
            {
                "system": effect.system,
                "difference": effect.difference.as_json(),
                "error": effect.error.as_json(),
                "p": effect.p.as_json(),
            }
            for effect in model.effects
        ],
        "item": model.item.as_json(),
        "annotator": model.annotator.as_json(),
        "residual": model.residual.as_json(),
        "converged": model.converged,
        "ratings": model.ratings,
        "remarks": list(model.remarks),
    }
