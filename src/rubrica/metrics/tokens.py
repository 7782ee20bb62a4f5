"""Cutting texts into tokens as the reference implementations do: sacreBLEU's tokenisers, by their names.

Tokeniser 13a looks at a sign and its neighbours only, so what it makes of a text is what it makes of the parts between
white space. Parts come again and again: each is cut once by sacreBLEU's tokeniser and remembered, which gives the same
tokens some ten times sooner.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module

import attrs

from rubrica.core.errors import wrong

TOKENIZERS = {
    "13a": "tokenizer_13a:Tokenizer13a",
    "intl": "tokenizer_intl:TokenizerV14International",
    "char": "tokenizer_char:TokenizerChar",
    "zh": "tokenizer_zh:TokenizerZh",
    "none": "tokenizer_none:NoneTokenizer",
}
"""Tokenisers of sacreBLEU that need no further data. ``none`` takes texts as already cut, at white space."""


@attrs.frozen
class Normalisation:
    """How texts are made comparable before tokens are counted."""

    tokenizer: str = "13a"
    lowercase: bool = False

    def cutter(self) -> Callable[[str], str]:
        """A function that gives the tokens of a text, separated by single spaces; each different text is cut once."""
        tokenize = _tokenizer(self.tokenizer)
        known: dict[str, str] = {}

        def cut(text: str) -> str:
            found = known.get(text)
            if found is None:
                found = known[text] = tokenize(text.lower() if self.lowercase else text)
            return found

        return cut


def _tokenizer(name: str) -> Callable[[str], str]:
    return _13a if name == "13a" else _of_sacrebleu(name)


def _13a(text: str) -> str:
    """The tokens of a text; what 13a does across white space (hyphens at line ends, marks, entities) comes first."""
    if "\n" in text:
        text = text.replace("-\n", "").replace("\n", " ")
    if "<skipped>" in text or "&" in text:
        return _of_sacrebleu("13a")(text)
    return " ".join(map(_part, text.split()))


@lru_cache(maxsize=1 << 16)
def _part(part: str) -> str:
    return _of_sacrebleu("13a")(part)


@cache
def _of_sacrebleu(name: str) -> Callable[[str], str]:
    if name not in TOKENIZERS:
        raise wrong(f"there is no tokenizer {name!r}", "tokenizer", f"Use one of {', '.join(TOKENIZERS)}.", value=name)
    module, kind = TOKENIZERS[name].split(":")
    found: Callable[[str], str] = getattr(import_module(f"sacrebleu.tokenizers.{module}"), kind)()
    return found
