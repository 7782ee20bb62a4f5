"""Where the target word of an item stands in its context, in whatever form: one rule for page, sheet, hints, results.

A target is looked for as it is written, then ignoring case, then ignoring accents, then by lemma (where the caller
knows the language), then by its stem: a word that goes on where the target ends, or the other way round. Words are
compared whole; in scripts without spaces each character stands for itself. A place given by the researcher comes before
all this. What lemmas found is kept with the item as its ``start`` when the study is set up
(``exchange.target_places``), so that whoever shows an item later needs no dictionary.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, takewhile
from typing import NamedTuple

from rubrica.core.answers import TYPED
from rubrica.core.marking import attached, cut, is_unspaced
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item
from rubrica.core.typed import whole

POSITIONS = ("start", "occurrence")
"""What an item's metadata may say of the place of its target."""
END = "end"
"""Where the words end that begin at ``start``, kept with an item whose target is one of them with a long ending."""
AS_WRITTEN, LEMMA, STEM, POSITION = "as written", "lemma", "stem", "position"
_ENDING = "ending"
LONGEST_ENDING = 4
"""Letters that two forms of a word may differ in at their ends."""
SHORTEST_STEM = 4
_BEYOND = 0x0780
"""Letters before this one (Latin, Greek, Cyrillic, Hebrew, Arabic, …) have accents; after it marks are vowels."""

_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d"})
"""Letters that a keyboard may not have, and that Unicode does not take apart."""

_HANGUL = ("\uac00", "\ud7a3")
"""Syllables: two of them are a word, and particles follow it without a space."""

_INFLECTED = {
    **{"う": "わいうえおっ", "く": "かきくけこいっ", "ぐ": "がぎぐげごい", "す": "さしすせそ", "つ": "たちつてとっ"},
    **{"ぬ": "なにぬねのん", "ぶ": "ばびぶべぼん", "む": "まみむめもん", "い": "いくかけさそ"},
}
"""What may stand for the last sign of a Japanese verb or adjective, which inflects; for る any sign of its script."""

_NEGATED_WHOLE = ("won", "shan", "ain")
"""English forms that are not put together from a word and *n't*."""

_REFLEXIVES = ("se", "s", "sich", "si", "me", "te", "m", "t")
_WITH_VERBS = (*_REFLEXIVES, "to")
"""What verbs are named with and stand without, or with another: *se lever*, *sich freuen*, *llevar-se*, *to leave*."""

_OPENS, _ENDS = " \t\"'“”„«»‘’([¿¡—–-", ".!?…"
"""What may stand between the end of a sentence and the word that opens the next, and what ends one."""

SameWord = Callable[[str, str], int]
"""Whether two words are forms of one (``language.forms``): 2 they are, 1 as their ends have it, 0 unknown, -1 not."""


class Target(NamedTuple):
    """A word to mark: its n-th ``occurrence`` (from 1), or the place that ``start`` gives in code points.

    With ``end`` it is marked to there, if that is where its words end.
    """

    word: str
    occurrence: int | None = None
    start: int | None = None
    end: int | None = None


class Place(NamedTuple):
    """Where a target stands, in code points, how it was found, and how often it stands in the text like this."""

    start: int
    end: int
    how: str = AS_WRITTEN
    times: int = 1


class Substituted(NamedTuple):
    """A context in which a substitute stands in the place of the target."""

    before: str
    word: str
    after: str

    @property
    def text(self) -> str:
        """The whole of it."""
        return "".join(self)


class Marked(NamedTuple):
    """A stretch of text; ``target`` is the index of the target that it is, None between targets."""

    text: str
    kind: str = ""
    target: int | None = None


def target_of(protocol: Protocol, item: Item) -> Target:
    """The target word of an item and where it stands, if the item says so."""
    place = [_whole(item.metadata, name) for name in ("occurrence", "start", END)]
    return Target(protocol.target_of(item.fields), *place)


def context_field(protocol: Protocol) -> str:
    """The field in which target words stand; empty where a protocol marks none."""
    roles = {field.role: field.id for field in reversed(protocol.fields)}
    return roles["context"] if {"context", "target"} <= roles.keys() else ""


