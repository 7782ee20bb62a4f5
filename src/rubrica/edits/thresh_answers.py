"""SALSA's answers as Thresh files have them, in the words of our own protocol, so that one typology serves both.

Thresh nests a follow-up under the option that was chosen: ``{"val": "same", "same": {"val": "good", "good": "a
lot"}}``. Our protocol is flat: ``information: same``, ``paraphrase_impact: positive``, ``efficacy: 3``. What a file
leaves open stays open here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rubrica.core.answers import Answer
from rubrica.edits.typology import INFORMATION

RATING_WORDS = {"minor": 1, "somewhat": 2, "a lot": 3, "very": 3}
IMPACTS = {"good": "positive", "trivial": "no_impact", "bad": "negative"}
LEVELS = {"word_level": "word", "component_level": "component"}
STRUCTURES = {"pos": "part_of_speech", "grammar_number": "grammatical_number"}
MISSPELT = {"facutal_error": "factual_error", "factual": "factual_error", "hallucination": "factual_error"}
"""How published files spell a factual error."""
GOOD = ("good_deletion", "elaboration", "good")

Flat = dict[str, Answer]


class _Chosen(NamedTuple):
    """An option, and what was answered below it."""

    option: str
    below: Any = None


def flat_answers(operation: str, annotation: Mapping[str, Any]) -> Flat:
    """The answers of one edit; questions that SALSA does not have keep their names and options."""
    answers: Flat = {"information": INFORMATION[operation]} if operation in INFORMATION else {}
    for question, value in annotation.items():
        chosen = _chosen(value)
        if chosen is None:
            continue
        match question:
            case "deletion_type":
                answers |= _lost(chosen)
            case "insertion_type":
                answers |= _added(chosen)
            case "substitution_info_change":
                answers |= _substituted(chosen)
            case "reorder_level":
                answers |= {"reorder_level": LEVELS.get(chosen.option, chosen.option)} | _effect(chosen.below, "impact")
            case "impact":
                answers |= _effect(value, "impact")
            case "structure_type":
                answers[question] = STRUCTURES.get(chosen.option, chosen.option)
            case _:
                answers[question] = chosen.option
    return answers


def _chosen(value: Any) -> _Chosen | None:
    """An answer is an option, or an object with the option under ``val`` and its follow-up under the option's name."""
    if isinstance(value, str):
        return _Chosen(value) if value else None
    if isinstance(value, Mapping) and isinstance(value.get("val"), str) and value["val"]:
        return _Chosen(value["val"], value.get(value["val"]))
    return None


def _rated(option: str, rating: Any) -> Flat:
    """The rating below an option: how much it helps for good ones, how much it harms for all others."""
    chosen = _chosen(rating)
    points = RATING_WORDS.get(chosen.option) if chosen else None
    return {} if points is None else {"efficacy" if option in GOOD else "severity": points}


def _lost(chosen: _Chosen) -> Flat:
    return {"deletion_type": chosen.option, **_rated(chosen.option, chosen.below)}


def _added(chosen: _Chosen) -> Flat:
    kind = MISSPELT.get(chosen.option, chosen.option)
    if kind != "trivial_insertion":
        return {"insertion_type": kind, **_rated(kind, chosen.below)}
    helps = _chosen(chosen.below)
    if helps is None:
        return {"insertion_type": kind}
    rated = _rated("good", helps.below) if helps.option == "yes" else {}
    return {"insertion_type": kind, "trivial_helps": helps.option, **rated}


def _substituted(chosen: _Chosen) -> Flat:
    answers: Flat = {"information": chosen.option}
    below = _chosen(chosen.below)
    if below is None:
        return answers
    match chosen.option:
        case "less":
            return answers | _lost(below)
        case "more":
            return answers | _added(below)
        case "same":
            return answers | _effect(chosen.below, "paraphrase_impact")
    return answers | _rated(chosen.option, chosen.below)


def _effect(value: Any, question: str) -> Flat:
    chosen = _chosen(value)
    if chosen is None:
        return {}
    rated = {} if chosen.option == "trivial" else _rated(chosen.option, chosen.below)
    return {question: IMPACTS.get(chosen.option, chosen.option), **rated}
