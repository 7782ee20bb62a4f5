"""Sentences that a split made, and the changes that the split needed.

What opens the new sentence (*They*, *This meant that*) stands for what joined the clauses before (*who*, *and*), so
these words are the split's own; whatever else changed nearby is an edit like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import attrs

from rubrica.edits.suggesting.alignment import Link
from rubrica.edits.suggesting.changes import DELETION, REORDER, SUBSTITUTION, Change, size
from rubrica.edits.suggesting.grammar import Grammar
from rubrica.edits.suggesting.order import Range
from rubrica.edits.suggesting.phrases import Pair
from rubrica.edits.suggesting.tokens import Word

OPENING = 3
"""How many words at most open a sentence all together if nothing in the source is left for them: *This meant that*."""


class Split(NamedTuple):
    """A sentence of the rewrite, by its number, that a split made, and its first word."""

    sentence: int
    start: int


def splits_in(
    source: Sequence[Word], rewrite: Sequence[Word], links: Sequence[Link], grammar: Grammar
) -> dict[int, Split]:
    """Splits by their first word: sentences that share content with a sentence of the source that came up before."""
    origins: dict[int, set[int]] = {}
    for link in links:
        if not grammar.is_small(source[link.source].key):
            origins.setdefault(rewrite[link.rewrite].sentence, set()).add(source[link.source].sentence)
    seen: set[int] = set()
    found = {}
    for start, word in enumerate(rewrite):
        if start and word.sentence == rewrite[start - 1].sentence:
            continue
        if not seen.isdisjoint(origins.get(word.sentence, ())):
            found[start] = Split(word.sentence, start)
        seen |= origins.get(word.sentence, set())
    return found


def completed(
    found: Sequence[Change], splits: Sequence[Split], kept: Sequence[Link], texts: tuple[str, str], pair: Pair
) -> list[Change]:
    """The changes, such that every split has what it needed, as far as something can be found.

    That is what opens the new sentence, and what joined the clauses: here, or further before (*which was built …, is*).
    If there is neither, it is the word whose comma became a stop. A split for which nothing changed is not shown.
    """
    changes = [part for change in found for part in _without_joining(change, splits, pair)]
    linked = {link.rewrite: link for link in kept}
    begin = 0
    for sentence, start in splits:
        own = [change for change in changes if change.opens == sentence]
        if not own:
            own = _take(changes, sentence, partial(_begins, start))
        if not any(size(change.source) for change in own):
            own += _take(changes, sentence, partial(_joined_before, pair, (begin, start)))
        if not own and (link := linked.get(start - 1)) is not None:
            here, there = pair.source[link.source], pair.rewrite[start - 1]
            if texts[0][here.start : here.end] != texts[1][there.start : there.end]:
                changes.append(Change(SUBSTITUTION, (link.source, link.source + 1), (start - 1, start), sentence))
        begin = start
    return changes


def _without_joining(change: Change, splits: Sequence[Split], pair: Pair) -> Iterator[Change]:
    """A deletion right before a new sentence, and by itself the word at its end that joined the clauses (*…, and*)."""
    start, end = change.source
    cut = end
    if change.operation == DELETION and any(split.start == change.rewrite[0] for split in splits):
        while cut > start and _joins(pair, cut - 1):
            cut -= 1
    if start < cut < end and pair.source[cut - 1].closes:
        yield attrs.evolve(change, source=(start, cut))
        start = cut
    yield attrs.evolve(change, source=(start, end))


def _joins(pair: Pair, at: int) -> bool:
    return at not in pair.gone and pair.grammar.joins(pair.source[at].key)


def _take(changes: list[Change], sentence: int, fits: Callable[[Change], bool]) -> list[Change]:
    """The first change that fits and belongs to no split yet, given to the split of this sentence."""
    for number, change in enumerate(changes):
        if not change.opens and change.operation != REORDER and fits(change):
            changes[number] = attrs.evolve(change, opens=sentence)
            return [changes[number]]
    return []


def _begins(start: int, change: Change) -> bool:
    """Whether a short change begins the new sentence."""
    return change.rewrite[0] == start < change.rewrite[1] and max(size(change.source), size(change.rewrite)) <= OPENING


def _joined_before(pair: Pair, place: Range, change: Change) -> bool:
    """Whether a change took away nothing but words that join, in the sentence before or right at the split."""
    joining = size(change.source) > 0 and all(_joins(pair, at) for at in range(*change.source))
    return joining and size(change.rewrite) <= OPENING and place[0] <= change.rewrite[0] <= place[1]