def forms_of(protocol: Protocol, item: Item) -> tuple[str, ...]:
    """The target word as the item names it and, if another, as it is marked in the context."""
    target = target_of(protocol, item)
    text = item.fields.get(context_field(protocol), "")
    place = _alone(text, target) if text else None
    return tuple(dict.fromkeys(filter(None, (target.word.strip(), text[place.start : place.end] if place else ""))))


@lru_cache(maxsize=4096)
def _alone(text: str, target: Target) -> Place | None:
    return find_targets(text, [target])[0]


def substituted(protocol: Protocol, item: Item) -> Substituted | None:
    """The context with the substitute in the place of the target; None without a substitute or a place for it.

    The substitute stands as it was given, but for a capital letter where the target opens a sentence with one.
    """
    field = next((one.id for one in protocol.fields if one.role == "rewrite"), "")
    text, word = item.fields.get(context_field(protocol), ""), item.fields.get(field, "").strip()
    place = _alone(text, target_of(protocol, item)) if text and word else None
    if place is None:
        return None
    before, target = text[: place.start], text[place.start : place.end]
    if target[0].isupper() and word[0].islower() and before.rstrip(_OPENS)[-1:] in ("", *_ENDS):
        word = word[0].upper() + word[1:]
    return Substituted(before, word, text[place.end :])


def mark_words(text: str, targets: Sequence[str | Target]) -> list[Marked]:
    """The text with its target words marked; put together again, the pieces are the text."""
    places = find_targets(text, [Target(target) if isinstance(target, str) else target for target in targets])
    first: dict[Place, int] = {}
    for index, place in enumerate(places):
        if place:
            first.setdefault(place, index)
    found, position = [], 0
    for place, index in sorted(first.items()):
        found += [Marked(text[position : place.start]), Marked(text[place.start : place.end], "target", index)]
        position = place.end
    return [piece for piece in (*found, Marked(text[position:])) if piece.text]


def find_targets(text: str, targets: Sequence[Target], same_word: SameWord | None = None) -> list[Place | None]:
    """Where each target stands, None for one that is not there. Two places overlap only if the targets are the same.

    Places that are given come first, then what is written alike; among these the longer target, then the earlier.
    Without an occurrence the first place that no other target holds is taken; with one, the n-th place of those that
    are alike at least to that degree. ``start`` is the place itself: of the target if it reads there, even within a
    compound, with the ending if one follows; else of as many whole words as the target has.
    """
    words = _Words(text)
    found: list[Place | None] = [None] * len(targets)
    order = sorted(range(len(targets)), key=lambda index: -len(targets[index].word))
    told = [index for index in order if targets[index][1:3] != (None, None)]
    for together in (told, [index for index in order if index not in told]):
        for degree in (POSITION, *_DEGREES):
            for index in together:
                if found[index] is None:
                    taken = [place for place in found if place]
                    found[index] = words.find(targets[index], degree, same_word, taken)
    return [
        place or next((one for one, twin in zip(found, targets, strict=True) if one and twin == target), None)
        for place, target in zip(found, targets, strict=True)
    ]


def _whole(metadata: Mapping[str, str], key: str) -> int | None:
    return whole(str(metadata.get(key, "")))


