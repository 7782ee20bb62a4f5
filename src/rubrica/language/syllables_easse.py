"""English syllables as EASSE counts them for FKGL, so that its published figures can be met.

The convention (Lingua::EN::Syllable by Greg Fast, which EASSE took over) goes by spelling alone: groups of vowel
letters in the word without its final *e*'s, plus the places where one group is spoken as two syllables, less those
where a vowel letter only softens a consonant. Its known slips are part of the convention: *he* and *be* have no
syllable left, *feel* and *queen* have two. For any other purpose use :mod:`rubrica.language.syllables`.
"""

from __future__ import annotations

import re
from functools import lru_cache

SPOKEN_IN_FULL = {"the": 1, "mr": 2, "mrs": 2, "dr": 2, "jr": 2, "sr": 2, "ms": 1, "st": 1, "etc": 4}
"""The article would lose its only vowel; titles and *etc* have none and are read out."""

_GROUP = re.compile(r"[aeiouy]+")

_SPLIT = tuple(
    map(
        re.compile,
        (
            r"(?<!t)i(?<!ci(?=al))(?<!si(?=a$))a",  # ra-di-ate, but not ini-tial, so-cial, A-sia
            r"io(?![nu])",  # pri-or, but not na-tion; -ious is found by its three vowels
            r"iu(?<!ciu(?=s))",  # me-di-um
            r"ii",  # ski-ing
            r"[aeiou]{3}",  # va-ri-ous, and with less reason queen, beau-ty
            r"riet|dien|[^l]llien",  # va-ri-ety, au-di-ence
            r"(?:m|[aeiouy])bl$",  # tum-ble, ta-ble, whose e is gone
            r"ism$",  # pris-m
            r"^mc",
            r"(?:(?<=[^e])ee|(?<=[^o])oo|(?<=[^a])aa)l$",  # feel, school
            r"^coa[dglx].",  # co-ali-tion
            r"[^q]qua[^aeiou][aeiou]|[^g]gua[^aeiou][aeiou]",  # e-qua-tor
        ),
    )
)
"""Where a group of vowels counts once more: at most once a word for each kind."""

_JOINED = tuple(map(re.compile, (r"ciou", r"gui", r".ely$")))
"""Where a group counts for nothing: spe-cious, gui-tar, lone-ly."""


@lru_cache(maxsize=200_000)
def easse_syllables(word: str) -> int:
    """The syllables of a token; 0 for punctuation, figures and words such as *he*."""
    word = word.lower()
    spoken = SPOKEN_IN_FULL.get(word)
    if spoken is not None:
        return spoken
    stem = word.rstrip("e")
    more = sum(1 for pattern in _SPLIT if pattern.search(stem))
    less = sum(1 for pattern in _JOINED if pattern.search(stem))
    return len(_GROUP.findall(stem)) + more - less
