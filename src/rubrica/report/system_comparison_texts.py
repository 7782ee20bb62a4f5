"""A rewrite with its differences to the source in one line of text: what stayed, what is new, what is gone.

Read without what is gone, the pieces are the rewrite exactly as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rubrica.core.marking import Piece, cut, differences

KEPT, GONE, NEW, GAP = "", "gone", "new", "gap"
"""Kinds of pieces. A gap is white space that is there only because something gone is shown."""


class _Word(NamedTuple):
    """A word or sign, the white space after it, and whether the other text lacks it."""

    text: str
    space: str
    changed: bool


def merged(source: str, rewrite: str) -> list[Piece]:
    """The rewrite with what is gone from the source put where it was, before what is new there."""
    if source == rewrite:
        return [Piece(rewrite)] if rewrite else []
    left, right = differences(source, rewrite)
    old, new = _words(left), _words(right)
    pieces: list[list[str]] = []
    _put(pieces, rewrite[: len(rewrite) - len(rewrite.lstrip())], KEPT)
    place, apart = 0, True
    for index, word in enumerate(new):
        place = _lost(pieces, old, place, apart)
        _put(pieces, word.text, NEW if word.changed else KEPT)
        joined = word.changed and index + 1 < len(new) and new[index + 1].changed
        _put(pieces, word.space, NEW if joined else KEPT)
        apart = bool(word.space)
        place += not word.changed
    _lost(pieces, old, place, apart)
    return [Piece(text, kind) for text, kind in pieces]


def word_count(text: str) -> int:
    """Words of a text; in scripts without spaces between words, characters."""
    return sum(any(map(str.isalnum, token)) for token in cut(text))


def _lost(pieces: list[list[str]], old: Sequence[_Word], place: int, apart: bool) -> int:
    """Put in what is gone from here on; returns where the source goes on.

    ``apart``: the rewrite has white space here, so that a gap is needed after what is put in, and else before.
    """
    start = place
    while place < len(old) and old[place].changed:
        place += 1
    gone = old[start:place]
    if not gone:
        return place
    _put(pieces, "" if apart or not start else old[start - 1].space, GAP)
    _put(pieces, "".join(word.text + word.space for word in gone).rstrip(), GONE)
    _put(pieces, gone[-1].space if apart else "", GAP)
    return place


def _put(pieces: list[list[str]], text: str, kind: str) -> None:
    if not text:
        return
    if pieces and pieces[-1][1] == kind:
        pieces[-1][0] += text
    else:
        pieces.append([text, kind])


def _words(pieces: Sequence[Piece]) -> list[_Word]:
    found: list[_Word] = []
    for piece in pieces:
        for token in cut(piece.text):
            if not token.isspace():
                found.append(_Word(token, "", bool(piece.kind)))
            elif found:
                found[-1] = found[-1]._replace(space=found[-1].space + token)
    return found