class _Words:
    """A text cut into words, and where targets stand among them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _words(text)
        self.starts = list(accumulate(map(len, self.tokens), initial=0))

    def find(self, target: Target, degree: str, same_word: SameWord | None, taken: Sequence[Place]) -> Place | None:
        """A free place of the target that is alike to this degree."""
        parts = _words(target.word.strip())
        if not parts or (target.start is not None) != (degree == POSITION):
            return None
        if (degree in (LEMMA, _ENDING) and same_word is None) or (degree == "same" and target.occurrence is not None):
            return None
        if target.start is not None:
            end = self._words_end(target.start, parts)
            if not end or end != target.end:
                end = self._end_at(target.start, target.word.strip()) or end
            spans = [(target.start, end)] if end else []
        else:
            spans = list(self._alike(parts, degree, same_word))
            if target.occurrence is not None:
                spans = spans[target.occurrence - 1 : target.occurrence] if target.occurrence > 0 else []
            elif degree == STEM:
                spans.sort(key=lambda span: -_shared(self.text[slice(*span)], target.word.strip()))
        how = {_ENDING: LEMMA}.get(degree, degree if degree in (LEMMA, STEM, POSITION) else AS_WRITTEN)
        for start, end in spans:
            if all(end <= other.start or start >= other.end for other in taken):
                return Place(start, end, how, len(spans))
        return None

    def _alike(self, parts: list[str], degree: str, same_word: SameWord | None) -> Iterator[tuple[int, int]]:
        if degree == STEM:
            parts = _stem(parts)
        alike, last = _DEGREES[degree], -1
        for first in range(len(self.tokens) - len(parts) + 1 if parts else 0):
            here = self.tokens[first : first + len(parts)]
            if first <= last:
                continue
            written = all(alike(one, other, same_word) for one, other in zip(here, parts, strict=True))
            if written or (degree == STEM and _same_verb(here, parts, "".join(self.tokens[:first][-1:]))):
                last = first + len(parts) - 1
                yield self.starts[first], self.starts[last + 1]

    def _end_at(self, start: int, word: str) -> int:
        """Where the target ends that reads there; 0 if it does not."""
        for length in range(1, min(2 * len(word), len(self.text) - start) + 1 if start >= 0 else 0):
            end = start + length
            if _without_case(self.text[start:end]) == _without_case(word) and not _cut_off(self.text, end):
                return self._with_ending(start, end)
        return 0

    def _words_end(self, start: int, parts: list[str]) -> int:
        """Where as many words end as the target has, if one begins there; else 0."""
        if start not in self.starts[:-1] or not is_word(self.tokens[first := self.starts.index(start)]):
            return 0
        left = sum(map(is_word, parts))
        for index in range(first, len(self.tokens)):
            left -= is_word(self.tokens[index])
            if left <= 0:
                return self.starts[index + 1]
        return 0

    def _with_ending(self, start: int, end: int) -> int:
        """The end of an inflected word that goes on after the target; of a compound, the target's own end."""
        if start not in self.starts or end in self.starts or is_unspaced(self.text[start:end]):
            return end
        word_end = self.starts[bisect_left(self.starts, end)]
        return word_end if word_end - end <= LONGEST_ENDING and not _is_hangul(self.text[start]) else end


def words_at(text: str) -> list[tuple[int, str]]:
    """The words of a text and where each begins."""
    words = _Words(text)
    return [(start, token) for start, token in zip(words.starts, words.tokens, strict=False) if is_word(token)]


def _words(text: str) -> list[str]:
    """The text cut into words; of *couldn't* the *could* is one, as of *can't* the *can*; *won't* is one as a whole."""
    tokens = cut(text)
    found: list[str] = []
    for index, token in enumerate(tokens):
        if _is_negated(tokens, index):
            if token.lower() in _NEGATED_WHOLE:
                found.append("".join(tokens[index : index + 3]))
            elif token.lower() == "can":
                found += [token, "".join(tokens[index + 1 : index + 3])]
            else:
                found += [token[:-1], token[-1] + "".join(tokens[index + 1 : index + 3])]
        elif not any(_is_negated(tokens, before) for before in (index - 1, index - 2)):
            found.append(token)
    return found


def _is_negated(tokens: Sequence[str], index: int) -> bool:
    """Whether an English *n't* ends here, an apostrophe and a *t* after an *n*."""
    here = tokens[max(index, 0) : index + 3] if index >= 0 else []
    return len(here) == 3 and here[0][-1] in "nN" and _without_case(here[1]) == "'" and here[2] in ("t", "T")


def is_word(token: str) -> bool:
    """Whether it has a letter or a digit."""
    return any(map(str.isalnum, token))


def _is_hangul(sign: str) -> bool:
    return _HANGUL[0] <= sign <= _HANGUL[1]


def _cut_off(text: str, end: int) -> bool:
    return end < len(text) and attached(text[end])


def _composed(token: str) -> str:
    return " " if token.isspace() else unicodedata.normalize("NFC", token)


