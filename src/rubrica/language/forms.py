"""Whether two words are forms of one word: by simplemma's dictionaries, by a list of irregular forms, and by endings.

A dictionary gives one base for a form, so that *left* is no form of *leave* in it; `irregular_forms.txt` has what it
cannot tell. Endings that a language puts on words (clitics, affixes, regular inflection) only propose bases: what they
propose counts if it is a known base of the other word, never if it is proposed for both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from rubrica.core.target_words import SHORTEST_STEM
from rubrica.language import filipino
from rubrica.language.lemmas import knows_of, lemmas_of
from rubrica.language.names import language_code

SameWord = Callable[[str, str], int]
"""1 if an ending makes one of them out of the other, 2 for known forms of one word, -1 for two known words, else 0."""

_ENDINGS = {
    "es": ("ar er ir", "o a e as es an en amos emos imos é ó aba ía ado ada ados adas ido ida idos idas ando iendo"),
    "pt": (
        "ar er ir",
        "o a e as es am em amos emos imos ou eu iu ava ia ado ada ados adas ido ida idos idas ando endo",
    ),
    "it": ("are ere ire", "o i a e iamo ano ono ava eva iva ato ata ati ate uto uta uti ute ito ita iti ite ando endo"),
    "ca": ("ar er re ir", "o a e es en em im ava ia at ada ats ades it ida its ides ut uda ant ent int"),
    "fr": ("er ir re", "e es ent ons ez ait ant é ée és ées i ie is ies it u ue us ues"),
}
"""How infinitives end, and forms that are often nouns or adjectives, too (*uso*, *marche*, *ferida*)."""

_ADDED = {
    "ca": "s es",
    "da": "e en er et erne ne s t",
    "de": "e em en er es n s t te ten ter tes",
    "en": "es s",
    "es": "s es",
    "fi": "a ä en i ia iä in ja jä ksi lla llä lle lta ltä n na nä ssa ssä sta stä t ta tä",
    "fr": "e es s x",
    "hu": "a ai ak at ba ban ben e ei ek et hez hoz i ig ja je k n nak nek ok ot ra re t tól től val vel",
    "nb": "e en er et ene a s t",
    "nl": "e en n s",
    "pt": "s es",
    "sv": "a ar arna en er erna et n na or orna s t",
    "tr": "a da dan de den e i in la lar ları le ler leri nin nı ta tan te ten u un ya ye ı ın ü ün",
}
"""Endings that nouns, adjectives and regular verbs get as they are; what comes of it may be a word of its own, too."""

_SINHALA = (
    ("", "ා", "ය", "ව", "නවා", "වා"),
    ("න්ගේ න්ට න්ව න් ින්ගේ ින්ට ින් ින ින්ව ාගේ ාට ාව ගේ ගෙන් ට ේ ේදී ෙන් ෙහි ෙක් ක් ක් ක යි වල වල් වලින් වලට වලදී වරු ි ් ව ද ත් න්න මින් ලා යි පු මු මි"),
)
"""How words of Sinhala end as they stand in a dictionary, and endings of case, number and tense."""

_CLITICS = {
    "es": "me te se nos os lo la los las le les",
    "it": "mi ti si ci vi lo la li le gli ne glie me te se ce ve",
    "ca": "me te se nos vos lo la los les li ho hi ne",
}
"""Pronouns that are written onto the end of a verb."""
_REFLEXIVE = {"es": ("se",), "it": ("si",)}
_IMPERATIVES = {
    "es": {"da": "dar", "di": "decir", "haz": "hacer", "pon": "poner", "ten": "tener", "ven": "venir"},
    "it": {"dam": "dare", "dim": "dire", "fam": "fare", "stam": "stare"},
}
"""Those that neither end nor are accented as verbs with pronouns are; Italian doubles the pronoun's consonant."""
_ACUTE = str.maketrans("áéíóú", "aeiou")


class Bases(NamedTuple):
    """The bases that a word is known to have, itself included, and those that its ending proposes."""

    known: frozenset[str]
    proposed: frozenset[str]


