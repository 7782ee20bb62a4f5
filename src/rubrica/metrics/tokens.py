"""Cutting texts into tokens as the reference implementations do: sacreBLEU's tokenisers, by their names."""

from __future__ import annotations

from collections.abc import Callable
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
                found = known[text] = " ".join(tokenize(text.lower() if self.lowercase else text).split())
            return found

        return cut


def _tokenizer(name: str) -> Callable[[str], str]:
    if name not in TOKENIZERS:
        raise wrong(f"there is no tokenizer {name!r}", "tokenizer", f"Use one of {', '.join(TOKENIZERS)}.", value=name)
    module, kind = TOKENIZERS[name].split(":")
    found: Callable[[str], str] = getattr(import_module(f"sacrebleu.tokenizers.{module}"), kind)()
    return found
