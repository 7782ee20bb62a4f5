"""Which metrics there are, by the names under which they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from rubrica.core.errors import InputError, Problem
from rubrica.core.text_helpers import did_you_mean
from rubrica.metrics.metric import Metric
from rubrica.metrics.options import Options
from rubrica.metrics.readability import FORMULAS, expanded, formulas_for

WHERE = {
    "sari": "sari:Sari",
    "sent_sari": "sari:SentenceSari",
    "bleu": "bleu:Bleu",
    "bleu_lc": "bleu:LowercasedBleu",
    "sent_bleu": "bleu:SentenceBleu",
    "chrf": "chrf:Chrf",
    "chrfpp": "chrf:ChrfPlusPlus",
    "ter": "ter:Ter",
    "token_f1": "token_f1:TokenF1",
    "compression_ratio": "compression:CompressionRatio",
    "sentence_splits": "sentence_splits:SentenceSplits",
    "levenshtein_similarity": "levenshtein:LevenshteinSimilarity",
    "exact_copies": "exact_copies:ExactCopies",
    "additions": "additions_deletions:Additions",
    "deletions": "additions_deletions:Deletions",
    "words_kept": "words_kept:WordsKept",
    "lexical_complexity": "lexical_complexity:LexicalComplexity",
    "dependency_depth": "dependency_depth:DependencyDepth",
    **{name: formula.where for name, formula in FORMULAS.items()},
    "embedding_similarity": "learned.embedding:EmbeddingSimilarity",
    "bertscore": "learned.bertscore:BertScore",
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
