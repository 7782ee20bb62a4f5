"""Gold: what the raters of a study conclude about each unit, question by question, in the way that was asked for.

``stats.aggregation`` puts answers together; this is where it meets ratings. Without a way asked for, each kind of
question has its usual one: the mean of a scale, the majority of a choice, counts of sets and words, verdicts as the
protocol derives them. Free texts are nobody's gold and are left out.

Gold as tables and as JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import attrs

from rubrica.core.answers import NO_SIMPLER_WORD, NOT_APPLICABLE, Answer, compared
from rubrica.core.errors import wrong
from rubrica.core.ratings import (
    CHOICE,
    CHOICES,
    ORDINAL,
    SCALE,
    VERDICT,
    WORDS,
    YES_NO,
    Criterion,
    Ratings,
    Unit,
    given,
)
from rubrica.core.text_helpers import first_of
from rubrica.report.gold_verdicts import of_items, of_judgements
from rubrica.report.tables import DECIMAL, TEXT, WHOLE, Cell, Column, Table
from rubrica.stats.aggregation import NONE, RANDOM, Counted, Gold, counts, gold_of, majorities, means, medians, z_scores
from rubrica.stats.coded import Coded, coded
from rubrica.stats.crowd_models import DAWID_SKENE, ITERATIONS, MODELS, SMOOTHING, WEIGHTS, Fitted, fit, modelled
from rubrica.stats.statistic import Statistic

MEAN, MEDIAN, ZSCORE, MAJORITY, COUNTS, BY_VERDICT = "mean", "median", "zscore", "majority", "counts", "verdict"
METHODS = (MEAN, MEDIAN, ZSCORE, MAJORITY, *MODELS, COUNTS, BY_VERDICT)
NAMED = 3
"""How many units a remark names."""
MOST_LABELS = 21
"""A model learns a table of errors; scales with more points than this (sliders) are for mean and median."""


@attrs.frozen
class GoldRow:
    """The gold of one unit and question. ``of`` says of what a verdict is: one judgement or the item.

    ``none_simpler`` is how many found no simpler word; None where that is no answer. ``converged`` is whether the model
    that concluded it has; None where no model did.
    """

    unit: Unit
    question: str
    method: str
    gold: Gold
    counted: tuple[Counted, ...] = ()
    of: str = ""
    none_simpler: int | None = None
    converged: bool | None = None


class Weighed(NamedTuple):
    """What a method says of a rater: a weight and what it means (or, of z-scores, the mean they were centred at)."""

    question: str
    rater: str
    weight: Statistic
    meaning: str
    answers: int


class Model(NamedTuple):
    """How the model of one question was fitted, and what is to be said against it."""

    question: str
    method: str
    fitted: Fitted

    @property
    def doubts(self) -> list[str]:
        """That it has not converged, that it asks for more than the answers can tell; nothing if all is well."""
        rounds = f"{self.method} has not converged in {self.fitted.iterations:,} rounds; --iterations gives it more"
        found = [*([] if self.fitted.converged else [rounds]), self.fitted.warning]
        return [f"{self.question}: {text}" for text in found if text]


@attrs.frozen
class Aggregation:
    """Gold rows by question and unit, raters and models, what was decided, and the signature."""

    rows: tuple[GoldRow, ...]
    raters: tuple[Weighed, ...]
    models: tuple[Model, ...]
    remarks: tuple[str, ...]
    signature: str


def usual_method(criterion: Criterion) -> str:
    """The way in which answers of this kind are put together unless another is asked for; empty for free texts."""
    if criterion.kind == SCALE:
        return MEAN if criterion.numeric else MAJORITY
    kinds = {YES_NO: MAJORITY, CHOICE: MAJORITY, VERDICT: BY_VERDICT, CHOICES: COUNTS, WORDS: COUNTS}
    return kinds.get(criterion.kind, "")


def fits(method: str, criterion: Criterion) -> bool:
    """Whether answers of this kind can be put together so."""
    single = criterion.kind in (SCALE, YES_NO, CHOICE, VERDICT)
    few = len(criterion.values) <= MOST_LABELS and (bool(criterion.values) or criterion.level == ORDINAL)
    match method:
        case "mean" | "median" | "zscore":
            return usual_method(criterion) == MEAN
        case "majority":
            return single
        case "counts":
            return criterion.kind in (CHOICES, WORDS)
        case "verdict":
            return criterion.kind == VERDICT
    return single and (few or criterion.kind != SCALE)


def aggregate(
    ratings: Ratings,
    method: str = "",
    *,
    ties: str = NONE,
    seed: int = 0,
    iterations: int = ITERATIONS,
    verdicts: Collection[str] = (),
    tell: Callable[[str], None] | None = None,
) -> Aggregation:
    """The gold of every question that the method fits; without a method, of each question in its usual way.

    ``iterations`` is how many rounds a model has to converge; ``verdicts`` are those of items that are wanted, all if
    none is named; ``tell`` hears which question is next. Raises InputError
    if the method fits no question.
    """
    if method and method not in METHODS:
        raise wrong(f"there is no method {method!r}", "method", f"Use one of {', '.join(METHODS)}.", value=method)
    chosen = [(criterion, _method_of(criterion, method)) for criterion in ratings.criteria]
    items = ratings.protocol is not None and any(verdict.of_item for verdict in ratings.protocol.verdicts)
    decided = items and method in ("", BY_VERDICT)
    if not decided and not any(way for _, way in chosen):
        kinds = ", ".join(f"{criterion.id} ({criterion.kind})" for criterion in ratings.criteria)
        fix = "Leave --method out, or take another." if method else "Ask for questions with answers."
        if method in MODELS:
            fix = f"Models are for labels, and for scales of at most {MOST_LABELS} points. {fix}"
        raise wrong(f"{method or 'aggregation'} fits none of the questions: {kinds}", "method", fix, value=method)
    rows: list[GoldRow] = []
    raters: list[Weighed] = []
    models: list[Model] = []
    remarks = _said(chosen, method)
    for criterion, way in chosen:
        if way:
            if tell:
                tell(criterion.id)
            found = _aggregate_one(ratings, criterion, way, ties, seed, iterations)
            rows += found.rows
            raters += found.raters
            models += found.models
            remarks += [*found.remarks, *_unanswered(ratings, criterion, found.rows)]
    if decided:
        rows += [
            GoldRow(unit, name, BY_VERDICT, gold, of="item")
            for unit, name, gold in of_items(ratings)
            if not verdicts or name in verdicts
        ]
    used = {way for _, way in chosen}
    signed = ratings.sign(
        aggregate=method or "by kind",
        ties=ties if MAJORITY in used else "",
        seed=seed if "mace" in used or (ties == RANDOM and MAJORITY in used) else "",
        smoothing="{:g}+{:g}".format(*SMOOTHING) if DAWID_SKENE in used else "",
        iterations=iterations if used.intersection(MODELS) and iterations != ITERATIONS else "",
    )
    return Aggregation(tuple(rows), tuple(raters), tuple(models), tuple(remarks), signed)


def _unanswered(ratings: Ratings, criterion: Criterion, rows: Sequence[GoldRow]) -> list[str]:
    """Units that got no answer to a question though it applies, and so have no gold row; planted ones never have."""
    found = {row.unit.key for row in rows}
    found |= {one.unit for one in ratings.every if one.planted or one.answers.get(criterion.id) is NOT_APPLICABLE}
    none = [unit for unit in ratings.units if unit not in found]
    if not none or criterion.kind == VERDICT:
        return []
    named = first_of(none, NAMED)
    return [f"{criterion.id}: {len(none):,} of {len(ratings.units):,} units have no answer, and no row ({named})"]


def _method_of(criterion: Criterion, method: str) -> str:
    """How this question is aggregated; empty if it is not."""
    if not method:
        return usual_method(criterion)
    return method if fits(method, criterion) else ""


def _said(chosen: Sequence[tuple[Criterion, str]], method: str) -> list[str]:
    """What was decided without being asked: the usual methods, and the questions left out."""
    if method == BY_VERDICT:
        return []
    if method:
        left = [criterion.id for criterion, way in chosen if not way]
        return [f"{method} does not fit {', '.join(left)}: left out"] if left else []
    ways = [f"{criterion.id}: {way}" for criterion, way in chosen if way]
    texts = [criterion.id for criterion, way in chosen if not way]
    remarks = [f"{'; '.join(ways)} (by kind of question; --method takes another)"] if ways else []
    return [*remarks, *([f"free texts left out: {', '.join(texts)}"] if texts else [])]


@attrs.frozen
class _Found:
    rows: list[GoldRow]
    raters: list[Weighed] = attrs.field(factory=list)
    models: list[Model] = attrs.field(factory=list)
    remarks: list[str] = attrs.field(factory=list)


def _aggregate_one(
    ratings: Ratings, criterion: Criterion, method: str, ties: str, seed: int, iterations: int
) -> _Found:
    if method == COUNTS:
        return _Found(_counted(ratings, criterion))
    if method == BY_VERDICT:
        return _Found(
            [
                GoldRow(unit, criterion.id, method, gold, of="judgement")
                for unit, gold in of_judgements(ratings, criterion)
            ]
        )
    answers = coded(ratings.counted_on(criterion.id), criterion)
    if method == ZSCORE:
        return _standardised(ratings, criterion, answers)
    if method in MODELS:
        fitted = fit(method, answers, seed, iterations=iterations)
        raters = _weighed(criterion, answers, fitted.weights, WEIGHTS[method])
        model = Model(criterion.id, method, fitted)
        rows = _rows(ratings, criterion, method, answers, modelled(answers, fitted))
        rows = [attrs.evolve(row, converged=fitted.converged) for row in rows]
        return _Found(rows, raters, [model], model.doubts)
    simple: dict[str, Callable[[], list[Gold]]] = {
        MEAN: lambda: [_within(gold, criterion if ratings.protocol else None) for gold in means(answers)],
        MEDIAN: lambda: medians(answers),
        MAJORITY: lambda: majorities(answers, ties, seed),
    }
    return _Found(_rows(ratings, criterion, method, answers, simple[method]()))


def _within(gold: Gold, criterion: Criterion | None) -> Gold:
    """An interval of a mean ends where the scale does; the answers of a file do not say where that is."""
    ends = [value for value in criterion.values if isinstance(value, int | float)] if criterion else []
    if not ends or gold.low.value is None or gold.high.value is None:
        return gold
    low, high = max(gold.low.value, float(min(ends))), min(gold.high.value, float(max(ends)))
    return gold._replace(low=Statistic(low), high=Statistic(high))


def _rows(ratings: Ratings, criterion: Criterion, method: str, answers: Coded, gold: Sequence[Gold]) -> list[GoldRow]:
    return [
        GoldRow(ratings.units[str(key)], criterion.id, method, one)
        for key, one in zip(answers.units, gold, strict=True)
    ]


def _standardised(ratings: Ratings, criterion: Criterion, answers: Coded) -> _Found:
    found = z_scores(answers)
    raters = _weighed(criterion, answers, found.deviation, "standard deviation of their answers")
    flat = [one.rater for one in raters if one.weight.value is None]
    remark = f"{criterion.id}: no variation, so no z-scores: {', '.join(flat)}; their answers are left out"
    rows = _rows(ratings, criterion, ZSCORE, answers, found.gold)
    return _Found(rows, raters, remarks=[remark] if flat else [])


def _weighed(criterion: Criterion, answers: Coded, weights: Sequence[Statistic], meaning: str) -> list[Weighed]:
    numbers = [int((answers.rater == index).sum()) for index in range(len(answers.raters))]
    return [
        Weighed(criterion.id, str(rater), weight, meaning, number)
        for rater, weight, number in zip(answers.raters, weights, numbers, strict=True)
    ]


def _counted(ratings: Ratings, criterion: Criterion) -> list[GoldRow]:
    """Counts of each answer; of words, also how many found none simpler."""
    by_unit: dict[str, list[tuple[str, ...]]] = {}
    for rating in ratings.counted:
        answer = given(rating, criterion.id)
        if answer is not None:
            by_unit.setdefault(rating.unit, []).append(answer if isinstance(answer, tuple) else (str(answer),))
    rows = []
    for key, said in by_unit.items():
        counted = counts(said, compared if criterion.kind == WORDS else str)
        none = said.count(NO_SIMPLER_WORD) if criterion.blank else None
        gold = gold_of(said, counted)
        rows.append(GoldRow(ratings.units[key], criterion.id, COUNTS, gold, tuple(counted), none_simpler=none))
    return rows


GOLD_COLUMNS = (
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
RATER_COLUMNS = (
    Column("question", "question"),
    Column("rater", "rater"),
    Column("weight", "weight", DECIMAL, 3),
    Column("answers", "answers", WHOLE),
    Column("meaning", "what the weight is", TEXT),
)
MODEL_COLUMNS = (
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
    kept = [index for index, column in enumerate(GOLD_COLUMNS) if column.id not in empty]
    rows = [_row(row) for row in found.rows]
    return Table(
        "gold",
        "Gold answers",
        tuple(GOLD_COLUMNS[index] for index in kept),
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
    return Table("raters", "Raters as the method sees them", RATER_COLUMNS, rows, "", found.signature)


def models_table(found: Aggregation) -> Table:
    """How each model was fitted; what is to be said against it stands below the gold."""
    rows = tuple(
        (one.question, one.method, "yes" if one.fitted.converged else "no", *_fitted(one).values())
        for one in found.models
    )
    return Table("models", "Models as they were fitted", MODEL_COLUMNS, rows, "", found.signature)


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
