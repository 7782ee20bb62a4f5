"""Which metrics there are, by the names under which they are asked for.

Figures of systems made again of the counts of items that were kept (design/012): as a registered metric has them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from rubrica.core.errors import InputError, Problem
from rubrica.core.text_helpers import did_you_mean
from rubrica.metrics.metric import Figure, Metric, Options
from rubrica.metrics.readability import FORMULAS, expanded, formulas_for
from rubrica.stats.statistic import Statistic

WHERE = {
    "sari": "sari:Sari",
    "sent_sari": "sari:SentenceSari",
    "bleu": "reference_metrics:Bleu",
    "bleu_lc": "reference_metrics:LowercasedBleu",
    "sent_bleu": "reference_metrics:SentenceBleu",
    "chrf": "reference_metrics:Chrf",
    "chrfpp": "reference_metrics:ChrfPlusPlus",
    "ter": "reference_metrics:Ter",
    "token_f1": "reference_metrics:TokenF1",
    "compression_ratio": "source_metrics:CompressionRatio",
    "sentence_splits": "source_metrics:SentenceSplits",
    "levenshtein_similarity": "source_metrics:LevenshteinSimilarity",
    "exact_copies": "source_metrics:ExactCopies",
    "additions": "source_metrics:Additions",
    "deletions": "source_metrics:Deletions",
    "words_kept": "source_metrics:WordsKept",
    "lexical_complexity": "source_metrics:LexicalComplexity",
    "dependency_depth": "source_metrics:DependencyDepth",
    **{name: formula.where for name, formula in FORMULAS.items()},
    "embedding_similarity": "learned.embeddings:EmbeddingSimilarity",
    "bertscore": "learned.embeddings:BertScore",
    "lens": "learned.lens:Lens",
    "lens_salsa": "learned.lens:LensSalsa",
}
"""The module and class of each metric; a class is made with :class:`Options`, and loaded only if it is asked for."""

WITH_REFERENCES = ("sari", "bleu")
WITH_SOURCES = ("compression_ratio", "sentence_splits", "levenshtein_similarity", "exact_copies")
LEARNED = tuple(name for name, where in WHERE.items() if where.startswith("learned."))
"""Metrics that are models; ``all`` leaves them out."""
HEAVY = ("lexical_complexity", "dependency_depth", "ter")
"""What ``all`` leaves out: metrics that need an extra or much time."""


def usual(language: str, sources: bool, references: bool) -> list[str]:
    """The metrics of a plain ``rubrica score``: those of the field that can be computed, and the language's formula."""
    formulas = formulas_for(language)[:1]
    found = [*(WITH_REFERENCES if sources else WITH_REFERENCES[1:])] if references else []
    return [*found, *formulas, *(WITH_SOURCES if sources else ())]


def metrics_of(names: Iterable[str], options: Options) -> list[Metric]:
    """The metrics with these names, each once, in this order.

    ``readability`` stands for the formulas of the language, ``all`` for everything that is light. Raises InputError
    naming those, and the options, that do not exist; otherwise everything that is missing for those that do.
    """
    every = [one for name in names for one in (_light(options.language) if name == "all" else [name])]
    wanted = list(dict.fromkeys(one for name in every for one in expanded(name, options.language)))
    unknown = [name for name in wanted if name not in WHERE]
    without_model = [name for name in options.models if name not in LEARNED]
    problems = [*map(_unknown, unknown), *map(_without_model, without_model), *options.problems()]
    if problems:
        raise InputError(*problems)
    found: list[Metric] = []
    for name in wanted:
        try:
            found.append(_made(name, options))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(*problems)
    return found


def _light(language: str) -> list[str]:
    suitable = formulas_for(language)
    return [name for name in WHERE if (name in suitable if name in FORMULAS else name not in (*HEAVY, *LEARNED))]


def _made(name: str, options: Options) -> Metric:
    module, kind = WHERE[name].split(":")
    found: Metric = getattr(import_module(f"rubrica.metrics.{module}"), kind)(options)
    return found


def _unknown(name: str) -> Problem:
    fix = did_you_mean(name, WHERE, f"Use some of {', '.join(WHERE)}.")
    return Problem(what=f"there is no metric {name!r}", rule="metric", value=name, fix=fix)


def _without_model(name: str) -> Problem:
    fix = f"Only {', '.join(LEARNED)} have one."
    return Problem(what=f"a model is given for {name!r}, which has none", rule="model", value=name, fix=fix)


WITHOUT_COUNTS = "it was registered without its counts: register it again"
Rows = Sequence[Sequence[float] | None]


class Counts(NamedTuple):
    """What figures of systems follow from: a metric with its options, and by item its row and left-out references.

    Corpus BLEU is no mean of the BLEU of sentences: it follows from sums of their counts (design/012).
    """

    metric: str
    options: Mapping[str, object]
    rows: Mapping[str, Sequence[float]]
    left_out: Mapping[str, int]

    def kept(self, key: str) -> dict[str, Any]:
        """What is kept of an item beside its number."""
        return {"statistics": self.rows.get(key), "left_out": self.left_out.get(key, 0)}


class Measured(NamedTuple):
    """A figure to be registered: under which settings, and its numbers by the keys of items; None is undefined."""

    figure: Figure
    signature: str
    values: Mapping[str, float | None]
    counts: Counts | None = None


def figure_maker(metric: str, options: Mapping[str, Any], figure: str) -> Callable[[Rows], Statistic]:
    """What makes this figure of the counts of items, added up.

    Undefined, with the reason, where counts were not kept or the metric cannot be made here.
    """
    try:
        found = metrics_of([metric], Options(**options))[0] if metric else None
    except InputError as error:
        reason = error.problems[0].what
        return lambda rows: Statistic(None, reason if all(rows) else WITHOUT_COUNTS)
    if found is None:
        return lambda rows: Statistic(None, WITHOUT_COUNTS)
    place = [one.key for one in found.figures].index(figure)

    def made(rows: Rows) -> Statistic:
        if not all(rows):
            return Statistic(None, WITHOUT_COUNTS)
        value = float(found.scores(np.array(rows, dtype=float).sum(axis=0))[place])
        return Statistic(None, found.undefined) if math.isnan(value) else Statistic(value)

    return made
