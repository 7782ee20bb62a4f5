"""Lemmas as rules that make them of words: how many signs of the end go, and what comes instead.

A rule is told as ``keep|2|y`` (*Studies* has the lemma *Study*) or ``lower|2|y`` (*study*), and learned as a class.
"""

from __future__ import annotations

from itertools import takewhile


def rule(word: str, lemma: str) -> str:
    """The rule that makes the lemma of the word."""
    case = "lower" if lemma == lemma.lower() else "keep"
    begun = _cased(word, case)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(begun, lemma, strict=False)))
    return f"{case}|{len(begun) - same}|{lemma[same:]}"


def applied(told: str, word: str) -> str:
    """The lemma that a rule makes of a word; the word itself where it is too short for the rule."""
    case, gone, end = told.split("|", 2)
    begun = _cased(word, case)
    return begun[: len(begun) - int(gone)] + end if int(gone) <= len(begun) else begun


def _cased(word: str, case: str) -> str:
    return word.lower() if case == "lower" else word
