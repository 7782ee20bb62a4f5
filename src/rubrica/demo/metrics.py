"""Metrics of demo studies: two that need no reference, beside the simulated annotators."""

from __future__ import annotations

from datetime import datetime

from rubrica.core.protocol import Protocol
from rubrica.demo.simulated_work import ACTOR
from rubrica.exchange.corpus_rows import without_marks
from rubrica.store import models
from rubrica.store.corpus import study_corpus
from rubrica.store.metric_annotators import Counts, Measured, register_all

METRICS = ("levenshtein_similarity", "compression_ratio")
SYSTEM = "demo"
"""The one system of a block in which every rewrite is a sentence of its own."""


def measure(study: models.Study, protocol: Protocol, now: datetime) -> None:
    """Register the metrics, where whole sentences are rewritten. What computes is loaded here, not with the studio."""
    roles = {field.role for field in protocol.fields}
    if "rewrite" not in roles or "target" in roles:
        return
    from rubrica.metrics.block import Block
    from rubrica.metrics.catalog import metrics_of
    from rubrica.metrics.options import Options
    from rubrica.metrics.signing import settings_of

    rows = study_corpus(study)
    # As `rubrica score` reads them, so that registering the same metrics again finds the same values.
    rewrites = [without_marks(row.rewrite) for row in rows]
    block = Block(0, [row.source for row in rows], [row.references for row in rows], {SYSTEM: rewrites})
    measured = []
    for metric in metrics_of(METRICS, Options()):
        statistics = metric.statistics(block, SYSTEM)
        scores = metric.sentence_scores(statistics)
        counts = Counts(metric.name, {}, {row.id: own.tolist() for row, own in zip(rows, statistics, strict=True)}, {})
        for place, figure in enumerate(metric.figures):
            values = {row.id: float(value) for row, value in zip(rows, scores[:, place], strict=True)}
            measured.append(Measured(figure, settings_of(metric), values, counts))
    register_all(study, measured, now, actor=ACTOR)
