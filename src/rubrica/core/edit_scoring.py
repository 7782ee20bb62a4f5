"""Edits of a pair beside the gold edits of the same pair: which are the same, which overlap, what is missing or extra.

Words are compared, not characters: a word counts as marked when a span touches it, so that a forgotten full stop is no
mistake. The measure is the F1 of marks, a mark being a word under an operation, over both texts together. A composite
marks the words of its parts under its own operation. This is the projection on which SALSA measures agreement
(Heineman et al. 2023, Appendix B.3). Where nobody marks anything, agreement is full: there was nothing to find.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rubrica.core.edits import SIDES, Edit, Span

EXACT, OVERLAP, OPERATION, MISSING, EXTRA = "exact", "overlap", "operation", "missing", "extra"
"""The same words; some of the same words; these words but another operation; not found; not in the gold."""

SAME_WORDS = 0.5
"""From which F1 on two edits of different operations are taken to be about the same words."""

SPLIT_MARK = "||"
_WORD = re.compile(r"\S+")

Word = tuple[str, int]
"""A side and the number of a word in it."""


class Pairing(NamedTuple):
    """A gold edit, the given edit that goes with it, and how well they fit; either may be absent."""

    gold: Edit | None
    given: Edit | None
    verdict: str
    f1: float


class Comparison(NamedTuple):
    """Two annotations of one pair: edit by edit, and the counts from which the F1 of all marks follows."""

    pairings: tuple[Pairing, ...]
    common: int
    given: int
    gold: int

    @property
    def f1(self) -> float:
        """Agreement on what is marked as what; 1 where neither marks anything."""
        return f_measure(self.common, self.given, self.gold)


def f_measure(common: int, given: int, gold: int) -> float:
    """The harmonic mean of precision and recall: twice the common ones by all; 1 where there are none at all."""
    return 2 * common / (given + gold) if given + gold else 1.0


def words_of(text: str) -> list[Span]:
    """The words of a text with their punctuation; the mark of a split is none."""
    return [Span(found.start(), found.end()) for found in _WORD.finditer(text) if found[0] != SPLIT_MARK]


def touched(text: str, spans: Iterable[Span]) -> frozenset[int]:
    """The numbers of the words, from 0, that any of the spans touches."""
    listed = tuple(spans)
    return frozenset(
        number
        for number, word in enumerate(words_of(text))
        if any(span.start < word.end and word.start < span.end for span in listed)
    )


def top_level(edits: Sequence[Edit]) -> list[Edit]:
    """The edits without the parts of others."""
    return [edit for edit in edits if not edit.parent]


def marked(fields: Mapping[str, str], edit: Edit, edits: Sequence[Edit]) -> frozenset[Word]:
    """The words that an edit of these covers; a composite covers those of its parts."""
    own = [part for part in edits if part.parent == edit.id] or [edit]
    return frozenset(
        (side, number) for side in SIDES for part in own for number in touched(fields.get(side, ""), part.spans(side))
    )


def compare(fields: Mapping[str, str], given: Sequence[Edit], gold: Sequence[Edit]) -> Comparison:
    """Every gold edit with what was given for it, then what was given beyond the gold.

    Edits pair one to one, best fit first; among equals the earlier in each list. Only what the first pass leaves is
    then looked at for the same words under another operation.
    """
    theirs = {edit.id: marked(fields, edit, given) for edit in top_level(given)}
    ours = {edit.id: marked(fields, edit, gold) for edit in top_level(gold)}
    by_id, known = {edit.id: edit for edit in given}, {edit.id: edit for edit in gold}
    fits = _fits(theirs, ours)
    same = [fit for fit in fits if by_id[fit.given].operation == known[fit.gold].operation]
    taken = _one_to_one(same, {}, {})
    other = [fit for fit in fits if fit.f1 >= SAME_WORDS and by_id[fit.given].operation != known[fit.gold].operation]
    crossed = _one_to_one(other, taken, {fit.given: fit for fit in taken.values()})
    pairings = [_pairing(known[name], taken.get(name), crossed.get(name), by_id) for name in ours]
    used = {fit.given for fit in (*taken.values(), *crossed.values())}
    pairings += [Pairing(None, by_id[name], EXTRA, 0.0) for name in theirs if name not in used]
    their_marks = {(by_id[name].operation, word) for name, words in theirs.items() for word in words}
    our_marks = {(known[name].operation, word) for name, words in ours.items() for word in words}
    return Comparison(tuple(pairings), len(their_marks & our_marks), len(their_marks), len(our_marks))


class _Fit(NamedTuple):
    f1: float
    given: str
    gold: str


def _fits(theirs: Mapping[str, frozenset[Word]], ours: Mapping[str, frozenset[Word]]) -> list[_Fit]:
    """Every pair that shares a word, best first; Python's sort keeps the order of the lists among equals."""
    found = [
        _Fit(f_measure(len(one & other), len(one), len(other)), name, known)
        for known, other in ours.items()
        for name, one in theirs.items()
        if one & other
    ]
    return sorted(found, key=lambda fit: -fit.f1)


def _one_to_one(fits: Iterable[_Fit], taken: Mapping[str, _Fit], given_taken: Mapping[str, _Fit]) -> dict[str, _Fit]:
    """By gold edit, the fit that it gets: each edit once, the best first."""
    chosen: dict[str, _Fit] = {}
    used = set(given_taken)
    for fit in fits:
        if fit.gold not in taken and fit.gold not in chosen and fit.given not in used:
            chosen[fit.gold] = fit
            used.add(fit.given)
    return chosen


def _pairing(gold: Edit, same: _Fit | None, other: _Fit | None, given: Mapping[str, Edit]) -> Pairing:
    if same is not None:
        return Pairing(gold, given[same.given], EXACT if same.f1 == 1 else OVERLAP, same.f1)
    if other is not None:
        return Pairing(gold, given[other.given], OPERATION, other.f1)
    return Pairing(gold, None, MISSING, 0.0)
