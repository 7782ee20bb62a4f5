"""A comparison of systems as the JSON that the command line promises: figures, tests, ranks, and models beside them."""

from __future__ import annotations

from typing import Any

from rubrica.exchange.scores import SystemScore
from rubrica.report.comparison import Comparison, SystemFigure
from rubrica.report.comparison_tests import Checked, PairTest, Ranked
from rubrica.report.tables import Estimate
from rubrica.stats.mixed_model import Pair
from rubrica.stats.statistic import Statistic, bounds


def comparison_json(found: Comparison) -> dict[str, Any]:
    """Everything that was compared, and scores of metrics that were put beside it."""
    return {
        "results": [_figure(one) for one in found.figures],
        "tests": [_test(one, found.choices.alpha) for one in found.tests],
        "ranks": [_rank(one) for one in found.ranks],
        "no_output": [
            {"dataset": dataset, "system": system, "sources": number}
            for (dataset, system), number in sorted(found.left_out.items())
        ],
        "metrics": [_score(one) for one in found.scores],
        "remarks": [*found.remarks, *filter(None, [found.unplaced])],
        "signature": found.signature,
    }


def _score(one: SystemScore) -> dict[str, Any]:
    """A metric of a system; what it is made of is known of those that are registered."""
    told = {"dataset": one.dataset, "system": one.system, "metric": one.metric, "value": one.value}
    reason = {"reason": one.reason} if one.value is None else {}
    kept = ("items", "unscored", "left_out", "settings")
    return {**told, **reason, **({name: getattr(one, name) for name in kept} if one.items else {})}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {**estimate.value.in_row(), "low": estimate.low.as_json(), "high": estimate.high.as_json()}


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
        "permutation": {**_p_values(one.permutation, one.permutation_holm), "exact": one.exact},
        "bootstrap": _p_values(one.bootstrap, one.bootstrap_holm),
        "significant": one.significant(alpha),
        "sources": one.sources,
        "unpaired": one.unpaired,
    }


def _p_values(p: Statistic, corrected: Statistic) -> dict[str, Any]:
    return {"p": p.as_json(), "holm": corrected.as_json(), "at_most": bounds({"p": p, "holm": corrected})}


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


def mixed_json(one: Checked, alpha: float) -> dict[str, Any]:
    """A mixed-effects model beside the tests of one figure. ``effects`` are the others against the first system."""
    model = one.model
    return {
        "dataset": one.dataset,
        "criterion": one.measure.criterion,
        "figure": one.measure.figure,
        "reference": model.systems[0] if model.systems else "",
        "effects": [_effect(pair) for pair in model.pairs if pair.first == model.systems[0]],
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "difference": pair.difference.as_json(),
                "low": pair.low.as_json(),
                "high": pair.high.as_json(),
                "error": pair.error.as_json(),
                "df": pair.freedom.as_json(),
                "p": pair.p.as_json(),
                "holm": corrected.as_json(),
                "significant": corrected.value is not None and corrected.value < alpha,
            }
            for pair, corrected in one.pairs
        ],
        "item": model.source.as_json(),
        "rewrite": model.rewrite.as_json(),
        "annotator": model.annotator.as_json(),
        "residual": model.residual.as_json(),
        "converged": model.converged,
        "ratings": model.ratings,
        "remarks": list(model.remarks),
    }


def _effect(pair: Pair) -> dict[str, Any]:
    value = pair.difference.value
    turned = pair.difference if value is None else Statistic(-value)
    return {
        "system": pair.second,
        "difference": turned.as_json(),
        "error": pair.error.as_json(),
        "p": pair.p.as_json(),
    }
