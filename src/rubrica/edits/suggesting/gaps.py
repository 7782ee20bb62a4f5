"""What happened between two linked words: phrases that were replaced, deleted or inserted.

Both sides are cut into phrases at punctuation, brackets, sentence ends and words that moved away; phrases are paired in
order as far as their lengths allow. An adverb before a phrase stands for itself, since it comes and goes alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log2

import attrs

from rubrica.edits.suggesting.changes import DELETION, INSERTION, SUBSTITUTION, Change
from rubrica.edits.suggesting.grammar import Grammar
from rubrica.edits.suggesting.order import Order, Range
from rubrica.edits.suggesting.tokens import Word

STEEPNESS = 0.45
"""How much each doubling of length speaks against a substitution: four words for one are the limit."""

NEVER = -1.0


@attrs.frozen
class Pair:
    """Two texts as words, and the words of each that moved."""

    source: Sequence[Word]
    rewrite: Sequence[Word]
    gone: frozenset[int]
    came: frozenset[int]
    grammar: Grammar

    @classmethod
    def of(cls, source: Sequence[Word], rewrite: Sequence[Word], order: Order, grammar: Grammar) -> Pair:
        """A pair whose words moved as the order says."""
        gone = frozenset(at for block in order.moved for at in range(*block.source))
        came = frozenset(at for block in order.moved for at in range(*block.rewrite))
        return cls(source, rewrite, gone, came, grammar)


def between(pair: Pair, source: Range, rewrite: Range) -> Iterator[Change]:
    """The changes in a gap, in order."""
    old = _phrases(source, pair.source, pair.gone, pair.grammar)
    new = _phrases(rewrite, pair.rewrite, pair.came, pair.grammar)
    alone = old == [source] and new == [rewrite]
    fits = [[_fit(pair, one, other, alone) for other in new] for one in old]
    paired = _paired(fits)
    here, there = source[0], rewrite[0]
    row = column = 0
    while row < len(old) or column < len(new):
        if row < len(old) and paired.get(row) == column:
            if _differ(pair, old[row], new[column]):
                yield Change(SUBSTITUTION, old[row], new[column])
            here, there = old[row][1], new[column][1]
            row, column = row + 1, column + 1
        elif row < len(old) and row not in paired:
            yield Change(DELETION, old[row], (there, there))
            here = old[row][1]
            row += 1
        else:
            yield Change(INSERTION, (here, here), new[column])
            there = new[column][1]
            column += 1


def _differ(pair: Pair, source: Range, rewrite: Range) -> bool:
    old, new = pair.source[slice(*source)], pair.rewrite[slice(*rewrite)]
    return [word.key for word in old] != [word.key for word in new]


def _phrases(words: Range, text: Sequence[Word], moved: frozenset[int], grammar: Grammar) -> list[Range]:
    phrases: list[Range] = []
    start = words[0]
    for at in range(*words):
        if at in moved:
            phrases.append((start, at))
            start = at + 1
            continue
        if text[at].opens or (at and text[at].sentence != text[at - 1].sentence):
            phrases.append((start, at))
            start = at
        if text[at].closes or (at == start and grammar.is_adverb(text[at].key)):
            phrases.append((start, at + 1))
            start = at + 1
    phrases.append((start, words[1]))
    return [phrase for phrase in phrases if phrase[0] < phrase[1]]


def _fit(pair: Pair, source: Range, rewrite: Range, alone: bool) -> float:
    """How well one phrase may stand for the other, at most 1; not at all if it is not positive.

    Brackets are only replaced by brackets, and a single adverb only by another, unless both are ``alone`` in their gap.
    """
    old, new = pair.source[slice(*source)], pair.rewrite[slice(*rewrite)]
    if old[0].opens != new[0].opens:
        return NEVER
    if not alone:
        adverbs = [len(words) == 1 and pair.grammar.is_adverb(words[0].key) for words in (old, new)]
        if adverbs[0] != adverbs[1]:
            return NEVER
    return 1 - STEEPNESS * abs(log2(len(old) / len(new)))


def _paired(fits: Sequence[Sequence[float]]) -> dict[int, int]:
    """Which row goes with which column, without crossing, so that they fit best together; early pairs win a tie."""
    rows, columns = len(fits), len(fits[0]) if fits else 0
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            together = best[row + 1][column + 1] + fits[row][column]
            best[row][column] = max(together, best[row + 1][column], best[row][column + 1])
    pairs = {}
    row = column = 0
    while row < rows and column < columns:
        if fits[row][column] > 0 and best[row][column] == best[row + 1][column + 1] + fits[row][column]:
            pairs[row] = column
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs
