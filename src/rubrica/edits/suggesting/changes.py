"""A change between two texts, as words; neighbouring changes that are one; and a change as spans."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rubrica.core.edits import Span
from rubrica.edits.suggesting.grammar import Grammar
from rubrica.edits.suggesting.order import Range
from rubrica.edits.suggesting.tokens import Word

DELETION, INSERTION, SUBSTITUTION, REORDER, SPLIT = "deletion", "insertion", "substitution", "reorder", "split"

ATTACHED = 3
"""How many small words at most belong to a changed word beside them: *has* in *has spent*, which became *spend*."""


@attrs.frozen
class Change:
    """One change, as words of each text. A side that it does not touch is the empty range where it would be.

    ``opens`` is the sentence of the rewrite, from 1, that it helps to open after a split. ``form`` says that a word
    took another form (*spent*, *spend*), so that small words beside it belong to the change.
    """

    operation: str
    source: Range
    rewrite: Range
    opens: int = 0
    form: bool = False


def size(words: Range) -> int:
    """How many words there are."""
    return words[1] - words[0]


def operation_for(source: Range, rewrite: Range) -> str:
    """What a change is that replaces these words by those."""
    if not size(source):
        return INSERTION
    return SUBSTITUTION if size(rewrite) else DELETION


def spans(words: Range, text: Sequence[Word]) -> tuple[Span, ...]:
    """The words as a span of their text; none for no words."""
    return (Span(text[words[0]].start, text[words[1] - 1].end),) if size(words) else ()


def joined(found: Sequence[Change], source: Sequence[Word], rewrite: Sequence[Word], grammar: Grammar) -> list[Change]:
    """Deletions that touch are one, insertions too; small words join the word beside them that took another form."""
    done: list[Change] = []
    for change in found:
        both = _join(done[-1], change, source, rewrite, grammar) if done else None
        if both is None:
            done.append(change)
        else:
            done[-1] = both
    return done


def _join(
    one: Change, other: Change, source: Sequence[Word], rewrite: Sequence[Word], grammar: Grammar
) -> Change | None:
    if one.opens != other.opens or one.source[1] != other.source[0] or one.rewrite[1] != other.rewrite[0]:
        return None
    old, new = (one.source[0], other.source[1]), (one.rewrite[0], other.rewrite[1])
    if size(new) and rewrite[new[0]].sentence != rewrite[new[1] - 1].sentence:
        return None
    if one.operation == other.operation and one.operation in {DELETION, INSERTION}:
        return attrs.evolve(one, source=old, rewrite=new)
    for changed, rest in ((one, other), (other, one)):
        words = [*source[slice(*rest.source)], *rewrite[slice(*rest.rewrite)]]
        if (
            changed.form
            and rest.operation in {DELETION, INSERTION}
            and not (rest is one and size(rest.rewrite) and _begins(rest.rewrite[0], rewrite))
            and len(words) <= ATTACHED
            and all(grammar.is_small(word.key) for word in words)
        ):
            return attrs.evolve(changed, source=old, rewrite=new)
    return None


def _begins(at: int, text: Sequence[Word]) -> bool:
    """Whether a word opens a sentence after another."""
    return at > 0 and text[at].sentence != text[at - 1].sentence
