"""Base forms of words, and which language a text is in: simplemma's dictionaries, read when first asked for.

A dictionary takes about 100 MB and a second, so one is kept at a time; nothing here is needed to show a page.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from babel import Locale
from babel.core import get_global

from rubrica.language.names import base_language, language_code

_OTHER_NAMES = {"fil": "tl", "no": "nb", "hr": "hbs", "sr": "hbs", "bs": "hbs"}
"""What simplemma calls some languages."""
_BY_SCRIPT = {"GREEK": "el", "HEBREW": "he", "DEVANAGARI": "hi", "GEORGIAN": "ka", "ARMENIAN": "hy", "SINHALA": "si"}
"""Languages that are told by their script."""
_FREQUENT = {
    "ar": "في من على أن إلى التي الذي هذا هذه مع كان عن",
    "bg": "на да се от за че по със като това са който",
    "ca": "el els la les de del i a amb que per una és en són als pel dels va ha seva un no més o si es com",
    "cs": "se že je ve pro jako ale který která které jsou byl byla není také už až ze při podle",
    "de": "der die das und ist in den von zu mit dem des ein eine auf für nicht werden wird sich auch im",
    "en": "the of and to in is that for was on with as by are from it this be which an have has they you your we but "
    "or if can their when would should were been its than other such there",
    "es": "el los la las de del y a en que por una es con para se su al como más sus ha fue un no o si pero mi",
    "fa": "در به از که این را است با برای آن های می",
    "fi": "ja on ei se että joka mutta oli ovat myös kun hän jos kuin sekä niin tämä olla",
    "fil": "ang ng sa na mga at ay ito para si kung nang hindi mula isang",
    "fr": "le la les de des du et à en que est une un pour dans par qui sur sont au aux ce cette pas",
    "hu": "az és hogy nem egy volt meg csak mint már még vagy azt kell ezt lesz mert",
    "it": "il lo la i gli le di del della e a in che è per una un con sono non si da nel alla dei",
    "nl": "de het een van en in is op te dat voor met zijn niet aan door ook er die bij",
    "pl": "się nie że jest jak przez dla był była oraz ich który która które są ale tym jego",
    "pt": "o os a as de do da e em que um uma para com não por mais dos das no na se foi ao é",
    "ro": "și în că nu este mai pentru sau care fost lui din fi va pe cu această acest după",
    "ru": "и в не на что с по как это из от для его к был",
    "sv": "och att det som på är av för med den till inte om ett han från hade kan har",
    "tr": "ve bir bu için ile çok gibi daha olan olarak kadar ama her sonra ancak",
    "uk": "і в не на що з та як це із від для його до був у",
}
"""Small words by which a language is told from others of its script."""
_SCRIPTS = {
    "Arab": ("ARABIC",),
    "Cyrl": ("CYRILLIC",),
    "Deva": ("DEVANAGARI",),
    "Grek": ("GREEK",),
    "Hans": ("CJK",),
    "Hebr": ("HEBREW",),
    "Jpan": ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"),
    "Kore": ("HANGUL", "CJK"),
    "Latn": ("LATIN",),
    "Sinh": ("SINHALA",),
    "Taml": ("TAMIL",),
}
"""How the names of letters begin, by the script that a language is usually written in."""
_FOREIGN = 3
"""More than so many times as many letters of other scripts show that a sentence is in another language."""
_ENOUGH = 20_000
"""Characters that show which language a file is in."""


@lru_cache(maxsize=1)
def _dictionaries() -> Any:
    from simplemma.strategies import DefaultDictionaryFactory

    return DefaultDictionaryFactory(cache_max_size=1)


def lemmas_of(language: str) -> Callable[[str], frozenset[str]] | None:
    """What gives the base forms that a word may have, in small letters; None for a language without a dictionary."""
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultStrategy
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    code = language_code(language)
    known = _OTHER_NAMES.get(code, code)
    if known not in SUPPORTED_LANGUAGES:
        return None
    strategies = [DefaultStrategy(greedy, dictionary_factory=_dictionaries()) for greedy in (False, True)]
    readers = [Lemmatizer(lemmatization_strategy=strategy) for strategy in strategies]

    @lru_cache(maxsize=65536)
    def lemmas(word: str) -> frozenset[str]:
        written = {word, word.lower(), word.capitalize()}
        if code == "es" and word.lower().endswith("rse"):
            written.add(word.lower().removesuffix("se"))
        return frozenset(reader.lemmatize(form, known).casefold() for reader in readers for form in written)

    return lemmas


def knows_of(language: str) -> Callable[[str], bool]:
    """What tells whether the dictionary of a language that has one lists a word, in small letters or as a name."""
    code = language_code(language)

    def knows(word: str) -> bool:
        words = _dictionaries().get_dictionary(_OTHER_NAMES.get(code, code))
        return any(form in words for form in (word, word.lower(), word.capitalize()))

    return knows


def told_by(texts: Iterable[str]) -> str:
    """The language of these texts, told by their script or their small words; empty if none is clear."""
    text = ""
    for one in texts:
        text += one + "\n"
        if len(text) > _ENOUGH:
            break
    scripts = Counter(unicodedata.name(sign, "").split(" ")[0] for sign in text if sign.isalpha())
    if not scripts:
        return ""
    script = scripts.most_common(1)[0][0]
    words = Counter(re.findall(r"[^\W\d_]+", text.casefold()))
    shares = {code: sum(words[word] for word in small.split()) / words.total() for code, small in _FREQUENT.items()}
    first, second = sorted(shares, key=lambda code: -shares[code])[:2]
    clear = shares[first] > 0.1 and shares[first] > shares[second]
    return _BY_SCRIPT.get(script, first if clear else "")


@lru_cache
def _usual(language: str) -> tuple[tuple[str, ...], tuple[tuple[frozenset[str], frozenset[str]], ...]]:
    """The letters of a language; and beside each other one the small words that only it has, or only the other."""
    code = base_language(language)
    likely = get_global("likely_subtags").get(code, "").split("_")
    small = {other: function_words(other) | frozenset(words.split()) for other, words in _FREQUENT.items()}
    own = small.get(code, frozenset())
    pairs = tuple((own - words, words - own) for other, words in small.items() if own and other != code)
    return _SCRIPTS.get(likely[1] if len(likely) > 1 else "", ()), pairs


def is_foreign(text: str, language: str) -> bool:
    """Whether a sentence is clearly in another language than a text: most letters, or its small words, are another's.

    Where a language has no list of small words only the letters tell; a few foreign words in a sentence do not count.
    """
    letters, pairs = _usual(language)
    written = [unicodedata.name(sign, "").split(" ")[0] for sign in text if sign.isalpha()]
    if letters and _FOREIGN * sum(one in letters for one in written) < len(written):
        return True
    words = re.findall(r"[^\W\d_]+", text.casefold())
    return any(
        sum(word in theirs for word in words) >= max(_FOREIGN - 1, 2 * sum(word in own for word in words) + 1)
        for own, theirs in pairs
    )


@lru_cache
def function_words(language: str) -> frozenset[str]:
    """Words of a language that tell nothing by themselves, in small letters; none for a language without a list.

    Names of months and days are among them: nobody has a simpler word for one.
    """
    code = base_language(language)
    text = (Path(__file__).parent / "function_words.txt").read_text(encoding="utf-8")
    _, found, own = text.partition(f"\n[{code}]\n")
    if not found:
        return frozenset()
    calendar = Locale(code)
    names = [*calendar.months["format"]["wide"].values(), *calendar.days["format"]["wide"].values()]
    return frozenset([*own.partition("[")[0].split(), *map(str.lower, names)])
