"""Short answers as they are compared: "easy", "Easy" and "easy " are one answer, and two ways of saying "none simpler".

The guidelines of MLSP 2024: leaving the field blank and writing the word itself both mean that no simpler word fits.
"""

from __future__ import annotations

import unicodedata

from rubrica.core.answers import Answer


def simpler_words(answer: Answer | None, target: str) -> dict[str, str]:
    """The words of an answer, by the form in which they are compared; empty if no simpler word was found."""
    parts = answer if isinstance(answer, tuple) else () if answer is None else (str(answer),)
    words = {plain(part): " ".join(part.split()) for part in parts}
    return {form: word for form, word in words.items() if form not in (plain(target), "")}


def plain(text: str) -> str:
    """A text without what does not matter: capitals, more than one space, how accents are encoded."""
    return unicodedata.normalize("NFC", " ".join(text.split()).casefold())
