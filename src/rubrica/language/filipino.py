"""Roots that a Filipino word may be built from: by its affixes, and by what of it is said twice.

A word takes prefixes, an infix after its first consonant, a suffix, and doubles its first syllable: *sulat* (write) is
in *sumulat*, *susulat*, *isinulat* and *sulatan*. All that could be the root is proposed; a dictionary would tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PREFIXES = re.compile(
    "(?:pinaka(?:ma)?|napaka|(?:na|ma)?kapag|(?:na|ma)kaka|(?:na|ma)kipag|(?:na|ma|pag)ka|(?:na|mag|pag)pa"
    "|(?:i|ip|p)inag|ipag|[mnp]a(?:ng|g|m|n)|[mn]ai|i(?:ka|p[ai])|[mnpk]a|i)-?"
)
_INFIX = re.compile(r"^([bcdfghjklmnpqrstvwxyz]{0,2})(um|in)(?=[aeiou])")
_INITIAL_IN = re.compile(r"^ni(?=[lryw])")
_TWICE = re.compile(r"^([bcdfghjklmnpqrstvwxyz]{0,2}[aeiou])(?=\1)")
SHORTEST = 3


def roots(word: str) -> Iterator[str]:
    """What may be the root, without the word itself; a root has at least three letters."""
    seen, waiting = {word}, [word]
    while waiting:
        for shorter in _shorter(waiting.pop()):
            if len(shorter) >= SHORTEST and shorter not in seen:
                seen.add(shorter)
                waiting.append(shorter)
                yield from _spellings(shorter)


def _shorter(word: str) -> Iterator[str]:
    for length in range(1, len(word) - SHORTEST + 1):
        if _PREFIXES.fullmatch(word[:length]):
            yield word[length:]
    for suffix in ("hin", "han", "in", "an", "ng"):
        if word.endswith(suffix):
            yield word.removesuffix(suffix)
    yield _INFIX.sub(r"\1", word)
    yield _INITIAL_IN.sub("", word)
    yield _TWICE.sub("", word)
    if word[:2] in ("da", "di", "du") and word[2:3] == "r":  # d between vowels is said r: da-rating
        yield "d" + word[3:]


def _spellings(root: str) -> Iterator[str]:
    """A root and how it may be written alone: *lutu-in* is from *luto*, *mamili* from *bili* or *pili*."""
    for one in dict.fromkeys((root, re.sub(r"u([^aeiou]*)$", r"o\1", root))):
        yield one
        if one.startswith("r"):
            yield "d" + one[1:]
        if one[0] == "m":  # mang- takes the first sound along: mamili from pili and bili
            yield from ("b" + one[1:], "p" + one[1:])
        if one.endswith("r"):
            yield one[:-1] + "d"
