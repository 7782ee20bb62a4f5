"""The figures of a report for programs: agreement and the comparison of systems, keyed as the commands print them.

A table is for people; whoever fetches results over the API wants the keys of `rubrica agree --json` and `rubrica
compare --json`, and the same numbers that the page shows.
"""

from __future__ import annotations

from typing import Any

from rubrica.report.comparison_json import comparison_json
from rubrica.report.figures import Figures


def results_json(figures: Figures) -> dict[str, Any]:
    """Both, each with its signature. ``comparison`` is null without a judgement.

    Agreement is by the measures of the report, verdicts over all judgements that decide one. Raters have no names.
    """
    ratings = figures.subject.ratings
    agreement: dict[str, Any] = {
        "results": [row.as_json() for row in (*figures.agreement, *figures.verdict_agreement)],
        "signature": ratings.sign(
            agree="questions",
            **figures.agreement_asked.parts(),
            metrics="+".join(metric.name for metric in ratings.metrics),
        ),
    }
    if ratings.metrics:
        agreement["metrics"] = [line for row in figures.beside_people for line in row.as_json()]
    compared = comparison_json(figures.comparison) if figures.comparison else None
    return {"agreement": agreement, "comparison": compared, "signature": ratings.sign()}
