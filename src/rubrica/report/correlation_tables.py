"""Correlations as tables: in the shape of Table 4 of the paper, all figures of the whole, systems, pairs of metrics.

People get the paper's shape: a row for each part of the data, a column for each criterion, three digits without the
zero before the point, and a dagger where p is not below alpha. Programs get a row for each figure with every digit.

Correlations as the JSON that the command line promises: a record for each metric, criterion and part of the data.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rubrica.report.correlation import UNITS, Correlations, SentenceResult
from rubrica.report.correlation_data import (
    MEDIAN,
    NO_SYSTEM,
    SENTENCE,
    SYSTEM,
    CorrelationResult,
    Scope,
    SystemResult,
    Z,
)
from rubrica.report.correlation_tests import MetricTest
from rubrica.report.tables import DECIMAL, PROBABILITY, WHOLE, Cell, Column, Table, without_interval
from rubrica.stats.correlation.coefficients import COEFFICIENTS, EXACT, LEAST, SPEARMAN
from rubrica.stats.statistic import bounds

DAGGER = "†"
NAMES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ-b"}
COMBINED = {MEDIAN: "the median of raters", Z: "the mean of raters' standardised answers"}
DATASET_COLUMN, SYSTEM_COLUMN = Column("dataset", "data set"), Column("system", "system")
METRIC_COLUMN, CRITERION_COLUMN = Column("metric", "metric"), Column("criterion", "criterion")
FEW = 10
"""Of fewer pairs, the t distribution that the p-value of Spearman's rho is taken from is a poor guess."""
EVERY = {"dataset": "all data sets", "system": "all systems"}


def correlation_tables(found: Correlations) -> list[Table]:
    """The tables that people read, in order; those with nothing in them are left out."""
    tables = [
        *(paper_table(found, metric) for metric in found.data.metrics),
        whole_table(found),
        system_table(found),
        metric_table(found),
    ]
    return [table for table in tables if table.rows]


def short(value: float, digits: int = 3) -> str:
    """A coefficient as the paper writes it: ``.367``, ``-.037``, ``1.000``."""
    text = f"{value:.{digits}f}"
    text = text if float(text) else text.removeprefix("-")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def plain_name(found: Correlations, metric: str) -> str:
    """A metric's name with nothing in it that a file or a label cannot have; a number apart from others like it."""
    names = ["".join(sign if sign.isalnum() else "-" for sign in one).strip("-").lower() for one in found.data.metrics]
    place = found.data.metrics.index(metric)
    alike = not names[place] or names.count(names[place]) > 1
    return "-".join(part for part in (names[place], str(place + 1) if alike else "") if part)


def named(found: Correlations, scope: Scope) -> tuple[str, ...]:
    """What a row is about: data set and system, as far as there are several."""
    parts = []
    if len(found.data.datasets) > 1:
        parts.append(EVERY["dataset"] if scope.dataset is None else scope.dataset)
    if len(found.data.systems) > 1:
        parts.append(EVERY["system"] if scope.system is None else scope.system or NO_SYSTEM)
    return tuple(parts) or ("all",)


def paper_table(found: Correlations, metric: str) -> Table:
    """Table 4 for one metric: the chosen coefficient by part of the data and criterion."""
    name = found.choices.statistic
    rows = []
    for scope in found.data.scopes:
        results = [found.sentence(scope, criterion, metric) for criterion in found.data.criteria]
        cells = [_marked(one, name, found.choices.alpha) for one in results]
        rows.append((*named(found, scope), *cells, max((one.n for one in results), default=0)))
    data = found.data
    first = [*([DATASET_COLUMN] if len(data.datasets) > 1 else []), *([SYSTEM_COLUMN] if len(data.systems) > 1 else [])]
    columns = [
        Column(criterion, title, DECIMAL, 3) for criterion, title in zip(data.criteria, data.titles, strict=True)
    ]
    people = COMBINED.get(found.choices.combine, "the mean of raters")
    note = f"{NAMES[name]} with {people}, sentence by sentence. {DAGGER}: p ≥ {short(found.choices.alpha, 2)}."
    sizes = (one.n for one in found.sentences if one.metric == metric)
    note += _rough(sizes, "rewrites") if name == SPEARMAN else ""
    if found.choices.human:
        note += f" Left out: {', '.join(name or NO_SYSTEM for name in found.choices.human)}."
    return Table(
        f"correlation-{plain_name(found, metric)}",
        f"{metric} and people",
        (*(first or [Column("part", "")]), *columns, Column("n", "n", WHOLE)),
        tuple(rows) if columns else (),
        note,
        found.signature,
    )


