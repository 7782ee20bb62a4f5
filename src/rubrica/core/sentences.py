"""How many sentences a text has, by a rule simple enough to explain to the person it refuses.

A sentence ends at ``.``, ``!``, ``?``, ``…`` or their East Asian forms (a quote or bracket may follow), or at a
line break. A full stop after an initial, a known abbreviation or inside a number ends nothing. In doubt the
rule counts more sentences, because its only use in ``core`` is to refuse a rewrite that was not split.
"""

from __future__ import annotations

import re

_ABBREVIATIONS = frozenset(
    [
        "dr",
        "mr",
        "mrs",
        "ms",
        "prof",
        "st",
        "jr",
        "sr",
        "vs",
        "etc",
        "e.g",
        "i.e",
        "cf",
        "fig",
        "no",
        "vol",
        "pp",
        "ed",
        "approx",
        "dept",
        "est",
        "inc",
        "ltd",
        "co",
        "corp",
        "gen",
        "col",
        "lt",
        "sgt",
        "capt",
        "rev",
        "hon",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "a.m",
        "p.m",
        "u.s",
        "u.k",
        "d.c",
        "sra",
        "srta",
        "dra",
        "lic",
        "ing",
        "av",
        "núm",
        "pág",
        "art",
        "ee.uu",
        "p.ej",
        "ud",
        "uds",
    ]
)
_END = re.compile(r"(?P<stop>[.!?…]+[\"'”’»)\]]*)(?=\s+\S|\s*$)|(?P<wide>[。！？]+[」』”’）]*)|\n+")


def count_sentences(text: str) -> int:
    """The number of sentences in ``text``; 0 for blank text, 1 for text without a final stop."""
    count, start = 0, 0
    for end in _END.finditer(text):
        piece = text[start : end.start()]
        if not any(map(str.isalnum, piece)):
            continue
        if end["stop"] and end["stop"].startswith(".") and _goes_on(piece, text[end.end() :]):
            continue
        count += 1
        start = end.end()
    return count + any(map(str.isalnum, text[start:]))


def _goes_on(before: str, after: str) -> bool:
    """Whether a full stop between these two belongs to an abbreviation or initial."""
    if not after.strip():
        return False
    word = before.rsplit(maxsplit=1)[-1].lstrip("(\"'“‘[").casefold()
    if after.lstrip()[0].islower():
        return True
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and before.rsplit(maxsplit=1)[-1].isupper())
