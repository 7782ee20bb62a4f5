"""Suggesting edits: what a rewrite changed, as an annotator of SALSA would mark it; the same each time.

Words are linked (``alignment``), links that kept their order are told from words that moved (``order``), what lies
between is read as phrases (``phrases``), and what a new sentence needed belongs to its split (``splits``). No word is
in two edits, composite ones aside. The reasoning and the measured accuracy are in design/005-edit-suggestions.md.

Sentences that a split made, and the changes that the split needed. What opens the new sentence (*They*, *This meant
that*) stands for what joined the clauses before (*who*, *and*), so these words are the split's own; whatever else
changed nearby is an edit like any other.

Suggested edits in the words of another protocol: its operations with the same sides take the place of SALSA's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

import attrs

from rubrica.core.edits import SIDES, Edit
from rubrica.core.protocol import EditScheme, Operation
from rubrica.edits.suggesting.alignment import Link, Order, Range, align, in_order
from rubrica.edits.suggesting.phrases import (
    DELETION,
    INSERTION,
    REORDER,
    SPLIT,
    SUBSTITUTION,
    WEIGHTS,
    Change,
    Pair,
    Weights,
    changes_in,
    gaps,
    joined,
    size,
    spans,
)
from rubrica.edits.suggesting.similarity import SAME, Meanings
from rubrica.edits.suggesting.words import Grammar, Word, grammar_of, words_of

VERSION = "rubrica-suggest/2"
"""Which suggestions these are. It changes whenever the same texts may get other suggestions than before."""


def suggested_by(meanings: Meanings | None = None) -> str:
    """What to record with suggestions: the version, and the source of meanings if there is one."""
    return VERSION if meanings is None else f"{VERSION}+{meanings.name}"


def suggest(
    source: str, rewrite: str, language: str, meanings: Meanings | None = None, weights: Weights = WEIGHTS
) -> tuple[Edit, ...]:
    """The edits that made the rewrite from the source, in reading order, with the operations of the protocol ``salsa``.

    Ids are ``1``, ``2``, …; a split stands before its constituents. A split is composite and has no spans; the others
    have one span on each side that they touch, from white space to white space. Changes of case, punctuation or white
    space alone are no edits, so texts that differ in nothing else, and empty texts, have none. ``weights`` are those of
    ``phrases``; whoever measures them can hand in others.
    """
    grammar = grammar_of(language)
    old, new = words_of(source), words_of(rewrite)
    links = align(old, new, grammar, meanings)
    order = in_order(links, old, new, grammar)
    pair = Pair.of(old, new, order, grammar)
    splits = splits_in(old, new, links, grammar)
    found = joined(_in_gaps(pair, order, weights), old, new, grammar)
    found += [Change(SUBSTITUTION if block.changed else REORDER, block.source, block.rewrite) for block in order.moved]
    found = completed(found, list(splits.values()), order.kept, (source, rewrite), pair)
    return _edits(sorted(found, key=lambda change: (change.rewrite, change.source)), pair)


def _in_gaps(pair: Pair, order: Order, weights: Weights) -> list[Change]:
    """The changes between links that kept their order, and the links themselves where the word changed."""
    found: list[Change] = []
    for gap, link in zip_longest(gaps(pair, order.kept), order.kept):
        found += changes_in(gap, weights)
        if link is not None and link.kind != SAME:
            keys = pair.source[link.source].key, pair.rewrite[link.rewrite].key
            form = keys[0].removesuffix("'s") != keys[1].removesuffix("'s")
            here, there = (link.source, link.source + 1), (link.rewrite, link.rewrite + 1)
            found.append(Change(SUBSTITUTION, here, there, form=form))
    return found


def _edits(found: list[Change], pair: Pair) -> tuple[Edit, ...]:
    edits: list[Edit] = []
    parents: dict[int, str] = {}
    for change in found:
        if change.opens and change.opens not in parents:
            parents[change.opens] = str(len(edits) + 1)
            edits.append(Edit(parents[change.opens], SPLIT))
        edits.append(
            Edit(
                str(len(edits) + 1),
                change.operation,
                spans(change.source, pair.source),
                spans(change.rewrite, pair.rewrite),
                parent=parents.get(change.opens, ""),
            )
        )
    return tuple(edits)


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


_SIDES = {DELETION: SIDES[:1], INSERTION: SIDES[1:], SUBSTITUTION: SIDES, REORDER: SIDES}


class Fitted(NamedTuple):
    """Edits with a protocol's own operations, and how many were left out because it has none for them."""

    edits: tuple[Edit, ...]
    left_out: int


def fitted(edits: Sequence[Edit], scheme: EditScheme) -> Fitted:
    """Suggested edits as the protocol of this scheme would have them.

    An operation with the same id and the same sides is taken as it is; otherwise the first one of the protocol with the
    same sides (source only for a deletion, rewrite only for an insertion, both for a substitution or a reorder). A
    split needs an operation ``split`` that may consist of what it consists of; without it, its constituents stand for
    themselves. What no operation fits is left out.
    """
    names = {name: _operation_for(name, scheme) for name in _SIDES}
    split = scheme.by_id.get(SPLIT)
    whole = {
        edit.id
        for edit in edits
        if edit.operation == SPLIT
        and split is not None
        and all(names[part.operation] in split.constituents for part in edits if part.parent == edit.id)
    }
    found = [
        attrs.evolve(edit, operation=name, parent=edit.parent if edit.parent in whole else "")
        for edit in edits
        if (name := SPLIT if edit.id in whole else names.get(edit.operation, ""))
    ]
    composite = sum(edit.operation == SPLIT and edit.id not in whole for edit in edits)
    return Fitted(tuple(found), len(edits) - len(found) - composite)


def that_fit(edits: Sequence[Edit], texts: Mapping[str, str]) -> list[Edit]:
    """Those edits that a page can show of these texts: without words that they do not have, or parts of no whole."""
    sides = {side: len(texts.get(side, "")) for side in ("source", "rewrite")}
    fit = [
        edit for edit in edits if all(span.end <= length for side, length in sides.items() for span in edit.spans(side))
    ]
    there = {edit.id for edit in fit}
    return [edit for edit in fit if not edit.parent or edit.parent in there]


def _operation_for(name: str, scheme: EditScheme) -> str:
    """The id of the operation that stands for one of SALSA's; empty if there is none."""
    own = scheme.by_id.get(name)
    if own is not None and _takes(own, name):
        return own.id
    others = (operation.id for operation in scheme.operations if operation.id not in _SIDES and _takes(operation, name))
    return next(others, SUBSTITUTION if name == REORDER and _takes(scheme.by_id.get(SUBSTITUTION), name) else "")


def _takes(operation: Operation | None, name: str) -> bool:
    return operation is not None and not operation.composite and set(operation.sides) == set(_SIDES[name])
