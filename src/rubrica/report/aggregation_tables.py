"""Gold as tables and as JSON."""

from __future__ import annotations

from typing import Any

from rubrica.core.answers import Answer
from rubrica.report.aggregation import BY_VERDICT, MEAN, ZSCORE, Aggregation, GoldRow, Model, Weighed
from rubrica.report.tables import DECIMAL, TEXT, WHOLE, Cell, Column, Table
from rubrica.stats.statistic import Statistic

COLUMNS = (
    Column("unit", "unit"),
    Column("system", "system"),
    Column("question", "question"),
    Column("method", "method"),
    Column("value", "gold", DECIMAL),
    Column("raters", "raters", WHOLE),
    Column("support", "for it", WHOLE),
    Column("probability", "share", DECIMAL),
    Column("low", "low", DECIMAL),
    Column("high", "high", DECIMAL),
    Column("uncertainty", "uncertainty", DECIMAL),
    Column("measure", "measured by"),
)
RATERS = (
    Column("question", "question"),
    Column("rater", "rater"),
    Column("weight", "weight", DECIMAL, 3),
    Column("answers", "answers", WHOLE),
    Column("meaning", "what the weight is", TEXT),
)
MODELS = (
    Column("question", "question"),
    Column("method", "model"),
    Column("converged", "converged"),
    Column("iterations", "rounds", WHOLE),
    Column("parameters", "parameters", WHOLE),
    Column("answers", "answers", WHOLE),
)
NUMBERS = (MEAN, ZSCORE)
"""Methods whose value has decimals; that of the others is an answer that was given."""


NOTE = "low and high: 95 %, of the value if it is a mean or median, else of the share of raters for it"


def gold_table(found: Aggregation) -> Table:
    """One row for each unit and question."""
    empty = {"system"} if not any(row.unit.system for row in found.rows) else set()
    kept = [index for index, column in enumerate(COLUMNS) if column.id not in empty]
    rows = [_row(row) for row in found.rows]
    return Table(
        "gold",
        "Gold answers",
        tuple(COLUMNS[index] for index in kept),
        tuple(tuple(row[index] for index in kept) for row in rows),
        "\n".join([NOTE, *(doubt for model in found.models for doubt in model.doubts)]),
        found.signature,
    )


def _row(row: GoldRow) -> tuple[Cell, ...]:
    gold = row.gold
    return (
        row.unit.key,
        row.unit.system,
        row.question,
        row.method,
        _value(row),
        gold.raters,
        Statistic(gold.support) if gold.support is not None else Statistic(None),
        Statistic(gold.probability.value),
        Statistic(gold.low.value),
        Statistic(gold.high.value),
        Statistic(gold.uncertainty.value),
        gold.measure if gold.uncertainty.value is not None else "",
    )


def _value(row: GoldRow) -> Cell:
    value = row.gold.value
    if value is None:
        return Statistic(None, row.gold.reason)
    if isinstance(value, tuple):
        none = [f"none simpler ({row.none_simpler})"] if row.none_simpler else []
        return "; ".join([*(f"{one.answer} ({one.raters})" for one in row.counted), *none]) or "none"
    if isinstance(value, int | float) and (row.method in NUMBERS or row.of == "judgement"):
        return float(value)
    return str(value)


def raters_table(found: Aggregation) -> Table:
    """What the method says of each rater."""
    rows = tuple((one.question, one.rater, one.weight, one.answers, one.meaning) for one in found.raters)
    return Table("raters", "Raters as the method sees them", RATERS, rows, "", found.signature)


def models_table(found: Aggregation) -> Table:
    """How each model was fitted; what is to be said against it stands below the gold."""
    rows = tuple(
        (one.question, one.method, "yes" if one.fitted.converged else "no", *_fitted(one).values())
        for one in found.models
    )
    return Table("models", "Models as they were fitted", MODELS, rows, "", found.signature)


def _fitted(one: Model) -> dict[str, int]:
    return {name: getattr(one.fitted, name) for name in ("iterations", "parameters", "answers")}


def as_json(found: Aggregation) -> dict[str, Any]:
    """Everything, unrounded."""
    return {
        "results": [row_as_json(row) for row in found.rows],
        "raters": [_rater_as_json(one) for one in found.raters],
        "models": [
            {
                "question": one.question,
                "method": one.method,
                "converged": one.fitted.converged,
                **_fitted(one),
                "warnings": one.doubts,
            }
            for one in found.models
        ],
        "remarks": list(found.remarks),
        "signature": found.signature,
    }


def row_as_json(row: GoldRow) -> dict[str, Any]:
    """One gold row; ``counts`` only where several answers may be right, ``of`` only for verdicts.

    ``none_simpler`` is how many found no simpler word, ``converged`` whether the model has.
    """
    gold = row.gold
    record: dict[str, Any] = {
        "unit": row.unit.key,
        "system": row.unit.system,
        "question": row.question,
        "method": row.method,
        **({"value": _plain(gold.value)} if gold.value is not None else Statistic(None, gold.reason).in_row()),
        "raters": gold.raters,
        "support": Statistic(gold.support, gold.probability.reason).as_json(),
        "probability": gold.probability.as_json(),
        "low": gold.low.as_json(),
        "high": gold.high.as_json(),
        "uncertainty": gold.uncertainty.as_json(),
        "measure": gold.measure,
    }
    if isinstance(gold.value, tuple):
        record["counts"] = [{"answer": one.answer, "raters": one.raters} for one in row.counted]
    if row.none_simpler is not None:
        record["none_simpler"] = row.none_simpler
    if row.method == BY_VERDICT:
        record["of"] = row.of
    if row.converged is not None:
        record["converged"] = row.converged
    return record


def _plain(value: Answer | None) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _rater_as_json(one: Weighed) -> dict[str, Any]:
    return {
        "question": one.question,
        "rater": one.rater,
        "weight": one.weight.as_json(),
        "meaning": one.meaning,
        "answers": one.answers,
    }
