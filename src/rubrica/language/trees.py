"""The best tree of scores for each word's possible heads, in which no arc crosses another: Eisner (1996).

Hardly any English sentence needs crossing arcs, and a clause whose words are not neighbours cannot be cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NEVER = -1e12


def best_tree(scores: NDArray[np.float32]) -> list[int]:
    """The places of the heads that score highest together and make one tree; the root is its own head.

    ``scores`` has a row for each word: first how well it is the root, then each word as its head.
    """
    if not len(scores):
        return []
    square = scores.astype(np.float64)
    square[np.arange(len(scores)), np.arange(1, len(scores) + 1)] = _NEVER
    heads = [place if head == 0 else int(head) - 1 for place, head in enumerate(square.argmax(axis=1))]
    return heads if _is_tree(heads) else _searched(square)


def _is_tree(heads: list[int]) -> bool:
    """Whether there is one root, above all words, and no arc crosses another or passes over the root."""
    roots = [place for place, head in enumerate(heads) if place == head]
    arcs = [(min(place, head), max(place, head)) for place, head in enumerate(heads) if place != head]
    if len(roots) != 1 or any(low < roots[0] < high for low, high in arcs):
        return False
    reached, waiting = set(roots), list(roots)
    kids: dict[int, list[int]] = {}
    for place, head in enumerate(heads):
        kids.setdefault(head, []).append(place)
    while waiting:
        below = [kid for kid in kids.get(waiting.pop(), []) if kid not in reached]
        reached.update(below)
        waiting += below
    return len(reached) == len(heads) and not any(a < c < b < d for a, b in arcs for c, d in arcs)


def _searched(scores: NDArray[np.float64]) -> list[int]:
    """The best tree, from spans of two words to the whole: all spans of a width at once.

    Of each span there are two halves: whole, with all that hangs on one end (0 the first word, 1 the last), and open,
    an arc from one end to the other. ``best`` keeps where each of them was put together.
    """
    count = len(scores)
    arc = scores[:, 1:].T
    whole, part = np.zeros((2, count, count)), np.full((2, count, count), _NEVER)
    best = np.zeros((3, count, count), dtype=np.int64)
    for width in range(1, count):
        first = np.arange(count - width)[:, None]
        last, step = first + width, np.arange(width)
        one, end = first[:, 0], last[:, 0]
        joined = whole[0, first, first + step] + whole[1, first + step + 1, last]
        best[0, one, end] = joined.argmax(axis=1)
        part[0, one, end] = joined.max(axis=1) + arc[one, end]
        part[1, one, end] = joined.max(axis=1) + arc[end, one]
        right = part[0, first, first + step + 1] + whole[0, first + step + 1, last]
        left = whole[1, first, first + step] + part[1, first + step, last]
        best[1, one, end], best[2, one, end] = right.argmax(axis=1), left.argmax(axis=1)
        whole[0, one, end], whole[1, one, end] = right.max(axis=1), left.max(axis=1)
    root = int((scores[:, 0] + whole[1, 0] + whole[0, :, -1]).argmax())
    heads = list(range(count))
    spans = [(False, 1, 0, root), (False, 0, root, count - 1)]
    while spans:
        is_open, side, low, high = spans.pop()
        if low == high:
            continue
        if is_open:
            heads[low if side else high] = high if side else low
            middle = low + int(best[0, low, high])
            spans += [(False, 0, low, middle), (False, 1, middle + 1, high)]
        elif side:
            middle = low + int(best[2, low, high])
            spans += [(False, 1, low, middle), (True, 1, middle, high)]
        else:
            middle = low + int(best[1, low, high]) + 1
            spans += [(True, 0, low, middle), (False, 0, middle, high)]
    return heads
