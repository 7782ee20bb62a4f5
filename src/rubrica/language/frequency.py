"""How frequent words are in a language: the lists of wordfreq (Speer, rspeer/wordfreq 3.0, 2022), behind one seam.

wordfreq answers with the nearest language it knows if it does not know the one asked for (English for Sinhala); here
such a language is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from rubrica.core.errors import wrong
from rubrica.language.names import base_language, language_name

WORDS = 50_000
"""How many of the most frequent words of a language have a rank."""

_SAME = {"bs": "sh", "hr": "sh", "no": "nb", "sr": "sh", "tl": "fil"}
"""Codes that wordfreq keeps under another."""


@lru_cache(maxsize=8)
def known_language(language: str) -> str:
    """The code under which wordfreq has a language. Raises InputError for one that it does not have or cannot cut."""
    library = _wordfreq()
    code = base_language(language)
    code = _SAME.get(code, code)
    every = library.available_languages()
    usable = [one for one in sorted(every) if can_cut(one)]
    if code not in every:
        what = f"there are no word frequencies for {language_name(language)}"
        raise wrong(what, "language", f"There are some for {', '.join(usable)}.", value=language)
    if code not in usable:
        what = f"words of {language_name(language)} cannot be told apart at spaces, and so not be looked up"
        fix = "Install what cuts them: pip install 'rubrica[cjk]'; or leave word frequencies out for this language."
        raise wrong(what, "language", fix, value=language)
    return code


_CUTTERS = {"jieba": "jieba", "mecab": "MeCab"}
"""Modules that cut words where there are no spaces, by wordfreq's name for them."""


def can_cut(language: str) -> bool:
    """Whether texts of a language can be cut into words here: at spaces, or by what the extra `cjk` installs."""
    kind = _wordfreq().get_language_info(base_language(language))["tokenizer"]
    return kind == "regex" or (kind in _CUTTERS and find_spec(_CUTTERS[kind]) is not None)


def table(language: str) -> Mapping[str, float] | None:
    """The share of running words that each word of a language is; None for a language that the lists do not have.

    Words in small letters, as they are written: nothing is cut, so that scripts without spaces can be looked up, too.
    """
    library = _wordfreq()
    code = _SAME.get(base_language(language), base_language(language))
    if code not in library.available_languages():
        return None
    found: Mapping[str, float] = library.get_frequency_dict(code)
    return found


@lru_cache(maxsize=4)
def ranks(language: str) -> Mapping[str, int]:
    """The rank of each of the most frequent words of a language, 0 for the most frequent."""
    found = _wordfreq().top_n_list(known_language(language), WORDS)
    return {word: rank for rank, word in enumerate(found)}


def listed_zipf(table: Mapping[str, float], word: str) -> float:
    """The Zipf frequency of a word as a list has it; of several words the rarest decides; 0 if it is not there."""
    least = min((table.get(part, 0.0) for part in word.lower().split()), default=0.0)
    return 9 + math.log10(least) if least else 0.0


def list_version() -> str:
    """The name and version of the lists, for signatures."""
    return f"wordfreq-{metadata.version(_wordfreq().__name__)}"


def cut(text: str, language: str) -> list[str]:
    """The words of a text as the lists have them: small letters, no punctuation."""
    found: list[str] = _wordfreq().tokenize(text, known_language(language))
    return found


def analysed(text: str, language: str) -> list[tuple[str, list[str]]]:
    """The pieces that MeCab cuts a text into, each with what its dictionary says of it; for languages that it cuts."""
    return [
        (surface, told.split(","))
        for line in _mecab(language).parse(text).splitlines()
        for surface, tab, told in [line.partition("\t")]
        if tab
    ]


@lru_cache(maxsize=2)
def _mecab(language: str) -> Any:
    known_language(language)
    from wordfreq.mecab import make_mecab_analyzer

    return make_mecab_analyzer(base_language(language))


def zipf(word: str, language: str) -> float:
    """The Zipf frequency of a word (van Heuven et al. 2014): log10 of its occurrences in a thousand million words.

    0 for a word that the list does not have.
    """
    found: float = _wordfreq().zipf_frequency(word, known_language(language))
    return found


def _wordfreq() -> ModuleType:
    try:
        import wordfreq
    except ImportError as error:
        fix = "Install it: pip install 'rubrica[frequency]'."
        raise wrong(f"word frequencies need wordfreq: {error}", "not_installed", fix, value=error.name) from error
    module: ModuleType = wordfreq
    return module
