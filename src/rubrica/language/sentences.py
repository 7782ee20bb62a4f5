"""How many sentences a text has, where the rule in core does not say it.

How many sentences a tokenised text has, as EASSE finds with NLTK's Punkt model (Kiss and Strunk 2006). EASSE gives
Punkt a text that is already cut into tokens, where a full stop stands alone, so that nothing of Punkt's model of
abbreviations comes into play: each lone ``.``, ``?`` or ``!`` ends a sentence, those of *u . s .* included. For texts
as people write them use :func:`rubrica.core.sentences.count_sentences`.

Full stops that end no sentence in languages other than English and Spanish, whose rules are in core. Only
abbreviations that something always follows are here (*z. B.*, *M.* before a name), and German ordinals in dates: one
that may end a sentence (*usw.*, *etc.*) is left to the rule of :mod:`rubrica.core.sentences`.
"""

from __future__ import annotations

import re

from rubrica.core.sentences import count_sentences
from rubrica.language.names import base_language

_BREAK = re.compile(r"(?:^|(?<= ))[.?!] (?![\"')\]}‘’“”«»]+$)")
"""A lone stop before another token; one closing quote or bracket that ends the text begins no sentence."""


def token_sentences(tokens: str) -> int:
    """The sentences of tokens separated by single spaces; 0 for no token, 1 for tokens without a stop."""
    return 1 + len(_BREAK.findall(tokens)) if tokens else 0


_FOLLOWED = {
    "ca": r"p\. ?ex|núm|pàg|vol|sra?|dra?|av|c|pl",
    "de": r"z\. ?B|d\. ?h|u\. ?a|i\. ?d\. ?R|o\. ?ä|bzw|ca|Nr|Abb|Hr|Fr|Bd|S|Art|Abs|vgl|sog|inkl|evtl|ggf",
    "fr": r"p\. ?ex|c\.-à-d|MM?|Mmes?|Mlles?|Me|Mgr|art|vol|chap|av|bd|env",
    "it": r"p\. ?es|ad es|sigg?|sig\.ra|dott|dott\.ssa|prof|avv|ing|art|n|pag|cap|vol|ca",
    "nl": r"bijv|d\.w\.z|m\.b\.t|t\.a\.v|o\.a|dhr|mevr|ca|nr|blz|art|drs",
    "pt": r"p\. ?ex|sra?|dra?|profa?|núm|pág|art|vol|av|eng",
}
_MONTHS = "Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert"

_PATTERNS = {
    language: re.compile(rf"(?<!\w)(?:{words})\.(?= \S)", re.IGNORECASE if language != "fr" else 0)
    for language, words in _FOLLOWED.items()
}
_ORDINALS = re.compile(rf"(?<!\d)\d{{1,2}}\.(?= (?:{_MONTHS}))")


def count_sentences_in(text: str, language: str) -> int:
    """The sentences of a text as people write it in this language; 0 for a blank one."""
    code = base_language(language)
    pattern = _PATTERNS.get(code)
    if pattern and "." in text:
        text = pattern.sub(_without_stops, text)
        if code == "de":
            text = _ORDINALS.sub(_without_stops, text)
    return count_sentences(text)


def _without_stops(found: re.Match[str]) -> str:
    return found[0].replace(".", "")