@lru_cache(maxsize=65536)
def _without_case(token: str) -> str:
    if token.isspace():
        return " "
    folded = unicodedata.normalize("NFKC", token).casefold().translate(TYPED)
    return unicodedata.normalize("NFC", "".join(sign for sign in folded if unicodedata.category(sign) != "Cf"))


@lru_cache(maxsize=65536)
def without_accents(token: str) -> str:
    """The word as it is compared: no capitals, no invisible signs, no accents on letters that have them."""
    kept, base = [], ""
    for sign in unicodedata.normalize("NFD", _without_case(token)):
        if unicodedata.category(sign) == "Mn" and base and ord(base) < _BEYOND:
            continue
        base = sign
        kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_LIGATURES)


def _as_written(one: str, other: str, same_word: SameWord | None) -> bool:
    return _composed(one) == _composed(other)


def _but_for_case(one: str, other: str, same_word: SameWord | None) -> bool:
    return _without_case(one) == _without_case(other)


def _but_for_accents(one: str, other: str, same_word: SameWord | None) -> bool:
    return without_accents(one) == without_accents(other)


def _same_lemma(one: str, other: str, same_word: SameWord | None, least: int = 2) -> bool:
    if _but_for_accents(one, other, same_word):
        return True
    return same_word is not None and is_word(one) and is_word(other) and same_word(one, other) >= least


def _same_by_ending(one: str, other: str, same_word: SameWord | None) -> bool:
    return _same_lemma(one, other, same_word, least=1)


def _same_stem(one: str, other: str, same_word: SameWord | None) -> bool:
    """Two forms of a word, by their letters: one goes on where the other ends, or both differ in a short ending.

    Not of words that a dictionary knows apart (*contract* and *contrast*).
    """
    if _same_by_ending(one, other, same_word):
        return True
    if not (is_word(one) and is_word(other)) or is_unspaced(one + other):
        return False
    if same_word is not None and same_word(one, other) < 0:
        return False
    shared, (short, long) = _shared(one, other), sorted(map(len, map(without_accents, (one, other))))
    if _is_hangul(one[0]):
        return shared == short >= 2 and long - shared <= LONGEST_ENDING
    return shared >= max(SHORTEST_STEM, 0.6 * long) and long - shared <= LONGEST_ENDING


def _same_verb(here: Sequence[str], parts: Sequence[str], before: str) -> bool:
    """A Japanese word of one character and one that inflects (行く, 高い), in another form (行った, 高かった)."""
    if len(parts) != 2 or here[0] != parts[0] or not _is_kanji(parts[0]) or _is_kanji(before[-1:]):
        return False
    return here[1] in _INFLECTED.get(parts[1], "") or (parts[1] == "る" and "\u3040" <= here[1][:1] <= "\u309f")


def _is_kanji(sign: str) -> bool:
    return "\u4e00" <= sign <= "\u9fff" or sign == "\u3005"


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    pairs = zip(without_accents(one), without_accents(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _stem(parts: list[str]) -> list[str]:
    """A target without signs around it, a reflexive's pronoun and, in Japanese, the kana at its end, which inflect."""
    words = [part for part in parts if is_word(part)]
    if len(words) == 2 and words[0].lower() in _WITH_VERBS:
        parts = words[1:]
    elif len(words) == 2 and words[1].lower() in _REFLEXIVES:
        parts = words[:1]
    while parts and not is_word(parts[-1]):
        parts = parts[:-1]
    while parts and not is_word(parts[0]):
        parts = parts[1:]
    if not is_unspaced("".join(parts)):
        return parts
    stem = len(parts)
    while stem and "\u3040" <= parts[stem - 1][0] <= "\u309f":
        stem -= 1
    return parts[: max(stem, 2)] if stem and len(parts) > 2 else parts


_DEGREES = {
    "same": _as_written,
    "case": _but_for_case,
    "accents": _but_for_accents,
    LEMMA: _same_lemma,
    _ENDING: _same_by_ending,
    STEM: _same_stem,
}
"""How alike a word must be, the strictest first."""
