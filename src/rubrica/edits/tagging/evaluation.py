"""How good tags are: token F1 on sentences and systems that training did not see, next to two simple baselines.

*majority* gives every word the tag that most words have; *diff* gives the words that a comparison found changed the
tag that most changed words have, and the same for kept words. Counts are kept by pair, so that intervals come from a
bootstrap.

A plain comparison of the words of two texts, without case and punctuation: what the diff baseline knows.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import attrs

from rubrica.core.edits import SIDES
from rubrica.edits.selection import space_tokens
from rubrica.edits.tagging.tags import OK, TAGS, Example, Pair, Tagger

Confusion = tuple[int, ...]
"""How often each tag was given for each right tag: rows are right, in the order of ``TAGS``."""

Predict = Callable[[Sequence[Pair]], list[list[str]]]
"""The tags of all words of each pair, source first."""

Learn = Callable[[Sequence[Example]], Predict]


class Fold(NamedTuple):
    """What is trained on and what is tested; ``name`` is the system left out, or the number of the part."""

    name: str
    seen: list[Example]
    unseen: list[Example]


@attrs.frozen
class HeldOut:
    """The confusions of one way of tagging, one for each pair that was tested."""

    name: str
    confusions: tuple[Confusion, ...]


def sentence_folds(examples: Sequence[Example], parts: int, seed: int) -> list[Fold]:
    """Parts of about equal size; all pairs with the same source are in the same part."""
    sources = sorted({example.pair.source for example in examples})
    random.Random(seed).shuffle(sources)
    part = {source: index % parts for index, source in enumerate(sources)}
    return _folds(examples, [str(part[example.pair.source] + 1) for example in examples])


def system_folds(examples: Sequence[Example]) -> list[Fold]:
    """Each system left out in turn."""
    return _folds(examples, [example.pair.system or "(none)" for example in examples])


def _folds(examples: Sequence[Example], names: Sequence[str]) -> list[Fold]:
    return [
        Fold(
            chosen,
            [example for example, name in zip(examples, names, strict=True) if name != chosen],
            [example for example, name in zip(examples, names, strict=True) if name == chosen],
        )
        for chosen in sorted(set(names))
    ]


def hold_out(name: str, learn: Learn, folds: Sequence[Fold]) -> HeldOut:
    """Train on what each fold has seen, and count on what it has not. Folds that have seen nothing are left out."""
    counted = []
    for fold in folds:
        if fold.seen:
            given = learn(fold.seen)([example.pair for example in fold.unseen])
            counted += [confusion(example, tags) for example, tags in zip(fold.unseen, given, strict=True)]
    return HeldOut(name, tuple(counted))


def confusion(example: Example, given: Sequence[str]) -> Confusion:
    """Right and given tags of one pair."""
    right = [tag for side in SIDES for tag in example.tags[side]]
    counts = Counter(zip(right, given, strict=True))
    return tuple(counts[tag, other] for tag in TAGS for other in TAGS)


def f1(sums: Sequence[float], tag: str) -> float | None:
    """F1 of one tag from added confusions; None where it neither is right nor was given anywhere."""
    index, size = TAGS.index(tag), len(TAGS)
    hits = sums[index * size + index]
    right, given = sum(sums[index * size : (index + 1) * size]), sum(sums[index::size])
    return 2 * hits / (right + given) if right + given else None


def macro_f1(sums: Sequence[float]) -> float | None:
    """The mean F1 of the tags that occur."""
    found = [value for tag in TAGS if (value := f1(sums, tag)) is not None]
    return sum(found) / len(found) if found else None


def majority(examples: Sequence[Example]) -> Predict:
    """Every word gets the most frequent tag."""
    most = _most(tag for example in examples for side in SIDES for tag in example.tags[side])
    return lambda pairs: [[most] * len(changed_words(pair)) for pair in pairs]


def diff(examples: Sequence[Example]) -> Predict:
    """Changed words get the most frequent tag of changed words, kept words that of kept words."""
    tagged = [
        (changed, tag)
        for example in examples
        for changed, tag in zip(
            changed_words(example.pair), (tag for side in SIDES for tag in example.tags[side]), strict=True
        )
    ]
    most = {changed: _most(tag for here, tag in tagged if here == changed) for changed in (True, False)}
    return lambda pairs: [[most[changed] for changed in changed_words(pair)] for pair in pairs]


def predicting(tagger: Tagger) -> Predict:
    """Any tagger as a prediction."""
    return lambda pairs: [[token.tag for side in SIDES for token in found[side]] for found in tagger.tag(pairs)]


def _most(tags: Iterable[str]) -> str:
    """The most frequent tag, the better of equals; ok where there is none."""
    counts = Counter(tags)
    return max(reversed(TAGS), key=counts.__getitem__) if counts else OK


PUNCTUATION = ".,;:!?()[]{}\"'“”‘’«»…-–—"


def plain_words(text: str) -> list[str]:
    """The tokens without case and without punctuation at their ends; a sign that is nothing else stays."""
    tokens = [span.of(text) for span in space_tokens(text)]
    return [token.strip(PUNCTUATION).casefold() or token for token in tokens]


def changed_words(pair: Pair) -> list[bool]:
    """Of every token, source first, whether it has no equal in the other text."""
    source, rewrite = (plain_words(pair.text(side)) for side in SIDES)
    changed = {"source": [True] * len(source), "rewrite": [True] * len(rewrite)}
    for here, there, length in SequenceMatcher(None, source, rewrite, autojunk=False).get_matching_blocks():
        changed["source"][here : here + length] = [False] * length
        changed["rewrite"][there : there + length] = [False] * length
    return [*changed["source"], *changed["rewrite"]]
