"""A small learned judge of cuts: how much a place in a sentence looks like those where editors of Wikipedia cut.

Linear in features of the parse and of the cut. It was trained to prefer the place of the editor's one cut to the other
places of the same sentence (a conditional logit), so that these others are never taken as bad in themselves. It finds a
cut for sentences that the rules would leave whole, and rejects proposals that are like no editor's cut. Trained by
``make splitter``; what it is worth: design/051-a-judge-of-cuts.md.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

from rubrica.language.models import unpacked
from rubrica.rewriting.split.tree import FINITE, Tree, listed

MODEL = "split_judge"
JOINING = listed(
    "and but so yet while whereas although though because since before after when where which who whom whose then "
    "however with including as"
)
"""Words at which a cut is looked for, beside signs."""
_SCOPES = listed("if unless that whether provided until except")
NEAREST = 3
"""Words that must stand on either side of a cut."""


def cut_places(tree: Tree) -> list[int]:
    """Where a sentence may be cut: at joining words, at signs before other words."""
    found = []
    for place in range(NEAREST, len(tree) - NEAREST):
        low = tree.low(place)
        if low == ";" or (low == "," and tree.low(place + 1) not in JOINING) or low in JOINING:
            found.append(place)
    return found


def features(tree: Tree, place: int) -> list[str]:
    """What the judge sees of a cut at this place, in names."""
    low, after = tree.low(place), place + 1
    comma = tree.low(place - 1) == ","
    top = _top(tree, place)
    label = tree.words[top].label if top is not None else "none"
    head = tree.words[top].head if top is not None else place
    finite = top is not None and tree.finite(top) is not None
    subject = top is not None and tree.subject(top) is not None
    at_root = head == tree.root
    kind = f"{low}{'+,' if comma else ''}"
    left, right = place, len(tree) - place
    first, second = tree.tag(after), tree.tag(after + 1)
    scope = any(tree.low(at) in _SCOPES for at in range(place))
    verbs = sum(tree.tag(at) in FINITE for at in range(place, len(tree)))
    before = sum(tree.tag(at) in FINITE for at in range(place))
    crossing = sum(tree.words[at].head >= place for at in range(place))
    clause = f"{'f' if finite else '-'}{'s' if subject else '-'}{'r' if at_root else '-'}"
    deep = _depth(tree, head)
    return [
        f"cue={kind}",
        f"cue={kind} label={label}",
        f"cue={low} clause={clause}",
        f"cue={kind} next={first}",
        f"cue={low} next={first} {second}",
        f"cue={low} word={tree.low(after)}",
        f"cue={low} before={tree.tag(place - 2 if comma else place - 1)}",
        f"label={label} clause={clause}",
        f"verbs={min(verbs, 2)},{min(before, 2)} cue={low}",
        f"left={min(left // 4, 8)}",
        f"right={min(right // 4, 8)}",
        f"middle={int(6 * place / len(tree))}",
        f"crossing={min(crossing, 3)}",
        f"scope={scope}",
        f"deep={deep} cue={low}",
        f"rootleft={tree.root < place} cue={low}",
    ]


def _top(tree: Tree, place: int) -> int | None:
    """The outermost word to the right of a cut that hangs on a word to its left and has the cut's word under it."""
    found, at = None, place
    while True:
        head = tree.words[at].head
        if head < place <= at:
            found = at
        if head == at:
            return found
        at = head


def _depth(tree: Tree, place: int) -> int:
    steps = 0
    while tree.words[place].head != place and steps < 4:
        place, steps = tree.words[place].head, steps + 1
    return steps


@lru_cache(maxsize=1)
def _weights() -> dict[str, float]:
    weights: dict[str, float] = json.loads(unpacked(MODEL))
    return weights


def score(tree: Tree, place: int, weights: dict[str, float] | None = None) -> float:
    """How good a cut at this place is, in logits: only differences mean something, best within a sentence."""
    known = _weights() if weights is None else weights
    return sum(known.get(name, 0.0) for name in features(tree, place))


def ranked(tree: Tree, places: Sequence[int]) -> list[tuple[float, int]]:
    """Places with their scores, the best first."""
    return sorted(((score(tree, place), place) for place in places), reverse=True)
