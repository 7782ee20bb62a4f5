"""Words of Japanese as people would name them: inflected words whole, with their base form and part of speech.

MeCab (Kudo et al., Applying Conditional Random Fields to Japanese Morphological Analysis, EMNLP 2004) with the IPA
dictionary cuts 載せました into 載せ, まし and た. Nobody has a simpler word for 載せ, so what belongs to a verb or
adjective is put together again. Both come with the extra ``cjk``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rubrica.language import frequency

_HAN, _KATAKANA = re.compile(r"[一-龯々]"), re.compile(r"[ァ-ヴー]")
_JOINED = ("て", "で", "ば", "たり", "だり", "ちゃ", "じゃ")
"""Particles that end a form of a verb; others (ながら, ので) stand for themselves."""
_NO_WORDS = ("代名詞", "数", "非自立", "接尾", "特殊", "接続詞的", "動詞非自立的")
"""Kinds of nouns that mean little by themselves."""
_DOES = "する"


class Piece(NamedTuple):
    """What MeCab cuts: its text, part of speech, kind of it, and base form."""

    text: str
    part: str
    kind: str
    base: str


class Word(NamedTuple):
    """A word where it stands, with its part of speech as universal dependencies name it (X for the rest).

    ``stem`` is its first piece, ``base`` its dictionary form; of a noun that する makes a verb of, the noun.
    """

    text: str
    start: int
    upos: str
    stem: str
    base: str


def is_there() -> bool:
    """Whether what this needs is installed."""
    return frequency.can_cut("ja")


def words_of(text: str) -> list[Word]:
    """The words of a text."""
    pieces = [_piece(surface, features) for surface, features in frequency.analysed(text, "ja")]
    return list(put_together(text, pieces))


def _piece(surface: str, features: Sequence[str]) -> Piece:
    base = features[6] if len(features) > 6 and features[6] != "*" else surface
    return Piece(surface, features[0], features[1] if len(features) > 1 else "", base)


def put_together(text: str, pieces: Sequence[Piece]) -> Iterator[Word]:
    """Words of pieces. What is cut from a longer run of Han or katakana (消防 of 消防士) is no word of its own."""
    place = position = 0
    while place < len(pieces):
        end = _end(pieces, place)
        first, whole = pieces[place], "".join(one.text for one in pieces[place:end])
        start = text.find(whole, position)
        if start >= 0:
            position = start + len(whole)
            upos = _upos(first, end - place > 1)
            if upos != "X" and not _is_inside(text, start, position):
                yield Word(whole, start, upos, first.text, first.base)
        else:
            start = text.find(first.text, position)
            position, end = (start + len(first.text) if start >= 0 else position), place + 1
        place = end


def _end(pieces: Sequence[Piece], place: int) -> int:
    """Where the word ends that begins with this piece."""
    first, end = pieces[place], place + 1
    does = first.kind == "サ変接続" and end < len(pieces) and pieces[end].part == "動詞" and pieces[end].base == _DOES
    if does:
        end += 1
    elif first.part not in ("動詞", "形容詞") or first.kind != "自立":
        return end
    while end < len(pieces) and _belongs(pieces[end]):
        end += 1
    return end


def _belongs(piece: Piece) -> bool:
    """Whether a piece goes on with the verb or adjective before it."""
    return (
        (piece.part == "助動詞" and piece.base not in ("だ", "です", "らしい"))
        or (piece.part in ("動詞", "形容詞") and piece.kind in ("接尾", "非自立") and piece.base != "くださる")
        or (piece.part == "助詞" and piece.kind in ("接続助詞", "並立助詞") and piece.text in _JOINED)
    )


def _upos(first: Piece, joined: bool) -> str:
    match first.part, first.kind:
        case "名詞", "固有名詞":
            return "PROPN"
        case "名詞", kind if kind in _NO_WORDS or kind == "ナイ形容詞語幹":
            return "X"
        case "名詞", "サ変接続" if joined:
            return "VERB"
        case "名詞", "形容動詞語幹":
            return "ADJ"
        case "名詞", _:
            return "NOUN"
        case "動詞", "自立":
            return "AUX" if first.base in (_DOES, "ある", "いる", "なる") else "VERB"
        case "形容詞", "自立":
            return "ADJ"
        case "副詞", _:
            return "ADV"
        case "助動詞", _:
            return "AUX"
    return "X"


def _is_inside(text: str, start: int, end: int) -> bool:
    return any(
        (sign.match(text[start : start + 1]) and sign.match(text[max(0, start - 1) : start]))
        or (sign.match(text[end - 1 : end]) and sign.match(text[end : end + 1]))
        for sign in (_HAN, _KATAKANA)
    )


@lru_cache(maxsize=200_000)
def word_alone(word: str) -> Word:
    """A word by itself, for what is known of it; what MeCab takes for several is its own base form."""
    found = words_of(word)
    return found[0] if found and found[0].text == word else Word(word, 0, "X", word, word)
