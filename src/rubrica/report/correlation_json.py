"""Correlations as the JSON that the command line promises: a record for each metric, criterion and part of the data."""

from __future__ import annotations

from typing import Any

from rubrica.report.correlation import Correlations, SentenceResult
from rubrica.report.correlation_data import SENTENCE, SYSTEM, Scope
from rubrica.report.correlation_systems import SystemResult
from rubrica.report.correlation_tests import MetricTest
from rubrica.stats.correlation.coefficients import COEFFICIENTS
from rubrica.stats.statistic import bounds


def correlation_json(found: Correlations) -> dict[str, Any]:
    """All results and tests; those of all data together come first, sentences before systems.

    ``p``, ``low`` and ``high`` are those of the chosen coefficient.
    """
    return {
        "statistic": found.choices.statistic,
        "results": [
            *(_sentence(one, found) for one in sorted(found.sentences, key=_is_part)),
            *(_system(one, found) for one in sorted(found.systems, key=_is_part)),
        ],
        "tests": [_test(one, found.choices.alpha) for one in found.tests],
    }


def _is_part(one: SentenceResult | SystemResult) -> bool:
    return one.scope != Scope()


def _shared(one: SentenceResult | SystemResult, level: str, found: Correlations) -> dict[str, Any]:
    choices = found.choices
    chosen = one.values[choices.statistic]
    record: dict[str, Any] = {
        "metric": one.metric,
        "criterion": one.criterion,
        "title": found.data.titles[found.data.criteria.index(one.criterion)],
        "level": level,
        "dataset": one.scope.dataset,
        "system": one.scope.system,
    }
    record |= {name: one.values[name].value.as_json() for name in COEFFICIENTS}
    record |= {
        "p": one.p[choices.statistic].as_json(),
        "n": one.n,
        "low": chosen.low.as_json(),
        "high": chosen.high.as_json(),
        "significant": one.significant(choices.statistic, choices.alpha),
    }
    deciding = {f"{name}_p_resampled": one.coefficients[name].resampled for name in COEFFICIENTS}
    record["p_resampled"] = one.coefficients[choices.statistic].resampled.as_json()
    record["at_most"] = bounds({"p_resampled": one.coefficients[choices.statistic].resampled, **deciding})
    record |= {name: p.as_json() for name, p in deciding.items()}
    for name in COEFFICIENTS:
        record[f"{name}_p"] = one.p[name].as_json()
        record[f"{name}_low"] = one.values[name].low.as_json()
        record[f"{name}_high"] = one.values[name].high.as_json()
    return record | {"sources": one.sources}


def _sentence(one: SentenceResult, found: Correlations) -> dict[str, Any]:
    return {
        **_shared(one, SENTENCE, found),
        "pairwise_accuracy": one.pairwise.accuracy.as_json(),
        "epsilon": one.pairwise.epsilon.as_json(),
        "pairs": one.pairwise.pairs,
        "pairwise_accuracy_by_source": one.by_source.accuracy.as_json(),
        "epsilon_by_source": one.by_source.epsilon.as_json(),
        "pairs_by_source": one.by_source.pairs,
    }


def _system(one: SystemResult, found: Correlations) -> dict[str, Any]:
    return {
        **_shared(one, SYSTEM, found),
        "pairwise_accuracy": one.pairwise.accuracy.as_json(),
        "pairs": one.pairwise.pairs,
        "soft_pairwise_accuracy": one.soft.accuracy.as_json(),
    }


def _test(one: MetricTest, alpha: float) -> dict[str, Any]:
    holm = one.permutation_holm.value
    return {
        "level": one.level,
        "criterion": one.criterion,
        "first": one.first,
        "second": one.second,
        "statistic": one.statistic,
        "first_value": one.values[0].as_json(),
        "second_value": one.values[1].as_json(),
        **one.difference.value.in_row(),
        "low": one.difference.low.as_json(),
        "high": one.difference.high.as_json(),
        "permutation": {
            "p": one.permutation.as_json(),
            "holm": one.permutation_holm.as_json(),
            "at_most": bounds({"p": one.permutation, "holm": one.permutation_holm}),
        },
        "williams": {
            "t": one.williams.t.as_json(),
            "p": one.williams.p.as_json(),
            "holm": one.williams_holm.as_json(),
            "between": one.between.as_json(),
        },
        "significant": holm is not None and holm < alpha,
        "n": one.n,
    }
