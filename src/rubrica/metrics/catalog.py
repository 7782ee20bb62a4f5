"""Which metrics there are, by the names under which they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module

from rubrica.core.errors import InputError, Problem
from rubrica.metrics.metric import Metric
from rubrica.metrics.options import Options

WHERE = {
    "sari": "sari:Sari",
    "sent_sari": "sari:SentenceSari",
    "bleu": "bleu:Bleu",
    "sent_bleu": "bleu:SentenceBleu",
    "chrf": "chrf:Chrf",
    "chrfpp": "chrf:ChrfPlusPlus",
    "ter": "ter:Ter",
    "token_f1": "token_f1:TokenF1",
}
"""The module and class of each metric; a class is made with :class:`Options`, and loaded only if it is asked for."""

DEFAULT = ("sari", "bleu")
"""The metrics of a plain ``rubrica score``, where there are references."""


def metrics_of(names: Iterable[str], options: Options) -> list[Metric]:
    """The metrics with these names, each once, in this order. Raises InputError naming those that do not exist."""
    wanted = list(dict.fromkeys(names))
    unknown = [name for name in wanted if name not in WHERE]
    if unknown:
        raise InputError(*map(_unknown, unknown))
    return [_made(name, options) for name in wanted]


def _made(name: str, options: Options) -> Metric:
    module, kind = WHERE[name].split(":")
    found: Metric = getattr(import_module(f"rubrica.metrics.{module}"), kind)(options)
    return found


def _unknown(name: str) -> Problem:
    near = get_close_matches(name, WHERE, 1)
    fix = f"Did you mean {near[0]}?" if near else f"Use some of {', '.join(WHERE)}."
    return Problem(what=f"there is no metric {name!r}", rule="metric", value=name, fix=fix)
