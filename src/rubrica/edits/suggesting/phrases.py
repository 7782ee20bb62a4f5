"""What happened between linked words: changes, as phrases and as spans.

A change between two texts, as words; neighbouring changes that are one; and a change as spans.

What happened between two linked words: which phrases were replaced, which deleted, which inserted. Both sides of such
a gap are cut into chunks: small words with the content words after them (*in the opening game*), never across
punctuation, sentence ends or words that moved. A reading of the gap deletes, inserts or replaces runs of chunks, in
order, until all are used. What a reading is worth is a sum of two dozen weights, learned from annotated pairs by
``training/suggester.py``: a semi-Markov conditional random field (Sarawagi and Cohen 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf, log2
from operator import mul
from typing import NamedTuple

import attrs

from rubrica.core.edits import Span
from rubrica.edits.suggesting.alignment import Link, Order, Range
from rubrica.edits.suggesting.similarity import SAME
from rubrica.edits.suggesting.words import LINK, Grammar, Word

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


LONGEST, MOST = 6, 24
"""How many chunks one side of a replacement has at most, and one side of a gap: in longer ones they are coarser."""

LEARNED: dict[str, dict[str, float]] = {
    DELETION: {
        "phrase": -0.69,
        "chunks": 1.64,
        "adverb": 1.58,
        "after punctuation": 0.22,
        "before punctuation": 1.83,
        "joining word first": 0.41,
    },
    INSERTION: {
        "phrase": -1.76,
        "words": -0.57,
        "after punctuation": 0.11,
        "before punctuation": 0.28,
        "joining word first": 1.00,
        "opens a sentence": 0.46,
    },
    SUBSTITUTION: {
        "phrase": -0.68,
        "grew": -0.70,
        "chunks": 1.02,
        "from the start": 1.62,
        "to the end": 0.96,
        "whole gap": 0.81,
        "first words of a class": 0.99,
        "adverb on one side": -1.54,
        "words in common": 0.76,
        "one opens a sentence": -0.95,
        "ratio": -0.55,
        "difference": -0.80,
    },
}
"""What speaks for each kind of step. The features stand in the order in which ``alone`` and ``replaced`` give them."""


KINDS = tuple(LEARNED)


class Weights(NamedTuple):
    """The weights of each kind of step, in the order of its features."""

    deletion: Sequence[float]
    insertion: Sequence[float]
    substitution: Sequence[float]


WEIGHTS = Weights(*(tuple(weights.values()) for weights in LEARNED.values()))


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


class Step(NamedTuple):
    """The chunks of each side that one change covers; the empty range where it would be on a side it does not touch."""

    old: Range
    new: Range

    @property
    def kind(self) -> int:
        """0 for a deletion, 1 for an insertion, 2 for a substitution, as weights have them."""
        return 0 if self.new[0] == self.new[1] else 1 if self.old[0] == self.old[1] else 2


class Gap:
    """The words between two links, as chunks: what can be read into them."""

    def __init__(self, pair: Pair, source: Range, rewrite: Range) -> None:
        self.pair, self.source, self.rewrite = pair, source, rewrite
        self.old = _chunks(source, pair.source, pair.gone, pair.grammar)
        self.new = _chunks(rewrite, pair.rewrite, pair.came, pair.grammar)
        self._old_ends, self._new_ends = _unbroken(self.old, pair.source), _unbroken(self.new, pair.rewrite)

    def words(self, step: Step) -> tuple[Range, Range]:
        """The words that a step covers on each side."""
        return _spanned(self.old, step.old, self.source), _spanned(self.new, step.new, self.rewrite)

    def runs(self, old: int, new: int) -> Iterator[Step]:
        """The steps that may end before these chunks: insertions, deletions, replacements."""
        befores = [at for at in range(old) if old <= self._old_ends[at]]
        afters = [at for at in range(new) if new <= self._new_ends[at]]
        for other in afters:
            yield Step((old, old), (other, new))
        for at in befores:
            yield Step((at, old), (new, new))
        for at in befores[-LONGEST:]:
            for other in afters[-LONGEST:]:
                yield Step((at, old), (other, new))

    def is_split(self, step: Step) -> bool:
        """Whether nothing but joining words would be replaced by what opens a new sentence.

        The guidelines say that a split took the one away and brought in the other. Nothing can be learned of it, since
        the published annotations leave out what splits are made of.
        """
        old, new = self.words(step)
        joining = all(self.pair.grammar.joins(word.key) for word in self.pair.source[slice(*old)])
        return joining and new[0] > 0 and _opens(self.pair.rewrite, new[0]) and not _opens(self.pair.source, old[0])

    def features(self, step: Step) -> list[float]:
        """What is true of a step, as numbers, in the order of its weights."""
        old, new = self.words(step)
        if step.kind == 2:
            return self._replaced(old, new, step)
        return self._inserted(new) if step.kind else self._deleted(old, step.old[1] - step.old[0])

    def _deleted(self, old: Range, chunks: int) -> list[float]:
        text, grammar = self.pair.source, self.pair.grammar
        first, last = text[old[0]], text[old[1] - 1]
        return [
            1.0,
            chunks - 1.0,
            float(old[1] - old[0] == 1 and grammar.is_adverb(first.key)),
            float(old[0] > 0 and text[old[0] - 1].closes),
            float(last.closes),
            float(grammar.classes.get(first.key) == LINK),
        ]

    def _inserted(self, new: Range) -> list[float]:
        text, grammar = self.pair.rewrite, self.pair.grammar
        first, last = text[new[0]], text[new[1] - 1]
        return [
            1.0,
            log2(new[1] - new[0]),
            float(new[0] > 0 and text[new[0] - 1].closes),
            float(last.closes),
            float(grammar.classes.get(first.key) == LINK),
            float(_opens(text, new[0])),
        ]

    def _only_adverbs(self, text: Sequence[Word], words: Range) -> bool:
        return all(self.pair.grammar.is_adverb(word.key) for word in text[slice(*words)])

    def _replaced(self, old: Range, new: Range, step: Step) -> list[float]:
        grammar = self.pair.grammar
        before, after = self.pair.source[slice(*old)], self.pair.rewrite[slice(*new)]
        ratio = log2(len(before) / len(after))
        start = self._only_adverbs(self.pair.source, (self.source[0], old[0])) and self._only_adverbs(
            self.pair.rewrite, (self.rewrite[0], new[0])
        )
        end = old[1] == self.source[1] and new[1] == self.rewrite[1]
        adverbs = [grammar.is_adverb(words[0].key) for words in (before, after)]
        return [
            1.0,
            max(0.0, -ratio),
            step.old[1] - step.old[0] + step.new[1] - step.new[0] - 2.0,
            float(start),
            float(end),
            float(start and end),
            float(grammar.classes.get(before[0].key) == grammar.classes.get(after[0].key)),
            float(adverbs[0] != adverbs[1]),
            float(len({word.key for word in before} & {word.key for word in after})),
            float(_opens(self.pair.source, old[0]) != _opens(self.pair.rewrite, new[0])),
            max(0.0, abs(ratio) - 1.5),
            log2(1 + max(0, abs(len(before) - len(after)) - 2)),
        ]


def gaps(pair: Pair, kept: Sequence[Link]) -> Iterator[Gap]:
    """The gaps before each link that kept its order, and after the last; a gap may be empty."""
    start, end = Link(-1, -1, SAME, 0), Link(len(pair.source), len(pair.rewrite), SAME, 0)
    for left, right in pairwise([start, *kept, end]):
        yield Gap(pair, (left.source + 1, right.source), (left.rewrite + 1, right.rewrite))


def changes_in(gap: Gap, weights: Weights = WEIGHTS) -> Iterator[Change]:
    """The changes in a gap, in order; none where the words are the same."""
    for step in _reading(gap, weights):
        old, new = gap.words(step)
        before, after = gap.pair.source[slice(*old)], gap.pair.rewrite[slice(*new)]
        if [word.key for word in before] != [word.key for word in after]:
            yield Change(KINDS[step.kind], old, new)


def _reading(gap: Gap, weights: Weights) -> list[Step]:
    """The steps that are worth most together; among equals deletions come first, then insertions."""
    rows, columns = len(gap.old), len(gap.new)
    best = [[(-inf, Step((0, 0), (0, 0)))] * (columns + 1) for _ in range(rows + 1)]
    best[0][0] = (0.0, Step((0, 0), (0, 0)))
    for row in range(rows + 1):
        for column in range(columns + 1):
            for step in gap.runs(row, column):
                if step.kind == 2 and gap.is_split(step):
                    continue
                value = best[step.old[0]][step.new[0]][0] + sum(map(mul, weights[step.kind], gap.features(step)))
                if value > best[row][column][0]:
                    best[row][column] = (value, step)
    steps: list[Step] = []
    row, column = rows, columns
    while row or column:
        steps.append(best[row][column][1])
        row, column = steps[-1].old[0], steps[-1].new[0]
    return steps[::-1]


def _opens(text: Sequence[Word], at: int) -> bool:
    return at == 0 or text[at - 1].sentence != text[at].sentence


def _spanned(chunks: Sequence[Range], run: Range, whole: Range) -> Range:
    if run[0] < run[1]:
        return chunks[run[0]][0], chunks[run[1] - 1][1]
    place = chunks[run[0] - 1][1] if run[0] else whole[0]
    return place, place


def _unbroken(chunks: Sequence[Range], text: Sequence[Word]) -> list[int]:
    """For each chunk, how far a phrase can go that begins with it: to a word that moved or the sentence's end."""
    ends = [len(chunks)] * len(chunks)
    for at in range(len(chunks) - 2, -1, -1):
        last, first = chunks[at][1] - 1, chunks[at + 1][0]
        together = first == last + 1 and text[first].sentence == text[last].sentence
        ends[at] = ends[at + 1] if together else at + 1
    return ends


def _chunks(words: Range, text: Sequence[Word], moved: frozenset[int], grammar: Grammar) -> list[Range]:
    found: list[Range] = []
    start = words[0]
    for at in range(*words):
        if at in moved:
            found.append((start, at))
            start = at + 1
            continue
        word = text[at]
        if at > start:
            begins = grammar.is_small(word.key) and not grammar.is_small(text[at - 1].key)
            if begins or word.opens or word.sentence != text[at - 1].sentence:
                found.append((start, at))
                start = at
        if word.closes or (at == start and grammar.is_adverb(word.key)):
            found.append((start, at + 1))
            start = at + 1
    found.append((start, words[1]))
    return _coarser([chunk for chunk in found if chunk[0] < chunk[1]], text)


def _coarser(chunks: list[Range], text: Sequence[Word]) -> list[Range]:
    """Neighbours made one, as far as nothing stands between them, where there are more than ``MOST`` chunks."""
    size = -(-len(chunks) // MOST)
    if size <= 1:
        return chunks
    found = []
    ends = _unbroken(chunks, text)
    at = 0
    while at < len(chunks):
        end = min(at + size, ends[at])
        found.append((chunks[at][0], chunks[end - 1][1]))
        at = end
    return found
