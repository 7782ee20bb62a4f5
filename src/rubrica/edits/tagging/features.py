"""What can be seen of a word without asking anybody: the edit that is suggested there, and a few signs of it.

A model that knows the suggested edits starts where a plain comparison of words ends. The features are names with a
number, most of them 1; each is named by the side and the operation, so that a linear model weighs them apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rubrica.core.edits import SIDES, Span
from rubrica.edits.annotated import WholeEdit, whole_edits
from rubrica.edits.space_tokens import space_tokens
from rubrica.edits.suggesting.suggest import VERSION as SUGGESTED
from rubrica.edits.suggesting.suggest import suggest
from rubrica.edits.tagging.tags import Pair

FEATURES = f"1+{SUGGESTED}"
"""Which features these are: a model works with those that it was trained on."""
KEPT = "kept"
BIAS = "bias"
"""The feature that every word of its side and operation has."""

Features = dict[str, float]


def features(pair: Pair) -> Mapping[str, list[Features]]:
    """The features of every token, by side."""
    edits = whole_edits(suggest(pair.source, pair.rewrite, pair.language))
    tokens = {side: space_tokens(pair.text(side)) for side in SIDES}
    sizes = {side: [_touched(tokens[side], whole.spans(side)) for whole in edits] for side in SIDES}
    ratio = len(tokens["rewrite"]) / len(tokens["source"])
    return {side: _of_side(side, pair, edits, tokens[side], sizes, ratio) for side in SIDES}


def _of_side(
    side: str,
    pair: Pair,
    edits: Sequence[WholeEdit],
    tokens: Sequence[Span],
    sizes: Mapping[str, Sequence[Sequence[int]]],
    ratio: float,
) -> list[Features]:
    other = "rewrite" if side == "source" else "source"
    places = {index: number for number, touched in enumerate(sizes[side]) for index in touched}
    found = []
    for index, token in enumerate(tokens):
        number = places.get(index)
        seen = {BIAS: 1.0, **_of_word(token.of(pair.text(side)))}
        if number is None:
            seen["between"] = float(index - 1 in places and index + 1 in places)
        else:
            seen |= _of_edit(sizes[side][number], len(sizes[other][number]), len(tokens))
            seen["ratio"] = ratio
        where = f"{side}:{KEPT if number is None else edits[number].edit.operation}"
        found.append({f"{where}:{name}": value for name, value in seen.items() if value})
    return found


def _of_edit(here: Sequence[int], there: int, tokens: int) -> Features:
    return {
        "here": math.log(len(here)) / 3,
        "there": math.log(1 + there) / 3,
        "alone": float(len(here) == 1 and there < 2),
        "first": float(here[0] == 0),
        "last": float(here[-1] == tokens - 1),
    }


def _of_word(word: str) -> Features:
    return {
        "length": min(len(word), 12) / 12,
        "short": float(len(word) < 4),
        "name": float(word[:1].isupper()),
        "number": float(any(character.isdigit() for character in word)),
        "bracket": float(word.startswith("(") or word.endswith(")")),
    }


def _touched(tokens: Sequence[Span], spans: Sequence[Span]) -> list[int]:
    """The tokens that share a character with one of the spans."""
    return [
        index
        for index, token in enumerate(tokens)
        if any(span.start < token.end and token.start < span.end for span in spans)
    ]
