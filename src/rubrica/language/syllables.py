"""How many syllables a word has, by the spelling rules of its language.

English, Spanish, Catalan, Portuguese, Italian, French and German have rules of their own, each in its file. Of other
languages, vowel groups are counted in Latin script, vowels in Cyrillic (where each is a syllable), vowels less the
digraphs in Greek. No rule from spelling is perfect: they are for means over texts, not for single words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from rubrica.language.names import base_language
from rubrica.language.syllables_english import english
from rubrica.language.syllables_french import french
from rubrica.language.syllables_german import german
from rubrica.language.syllables_romance import catalan, italian, portuguese, spanish

Rule = Callable[[str], int]

RULES: dict[str, Rule] = {
    "ca": catalan,
    "de": german,
    "en": english,
    "es": spanish,
    "fr": french,
    "it": italian,
    "pt": portuguese,
}
"""The syllables of a word in small Latin letters without hyphens or apostrophes."""

NO_RULE = "syllables can be counted in Latin, Cyrillic and Greek letters only"

_HYPHENS = re.compile(r"[-‐‑–]+")
_APOSTROPHES = re.compile(r"['’ʼ`´]+")
_ELIDING = {"ca", "fr", "it"}
"""Languages where an apostrophe joins two words, the first of which has lost its vowel."""

_EACH_VOWEL = {"az", "tr"}
"""Languages in Latin script where every vowel letter is a syllable."""

_LATIN_VOWEL = re.compile(r"[aeiouıə]")
_LATIN_GROUP = re.compile(r"[aeiouyæœøı]+")
_CYRILLIC_VOWEL = re.compile(r"[аеёиоуыэюяіїєѣ]")
_GREEK_NUCLEUS = re.compile(r"ου|αι|ει|οι|υι|αυ|ευ|ηυ|[αεηιουω]|\N{COMBINING DIAERESIS}")


@lru_cache(maxsize=200_000)
def syllables(word: str, language: str = "en") -> int | None:
    """The syllables of a word, at least 1; None without letters, or with letters of a script that has no rule.

    The parts of a word with hyphens are counted one by one. Abbreviations count as one syllable if they have no vowel.
    """
    code = base_language(language)
    total = 0
    for part in _HYPHENS.split(unicodedata.normalize("NFC", word.lower())):
        pieces = _APOSTROPHES.split(part) if code in _ELIDING else [_APOSTROPHES.sub("", part)]
        spoken = [piece for piece in map(_letters, pieces) if piece]
        for place, piece in enumerate(spoken):
            found = _counted(piece, code)
            if found is None:
                return None
            elided = place + 1 < len(spoken)
            total += found if elided else max(found, 1)
    return total or None


def _letters(piece: str) -> str:
    return "".join(filter(str.isalpha, piece))


def _counted(letters: str, language: str) -> int | None:
    """The syllables of letters of one script; None if there is no rule for it."""
    script = _script(letters)
    if script == "LATIN":
        rule = RULES.get(language)
        if rule:
            return rule(letters)
        return len((_LATIN_VOWEL if language in _EACH_VOWEL else _LATIN_GROUP).findall(_plain(letters)))
    if script == "CYRILLIC":
        return len(_CYRILLIC_VOWEL.findall(letters))
    if script == "GREEK":
        return _greek(letters)
    return None


def _script(letters: str) -> str:
    """The script that all letters share; empty if they do not."""
    found = {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
    return found.pop() if len(found) == 1 else ""


def _plain(letters: str) -> str:
    """Letters without their accents."""
    return "".join(mark for mark in unicodedata.normalize("NFD", letters) if not unicodedata.combining(mark))


def _greek(letters: str) -> int:
    """Vowels and digraphs; a digraph with the accent on its first letter, or with a diaeresis, is two syllables."""
    apart = unicodedata.normalize("NFD", letters).replace("\N{COMBINING ACUTE ACCENT}", "'")
    return len(_GREEK_NUCLEUS.findall(apart))
