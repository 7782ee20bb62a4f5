"""How often people give the same answer: percent agreement, and shared answers where each may give several.

Percent agreement: how often two raters of the same unit gave the same answer. Each unit that two or more raters
answered has the share of its pairs of raters who agree; the measure is the mean over these units: the observed
agreement of Fleiss (Measuring nominal scale agreement among many raters, 1971) and of Gwet (Handbook of Inter-Rater
Reliability, 4th edition, 2014, chapter 2). It says nothing about chance. Of one rater and the rest, the pairs of a
unit are those with the rater in them. Why units and not pairs: design/031.

Pairs may be pooled instead (``prepare_pooled``): a unit then counts by the square of the number of its raters.

How far people give the same answers where each may give several in their own words. Beside alpha with MASI, which
compares whole sets, two plain figures that shared tasks on substitutes look at: how often two people have an answer in
common, and how many gave the most frequent one. Neither is corrected for chance: with free text there is no chance
that could be computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rubrica.stats.agreement.tally import Prepared, Tally, tally
from rubrica.stats.coded import Coded, Real, Whole


def shares_agreeing(counts: Tally, alike: Real, weights: Real) -> Real:
    """The mean over units of the share of pairs who agree, for each row of weights; NaN without a pair.

    ``alike`` is how many ordered pairs of answers of each pattern are the same, answers paired with themselves
    included; where answers may agree in part, the sum of how far they do.
    """
    comparable = counts.pairs > 0
    share = np.where(comparable, (alike - counts.own) / np.where(comparable, counts.pairs, 1), 0)
    units = weights @ comparable
    found: Real = np.where(units > 0, (weights @ share) / np.where(units > 0, units, 1), np.nan)
    return found


def shares_chosen(counts: Tally, weights: Real) -> Real:
    """The mean over units of the share of their raters who chose each value, for each row of weights."""
    answered = counts.sizes > 0
    units = weights @ answered
    shares: Real = counts.totals(weights / np.where(answered, counts.sizes, 1)) / np.where(units > 0, units, 1)[:, None]
    return shares


def prepare_percent(answers: Coded, level: str = "", drawn: Real | None = None) -> Prepared:
    """Percent agreement, from 0 to 1, ready for resampling units. Always defined where two raters share a unit.

    The level plays no role: answers are the same or not.
    """
    counts = tally(answers, drawn).pairable().patterns()
    alike = counts.squares()
    if answers.made_of is None:
        return Prepared(counts.times, lambda weights: shares_agreeing(counts, alike, weights))
    # All that was made of one unit counts as one.
    each = 1 / np.bincount(answers.made_of)[answers.made_of]
    return Prepared(counts.times, lambda weights: shares_agreeing(counts, alike, weights * each))


def prepare_pooled(answers: Coded, level: str = "", drawn: Real | None = None) -> Prepared:
    """The share of all pairs of answers to the same unit that agree, whichever unit they are of."""
    counts = tally(answers, drawn).pairable().patterns()
    same = counts.squares() - counts.own

    def values(weights: Real) -> Real:
        pairs = weights @ counts.pairs
        found: Real = np.where(pairs > 0, (weights @ same) / np.where(pairs > 0, pairs, 1), np.nan)
        return found

    return Prepared(counts.times, values)


class BesideOthers(NamedTuple):
    """For each answer, how many others there are to its unit, and how many of them are the same."""

    others: Whole
    same: Whole


def beside_others(answers: Coded) -> BesideOthers:
    """Each answer beside the others to its unit. The mean of ``same / others`` over units is a rater with the rest."""
    _, place, times = np.unique(
        answers.unit * max(len(answers.values), 1) + answers.code, return_inverse=True, return_counts=True
    )
    return BesideOthers(answers.per_unit[answers.unit] - 1, times[place] - 1)


class SharedAnswers(NamedTuple):
    """Means over units with at least two answers; None where there is none. ``units`` is how many there are.

    ``pairs``: the share of pairs of people with an answer in common. ``top``: the share of people whose answers have
    the most frequent one of their unit among them.
    """

    pairs: float | None
    top: float | None
    units: int


def shared_answers(units: Iterable[Sequence[frozenset[str]]]) -> SharedAnswers:
    """From the sets of answers of each unit; equal answers are equal strings, and an empty set shares nothing."""
    pairs, tops = [], []
    for sets in units:
        if len(sets) < 2:
            continue
        together = [bool(one & other) for one, other in combinations(sets, 2)]
        pairs.append(sum(together) / len(together))
        given = Counter(answer for one in sets for answer in one)
        tops.append(max(given.values(), default=0) / len(sets))
    if not pairs:
        return SharedAnswers(None, None, 0)
    return SharedAnswers(sum(pairs) / len(pairs), sum(tops) / len(tops), len(pairs))
