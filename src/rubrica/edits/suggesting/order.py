"""Which linked words kept their order and which moved.

The words that kept it are the chain of links that is worth most and never crosses itself; the others moved. Links of
small words alone (*the*, *of*) prove little: they count only close to another link of the chain, and never as moved.
A phrase that stands before its sentence with a comma (*On Sundays, …*) moves more readily than the sentence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import attrs

from rubrica.edits.suggesting.alignment import Link
from rubrica.edits.suggesting.grammar import Grammar
from rubrica.edits.suggesting.similarity import SAME
from rubrica.edits.suggesting.tokens import Word

NEAR = 2
"""How many words, of both texts together, may stand between a small word and the nearest link, for each small word."""

BRIDGE = 2
"""How far apart, in either text, neighbouring words of one moved block may stand."""

PUT_BEFORE = 0.75
"""What a link is worth if the word stands in a phrase before the sentence in one text only, beside any other link."""

_LATER = 1e-9
"""Too little to matter except between equals."""

Range = tuple[int, int]
"""The first word and the one after the last."""


@attrs.frozen
class Block:
    """Words that moved together, and whether all its content words changed as well."""

    source: Range
    rewrite: Range
    changed: bool


@attrs.frozen
class Order:
    """Links that kept their order, and blocks that moved; no word is in two of them."""

    kept: tuple[Link, ...]
    moved: tuple[Block, ...]


def in_order(links: Sequence[Link], source: Sequence[Word], rewrite: Sequence[Word], grammar: Grammar) -> Order:
    """Tell links that kept their order from those that moved. Links come in the order of the rewrite."""
    small = {link for link in links if grammar.is_small(source[link.source].key)}
    chain = _heaviest(links, _weights(links, source, rewrite))
    kept = _without_lonely(chain, small)
    blocks = _blocks(links, set(chain), small)
    return Order(tuple(kept), tuple(_with_word_before(blocks, kept, source, rewrite, grammar)))


def _weights(links: Sequence[Link], source: Sequence[Word], rewrite: Sequence[Word]) -> list[float]:
    """What links are worth to the chain: less if the word is in a phrase put before the sentence in one text only."""
    old, new = _put_before(source), _put_before(rewrite)
    return [
        link.strength * (1.0 if (link.source in old) == (link.rewrite in new) else PUT_BEFORE) - number * _LATER
        for number, link in enumerate(links)
    ]


def _put_before(text: Sequence[Word]) -> set[int]:
    """Words up to the first comma of their sentence, where the sentence goes on after it."""
    found: set[int] = set()
    start: int | None = 0
    for at, word in enumerate(text):
        if at and word.sentence != text[at - 1].sentence:
            start = at
        if start is not None and word.closes:
            if at + 1 < len(text) and text[at + 1].sentence == word.sentence:
                found.update(range(start, at + 1))
            start = None
    return found


def _heaviest(links: Sequence[Link], weights: Sequence[float]) -> list[Link]:
    """The links worth most whose places in the source increase; among equals, what comes first in the rewrite stays.

    ``ends`` are places where a chain may end, ``worth`` what the best chain that ends there or before is worth.
    """
    ends: list[int] = []
    worth: list[float] = []
    last: list[int] = []
    before: list[int] = []
    for number, link in enumerate(links):
        at = bisect_left(ends, link.source)
        before.append(last[at - 1] if at else -1)
        total = weights[number] + (worth[at - 1] if at else 0.0)
        beaten = at
        while beaten < len(ends) and worth[beaten] <= total:
            beaten += 1
        ends[at:beaten], worth[at:beaten], last[at:beaten] = [link.source], [total], [number]
    number = last[-1] if last else -1
    chain = []
    while number >= 0:
        chain.append(links[number])
        number = before[number]
    return chain[::-1]


def _without_lonely(chain: Sequence[Link], small: set[Link]) -> list[Link]:
    """The chain without runs of small words that stand far from everything else in it."""
    kept: list[Link] = []
    start = 0
    while start < len(chain):
        end = start + 1
        while end < len(chain) and _apart(chain[end - 1], chain[end]) == 0:
            end += 1
        run = chain[start:end]
        away = [_apart(kept[-1], run[0]) if kept else run[0].source + run[0].rewrite]
        if end < len(chain):
            away.append(_apart(run[-1], chain[end]))
        if any(link not in small for link in run) or min(away) <= NEAR * len(run):
            kept += run
        start = end
    return kept


def _apart(one: Link, other: Link) -> int:
    """How many words stand between two links, in both texts together."""
    return other.source - one.source - 1 + other.rewrite - one.rewrite - 1


def _blocks(links: Sequence[Link], chain: set[Link], small: set[Link]) -> list[Block]:
    """Links outside the chain, grouped where they stand together in both texts; small words alone are no block."""
    sources = sorted(link.source for link in links)
    groups: list[list[Link]] = []
    for before, link in zip([None, *links], links, strict=False):
        if link in chain:
            continue
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and last == before
            and 0 < link.source - last.source <= BRIDGE
            and link.rewrite - last.rewrite <= BRIDGE
            and sources[bisect_left(sources, last.source) + 1] == link.source
        ):
            groups[-1].append(link)
        else:
            groups.append([link])
    return [
        Block(
            (group[0].source, group[-1].source + 1),
            (group[0].rewrite, group[-1].rewrite + 1),
            all(link.kind != SAME for link in group if link not in small),
        )
        for group in groups
        if any(link not in small for link in group)
    ]


def _with_word_before(
    blocks: Sequence[Block],
    kept: Sequence[Link],
    source: Sequence[Word],
    rewrite: Sequence[Word],
    grammar: Grammar,
) -> list[Block]:
    """Blocks with the small word before them, where both texts have one: *until 1933* moved and became *in 1933*."""
    gone = {link.source for link in kept} | {at for block in blocks for at in range(*block.source)}
    came = {link.rewrite for link in kept} | {at for block in blocks for at in range(*block.rewrite)}

    def is_free(at: int, text: Sequence[Word], taken: set[int]) -> bool:
        return at >= 0 and at not in taken and grammar.is_small(text[at].key) and not text[at].closes

    widened = []
    for block in blocks:
        here, there = block.source[0] - 1, block.rewrite[0] - 1
        if is_free(here, source, gone) and is_free(there, rewrite, came):
            gone.add(here)
            came.add(there)
            block = Block((here, block.source[1]), (there, block.rewrite[1]), block.changed)
        widened.append(block)
    return widened