def _rough(sizes: Iterable[int], of: str) -> str:
    """What to think of the p-values of Spearman's rho where there are few; nothing where there are many."""
    if not any(LEAST <= size < FEW for size in sizes):
        return ""
    return (
        f" Of fewer than {FEW} {of}, p-values of Spearman's ρ are rough (0 for the same order); Kendall's are exact "
        f"without ties, and daggers are of all orders of up to {EXACT}."
    )


def _marked(one: SentenceResult | SystemResult, name: str, alpha: float) -> Cell:
    value = one.values[name].value
    if value.value is None:
        return value
    return short(value.value) + ("" if one.significant(name, alpha) else DAGGER)


def _with_interval(one: SentenceResult | SystemResult, name: str, alpha: float) -> Cell:
    """A coefficient with its dagger and its interval."""
    value, low, high = one.values[name]
    if value.value is None:
        return value
    mark = "" if one.significant(name, alpha) else DAGGER
    ends = f" [{short(low.value)}, {short(high.value)}]" if low.value is not None and high.value is not None else ""
    return short(value.value) + mark + ends


def whole_table(found: Correlations) -> Table:
    """Every coefficient of all units together, with intervals, and accuracies on pairs."""
    rows = []
    whole = [one for one in found.sentences if one.scope == Scope()]
    for one in whole:
        coefficients = [_with_interval(one, name, found.choices.alpha) for name in COEFFICIENTS]
        rows.append(
            (
                one.metric,
                _title(found, one.criterion),
                *coefficients,
                one.pairwise.accuracy,
                one.pairwise.epsilon,
                one.by_source.accuracy,
                one.by_source.epsilon,
                one.n,
            )
        )
    columns = (
        METRIC_COLUMN,
        CRITERION_COLUMN,
        *(Column(name, NAMES[name]) for name in COEFFICIENTS),
        Column("pairwise_accuracy", "accuracy", DECIMAL, 3),
        Column("epsilon", "ε", DECIMAL, 3),
        Column("pairwise_accuracy_by_source", "by source", DECIMAL, 3),
        Column("epsilon_by_source", "ε", DECIMAL, 3),
        Column("n", "n", WHOLE),
    )
    what = "units" if found.choices.resample == UNITS else "sources with all their rewrites"
    note = (
        f"{_resampled(found, whole, what)} Accuracy: share of pairs of rewrites in people's order or tied as by "
        "people, where metrics that differ by at most ε are tied, and ε is the best one for these data; by source: of "
        "pairs of rewrites of one source, averaged over sources."
    )
    return Table("correlation-sentences", "Sentences, all together", columns, tuple(rows), note, found.signature)


def _resampled(found: Correlations, results: Iterable[CorrelationResult], what: str) -> str:
    """How intervals and daggers were made, and why some have none."""
    if not found.choices.replicates:
        return ""
    estimates = [one.values[name] for one in results for name in COEFFICIENTS]
    made = any(one.low.value is not None for one in estimates)
    how = f"Intervals: 95 %, BCa bootstrap over {what}; daggers are of the same resamples." if made else ""
    return " ".join([*([how] if how else []), *without_interval(estimates)])


def _title(found: Correlations, criterion: str) -> str:
    return found.data.titles[found.data.criteria.index(criterion)]


