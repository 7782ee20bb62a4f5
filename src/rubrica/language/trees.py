"""The best tree of a sentence, of scores for each word's possible heads: Chu and Liu (1965), Edmonds (1967)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NEVER, _SECOND_ROOT = -1e12, 1e7


def best_tree(scores: NDArray[np.float32]) -> list[int]:
    """The places of the heads that score highest together and make one tree; a root is its own head.

    ``scores`` has a row for each word: first how well it is the root, then each word as its head.
    """
    count = len(scores)
    if not count:
        return []
    square = np.full((count + 1, count + 1), _NEVER)
    square[1:] = scores
    np.fill_diagonal(square, _NEVER)
    # The fewest roots that there can be, which is one: what each costs is more than all arcs together.
    heads = square.argmax(axis=1)
    if (heads[1:] == 0).sum() != 1 or _cycle(heads) is not None:
        square[1:, 0] -= _SECOND_ROOT
        heads = _spanning(square)
    return [place if head == 0 else int(head) - 1 for place, head in enumerate(heads[1:])]


def _spanning(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """The heads of the best tree below node 0: as long as the best heads make a cycle, it counts as one node."""
    heads: NDArray[np.int64] = scores.argmax(axis=1)
    heads[0] = 0
    cycle = _cycle(heads)
    if cycle is None:
        return heads
    inside = np.array(cycle)
    outside = np.setdiff1d(np.arange(len(scores)), inside)
    small = np.full((len(outside) + 1, len(outside) + 1), _NEVER)
    small[:-1, :-1] = scores[np.ix_(outside, outside)]
    gains = scores[np.ix_(inside, outside)] - scores[inside, heads[inside]][:, None]
    small[-1, :-1] = gains.max(axis=0)
    leaving = scores[np.ix_(outside, inside)]
    small[:-1, -1] = leaving.max(axis=1)
    small[0] = small[-1, -1] = _NEVER
    found = _spanning(small)
    above = int(found[-1])
    heads[inside[gains[:, above].argmax()]] = outside[above]
    for place, head in enumerate(found[1:-1], start=1):
        heads[outside[place]] = inside[leaving[place].argmax()] if head == len(outside) else outside[head]
    return heads


def _cycle(heads: NDArray[np.int64]) -> list[int] | None:
    """Nodes that hang on each other instead of on node 0."""
    seen = np.zeros(len(heads), dtype=np.int64)
    above = heads.tolist()
    for start in range(1, len(above)):
        node = start
        while node and not seen[node]:
            seen[node] = start
            node = above[node]
        if node and seen[node] == start:
            cycle, last = [node], above[node]
            while last != node:
                cycle.append(last)
                last = above[last]
            return cycle
    return None
