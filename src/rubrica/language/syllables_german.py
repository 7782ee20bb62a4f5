"""German syllables: each vowel, long vowel or diphthong is one; no final vowel is mute.

After the rules for dividing words of the Rat für deutsche Rechtschreibung (2018, § 107 to 113).
"""

from __future__ import annotations

import re

_NUCLEUS = re.compile(r"ai|ei|ay|ey|au|äu|eu(?!m$)|ie|aa|ee|oo|oi|[aeiouyäöüàâéèêëïô]")
_TWO = re.compile(
    r"(?<=[aeiouäöü][lnrd])ie(?=n$|ns$)|(?<=[aeiouäöü][lnrd][lnrdt])ie(?=n$|ns$)|^(?:be|ge)(?=e[hnr])|^(?:be|ge)(?=inh|imp)"
)
"""*ie* in *Li-ni-en*, and the prefixes of *be-enden* and *ge-ehrt*."""


def german(word: str) -> int:
    """The syllables of a word in small letters; 0 if it has no vowel letter."""
    spoken = re.sub(r"(?<=q)u", "", word)
    return len(_NUCLEUS.findall(spoken)) + len(_TWO.findall(spoken))