def system_table(found: Correlations) -> Table:
    """Systems as wholes; empty where there are no two."""
    several = len(found.data.datasets) > 1
    rows = []
    ordered = sorted(found.systems, key=lambda one: found.data.metrics.index(one.metric))
    for one in ordered if len(found.data.systems) > 1 else ():
        dataset = (EVERY["dataset"] if one.scope.dataset is None else one.scope.dataset,) if several else ()
        rows.append(
            (
                one.metric,
                *dataset,
                _title(found, one.criterion),
                *(_with_interval(one, name, found.choices.alpha) for name in COEFFICIENTS),
                one.pairwise.accuracy,
                one.soft.accuracy,
                one.n,
            )
        )
    columns = (
        METRIC_COLUMN,
        *((DATASET_COLUMN,) if several else ()),
        CRITERION_COLUMN,
        *(Column(name, NAMES[name]) for name in COEFFICIENTS),
        Column("pairwise_accuracy", "accuracy", DECIMAL, 3),
        Column("soft_pairwise_accuracy", "soft", DECIMAL, 3),
        Column("n", "systems", WHOLE),
    )
    note = (
        f"Means of systems. {DAGGER}: p ≥ {short(found.choices.alpha, 2)}. "
        f"{_resampled(found, ordered, 'systems and sources')} Accuracy: share of pairs of systems in people's order; "
        "soft: 1 less the mean difference between people's and the metric's p-values of the pairs."
    )
    note += _rough((one.n for one in ordered), "systems")
    return Table("correlation-systems", "Systems", columns, tuple(rows), note, found.signature)


def metric_table(found: Correlations) -> Table:
    """Pairs of metrics: difference of the chosen coefficient, and p-values after Holm."""
    rows: list[tuple[Cell, ...]] = []
    defined = [one for one in found.tests if one.difference.value.value is not None]
    for one in defined or found.tests:
        rows.append(
            (
                one.level,
                _title(found, one.criterion),
                one.first,
                one.second,
                *one.values,
                one.difference,
                one.permutation_holm,
                one.williams_holm,
                one.n,
            )
        )
    columns = (
        Column("level", "level"),
        CRITERION_COLUMN,
        Column("first", "metric"),
        Column("second", "against"),
        Column("first_value", "first", DECIMAL, 3),
        Column("second_value", "second", DECIMAL, 3),
        Column("difference", "difference", DECIMAL, 3),
        Column("permutation", "p, permutation", PROBABILITY, 4),
        Column("williams", "p, Williams", PROBABILITY, 4),
        Column("n", "n", WHOLE),
    )
    turned = sorted(found.choices.lower & set(found.data.metrics))
    note = (
        f"{NAMES[found.choices.statistic]} on units that all metrics scored. p-values two-sided, Holm over the pairs "
        "of a criterion and level; Williams' test is of Pearson's r."
    )
    odd = [one for one in found.tests if one.difference.value.value is None] if defined else []
    note += "".join(f" {reason}" for reason in without_interval(one.difference for one in defined))
    untested = dict.fromkeys(f" Not tested: {one.level}s ({one.difference.value.reason})." for one in odd)
    note += "".join(untested)
    note += f" Less is better, so turned round: {', '.join(turned)}." if turned else ""
    return Table("correlation-tests", "Which metric agrees better", columns, tuple(rows), note, found.signature)


def figure_table(found: Correlations) -> Table:
    """A row for each metric, criterion and part of the data, with every digit: for programs."""
    rows: list[tuple[Cell, ...]] = []
    results: list[SentenceResult | SystemResult] = [*found.sentences, *found.systems]
    for one in results:
        epsilon = one.pairwise.epsilon if isinstance(one, SentenceResult) else None
        by_source = one.by_source.accuracy if isinstance(one, SentenceResult) else None
        soft = one.soft.accuracy if isinstance(one, SystemResult) else None
        rows.append(
            (
                one.metric,
                one.criterion,
                "sentence" if isinstance(one, SentenceResult) else "system",
                one.scope.dataset,
                one.scope.system,
                *(part for name in COEFFICIENTS for part in one.coefficients[name]),
                one.n,
                one.pairwise.accuracy,
                epsilon,
                by_source,
                soft,
            )
        )
    columns = (
        *(Column(name, name) for name in ("metric", "criterion", "level", "dataset", "system")),
        *(
            column
            for name in COEFFICIENTS
            for column in (
                Column(name, name, DECIMAL, 4),
                Column(f"{name}_p", f"{name} p", PROBABILITY, 4),
                Column(f"{name}_p_resampled", f"{name} p, resampled", PROBABILITY, 4),
            )
        ),
        Column("n", "n", WHOLE),
        *(
            Column(name, name, DECIMAL, 4)
            for name in ("pairwise_accuracy", "epsilon", "pairwise_accuracy_by_source", "soft_pairwise_accuracy")
        ),
    )
    return Table("correlations", "Correlations", columns, tuple(rows), "", found.signature)


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
