"""Scoring the items of a study one by one, to register metrics as annotators: a block of items at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from rubrica.core.errors import wrong
from rubrica.core.signature import signature
from rubrica.store import models
from rubrica.store.corpus import study_corpus
from rubrica.store.metric_annotators import Registered, register

if TYPE_CHECKING:
    from rubrica.exchange.corpus_rows import CorpusRow
    from rubrica.metrics.metric import Figure, Metric

BLOCK = 1000
OWN = ""
"""The one system of a block in which every item is a sentence of its own."""

Values = dict[str, float | None]


def register_metrics(
    study: models.Study,
    metrics: Sequence[Metric],
    now: datetime,
    *,
    actor: str = "",
    parts: bool = False,
    tell: Callable[[int], None] | None = None,
) -> list[Registered]:
    """Score every rewrite of the study alone and register the figures; with ``parts``, also parts such as SARI's.

    ``tell`` hears how many items are scored. All or nothing. Raises InputError if the study has no rewrites of items,
    or no references for a metric that needs some; items without any have no number then.
    """
    rows = study_corpus(study)
    _refuse_answers(study, rows)
    found: list[tuple[Metric, Figure, Values]] = [
        (metric, figure, {}) for metric in metrics for figure in metric.figures if parts or not figure.part
    ]
    done = 0
    for some in _blocks(rows):
        for metric in metrics:
            _score(metric, some, {figure.key: values for own, figure, values in found if own is metric})
        done += len(some)
        if tell:
            tell(done)
    with transaction.atomic():
        return [
            register(study, figure, settings_signature(metric), values, now, actor=actor)
            for metric, figure, values in found
        ]


def settings_signature(metric: Metric) -> str:
    """What the numbers of a metric depend on: its settings and the version of Rubrica, not who asked for what else."""
    return signature({"metric": metric.name, **metric.settings()})


def _refuse_answers(study: models.Study, rows: Sequence[CorpusRow]) -> None:
    """Rewrites that are answers of this study cannot be judged in it, so nobody stands beside a metric."""
    known = set(study.items.values_list("key", flat=True))
    if rows and not any(row.id in known for row in rows):
        raise wrong(
            f"the rewrites of {study.name!r} are answers of its writers, not items that people judge",
            "rewrite",
            "Register metrics in the study in which these rewrites are rated.",
            value=study.name,
        )


def _blocks(rows: Sequence[CorpusRow]) -> Iterator[Sequence[CorpusRow]]:
    return (rows[start : start + BLOCK] for start in range(0, len(rows), BLOCK))


def _score(metric: Metric, rows: Sequence[CorpusRow], into: dict[str, Values]) -> None:
    """Add the figures of these rows; a metric that compares with references passes over rows that have none."""
    from rubrica.metrics.block import Block

    chosen = [row for row in rows if row.references] if metric.needs_references else rows
    if not chosen:
        return
    block = Block(
        0,
        [row.source for row in chosen],
        [row.references for row in chosen],
        {OWN: [row.rewrite for row in chosen]},
        [row.id for row in chosen],
    )
    scores = metric.sentence_scores(metric.statistics(block, OWN))
    for column, figure in enumerate(metric.figures):
        if figure.key in into:
            into[figure.key].update(
                (row.id, float(value)) for row, value in zip(chosen, scores[:, column], strict=True)
            )
