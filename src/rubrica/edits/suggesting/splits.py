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
from rubrica.edits.suggesting.changes import REORDER, SUBSTITUTION, Change, operation_for, size
from rubrica.edits.suggesting.gaps import Pair, between
from rubrica.edits.suggesting.grammar import Grammar
from rubrica.edits.suggesting.order import Range
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


def around(pair: Pair, split: Split, source: Range, rewrite: Range) -> Iterator[Change]:
    """The changes in a gap in which, or right after which, a new sentence begins."""
    link = _link_words(pair, source, nothing_before=split.start == rewrite[0])
    opening = _opening(pair, (split.start, rewrite[1]), (link[1], source[1]))
    yield from between(pair, (source[0], link[0]), (rewrite[0], split.start))
    if size(link) or size(opening):
        yield Change(operation_for(link, opening), link, opening, split.sentence)
    yield from between(pair, (link[1], source[1]), (opening[1], rewrite[1]))


def _link_words(pair: Pair, source: Range, *, nothing_before: bool) -> Range:
    """The words of the source that joined the clauses; if there are none, the place between them."""
    for start in range(*source):
        if (start == source[0] or pair.source[start - 1].closes) and _joins(pair, start):
            end = start + 1
            while end < source[1] and _joins(pair, end):
                end += 1
            return start, end
    if nothing_before:
        return source[0], source[0]
    place = next((at for at in range(source[1], source[0], -1) if pair.source[at - 1].closes), source[1])
    return place, place


def _joins(pair: Pair, at: int) -> bool:
    return at not in pair.gone and pair.grammar.joins(pair.source[at].key)


def _opening(pair: Pair, rewrite: Range, rest: Range) -> Range:
    """The words that open the new sentence: the small ones, and others if nothing in the source is left for them."""
    start, end = rewrite
    end = next((at for at in range(start, end) if at in pair.came), end)
    nothing_left = all(at in pair.gone for at in range(*rest))
    if nothing_left and end - start <= OPENING:
        return start, end
    small = start
    while small < end and pair.grammar.is_small(pair.rewrite[small].key):
        small += 1
    return start, end if nothing_left and small == start else small


def completed(
    found: Sequence[Change], splits: Sequence[Split], kept: Sequence[Link], texts: tuple[str, str], pair: Pair
) -> list[Change]:
    """The changes, such that every split has what it needed, as far as something can be found.

    That is what opens the new sentence, and what joined the clauses: here, or further before (*which was built …, is*).
    If there is neither, it is the word whose comma became a stop. A split for which nothing changed is not shown.
    """
    changes = list(found)
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
