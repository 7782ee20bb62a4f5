"""The light model: what can be seen of a word, and a weight for each feature and tag.

What can be seen of a word without asking anybody: the edit that is suggested there, and a few signs of it. A model
that knows the suggested edits starts where a plain comparison of words ends. The features are names with a number,
most of them 1; each is named by the side and the operation, so that a linear model weighs them apart.

The light model: multinomial logistic regression, a weight for each feature and tag. It is kept as JSON: readable, and
safe to load from others, since nothing in it is ever run. Tagging needs no library.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from rubrica.core.edits import SIDES, Span
from rubrica.edits.annotated import WholeEdit, whole_edits
from rubrica.edits.selection import space_tokens
from rubrica.edits.suggesting.suggest import VERSION as SUGGESTED
from rubrica.edits.suggesting.suggest import suggest
from rubrica.edits.tagging.tags import BAD, GOOD, OK, TAGS, Pair, Tagged, TaggedToken

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


FORMAT = "rubrica word tags"
VERSION = 2


@attrs.frozen
class LinearTagger:
    """Weights by feature, in the order of ``TAGS``; ``trained`` says on what, for the reader of the file.

    Errors are rare, so *bad* is hardly ever the likeliest tag. A word is tagged bad from the likelihood ``bad_from``
    on, at which training was right often enough on sentences that it had not seen; without one, no word is.
    """

    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]
    trained: Mapping[str, Any] = attrs.field(factory=dict)
    bad_from: float | None = None

    @property
    def name(self) -> str:
        """``linear`` and the beginning of the digest of the model."""
        return f"linear-{hashlib.sha256(to_json(self).encode()).hexdigest()[:12]}"

    @property
    def on_bad_words(self) -> str:
        """What it is worth that a word is tagged bad, or that none is."""
        measured = self.trained.get("bad") or {}
        if self.bad_from is None or not measured.get("precision"):
            return (
                "it tags no word as bad: on unseen sentences it could not tell them well enough, so none means nothing"
            )
        return (
            f"words tagged bad were bad in {measured['precision']:.0%} of cases on unseen sentences, and "
            f"{measured['recall']:.0%} of the bad words were found"
        )

    def tag(self, pairs: Sequence[Pair]) -> Iterator[Tagged]:
        """The tags of each pair: bad where that is likely enough, else the likelier of the others."""
        for pair in pairs:
            seen = features(pair)
            yield {
                side: tuple(
                    TaggedToken(span, self.decide(likely := self.likely(found)), likely)
                    for span, found in zip(space_tokens(pair.text(side)), seen[side], strict=True)
                )
                for side in SIDES
            }

    def likely(self, seen: Features) -> dict[str, float]:
        """How likely each tag is; features that training never met count for nothing."""
        sums = list(self.bias)
        for name, value in seen.items():
            for index, weight in enumerate(self.weights.get(name, ())):
                sums[index] += weight * value
        highest = max(sums)
        powers = [math.exp(number - highest) for number in sums]
        return {tag: power / sum(powers) for tag, power in zip(TAGS, powers, strict=True)}

    def decide(self, likely: Mapping[str, float]) -> str:
        """The tag of a word; the better of equals."""
        if self.bad_from is not None and likely[BAD] >= self.bad_from:
            return BAD
        return max((GOOD, OK), key=likely.__getitem__)


def to_json(model: LinearTagger) -> str:
    """The model as the text of its file."""
    record = {
        "format": FORMAT,
        "version": VERSION,
        "tags": TAGS,
        "features": FEATURES,
        "trained": dict(model.trained),
        "bad_from": model.bad_from,
        "bias": model.bias,
        "weights": dict(sorted(model.weights.items())),
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def from_json(data: Any) -> LinearTagger:
    """The model of a parsed file. Raises ValueError, in words, for whatever is no model of this version."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"it does not say that its format is {FORMAT!r}")
    if data.get("version") != VERSION or data.get("tags") != list(TAGS):
        raise ValueError(f"it is of version {data.get('version')!r}, this is version {VERSION}")
    if data.get("features") != FEATURES:
        raise ValueError(f"it was trained on features {data.get('features')!r}, these are {FEATURES!r}; train it again")
    weights, trained = data.get("weights"), data.get("trained")
    if not isinstance(weights, dict) or not isinstance(trained, dict):
        raise ValueError("weights or what it was trained on are missing")
    bad_from = data.get("bad_from")
    if bad_from is not None and (type(bad_from) not in (int, float) or not 0 <= bad_from <= 1):
        raise ValueError(f"bad_from is a likelihood from 0 to 1, not {json.dumps(bad_from)[:60]}")
    rows = {name: _numbers(row) for name, row in weights.items()}
    return LinearTagger(_numbers(data.get("bias")), rows, trained, bad_from)


def _numbers(value: Any) -> tuple[float, ...]:
    fine = isinstance(value, list) and len(value) == len(TAGS)
    if not fine or not all(type(number) in (int, float) and math.isfinite(number) for number in value):
        raise ValueError(f"weights are {len(TAGS)} numbers each, not {json.dumps(value)[:60]}")
    return tuple(float(number) for number in value)
