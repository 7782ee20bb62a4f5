"""What can be seen of a token without a parser or a dictionary: what a word comparison says of it and its surroundings.

Every language that writes spaces between words has these features. They are names with a number, most of them 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from rubrica.core.edits import SIDES
from rubrica.edits.space_tokens import space_tokens
from rubrica.edits.tagging.tags import Pair

Features = dict[str, float]
PUNCTUATION = ".,;:!?()[]{}\"'“”‘’«»…-–—"
BIAS = "bias"
"""The feature that every word of its side and kind of block has."""
SPLIT = "||"
"""The mark of a sentence split in SALSA's rewrites."""
_LETTERS_OF_A_STEM = 4


class Block(NamedTuple):
    """A stretch of both texts that a comparison of words found: kept, gone, new or replaced."""

    kind: str
    source: range
    rewrite: range

    def on(self, side: str) -> range:
        """Its tokens on one side."""
        return self.source if side == "source" else self.rewrite


def plain_words(text: str) -> list[str]:
    """The tokens without case and without punctuation at their ends; a sign that is nothing else stays."""
    tokens = [span.of(text) for span in space_tokens(text)]
    return [token.strip(PUNCTUATION).casefold() or token for token in tokens]


def blocks(source: Sequence[str], rewrite: Sequence[str]) -> list[Block]:
    """The comparison of two lists of words."""
    kinds = {"equal": "kept", "delete": "gone", "insert": "new", "replace": "replaced"}
    found = SequenceMatcher(None, source, rewrite, autojunk=False).get_opcodes()
    return [Block(kinds[kind], range(a, b), range(c, d)) for kind, a, b, c, d in found]


def features(pair: Pair) -> Mapping[str, list[Features]]:
    """The features of every token, by side."""
    words = {side: plain_words(pair.text(side)) for side in SIDES}
    compared = blocks(words["source"], words["rewrite"])
    return {side: _of_side(side, pair, words, compared) for side in SIDES}


def _of_side(side: str, pair: Pair, words: Mapping[str, Sequence[str]], compared: Sequence[Block]) -> list[Features]:
    other = "rewrite" if side == "source" else "source"
    tokens = [span.of(pair.text(side)) for span in space_tokens(pair.text(side))]
    elsewhere, stems = Counter(words[other]), {word[:_LETTERS_OF_A_STEM] for word in words[other]}
    found: list[Features] = []
    for number, block in enumerate(compared):
        around = [compared[place].kind if 0 <= place < len(compared) else "end" for place in (number - 1, number + 1)]
        shared = _of_block(side, other, block, words, around)
        for index in block.on(side):
            word = words[side][index]
            own = _of_word(tokens[index], word)
            if block.kind != "kept":
                own["moved"] = float(word in elsewhere)
                own["stem"] = float(len(word) >= _LETTERS_OF_A_STEM and word[:_LETTERS_OF_A_STEM] in stems)
            found.append(_crossed(f"{side}:{block.kind}", {**shared, **own}))
    return found


def _of_block(
    side: str, other: str, block: Block, words: Mapping[str, Sequence[str]], around: Sequence[str]
) -> Features:
    here, there = len(block.on(side)), len(block.on(other))
    seen: Features = {BIAS: 1.0, f"before={around[0]}": 1.0, f"after={around[1]}": 1.0}
    seen[f"here={min(here, 6)}"] = 1.0
    seen["long"] = float(here > 6)
    if block.kind == "replaced":
        seen[f"there={min(there, 4)}"] = 1.0
        seen["letters"] = _mean_length(words[side], block.on(side)) - _mean_length(words[other], block.on(other))
        seen["longer"] = float(here > there)
    seen["ratio"] = len(words["rewrite"]) / max(1, len(words["source"]))
    return seen


def _of_word(token: str, word: str) -> Features:
    return {
        "length": min(len(word), 12) / 12,
        "short": float(len(word) <= 3),
        "name": float(token[:1].isupper()),
        "number": float(any(character.isdigit() for character in token)),
        "comma": float(token.endswith((",", ";", ":"))),
        "stop": float(token.endswith((".", "!", "?"))),
        "bracket": float(token.startswith("(") or token.endswith(")")),
        "split": float(word == SPLIT),
    }


def _mean_length(words: Sequence[str], place: range) -> float:
    return sum(min(len(words[index]), 12) for index in place) / (12 * max(1, len(place)))


def _crossed(where: str, seen: Features) -> Features:
    """The features for this side and kind of block apart, so that a linear model can weigh them apart."""
    return {f"{where}:{name}": value for name, value in seen.items() if value}
