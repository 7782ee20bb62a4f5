"""SARI and BLEU computed directly: sentence by sentence, as the formulas are published, with Python dictionaries.

What `benchmarks/metrics.py` compares with. The tokeniser is the same as ours, remembered words included.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

ORDERS = 4
Grams = list["Counter[str]"]
Cut = Callable[[str], str]


def grams(text: str) -> Grams:
    """The n-grams of a text by order."""
    tokens = text.split()
    return [
        Counter(" ".join(tokens[place : place + order]) for place in range(len(tokens) - order + 1))
        for order in range(1, ORDERS + 1)
    ]


def sari(sources: Sequence[str], rewrites: Sequence[str], references: Sequence[Sequence[str]], cut: Cut) -> float:
    """Corpus SARI with F1 for deletion, means over orders of each operation's F1."""
    counts = [[[0, 0, 0] for _ in range(ORDERS)] for _ in range(3)]
    for source, rewrite, own in zip(sources, rewrites, references, strict=True):
        old, new = grams(cut(source)), grams(cut(rewrite))
        every = [grams(cut(text)) for text in own]
        for order in range(ORDERS):
            wanted: Counter[str] = Counter()
            for one in every:
                wanted += one[order]
            added = set(new[order]) - set(old[order])
            _add(counts[0][order], len(added & set(wanted)), len(added), len(set(wanted) - set(old[order])))
            there = Counter({gram: count * len(own) for gram, count in old[order].items()})
            here = Counter({gram: count * len(own) for gram, count in new[order].items()})
            for operation, (ours, theirs) in enumerate(
                ((there & here, there & wanted), (there - here, there - wanted)), start=1
            ):
                both = sum((ours & theirs).values())
                _add(counts[operation][order], both, sum(ours.values()), sum(theirs.values()))
    return 100 * sum(_f1(*one) for operation in counts for one in operation) / (3 * ORDERS)


def bleu(rewrites: Sequence[str], references: Sequence[Sequence[str]], cut: Cut) -> float:
    """Corpus BLEU; no order without a match in these data, so nothing is smoothed."""
    correct, total, length, wanted = [0] * ORDERS, [0] * ORDERS, 0, 0
    for rewrite, own in zip(rewrites, references, strict=True):
        new, every = grams(cut(rewrite)), [grams(cut(text)) for text in own]
        size, sizes = sum(new[0].values()), [sum(one[0].values()) for one in every]
        length += size
        wanted += min(sizes, key=lambda other: (abs(other - size), other))
        for order in range(ORDERS):
            most: Counter[str] = Counter()
            for one in every:
                most |= one[order]
            correct[order] += sum((new[order] & most).values())
            total[order] += sum(new[order].values())
    short = math.exp(1 - wanted / length) if length < wanted else 1.0
    return 100 * short * math.exp(sum(math.log(a / b) for a, b in zip(correct, total, strict=True)) / ORDERS)


def _add(counts: list[int], *more: int) -> None:
    for place, count in enumerate(more):
        counts[place] += count


def _f1(correct: int, ours: int, theirs: int) -> float:
    precision, recall = correct / ours if ours else 0.0, correct / theirs if theirs else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
