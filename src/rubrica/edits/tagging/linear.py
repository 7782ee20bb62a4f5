"""The light model: multinomial logistic regression, a weight for each feature and tag.

It is kept as JSON: readable, and safe to load from others, since nothing in it is ever run. Tagging needs no library.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from rubrica.core.edits import SIDES, Span
from rubrica.edits.space_tokens import space_tokens
from rubrica.edits.tagging.features import FEATURES, Features, features
from rubrica.edits.tagging.tags import TAGS, Pair, Tagged, TaggedToken

FORMAT = "rubrica word tags"
VERSION = 1


@attrs.frozen
class LinearTagger:
    """Weights by feature, in the order of ``TAGS``; ``trained`` says on what, for the reader of the file."""

    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]
    trained: Mapping[str, Any] = attrs.field(factory=dict)

    @property
    def name(self) -> str:
        """``linear`` and the beginning of the digest of the model."""
        return f"linear-{hashlib.sha256(to_json(self).encode()).hexdigest()[:12]}"

    def tag(self, pairs: Sequence[Pair]) -> Iterator[Tagged]:
        """The tags of each pair: the likeliest one, the better of equals."""
        for pair in pairs:
            seen = features(pair)
            yield {
                side: tuple(
                    _tagged(span, self.likely(found))
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


def _tagged(span: Span, likely: dict[str, float]) -> TaggedToken:
    return TaggedToken(span, max(reversed(TAGS), key=likely.__getitem__), likely)


def to_json(model: LinearTagger) -> str:
    """The model as the text of its file."""
    record = {
        "format": FORMAT,
        "version": VERSION,
        "tags": TAGS,
        "features": FEATURES,
        "trained": dict(model.trained),
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
    return LinearTagger(_numbers(data.get("bias")), {name: _numbers(row) for name, row in weights.items()}, trained)


def _numbers(value: Any) -> tuple[float, ...]:
    fine = isinstance(value, list) and len(value) == len(TAGS)
    if not fine or not all(type(number) in (int, float) and math.isfinite(number) for number in value):
        raise ValueError(f"weights are {len(TAGS)} numbers each, not {json.dumps(value)[:60]}")
    return tuple(float(number) for number in value)
