"""N-grams of all texts of a block as whole numbers, so that counting and comparing them are operations on arrays.

Every different text is cut and counted once. A token is a number, an n-gram the number of its first n - 1 tokens'
n-gram together with its last token: two n-grams have the same number only if they are equal, nothing is hashed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.metrics.metric import Block
from rubrica.metrics.tokens import Normalisation

ORDERS = 4
Ints = npt.NDArray[np.int64]


@attrs.frozen(eq=False)
class Counted:
    """How often n-grams occur: ``key`` is sentence * width + n-gram, sorted; ``width`` is more than any n-gram."""

    key: Ints
    count: Ints
    width: int

    @property
    def sentence(self) -> Ints:
        """The sentence of each entry."""
        return self.key // self.width

    def at(self, keys: Ints) -> Ints:
        """The counts at other sorted keys, 0 where there is none."""
        place = np.searchsorted(self.key, keys)
        place[place == len(self.key)] = 0
        found = self.key[place] == keys if len(self.key) else np.zeros(len(keys), dtype=bool)
        return np.where(found, self.count[place] if len(self.key) else 0, 0)

    def per_sentence(self, values: npt.NDArray[np.generic], sentences: int) -> npt.NDArray[np.float64]:
        """The sums of values of the entries, by sentence."""
        return np.bincount(self.sentence, weights=values, minlength=sentences).astype(np.float64)


class References(NamedTuple):
    """N-grams of the references of each sentence: in all of them together, and in the one that has most of it."""

    total: Counted
    most: Counted


@attrs.frozen(eq=False)
class _Order:
    """The n-grams of one order: for each text a slice of n-grams with their counts, sorted."""

    begins: Ints
    gram: Ints
    count: Ints
    width: int


@attrs.frozen(eq=False)
class Grams:
    """Counts of the n-grams of a block, order by order. Positions of ``lengths`` are the texts given to it."""

    lengths: Ints
    orders: tuple[_Order, ...]

    def of(self, order: int, texts: Ints) -> Counted:
        """The n-grams of one text for each sentence; ``texts`` are positions of texts."""
        found = self.orders[order]
        sentence, entries = _gathered(found, texts)
        return Counted(sentence * found.width + found.gram[entries], found.count[entries], found.width)

    def of_references(self, order: int, sentences: Ints, texts: Ints) -> References:
        """The n-grams of any number of texts for each sentence: ``sentences`` says whose each text is."""
        found = self.orders[order]
        number, entries = _gathered(found, texts)
        key = sentences[number] * found.width + found.gram[entries]
        place = np.argsort(key, kind="stable")
        key, count = key[place], found.count[entries][place]
        if not len(key):
            return References(Counted(key, count, found.width), Counted(key, count, found.width))
        starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
        total, most = np.add.reduceat(count, starts), np.maximum.reduceat(count, starts)
        return References(Counted(key[starts], total, found.width), Counted(key[starts], most, found.width))


def _gathered(order: _Order, texts: Ints) -> tuple[Ints, Ints]:
    """The entries of some texts one after the other, and for each the position of its text in ``texts``."""
    begins, sizes = order.begins[texts], order.begins[texts + 1] - order.begins[texts]
    number = np.repeat(np.arange(len(texts)), sizes)
    before = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(sizes) else sizes
    return number, np.arange(len(number)) + np.repeat(begins - before, sizes)


class HeldAgainst(NamedTuple):
    """References: the sentence and the text of each, and how many each sentence has."""

    owners: Ints
    texts: Ints
    times: Ints


class BlockGrams(NamedTuple):
    """The n-grams of a block, and which texts are its sources, rewrites and (by :meth:`Block.shared_by`) references."""

    grams: Grams
    source: Ints
    rewrites: dict[str, Ints]
    references: dict[str, HeldAgainst]


def block_grams(block: Block, how: Normalisation) -> BlockGrams:
    """The n-grams of a block with one way of cutting texts, counted once."""
    return block.once(("grams", how), lambda: _counted(block, how))


def _counted(block: Block, how: Normalisation) -> BlockGrams:
    texts = block.normalised(how)
    numbers: dict[str, int] = {}

    def places(own: Sequence[str]) -> Ints:
        return np.array([numbers.setdefault(text, len(numbers)) for text in own], dtype=np.int64)

    source = places(texts.sources)
    rewrites = {name: places(own) for name, own in texts.rewrites.items()}
    references = {}
    for name, every in texts.references.items():
        times = np.array([len(own) for own in every], dtype=np.int64)
        owners = np.repeat(np.arange(len(block)), times)
        references[name] = HeldAgainst(owners, places([text for own in every for text in own]), times)
    return BlockGrams(counted_grams(list(numbers)), source, rewrites, references)


def counted_grams(texts: Sequence[str]) -> Grams:
    """The n-grams of texts whose tokens are separated by spaces."""
    cut = [text.split() for text in texts]
    lengths = np.array([len(tokens) for tokens in cut], dtype=np.int64)
    vocabulary: dict[str, int] = {}
    tokens = np.array([vocabulary.setdefault(token, len(vocabulary)) for own in cut for token in own], dtype=np.int64)
    owner = np.repeat(np.arange(len(texts)), lengths)
    left = np.cumsum(lengths)[owner] - np.arange(len(tokens)) if len(tokens) else tokens
    gram, width, orders = tokens, len(vocabulary) + 1, []
    for order in range(1, ORDERS + 1):
        begins = np.flatnonzero(left >= order)
        if order > 1:
            longer = gram[begins] * (len(vocabulary) + 1) + tokens[begins + order - 1]
            known, number = np.unique(longer, return_inverse=True)
            gram = np.zeros_like(tokens)
            gram[begins], width = number, len(known) + 1
        orders.append(_sorted_counts(owner[begins], gram[begins], len(texts), width))
    return Grams(lengths, tuple(orders))


def _sorted_counts(owner: Ints, gram: Ints, texts: int, width: int) -> _Order:
    key, count = np.unique(owner * width + gram, return_counts=True)
    begins = np.searchsorted(key, np.arange(texts + 1) * width)
    return _Order(begins, key % width, count.astype(np.int64), width)
