"""How many sentences a tokenised text has, as EASSE finds with NLTK's Punkt model (Kiss and Strunk 2006).

EASSE gives Punkt a text that is already cut into tokens, where a full stop stands alone, so that nothing of Punkt's
model of abbreviations comes into play: each lone ``.``, ``?`` or ``!`` ends a sentence, those of *u . s .* included.
For texts as people write them use :func:`rubrica.core.sentences.count_sentences`.
"""

from __future__ import annotations

import re

_BREAK = re.compile(r"(?:^|(?<= ))[.?!] (?![\"')\]}‘’“”«»]+$)")
"""A lone stop before another token; one closing quote or bracket that ends the text begins no sentence."""


def token_sentences(tokens: str) -> int:
    """The sentences of tokens separated by single spaces; 0 for no token, 1 for tokens without a stop."""
    return 1 + len(_BREAK.findall(tokens)) if tokens else 0
