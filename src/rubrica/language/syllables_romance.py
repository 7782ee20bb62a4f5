"""Syllables of Spanish, Catalan, Portuguese and Italian, which follow from spelling: which vowels make one nucleus.

Each language reads a run of vowels from left to right. A glide (unstressed *i* or *u*) may join the vowel before it (a
falling diphthong) or the one after it (a rising one); two full vowels never join. The rules are those of the
orthographies: RAE and ASALE, Ortografía de la lengua española, 2010; IEC, Ortografia catalana, 2017; the Acordo
Ortográfico of 1990; Serianni, Grammatica italiana, 1989.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_VOWELS = re.compile(r"[aeiouáéíóúàèìòùâêôãõüï]+")
_GLIDES = "iu"


class Run(NamedTuple):
    """A run of vowels in a word: the vowels, and what stands before and after it."""

    vowels: str
    before: str
    after: str


def spanish(word: str) -> int:
    """*h* does not keep vowels apart, *y* is a vowel at the end; an accent on *í* or *ú* makes it a full vowel."""
    spelled = re.sub(r"(?<!c)h", "", word)
    spelled = re.sub(r"(?<=q)u|(?<=g)u(?=[eiéí])", "", spelled).replace("ü", "u")
    spelled = re.sub(r"y$|^y(?![aeiouáéíóú])|(?<=[aeiou])y(?![aeiouáéíóú])", "i", spelled)
    return sum(_both_ways(run.vowels) for run in _runs(spelled))


def italian(word: str) -> int:
    """Rising and falling diphthongs, but a word's only vowels are apart if they rise to a bare one: *mi-o*, *du-e*."""
    runs = list(_runs(re.sub(r"(?<=[qg])u(?=[aeioàèéìòù])", "", word)))
    if len(runs) == 1 and re.fullmatch(r"[iu][aeo]", runs[0].vowels) and not runs[0].after:
        soft = runs[0].before.endswith(("c", "g", "gl", "q")) and runs[0].vowels[0] == "i"
        return 1 if soft else 2
    return sum(_both_ways(run.vowels) for run in runs)


def portuguese(word: str) -> int:
    """Falling diphthongs, nasal ones included; a final rising one only after the accent: *his-tó-ria*, *a-le-gri-a*."""
    spelled = re.sub(r"(?<=q)u(?=[aeioáéíóúâêôã])|(?<=g)u(?=[aeioáéíóúâêôã])", "", word).replace("ü", "u")
    spelled = re.sub(r"ão|ãe|õe", "ã", spelled)
    total = 0
    for run in _runs(spelled):
        accent = any(mark in run.before for mark in "áéíóúâêô")
        last = run.after in {"", "s", "m"}
        joined = accent and last and re.fullmatch(r"[iu][aoeã]", run.vowels)
        total += 1 if joined else _falling(run, before_nasal=True)
    return total


def catalan(word: str) -> int:
    """Falling diphthongs, rising ones only after *q* and *g*: *his-tò-ri-a*, *ai-gua*; final *-ir* stands alone."""
    spelled = re.sub(r"(?<=[qg])[uü](?=[aeioàèéíòóú])|^[iu](?=[aeouàèéòó])|(?<=^h)i(?=[aeo])", "", word)
    spelled = re.sub(r"(?<=[aeo])y$", "i", spelled)
    return sum(_falling(run, before_nasal=False) for run in _runs(spelled))


def _runs(word: str) -> Iterator[Run]:
    return (Run(found[0], word[: found.start()], word[found.end() :]) for found in _VOWELS.finditer(word))


def _both_ways(vowels: str) -> int:
    """Nuclei where a glide joins its neighbours on either side: *Ma-rio*, *ai-re*; full vowels and twins are apart."""
    nuclei = 0
    state = ""
    for place, vowel in enumerate(vowels):
        glide = vowel in _GLIDES
        if not state or (state == "full" and not glide) or state == "closed":
            nuclei, state = nuclei + 1, "open" if glide else "full"
        elif state == "open":
            if glide and vowels[place - 1] == vowel:
                nuclei += 1
            state = "open" if glide else "full"
        else:
            state = "full" if place + 1 == len(vowels) else "closed"
    return nuclei


def _falling(run: Run, *, before_nasal: bool) -> int:
    """Nuclei where a glide joins only the vowel before it, unless a consonant closes its own syllable (*ra-iz*)."""
    nuclei, joined = 0, True
    for place, vowel in enumerate(run.vowels):
        last = place + 1 == len(run.vowels)
        if not joined and vowel in _GLIDES and not (last and _closed(run.after, before_nasal)):
            joined = True
            continue
        nuclei, joined = nuclei + 1, False
    return nuclei


def _closed(after: str, before_nasal: bool) -> bool:
    """Whether the consonants after a run keep its last glide apart."""
    if before_nasal:
        return bool(re.match(r"nh|[lmnrz](?:$|[^aeiouáéíóúâêôãõhr])", after))
    return bool(re.match(r"r$|nt$|sme", after))
