"""What may be a context of a target word, and how texts are cut into such contexts and these into words.

A context is one whole sentence. Where a full stop may end a sentence or stand behind an abbreviation or an ordinal
number (*Am 3. Oktober*, *M. Dupont*), neither side is one: of a large text enough is left, and half a sentence must not
be shown to anybody.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from rubrica.core.marking import cut, is_unspaced
from rubrica.core.sentences import sentence_ends
from rubrica.language import japanese
from rubrica.language.names import base_language
from rubrica.prepare.sentences import Limits, malformed

STOPS = ".!?…。！？।"
_MARKUP = re.compile(
    r"</?\s*[a-zA-Z!][^>]*>|[\[\]{}|`~^\\�]|&#?\w+;|&nbsp|https?:|www\.|\S+@\S+\.\w|==|''|\*|"
    r"^\s*[#>•–-]\s|#{2,}|_{2,}|(?<!\w)_\w|\w_(?!\w)|-[LR][RSC]B-|《|》|［＃|｜|"
    r"\w;\w|Ã[\u00a1-\u00bf]|Â[\u00a0-\u00bf]|â€"
)
"""Of wikis, HTML, Markdown, TeX, treebanks and plain-text books (*_emphasis_*, footnotes, Japanese readings), rows of
tables, and UTF-8 that was read as Windows-1252 (*cafÃ©*)."""
_APART = re.compile(r"\s[,.](?=\s|$)")
"""A comma or full stop of a text that was cut into words."""
_RUNS = re.compile(r"[一-龯々]{2,}|[ァ-ヴー]{3,}")
"""Words of Japanese as far as script can tell: runs of Han or of katakana."""
_HAN_OR_KATAKANA = re.compile(r"[一-龯々ァ-ヴ]")
_MONTHS = re.compile(
    r"(Jänner|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Jahrtausend)"
)
_SHORTENED = re.compile(
    "art|av|avv|bzw|ca|cap|cf|dott|ecc|ed|ess|etc|evtl|exmo|fig|gen|ggf|ing|inkl|jr|kg|km|lic|max|mill|min|mio|mm|mme|"
    "mrd|nº|no|nos|nr|num|núm|op|pag|pàg|pág|pp|prof|sig|sigg|sogen|sr|sra|srta|st|tel|univ|usw|vgl|vol|vs",
    re.IGNORECASE,
)
"""What stands before a full stop that need not end a sentence, in languages that are written with Latin letters."""
_LONGEST_INITIALS, _LONGEST_ORDINAL = 3, 3
_NEAR = 40
"""Characters before and behind a stop that are looked at."""
_OPENED, _CLOSED = "([«“„‘\"'’", "\"'”’»)]」』）"
_JOINTS = (".", ":", "(", ")")
"""What stands between parts of one word or address where there is no space."""
_APOSTROPHES = ("'", "’")
_ELIDED: Mapping[str, re.Pattern[str]] = {
    "ca": re.compile(r"[dlmnst]", re.IGNORECASE),
    "fr": re.compile(r"[cdjlmnst]|qu|lorsqu|puisqu|jusqu|quoiqu", re.IGNORECASE),
    "it": re.compile(r"[cdlmstv]|un|(d|n|s)ell|all|dall|sull|quest|quell|nessun|bell|gl", re.IGNORECASE),
}
"""What stands before an apostrophe and is no part of the word behind it."""


def ends_of(text: str) -> Iterator[int]:
    """Where sentences end or may end: as anywhere else, but not within a German date."""
    for end in sentence_ends(text):
        if not (
            _last(text[max(0, end - _NEAR) : end])[:-1].isdigit() and _MONTHS.match(text[end : end + _NEAR].lstrip())
        ):
            yield end


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a text; those between which it is not clear whether one ends stay together."""
    start = last = 0
    for end in ends_of(text):
        if start < last and not _doubtful(text[start:last], text[last:end].lstrip()):
            yield " ".join(text[start:last].split())
            start = last
        last = end
    if text[start:last].strip():
        yield " ".join(text[start:last].split())


