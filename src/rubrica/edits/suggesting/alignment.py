"""Which word of the rewrite stands for which word of the source, and which of them moved.

A hidden Markov model without training (Vogel, Ney and Tillmann, HMM-Based Word Alignment in Statistical Translation,
1996): words may be linked if they are alike, a link is worth what the likeness is worth, and it costs the more the
further it jumps from the link before, back more than forward. The best path is found in both directions, and only
links that both paths have are kept, so that each word is in one link at most. Equal words beside linked ones join them
(the heuristic known as *grow*).

Which linked words kept their order and which moved. The words that kept it are the chain of links that is worth most
and never crosses itself; the others moved. Links of small words alone (*the*, *of*) prove little: they count only
close to another link of the chain, and never as moved. A phrase that stands before its sentence with a comma (*On
Sundays, …*) moves more readily than the sentence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import inf, log2
from typing import NamedTuple

import attrs

from rubrica.edits.suggesting.similarity import SAME, Match, Meanings, matches
from rubrica.edits.suggesting.words import Grammar, Word

FORWARD, BACKWARD, RETURN = 0.3, 0.5, 1.2
"""What a jump costs each time its distance doubles, forward and back, and what going back costs in any case."""


class Link(NamedTuple):
    """Two words that stand for each other, by what they are alike, and what that is worth."""

    source: int
    rewrite: int
    kind: str
    strength: float


def align(
    source: Sequence[Word], rewrite: Sequence[Word], grammar: Grammar, meanings: Meanings | None = None
) -> list[Link]:
    """The links between two texts, in the order of the rewrite."""
    candidates = matches(source, rewrite, grammar, meanings)
    turned: list[list[Match]] = [[] for _ in source]
    for place, found in enumerate(candidates):
        for match in found:
            turned[match.place].append(Match(place, match.strength, match.kind))
    costs = _Costs(max(len(source), len(rewrite)))
    there, back = _best_path(candidates, costs), _best_path(turned, costs)
    agreed = {
        place: Link(match.place, place, match.kind, match.strength)
        for place, match in enumerate(there)
        if match is not None and (other := back[match.place]) is not None and other.place == place
    }
    return _grown(agreed, candidates)


def _grown(links: dict[int, Link], candidates: Sequence[Sequence[Match]]) -> list[Link]:
    """The links, and those of equal words right before or after linked ones that neither text has linked otherwise."""
    taken = {link.source for link in links.values()}
    waiting = list(links.values())
    while waiting:
        link = waiting.pop()
        for step in (-1, 1):
            here, there = link.source + step, link.rewrite + step
            if here in taken or there in links or not 0 <= there < len(candidates):
                continue
            match = next((match for match in candidates[there] if match.place == here and match.kind == SAME), None)
            if match is not None:
                links[there] = Link(here, there, SAME, match.strength)
                taken.add(here)
                waiting.append(links[there])
    return [links[place] for place in sorted(links)]


class _Costs:
    """What jumps cost in texts of that many words; ``most`` is the dearest."""

    def __init__(self, words: int) -> None:
        self.forward = [FORWARD * log2(1 + distance) for distance in range(words + 1)]
        self.backward = [RETURN + BACKWARD * log2(1 + distance) for distance in range(words + 2)]
        self.most = max(self.forward[-1], self.backward[-1])


def _best_path(candidates: Sequence[Sequence[Match]], costs: _Costs) -> list[Match | None]:
    """What each word is linked to, None for nothing, on the path that is worth most.

    A state is the place of the last link; a word that is linked to nothing leaves it as it is. From the best state
    every place can be reached for the dearest jump, so states that are worth less by more than that are given up.
    """
    forward, backward = costs.forward, costs.backward
    states: dict[int, float] = {-1: 0.0}
    steps: list[dict[int, tuple[int, Match]]] = []
    for found in candidates:
        step: dict[int, tuple[int, Match]] = {}
        reached = states.copy()
        for match in found:
            best, origin, place = -inf, -1, match.place
            for last, worth in states.items():
                distance = place - last - 1
                value = worth - (forward[distance] if distance >= 0 else backward[-distance])
                if value > best:
                    best, origin = value, last
            best += match.strength
            if best > reached.get(place, -inf):
                reached[place] = best
                step[place] = (origin, match)
        if step:
            least = max(reached.values()) - costs.most
            states = {last: worth for last, worth in reached.items() if worth >= least}
        steps.append(step)
    return _traced(states, steps)


def _traced(states: dict[int, float], steps: Sequence[dict[int, tuple[int, Match]]]) -> list[Match | None]:
    """The best path, followed back from its end; among equals the one that ends earlier."""
    last = max(states, key=lambda place: (states[place], -place))
    path: list[Match | None] = []
    for step in reversed(steps):
        if last in step:
            last, match = step[last]
            path.append(match)
        else:
            path.append(None)
    return path[::-1]


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
