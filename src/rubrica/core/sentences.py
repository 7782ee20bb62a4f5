"""How many sentences a text has, by a rule simple enough to explain to the person it refuses.

A sentence ends at ``.``, ``!``, ``?``, ``…`` or their forms in other scripts (a quote or bracket may follow), or at a
line break. A full stop after an initial, a title or inside a number ends nothing. Before a small letter it ends a
sentence only after a word too long for an abbreviation (*left. she stayed*), and without a space only between a small
and a capital letter (*left.She stayed*): people forget the one and the other. In doubt the rule counts more sentences,
because its only use in ``core`` is to refuse a rewrite that was not split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_NEVER_LAST = re.compile(
    r"mr|mrs|ms|dr|prof|st|gen|col|lt|sgt|capt|rev|hon|vs|e\.g|i\.e|cf|approx|sra?|srta|dra|lic|ing|av|p\.ej",
    re.IGNORECASE,
)
"""Abbreviations that something always follows: a name after a title, an example after *e.g.*"""

_BEFORE_A_NUMBER = re.compile(
    r"no|núm|fig|vol|pp?|pág|art|ed|est|ch|sec|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec", re.IGNORECASE
)
"""Abbreviations when a number follows, and ordinary words otherwise (*He said no.*)."""

_LONG = re.compile(
    r"approx|aprox|assn|assoc|bros|capt|corp|dept|depto|govt|info|intl|messrs|misc|págs|prof|reps|sens|sept|univ",
    re.IGNORECASE,
)
"""Abbreviations of four letters and more that a small letter may follow."""
_SHORTEST_WORD = 4
_NEXT_WORD = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ'’-]*(?:[^\w.'’-]|\.?(?:\s|$))")
"""A word with a capital letter that is not a part of an address (*example.Com*, *Mail.server.org*)."""

_STOPS = ".!?…"
_OTHERS = "。！？｡؟۔।॥።։"
_END = re.compile(rf"[{_STOPS}{_OTHERS}\n][{_STOPS}{_OTHERS}\"'”’»)\]」』）]*")
"""Where a sentence may end; after the stops of the first kind white space or nothing must follow."""


def count_sentences(text: str, enough: int = 0) -> int:
    """The number of sentences in ``text``; 0 for blank text, 1 for text without a final stop.

    With ``enough`` the count ends as soon as it is reached.
    """
    return sum(1 for _ in islice(sentence_ends(text), enough or None))


def sentence_ends(text: str) -> Iterator[int]:
    """Where each sentence ends, closing quotes and brackets included; the last may end with the text."""
    sentence, start, words = 0, 0, False
    for end in _END.finditer(text):
        stop = end[0]
        if stop[0] in _STOPS and not (text[end.end() : end.end() + 1] or " ").isspace() and not _lacks_space(text, end):
            continue
        words = words or any(map(str.isalnum, text[start : end.start()]))
        before, start = text[max(sentence, end.start() - 100) : end.start()], end.end()
        if not words:
            continue
        if stop[0] == "." and _goes_on(before, text[start : start + 100], trails_off=stop.startswith("..")):
            continue
        sentence, words = start, False
        yield start
    if words or any(map(str.isalnum, text[start:])):
        yield len(text)


def _lacks_space(text: str, end: re.Match[str]) -> bool:
    """Whether this full stop stands between two words whose space was forgotten."""
    word = "".join(text[max(0, end.start() - 100) : end.start()].rsplit(maxsplit=1)[-1:])
    return (
        end[0] == "."
        and word.isalpha()
        and word[-2:].islower()
        and len(word) > 1
        and _NEXT_WORD.match(text, end.end(), end.end() + 100) is not None
    )


def _goes_on(before: str, after: str, *, trails_off: bool) -> bool:
    """Whether a full stop (three that trail off) between these two belongs to an abbreviation or initial."""
    following = after.lstrip()[:1]
    if not following:
        return False
    previous, word = _last_words(before)
    if following.islower():
        return trails_off or not word.isalpha() or len(word) < _SHORTEST_WORD or bool(_LONG.fullmatch(word))
    if _NEVER_LAST.fullmatch(word) or (following.isdigit() and _BEFORE_A_NUMBER.fullmatch(word)):
        return True
    initial = len(word) == 1 and word.isalpha() and word.isupper()
    return initial and not previous[:1].islower()


def _last_words(text: str) -> tuple[str, str]:
    """The last two words, without quotes and brackets before them; either may be missing."""
    words = [word.lstrip("(\"'“‘«[¿¡") for word in text.rsplit(maxsplit=2)[-2:]]
    return ("", "", *words)[-2], ("", *words)[-1]
