"""Token-level F1 of edit selection: what somebody marked against what people marked, by operation.

A token is what stands between spaces, in the source and in the rewrite; ``||`` is none. It carries the operations
of all edits that cover it. Constituents count under their own operation, whatever composite edit they belong to. Counts
are pooled over pairs, so that a figure of some pairs, or of a resample of them, needs no second look at the texts.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rubrica.core.edits import Edit, Span

OPERATIONS = ("deletion", "insertion", "substitution", "reorder")
EDITS, SELECTED = "operation and words", "words alone"
SCORES = (EDITS, SELECTED, *OPERATIONS)
"""What is scored: tokens with their operation, tokens whatever their operation, tokens of one operation."""

_TOKEN = re.compile(r"[^ ]+")
_SIDES = {"input_idx": "source", "output_idx": "rewrite"}
Mark = tuple[str, int, str]
"""A side, where a token starts, an operation."""


class Annotated(NamedTuple):
    """A pair as people annotated it: texts, primitive edits, and the words of structure edits."""

    source: str
    rewrite: str
    edits: tuple[Edit, ...]
    structure: tuple[Edit, ...]


def read_annotated(path: Path) -> list[Annotated]:
    """The entries of a Thresh file whose texts have no characters beyond U+FFFF, so that offsets are code points."""
    return [_annotated(entry) for entry in json.loads(path.read_text(encoding="utf-8"))]


def _annotated(entry: dict[str, Any]) -> Annotated:
    alone = [raw for raw in entry["edits"] if "constituent_edits" not in raw]
    inside = [(raw, part) for raw in entry["edits"] for part in raw.get("constituent_edits", ())]
    return Annotated(
        entry["source"],
        entry["target"],
        tuple(_edit(raw) for raw in [*alone, *(part for _, part in inside)]),
        tuple(_edit(part) for raw, part in inside if raw["category"] == "structure"),
    )


def _edit(raw: dict[str, Any]) -> Edit:
    spans = {side: tuple(Span(*pair) for pair in raw.get(key) or ()) for key, side in _SIDES.items()}
    return Edit(str(raw["id"]), raw["category"], **spans)


def marks(source: str, rewrite: str, edits: Iterable[Edit]) -> set[Mark]:
    """The tokens that edits cover, with their operations; composite edits have no words of their own."""
    return {
        (side, token.start(), edit.operation)
        for side, text in (("source", source), ("rewrite", rewrite))
        for token in _TOKEN.finditer(text)
        if token[0] != "||"
        for edit in edits
        if any(span.start < token.end() and token.start() < span.end for span in edit.spans(side))
    }


def counts(people: set[Mark], machine: set[Mark]) -> dict[str, Counter[str]]:
    """Hits, false alarms and misses for each score, of one pair."""
    views: dict[str, Callable[[set[Mark]], set[Any]]] = {
        EDITS: lambda found: found,
        SELECTED: lambda found: {mark[:2] for mark in found},
        **{name: lambda found, name=name: {mark for mark in found if mark[2] == name} for name in OPERATIONS},
    }
    scored = {}
    for name, view in views.items():
        wanted, given = view(people), view(machine)
        scored[name] = Counter(hit=len(wanted & given), false=len(given - wanted), missed=len(wanted - given))
    return scored


def f1(pairs: Sequence[dict[str, Counter[str]]], score: str) -> float:
    """F1 over the pooled counts of pairs, in percent; 0 if nothing was hit."""
    total: Counter[str] = sum((pair[score] for pair in pairs), Counter())
    return 200 * total["hit"] / (2 * total["hit"] + total["false"] + total["missed"]) if total["hit"] else 0.0


def lead(
    ours: Sequence[dict[str, Counter[str]]], theirs: Sequence[dict[str, Counter[str]]], score: str, seed: int = 0
) -> tuple[float, float]:
    """The 95 % interval of the difference in F1, from 2,000 resamples of the pairs."""
    generator = random.Random(seed)
    indices = range(len(ours))
    differences = []
    for _ in range(2000):
        chosen = generator.choices(indices, k=len(ours))
        differences.append(f1([ours[at] for at in chosen], score) - f1([theirs[at] for at in chosen], score))
    differences.sort()
    return differences[50], differences[-51]
