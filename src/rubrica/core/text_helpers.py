"""Words in messages: what may have been meant, and texts and lists that are cut to a length.

Every message that guesses or cuts does it here, so that the same slip gets the same help wherever it is made.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

ALIKE = 0.6
"""How alike two names must be, from 0 to 1, for one to be offered for the other."""
LOST = 12
"""How many characters at most a text is cut shorter so that its last word is whole."""


def folded(name: str) -> str:
    """A name without what is easily mistyped: capitals, spaces, signs between words, signs that nobody sees."""
    return "".join(sign for sign in name.casefold() if sign.isalnum()) or name


def nearest(name: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Names that were probably meant: those that differ by capitals and signs only, else similar ones."""
    names = [one for one in known if one]
    own = folded(name)
    same = [one for one in names if folded(one) == own]
    if same:
        return same[:most]
    by_name = {folded(one): one for one in names}
    return [by_name[one] for one in difflib.get_close_matches(own, by_name, n=most, cutoff=ALIKE)]


def did_you_mean(name: str, known: Iterable[str], otherwise: str, most: int = 1) -> str:
    """The fix of a name that there is none of: what was probably meant, else what is said ``otherwise``."""
    found = nearest(name, known, most)
    return f"Did you mean {' or '.join(map(repr, found))}?" if found else otherwise


def shortened(text: str, most: int) -> str:
    """The text, cut with an ellipsis if it is longer than ``most``; between words where that costs little."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    if not text[most - 1].isspace() and len(kept) - kept.rfind(" ") <= LOST and " " in kept:
        kept = kept[: kept.rfind(" ")]
    return kept.rstrip(" ,;:.") + "…"


def first_of(names: Sequence[object], most: int, between: str = ", ") -> str:
    """The first of these in a row, with an ellipsis if there are more."""
    shown = list(map(str, names[:most]))
    return between.join([*shown, "…"] if len(names) > most else shown)
