"""The answer that most raters gave to each unit, with what happens to a tie said beforehand.

The support's share has Wilson's 95 % interval; uncertainty is the entropy of the answers in bits: 0 if all agree, 1 if
two answers have half of the raters each.
"""

from __future__ import annotations

import random

import numpy as np

from rubrica.stats.aggregation.gold import ENTROPY, Gold, by_unit
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic
from rubrica.stats.wilson import wilson

TIE = "tie"
NONE, FIRST, LOWEST, HIGHEST, RANDOM = "none", "first", "lowest", "highest", "random"
TIES = (NONE, FIRST, LOWEST, HIGHEST, RANDOM)
"""What a tie becomes: nothing, the tied answer that was given first, that comes first or last in order, or any."""


def majorities(answers: Coded, ties: str = NONE, seed: int = 0) -> list[Gold]:
    """The most frequent answer to each unit. ``seed`` is for ties that are broken at random."""
    generator = random.Random(seed)
    known: dict[tuple[int, ...], Gold] = {}
    found = []
    for places in by_unit(answers):
        codes = answers.code[places]
        counts = tuple(np.bincount(codes, minlength=len(answers.values)).tolist())
        # The same counts have the same gold, unless a tie is settled by order or at random.
        gold = known.get(counts)
        if gold is None or (gold.reason == TIE and ties != NONE):
            known[counts] = gold = _gold(answers, np.array(counts))
            if gold.reason == TIE and ties != NONE:
                tied = [code for code, count in enumerate(counts) if count == gold.support]
                chosen = answers.values[_settle(tied, codes.tolist(), ties, generator)]
                gold = gold._replace(value=chosen, reason="")
        found.append(gold)
    return found


def _gold(answers: Coded, counts: Whole) -> Gold:
    """The gold of these counts; a tie is undefined."""
    raters = int(counts.sum())
    if not raters:
        nothing = Statistic(None, "no answer")
        return Gold(None, 0, 0, nothing, nothing, nothing, nothing, ENTROPY, "no answer")
    support = int(counts.max())
    tied = np.flatnonzero(counts == support).tolist()
    interval = wilson(support / raters, raters)
    return Gold(
        answers.values[tied[0]] if len(tied) == 1 else None,
        raters,
        support,
        Statistic(support / raters),
        Statistic(interval.low),
        Statistic(interval.high),
        Statistic(entropy(counts / raters)),
        ENTROPY,
        "" if len(tied) == 1 else TIE,
    )


def _settle(tied: list[int], codes: list[int], ties: str, generator: random.Random) -> int:
    match ties:
        case "first":
            return next(code for code in codes if code in tied)
        case "lowest":
            return tied[0]
        case "highest":
            return tied[-1]
    return generator.choice(tied)


def entropy(shares: Real) -> float:
    """Shannon's entropy of shares that add up to 1, in bits."""
    present = shares[shares > 0]
    return float(-(present * np.log2(present)).sum() + 0.0)
