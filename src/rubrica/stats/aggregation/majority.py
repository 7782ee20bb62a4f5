"""The answer that most raters gave to each unit, with what happens to a tie said beforehand.

The support's share has Wilson's 95 % interval; uncertainty is the entropy of the answers in bits: 0 if all agree, 1 if
two answers have half of the raters each.
"""

from __future__ import annotations

import random

import numpy as np

from rubrica.core.pairwise import wilson
from rubrica.stats.aggregation.gold import ENTROPY, Gold, by_unit
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic

NONE, FIRST, LOWEST, HIGHEST, RANDOM = "none", "first", "lowest", "highest", "random"
TIES = (NONE, FIRST, LOWEST, HIGHEST, RANDOM)
"""What a tie becomes: nothing, the tied answer that was given first, that comes first or last in order, or any."""


def majorities(answers: Coded, ties: str = NONE, seed: int = 0) -> list[Gold]:
    """The most frequent answer to each unit. ``seed`` is for ties that are broken at random."""
    generator = random.Random(seed)
    return [_gold(answers, answers.code[places], ties, generator) for places in by_unit(answers)]


def _gold(answers: Coded, codes: Whole, ties: str, generator: random.Random) -> Gold:
    raters = len(codes)
    if not raters:
        nothing = Statistic(None, "no answer")
        return Gold(None, 0, 0, nothing, nothing, nothing, nothing, ENTROPY, "no answer")
    counts = np.bincount(codes)
    support = int(counts.max())
    tied = np.flatnonzero(counts == support).tolist()
    chosen = tied[0] if len(tied) == 1 else _settle(tied, codes, ties, generator)
    interval = wilson(support / raters, raters)
    return Gold(
        None if chosen is None else answers.values[chosen],
        raters,
        support,
        Statistic(support / raters),
        Statistic(interval.low),
        Statistic(interval.high),
        Statistic(entropy(counts / raters)),
        ENTROPY,
        "tie" if chosen is None else "",
    )


def _settle(tied: list[int], codes: Whole, ties: str, generator: random.Random) -> int | None:
    match ties:
        case "first":
            return int(next(code for code in codes if code in tied))
        case "lowest":
            return tied[0]
        case "highest":
            return tied[-1]
        case "random":
            return generator.choice(tied)
    return None


def entropy(shares: Real) -> float:
    """Shannon's entropy of shares that add up to 1, in bits."""
    present = shares[shares > 0]
    return float(-(present * np.log2(present)).sum() + 0.0)