def _last(text: str) -> str:
    return "".join(text[-_NEAR:].split()[-1:]).lstrip(_OPENED)


def _doubtful(before: str, after: str) -> bool:
    """Whether the stop between these two may belong to an abbreviation or a number, or to what somebody is quoted."""
    if before.rstrip().endswith(tuple(_CLOSED)):
        # 「…。」と言った: a script without capital letters does not show that the sentence goes on.
        return after[:1].isalpha() and after[:1].lower() == after[:1].upper()
    word = _last(before)
    if not word.endswith(".") or word.endswith(".."):
        return False
    word = word[:-1]
    return (
        after[:1].isdigit()
        or "." in word
        or len(word) == 1
        or _SHORTENED.fullmatch(word) is not None
        or (word.isdigit() and len(word) <= _LONGEST_ORDINAL)
        or (word[:1].isupper() and len(word) <= _LONGEST_INITIALS)
    )


def context_problem(text: str, limits: Limits) -> str:
    """Why a sentence is no context, by its name in ``words.REASONS``; empty if it is one."""
    if _MARKUP.search(text):
        return "markup"
    if any(text.count(one) != text.count(other) for one, other in ("()", "“”", "«»", "「」", "『』")):
        return "brackets"
    if text.count('"') % 2:
        return "brackets"
    if _APART.search(text):
        return "punctuation"
    letters = sum(sign.isalpha() or unicodedata.category(sign)[0] == "M" for sign in text)
    if letters < 0.7 * sum(not sign.isspace() for sign in text):
        return "signs"
    found = malformed(text, limits, STOPS, ends_of)
    return found[0] if found else ""


class Cutter(NamedTuple):
    """What cuts a sentence into words with their places, and what is to be said about it."""

    words: Callable[[str], list[tuple[str, int]]]
    remark: str = ""


def cutter_of(language: str) -> Cutter:
    """What cuts texts of a language here: at spaces, by MeCab, else Japanese by its script."""
    code = base_language(language)
    if code != "ja":
        return Cutter(lambda text: _spaced(text, _ELIDED.get(code)))
    if japanese.is_there():
        return Cutter(lambda text: [(word.text, word.start) for word in japanese.words_of(text) if _is_japanese(word)])
    remark = "words of Japanese are runs of Han or katakana: without rubrica[cjk] others cannot be cut"
    return Cutter(lambda text: [(run[0], run.start()) for run in _RUNS.finditer(text)], remark)


def _is_japanese(word: japanese.Word) -> bool:
    return word.upos != "AUX" and _HAN_OR_KATAKANA.search(word.text) is not None


def _spaced(text: str, elided: re.Pattern[str] | None) -> list[tuple[str, int]]:
    """Words between spaces and signs; what hangs on another by a hyphen or apostrophe is no single word.

    Nor is a part of an address (*docs.example.org*) or what has an ending beside it (*pupil(s)*, *Schüler:innen*). A
    word after an elided article (*l'élève*) is one.
    """
    tokens = cut(text)
    starts = [0, *accumulate(map(len, tokens))]
    found = []
    for place, token in enumerate(tokens):
        before, after = tokens[place - 1] if place else "", tokens[place + 1] if place + 1 < len(tokens) else ""
        if elided and before in _APOSTROPHES and place > 1 and elided.fullmatch(tokens[place - 2]):
            before = tokens[place - 3] if place > 2 else ""
        joined = (before in _JOINTS and place > 1 and tokens[place - 2][-1:].isalnum()) or (
            after in _JOINTS and place + 2 < len(tokens) and tokens[place + 2][:1].isalnum()
        )
        hangs = joined or _hangs(before) or _hangs(after)
        if token[:1].isalpha() and not hangs and not is_unspaced(token):
            found.append((token, starts[place]))
    return found


def _hangs(sign: str) -> bool:
    return any(one in "'’ʼ-‐‑_@&/" for one in sign)
