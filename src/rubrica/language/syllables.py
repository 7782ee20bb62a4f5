"""How many syllables a word has, by the spelling rules of its language.

English, Spanish, Catalan, Portuguese, Italian, French and German have rules of their own below. Of other
languages, vowel groups are counted in Latin script, vowels in Cyrillic (where each is a syllable), vowels less the
digraphs in Greek. No rule from spelling is perfect: they are for means over texts, not for single words.

English syllables from spelling: groups of vowel letters, without mute *e*, and two where a group is spoken as two.
Rules of our own, tried on a dictionary of pronunciations (figures in docs/researchers/readability.md). EASSE's count,
which FKGL needs, is another.

English syllables as EASSE counts them for FKGL, so that its published figures can be met. The convention
(Lingua::EN::Syllable by Greg Fast, which EASSE took over) goes by spelling alone: groups of vowel letters in the word
without its final *e*'s, plus the places where one group is spoken as two syllables, less those where a vowel letter
only softens a consonant. Its known slips are part of the convention: *he* and *be* have no syllable left, *feel* and
*queen* have two. For any other purpose use :func:`syllables`.

French syllables as they are spoken with care: vowel groups without mute final *e*, apart where hiatus is spelled.
Rules of our own after Grevisse, Le bon usage: a final *e*, *es* and the *ent* of safe verb endings are mute; *é*, a
diaeresis, and *i* or *u* after a consonant with *l* or *r* stand apart (*ré-el*, *No-ël*, *ou-bli-er*).

German syllables: each vowel, long vowel or diphthong is one; no final vowel is mute. After the rules for dividing
words of the Rat für deutsche Rechtschreibung (2018, § 107 to 113).

Syllables of Spanish, Catalan, Portuguese and Italian, which follow from spelling: which vowels make one nucleus. Each
language reads a run of vowels from left to right. A glide (unstressed *i* or *u*) may join the vowel before it (a
falling diphthong) or the one after it (a rising one); two full vowels never join. The rules are those of the
orthographies: RAE and ASALE, Ortografía de la lengua española, 2010; IEC, Ortografia catalana, 2017; the Acordo
Ortográfico of 1990; Serianni, Grammatica italiana, 1989.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from rubrica.language.names import base_language

_GROUP = re.compile(r"[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüÿœ]+")

_MUTE = re.compile(
    "|".join(
        (
            r"(?<=[^aeiouylr])e$|(?<=[aeiouyrl]l)e$|(?<=[aeiouy]r)e$|(?<=[aio])e$",  # home, while, care
            r"(?<=[a-z][gq])ue(?=s?$)|(?<=[^gq]u)e$",  # league, true
            r"(?<=[^aeiouydtlr])e(?=d$)|(?<=[aeiouylr][lr])e(?=d$)",  # walked, filled, but not wanted
            r"(?<=[^aeiouyscgzxhlrq])e(?=s$)|(?<=[aeiouylr][lr])e(?=s$)|(?<=[tp]h)e(?=s$)",  # homes, but not boxes
            r"(?<=[^aeiouyl])e(?=ments?$)|(?<=[^aeiouy])e(?=(?:ly|ful|fully|less|ness)$)",  # movement, lonely
            r"(?<=[^aeiouylr])e(?=(?:some|where|thing|body|times?|work|land|house|side|lines?)$)",  # homework
            r"(?<=^som)e(?=[^aeiouyr]|on)|(?<=^her)e(?=[abiu])",  # something, hereby
            r"(?<=^ther)e(?=[abfu])|(?<=^wher)e(?=[abu])",  # therefore, whereas
            r"(?<=^ev)e(?=ry)|(?<=^bus)i(?=ness)|(?<=ic)a(?=lly$)",  # every, business, basically
        )
    )
)

_TWO = re.compile(
    "|".join(
        (
            r"(?<![ctsgx])i(?=a(?!ge|rr))|(?<=[ct])i(?=at)",  # me-di-a, so-ci-ate
            r"(?<![ctsgxnh])(?<!ll)i(?=o)|(?<=[aegiu]n)i(?=o[^n]|on[^as])",  # ra-di-o, but not na-tion
            r"(?<![ctsgx])i(?=u)|i(?=i)",  # me-di-um, ski-ing
            r"(?<=[rcltx])i(?=et[yi])|(?<=[dlrpv])i(?=en[ct])|(?<=sc)i(?=en)",  # va-ri-e-ty, cli-ent, sci-ence
            r"(?<=[lvdnbpf])i(?=er$|est$)|(?<=qu)i(?=et)|(?<=^d)i(?=et)|(?<=^g)i(?=an)",  # qui-et
            r"(?<![aeiou])e(?=o(?!us$|ple|ugh|n$|ns$))|(?<=[dnlr])e(?=ous)|(?<=[dns])e(?=um)",  # vi-de-o, mu-se-um
            r"(?<=[rd])e(?=a(?:s|ns?)?$)|(?<=cr)e(?=a(?!m|k|s|tu))|(?<=th)e(?=at)",  # i-de-a, cre-ate
            r"(?<=^r)e(?=a(?:ct|li|ff|pp|rr|ss)|i(?:n|m)|e[nlx]|o|u)",  # re-act
            r"(?<=[^aeiouqg])u(?=a(?!de))|(?<=[nxdg])u(?=ous)|u(?=it[yio])",  # ac-tu-al
            r"(?<=[^aeiouqgbls])u(?=e[lnt])|(?<=fl)u(?=en)",  # flu-ent
            r"(?<=[aeoy])(?=ing)|(?<=[^qg]u)(?=ing)|(?<=[aeou])y(?=[aou]|e[^ds]|e[ds].)|(?<=any)(?=o)",  # roy-al
            r"(?<=[a-z])a(?=o|el)|(?<=her)o(?=i)|(?<=p)o(?=e[mt])|(?<=^c)o(?=op|or|in[ch]|ex|ag|al.|ax)",  # po-et
            r"(?<=[sz])m(?=s?$)|(?<=th)m(?=s?$)|(?<=d)n(?=ts?$)|^mc",  # pris-m, rhyth-m, did-n't
        )
    )
)
"""Where one group is two syllables, or a consonant is one."""


def english(word: str) -> int:
    """The syllables of a word in small letters; 0 if it has no vowel letter."""
    if not _GROUP.search(word):
        return 0
    return max(len(_GROUP.findall(_MUTE.sub("", word))), 1) + len(_TWO.findall(word))


SPOKEN_IN_FULL = {"the": 1, "mr": 2, "mrs": 2, "dr": 2, "jr": 2, "sr": 2, "ms": 1, "st": 1, "etc": 4}
"""The article would lose its only vowel; titles and *etc* have none and are read out."""

SYLLABLES_EASSE__GROUP = re.compile(r"[aeiouy]+")

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
    return len(SYLLABLES_EASSE__GROUP.findall(stem)) + more - less


SYLLABLES_FRENCH__MUTE = re.compile(r"(?<=ai)ent$|(?<=èr)ent$|(?<=iss)ent$|(?<=[a-zéèêëïôûîâ])es?$")
_VOWEL = "aeiouyàâäéèêëîïôöùûüœæ"
SYLLABLES_FRENCH__GROUP = re.compile(rf"[{_VOWEL}]+")

_APART = re.compile(
    "|".join(
        (
            rf"é(?=[{_VOWEL}])|(?<=[aeiou])[ëïöüä](?!u)|(?<=[ay])[éè]",  # ré-el, No-ël, a-é-ro-port
            r"(?<=a)(?=o(?!û)|ê)|(?<=[^e]a)(?=[ae])|o(?=[aéèê])|(?<=c)o(?=o)",  # ca-ca-o, o-a-sis
            r"(?<![qgo])u(?=[aoâéèêe](?!$|s$))",  # nu-age
            r"(?<=o)u(?=[aeéèêio](?!$|ll))",  # jou-er
            r"(?<=[bcdfgptv][lr])i(?=[aeoéèêâu])|(?<=[bcdfgptv][lr])u(?=[aeoéè])",  # ou-bli-er
            r"(?<=pa)y(?=s)",  # pa-ys
        )
    )
)


def french(word: str) -> int:
    """The syllables of a word in small letters; 0 for an elided consonant, at least 1 with a vowel."""
    bare = re.sub(r"q[u]|gu(?=[eiéèêy])", "g", word)
    spoken = SYLLABLES_FRENCH__MUTE.sub("", bare)
    if not SYLLABLES_FRENCH__GROUP.search(spoken):
        return 1 if SYLLABLES_FRENCH__GROUP.search(bare) else 0
    spoken = re.sub(rf"(?<=[{_VOWEL}])y(?=[{_VOWEL}])", "j", spoken)
    return len(SYLLABLES_FRENCH__GROUP.findall(spoken)) + len(_APART.findall(spoken))


_NUCLEUS = re.compile(r"ai|ei|ay|ey|au|äu|eu(?!m$)|ie|aa|ee|oo|oi|[aeiouyäöüàâéèêëïô]")
SYLLABLES_GERMAN__TWO = re.compile(
    r"(?<=[aeiouäöü][lnrd])ie(?=n$|ns$)|(?<=[aeiouäöü][lnrd][lnrdt])ie(?=n$|ns$)|^(?:be|ge)(?=e[hnr])|^(?:be|ge)(?=inh|imp)"
)
"""*ie* in *Li-ni-en*, and the prefixes of *be-enden* and *ge-ehrt*."""


def german(word: str) -> int:
    """The syllables of a word in small letters; 0 if it has no vowel letter."""
    spoken = re.sub(r"(?<=q)u", "", word)
    return len(_NUCLEUS.findall(spoken)) + len(SYLLABLES_GERMAN__TWO.findall(spoken))


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
