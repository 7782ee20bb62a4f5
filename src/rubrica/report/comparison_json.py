"""A comparison of systems as the JSON that the command line promises: figures, tests, ranks, and models beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rubrica.exchange.system_scores import SystemScore
from rubrica.report.comparison import Comparison, SystemFigure
from rubrica.report.comparison_mixed import Checked
from rubrica.report.comparison_tests import PairTest, Ranked
from rubrica.report.tables import Estimate


def comparison_json(found: Comparison, scores: Sequence[SystemScore] = ()) -> dict[str, Any]:
    """Everything that was compared; ``scores`` are those of metrics that were put beside it."""
    return {
        "results": [_figure(one) for one in found.figures],
        "tests": [_test(one, found.choices.alpha) for one in found.tests],
        "ranks": [_rank(one) for one in found.ranks],
        "metrics": [
            {"dataset": one.dataset, "system": one.system, "metric": one.metric, "value": one.value} for one in scores
        ],
        "remarks": list(found.remarks),
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


def mixed_json(one: Checked) -> dict[str, Any]:
    """A mixed-effects model beside the tests of one figure."""
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