def same_word_in(language: str) -> SameWord | None:
    """What tells whether two words of this language are forms of one; None for a language that we know nothing of."""
    code = language_code(language)
    lemmas, irregular = lemmas_of(language), _irregular().get(code, {})
    listed = knows_of(language) if lemmas else None
    if lemmas is None and not irregular:
        return None

    @lru_cache(maxsize=65536)
    def bases(word: str) -> Bases:
        small = _plain(word)
        known = {small, *_listed(small, irregular), *(lemmas(word) if lemmas else ())}
        proposed: set[str] = set()
        for stem in _without_clitics(small, code):
            infinitive = stem.endswith(("r", "re"))
            proposed |= {stem, *_listed(stem, irregular), *(lemmas(stem) if lemmas and not infinitive else ())}
        proposed.update(_by_ending(small, code))
        return Bases(frozenset(map(_plain, known)), frozenset(proposed))

    def same(one: str, other: str) -> int:
        first, second = bases(one), bases(other)
        if not first.known.isdisjoint(second.known):
            return 2
        if not (first.known.isdisjoint(second.proposed) and first.proposed.isdisjoint(second.known)):
            return 1
        return -int(listed is not None and listed(one) and listed(other))

    return same


def _plain(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold()


@lru_cache
def _irregular() -> dict[str, dict[str, set[str]]]:
    """Each language's irregular forms, with the bases of each."""
    text = (Path(__file__).parent / "irregular_forms.txt").read_text(encoding="utf-8")
    found: dict[str, dict[str, set[str]]] = {}
    for section in text.split("\n[")[1:]:
        code, _, lines = section.partition("]")
        known = found.setdefault(code, {})
        for line in lines.strip().splitlines():
            base, *forms = _plain(line).split()
            for form in forms:
                known.setdefault(form, set()).add(base)
    return found


def _listed(word: str, irregular: dict[str, set[str]]) -> Iterator[str]:
    """Bases of a word that is on the list, or that ends in one of at least four letters (*underwent*, *découvert*)."""
    yield from irregular.get(word, ())
    for cut in range(1, len(word) - 3):
        for base in irregular.get(word[cut:], ()):
            yield word[:cut] + base


def _by_ending(word: str, code: str) -> Iterator[str]:
    for end in _ADDED.get(code, "").split():
        if word.endswith(end) and len(word) - len(end) >= SHORTEST_STEM + (code not in ("ca", "en", "es", "pt")):
            yield word.removesuffix(end)
    if code == "en":
        yield from _english(word)
    elif code == "fil":
        yield from filipino.roots(word)
    elif code == "si":
        yield from _put_back(word, _SINHALA[0], _SINHALA[1].split())
    elif code in _ENDINGS:
        yield from _put_back(word, *(part.split() for part in _ENDINGS[code]))


def _put_back(word: str, bases: Sequence[str], endings: Sequence[str]) -> Iterator[str]:
    """The word with each ending that it has replaced by each that a base may have."""
    stems = [word.removesuffix(end) for end in endings if word.endswith(end) and len(word) - len(end) >= 2]
    return map("".join, product(stems, bases))


def _english(word: str) -> Iterator[str]:
    """Bases of regular forms that are words of their own, too (*building*, *fixed*, *bigger*, *sales*)."""
    if word.endswith(("ies", "ied")):
        yield word[:-3] + "y"
    for end in ("ing", "ed", "er", "est"):
        stem = word.removesuffix(end)
        if stem == word or len(stem) < 2 or not re.search("[aeiouy]", stem):
            continue
        if len(stem) > 2 and stem[-1] == stem[-2]:
            yield stem[:-1]
        if end in ("ing", "ed"):
            yield stem
            if stem[-1] not in "aeiou":
                yield stem + "e"


def _without_clitics(word: str, code: str) -> Iterator[str]:
    """The verb of a word that ends in pronouns: an infinitive, a gerund, or an imperative that shows by its accent."""
    clitics = sorted(_CLITICS.get(code, "").split(), key=len, reverse=True)
    ends = [*clitics, *("".join(pair) for pair in product(clitics, clitics))]
    for end in ends:
        stem = word.removesuffix(end)
        if stem == word or len(stem) < 2:
            continue
        bare = stem.translate(_ACUTE)
        if stem in _IMPERATIVES.get(code, ()):
            yield _IMPERATIVES[code][stem]
        elif code == "it":
            if stem.endswith(("r", "ndo", "te")):
                yield stem + ("e" if stem.endswith("r") else "")
        elif bare.endswith(("r", "ndo", "nt")) or bare != stem:
            yield bare
    if code == "es" and word.endswith("monos"):
        yield word.translate(_ACUTE).removesuffix("nos") + "s"  # vámonos
    for end in _REFLEXIVE.get(code, ()):
        if word.endswith(f"r{end}"):
            yield word.removesuffix(end) + ("e" if code == "it" else "")
