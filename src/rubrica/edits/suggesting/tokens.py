"""A text as words with offsets, cut the way annotators mark it: at white space, punctuation staying with its word.

Offsets are code points. In scripts that put no spaces between words (Japanese, Chinese, Thai, …) each character is a
word. The mark ``||``, with which SALSA shows where a sentence was split, is no word but ends a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator

import attrs

from rubrica.core.marking import cut, is_unspaced
from rubrica.core.sentences import sentence_ends

SPLIT_MARK = "||"
_MARK = re.compile(r"(?<!\S)\|\|(?!\S)")
_CHUNK = re.compile(r"\S+")
_TELLING = frozenset("%‰&@#§°†")
"""Punctuation, as Unicode has it, that says something: 80% is not 80."""

_OPENING = frozenset("([{（「『【")
_CLOSING = frozenset(",;:.!?…)]}»”،؛。、，；：）」』】")
_SAME = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "′": "'", "‐": "-", "‑": "-", "–": "-", "—": "-"})


@attrs.frozen
class Word:
    """A word of a text: where it stands, how it is compared, its sentence, and what the punctuation around it does.

    ``opens``: a bracket opens before it. ``closes``: punctuation ends a phrase after it.
    """

    start: int
    end: int
    key: str
    sentence: int = 0
    opens: bool = False
    closes: bool = False


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text in order. Sentences are numbered from 0 without gaps.

    Punctuation that stands alone, and the mark of a split, is no word, but what it does is known of its neighbours.
    """
    ends = _sentence_ends(text)
    numbers: dict[int, int] = {}
    found: list[Word] = []
    opens = False
    for start, end in _pieces(text):
        word = _word(text, start, end)
        if word.key:
            sentence = numbers.setdefault(bisect_right(ends, start), len(numbers))
            found.append(attrs.evolve(word, sentence=sentence, opens=word.opens or opens))
            opens = False
        elif word.opens:
            opens = True
        elif word.closes and found:
            found[-1] = attrs.evolve(found[-1], closes=True)
    return tuple(found)


def _sentence_ends(text: str) -> list[int]:
    """Where sentences end, by punctuation and by marks of splits."""
    ends: list[int] = []
    start = 0
    for part in _MARK.split(text):
        ends += [start + end for end in sentence_ends(part)]
        start += len(part) + len(SPLIT_MARK)
        ends.append(start)
    return ends


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    for chunk in _CHUNK.finditer(text):
        if chunk[0].isascii() or not is_unspaced(chunk[0]):
            yield chunk.span()
        else:
            yield from _characters(chunk[0], chunk.start())


def _characters(chunk: str, offset: int) -> list[tuple[int, int]]:
    """The words and single characters of a chunk; punctuation joins the piece after it if it opens, else before."""
    pieces: list[tuple[int, int]] = []
    opened: int | None = None
    for part in cut(chunk):
        end = offset + len(part)
        category = unicodedata.category(part[0])
        if category in {"Ps", "Pi"}:
            opened = offset if opened is None else opened
        elif category[0] == "P" and pieces and opened is None:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((offset if opened is None else opened, end))
            opened = None
        offset = end
    if opened is not None:
        pieces.append((opened, offset))
    return pieces


def _word(text: str, start: int, end: int) -> Word:
    """A piece of text as a word; its key is empty if it is nothing but punctuation."""
    if text[start:end].isalnum():
        return Word(start, end, compared(text[start:end]))
    first, last = start, end
    while first < last and _is_outer(text[first]):
        first += 1
    while last > first and _is_outer(text[last - 1]):
        last -= 1
    opens = not _OPENING.isdisjoint(text[start:first])
    closes = not _CLOSING.isdisjoint(text[last:end] or text[start:first])
    return Word(start, end, compared(text[first:last]), opens=opens, closes=closes)


def compared(text: str) -> str:
    """How a word is compared: case, width and typographic variants make no difference."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).translate(_SAME).casefold()


def _is_outer(character: str) -> bool:
    """Whether a character around a word is not part of what is compared."""
    if character.isalnum() or character in _TELLING:
        return False
    return unicodedata.category(character)[0] == "P" or character in "`|<>"
