"""The figures of a report for programs, keyed as the commands print them: agreement, systems, metrics, reliability.

A table is for people; whoever fetches results over the API wants the keys of `rubrica agree --json`, `compare`,
`correlate` and `reliability`, and the same numbers that the page shows.
"""

from __future__ import annotations

from typing import Any

from rubrica.core.human_rewrites import joined
from rubrica.report.comparison_json import comparison_json
from rubrica.report.correlation_json import correlation_json
from rubrica.report.crowd_reliability import reliability_json
from rubrica.report.figures import Figures
from rubrica.stats.statistic import Statistic


def results_json(figures: Figures) -> dict[str, Any]:
    """All, each with its signature. Undefined, with the reason, are ``comparison`` without a judgement, ``correlation``
    without metrics and ``reliability`` without an expert.

    Agreement is by the measures of the report, verdicts over all judgements that decide one. Raters have no names.
    """
    ratings = figures.subject.ratings
    agreement: dict[str, Any] = {
        "results": [row.as_json() for row in (*figures.agreement, *figures.verdict_agreement)],
        "fixed_left_out": ratings.fixed_answers,
        "signature": ratings.sign_chosen(
            agree="questions",
            **figures.agreement_asked.parts(),
            metrics="+".join(metric.name for metric in ratings.metrics),
            human=joined(figures.human.left_out) if ratings.metrics else "",
        ),
    }
    if ratings.metrics:
        agreement["metrics"] = [line for row in figures.beside_people for line in row.as_json()]
    compared = comparison_json(figures.comparison) if figures.comparison else _none("nothing was judged")
    metrics, trust = figures.correlations, figures.reliability
    return {
        "agreement": agreement,
        "comparison": compared,
        "correlation": {**correlation_json(metrics), "signature": metrics.signature}
        if metrics
        else _none("there is no metric to hold against judgements"),
        "reliability": {**reliability_json(trust), "signature": trust.signature}
        if trust
        else _none("there is no sample that experts and others judged"),
        "signature": ratings.sign(),
    }


def _none(reason: str) -> dict[str, Any]:
    return Statistic(None, reason).in_row()
