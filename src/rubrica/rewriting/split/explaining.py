"""A pasted text split sentence by sentence, with what could be split in each and every decision: for people to read."""

from __future__ import annotations

import attrs

from rubrica.core.errors import wrong
from rubrica.language.parsing import ENGLISH
from rubrica.rewriting.split.models import split
from rubrica.rewriting.split.patterns import Mark, marks
from rubrica.rewriting.split.splitting import NOT_ENGLISH, Split, is_too_long, parts_of

LONGEST = 20_000
"""Characters of a text that is pasted; files of any length go through the command."""


@attrs.frozen
class Explained:
    """A sentence of the text: how it was split, and the patterns that the rules see in it."""

    split: Split
    marks: tuple[Mark, ...]


def explain(text: str, model: str = "rubrica") -> list[Explained]:
    """Every sentence of a text, lines apart. Raises InputError if there is nothing to split, or too much."""
    if len(text) > LONGEST:
        fix = "Split a file with `rubrica split FILE`, or paste a part of it."
        raise wrong(f"the text has {len(text):,} characters, at most {LONGEST:,} are taken", "size", fix)
    sentences = [part for line in text.splitlines() for _, part in parts_of(line)]
    if not sentences:
        raise wrong("there is no sentence", "empty", "Paste one or more English sentences.")
    looked_at = ["" if is_too_long(sentence) else sentence for sentence in sentences]
    made = zip(split(sentences, model), marks(looked_at, ENGLISH), strict=True)
    return [Explained(one, () if _is_foreign(one) else tuple(found)) for one, found in made]


def _is_foreign(one: Split) -> bool:
    return any(left["why"] == NOT_ENGLISH for left in one.left)
