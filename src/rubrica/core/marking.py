"""Text cut into words, and into pieces for display: the differences between two texts.

Put together again, the pieces are the text exactly as it was. A mark never cuts a character in half: combining
marks, joiners and emoji modifiers stay with what they belong to. Words are runs of letters, digits and their
marks, with the point within a Catalan word (*col·legi*); in scripts that put no spaces between words (Japanese,
Chinese, Thai, …) each character stands for itself.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

_NO_SPACES = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
"""Thai, Lao, Tibetan, Myanmar, Khmer, kana and Han: a word may begin and end anywhere."""

_PLAIN = re.compile(r"\w+|\s+|.", re.DOTALL)
"""The same cut where no character joins another: many times faster."""

_JOINER = "\u200d"
_ATTACHED = re.compile("[\u00ad\u200c\u200d\u2060\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
"""Signs that belong to the character before them although Unicode does not call them marks."""

_BUDGET = 200_000
"""What a comparison may cost, in the unit of :func:`_cost`; more would keep a page waiting."""


class Piece(NamedTuple):
    """A stretch of text and what it is: ``""`` as it was, ``gone`` or ``new``."""

    text: str
    kind: str = ""


class _Token(NamedTuple):
    """A word or sign, with its normal form to compare and the white space that follows it."""

    key: str
    text: str
    space: str


def cut(text: str) -> list[str]:
    """The text as words, runs of white space and single other characters; joined, they are the text."""
    if text.isascii():
        return _PLAIN.findall(text)
    starts, kind = [0], ""
    for index, character in enumerate(text):
        if index and kind != "space" and (attached(character) or text[index - 1] == _JOINER):
            continue
        inside = character == "·" and index and text[index - 1].isalpha() and text[index + 1 : index + 2].isalpha()
        now = "word" if inside else _kind(character)
        if index and (now != kind or now not in {"word", "space"}):
            starts.append(index)
        kind = now
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True) if end > start]


def is_unspaced(text: str) -> bool:
    """Whether it has characters of a script that puts no spaces between words."""
    return _NO_SPACES.search(text) is not None


def attached(character: str) -> bool:
    """Whether it belongs to the character before it."""
    if character.isascii():
        return False
    return unicodedata.category(character)[0] == "M" or _ATTACHED.match(character) is not None


def _kind(character: str) -> str:
    if character.isspace():
        return "space"
    if _NO_SPACES.match(character):
        return "character"
    return "word" if character.isalnum() or character == "_" or attached(character) else "other"


def differences(source: str, rewrite: str) -> tuple[list[Piece], list[Piece]]:
    """The source with what is ``gone`` from it, and the rewrite with what is ``new`` in it.

    Words and signs are compared; white space and Unicode form make no difference. The time is bounded: long texts
    are first pinned together at words that each has once, and a stretch that is still too long counts as changed.
    """
    (lead, old), (other_lead, new) = _tokens(source), _tokens(rewrite)
    gone, added = [True] * len(old), [True] * len(new)
    for start, other, length in _equal(old, new):
        gone[start : start + length] = added[other : other + length] = [False] * length
    return _pieces(lead, old, gone, "gone"), _pieces(other_lead, new, added, "new")


def _tokens(text: str) -> tuple[str, list[_Token]]:
    """The white space that a text begins with, and its tokens."""
    lead, tokens = "", list[_Token]()
    for part in cut(text):
        if not part.isspace():
            tokens.append(_Token(unicodedata.normalize("NFC", part), part, ""))
        elif tokens:
            tokens[-1] = tokens[-1]._replace(space=part)
        else:
            lead = part
    return lead, tokens


def _equal(old: list[_Token], new: list[_Token]) -> list[tuple[int, int, int]]:
    """Blocks of equal tokens: where in each text, and how many."""
    one, other = [token.key for token in old], [token.key for token in new]
    head = _common(one, other)
    tail = _common(one[head:][::-1], other[head:][::-1])
    end, other_end = len(one) - tail, len(other) - tail
    blocks = [(0, 0, head), (end, other_end, tail)]
    pins: list[tuple[int, int]] = []
    if _cost(one[head:end], other[head:other_end]) > _BUDGET:
        pins = [(head + here, head + there) for here, there in _pinned(one[head:end], other[head:other_end])]
        blocks += [(*pin, 1) for pin in pins]
    left, start, other_start = _BUDGET, head, head
    for here, there in (*pins, (end, other_end)):
        words, new_words = one[start:here], other[other_start:there]
        if (cost := _cost(words, new_words)) <= left:
            left -= cost
            matches = SequenceMatcher(None, words, new_words, autojunk=False).get_matching_blocks()
            blocks += [(start + match.a, other_start + match.b, match.size) for match in matches]
        start, other_start = here + 1, there + 1
    return blocks


def _common(one: list[str], other: list[str]) -> int:
    """How many items two lists share from their beginning on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _cost(one: list[str], other: list[str]) -> int:
    """What a full comparison would take: pairs of equal tokens, and a walk through one text for each match."""
    counts = Counter(other)
    return sum(times * counts[token] for token, times in Counter(one).items()) + len(one) * len(other) // 20


def _pinned(one: list[str], other: list[str]) -> list[tuple[int, int]]:
    """Places of tokens that each text has once, as many as come in the same order in both (as in patience diff)."""
    counts, other_counts = Counter(one), Counter(other)
    where = {token: index for index, token in enumerate(other) if other_counts[token] == 1}
    pairs = [(index, where[token]) for index, token in enumerate(one) if counts[token] == 1 and token in where]
    ends: list[int] = []
    last: list[int] = []
    before: list[int | None] = []
    for number, (_, there) in enumerate(pairs):
        length = bisect_left(ends, there)
        before.append(last[length - 1] if length else None)
        ends[length : length + 1], last[length : length + 1] = [there], [number]
    chain: list[tuple[int, int]] = []
    step = last[-1] if last else None
    while step is not None:
        chain.append(pairs[step])
        step = before[step]
    return chain[::-1]


def _pieces(lead: str, tokens: list[_Token], changed: list[bool], kind: str) -> list[Piece]:
    """Neighbours of one kind in one piece; white space is marked only between two marked tokens."""
    pieces = [[lead, ""]]

    def add(text: str, now: str) -> None:
        if pieces[-1][1] == now:
            pieces[-1][0] += text
        elif text:
            pieces.append([text, now])

    for index, token in enumerate(tokens):
        add(token.text, kind if changed[index] else "")
        add(token.space, kind if changed[index] and index + 1 < len(tokens) and changed[index + 1] else "")
    return [Piece(text, kind) for text, kind in pieces if text]
