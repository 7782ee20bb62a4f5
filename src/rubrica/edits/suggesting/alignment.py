"""Which word of the rewrite stands for which word of the source.

A hidden Markov model without training (Vogel, Ney and Tillmann, HMM-Based Word Alignment in Statistical Translation,
1996): words may be linked if they are alike, a link is worth what the likeness is worth, and it costs the more the
further it jumps from the link before, back more than forward. The best path is found in both directions, and
only links that both paths have are kept, so that each word is in one link at most. Equal words beside linked ones join
them (the heuristic known as *grow*).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log2
from typing import NamedTuple

from rubrica.edits.suggesting.grammar import Grammar
from rubrica.edits.suggesting.meanings import Meanings
from rubrica.edits.suggesting.similarity import SAME, Match, matches
from rubrica.edits.suggesting.tokens import Word

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
