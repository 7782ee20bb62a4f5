"""Suggesting edits: what a rewrite changed, as an annotator of SALSA would mark it; the same each time.

Words are linked (``alignment``), links that kept their order are told from words that moved (``order``), what lies
between is read as phrases (``phrases``), and what a new sentence needed belongs to its split (``splits``). No word
is in two edits, composite ones aside. The reasoning and the measured accuracy are in design/005-edit-suggestions.md.
"""

from __future__ import annotations

from itertools import zip_longest

from rubrica.core.edits import Edit
from rubrica.edits.suggesting.alignment import align
from rubrica.edits.suggesting.changes import REORDER, SPLIT, SUBSTITUTION, Change, joined, spans
from rubrica.edits.suggesting.grammar import grammar_of
from rubrica.edits.suggesting.meanings import Meanings
from rubrica.edits.suggesting.order import Order, in_order
from rubrica.edits.suggesting.phrases import WEIGHTS, Pair, Weights, changes_in, gaps
from rubrica.edits.suggesting.similarity import SAME
from rubrica.edits.suggesting.splits import completed, splits_in
from rubrica.edits.suggesting.tokens import words_of

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
