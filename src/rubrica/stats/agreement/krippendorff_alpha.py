"""Krippendorff's alpha, the distances it is computed from, and how disputed each unit is.

How far two answers are apart, by the level of the scale: the metrics of Krippendorff's alpha that never change.
Krippendorff, Content Analysis, 4th edition, 2018, chapter 12 (ratio); Passonneau, Measuring agreement on set-valued
items (MASI), LREC 2006; Jaccard, New Phytologist 11, 1912. NLTK's MASI rounds the factors 2/3 and 1/3 to 0.67 and
0.33.

Krippendorff's alpha: agreement of any number of annotators on answers of any level, gaps allowed. Krippendorff,
Content Analysis, 4th edition, 2018, chapter 12. Alpha is 1 - observed / expected disagreement: how far two answers to
the same unit are apart, by how far two answers drawn from all are. For complete nominal data of n annotators on T
units, it is kappa + (1 - kappa) / (nT), kappa being Fleiss'.

Ordinal distances depend on how often each value was chosen: they are squared differences of mid-ranks, so that every
bootstrap replicate has its own.

How disputed each unit is: how far its answers are apart, by how far any two answers are. This is the observed
disagreement of Krippendorff's alpha before it is averaged: 0 where all agree, 1 where raters are as far apart as by
chance, and alpha is 1 minus the mean over units, weighted by their numbers of answers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubrica.core.answers import Answer
from rubrica.core.ratings import INTERVAL, JACCARD, MASI, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement.tally import NOTHING, Prepared, Tally, Units, not_pairable, tally, tally_of
from rubrica.stats.coded import Coded, Real
from rubrica.stats.statistic import Statistic


def distances(values: Sequence[Answer], level: str) -> Real:
    """The table of distances between values. Raises ValueError for a level whose distances are no fixed table."""
    if level == RATIO:
        return _ratio(np.array(values, dtype=float))
    if level in (MASI, JACCARD):
        return _sets([value if isinstance(value, tuple) else (str(value),) for value in values], level)
    raise ValueError(f"the level {level!r} has no table of distances")


def _ratio(numbers: Real) -> Real:
    """((a - b) / (a + b)) squared; two zeros are the same."""
    apart, both = numbers[:, None] - numbers, numbers[:, None] + numbers
    found: Real = (apart / np.where(apart == 0, 1, both)) ** 2
    return found


def _sets(values: Sequence[tuple[str, ...]], level: str) -> Real:
    """1 - Jaccard's index; for MASI, the index counts two thirds for a subset, a third for an overlap.

    Two empty sets are the same; an empty set and another are as far apart as can be.
    """
    parts = {part: index for index, part in enumerate(dict.fromkeys(part for value in values for part in value))}
    member = np.zeros((len(values), len(parts)))
    for row, value in enumerate(values):
        member[row, [parts[part] for part in value]] = 1
    shared = member @ member.T
    sizes = member.sum(axis=1)
    union = sizes[:, None] + sizes - shared
    index = np.where(union == 0, 1.0, shared / np.maximum(union, 1))
    if level == JACCARD:
        jaccard: Real = 1 - index
        return jaccard
    smaller = np.minimum(sizes[:, None], sizes)
    factor = np.where(shared == union, 1.0, np.where(shared == smaller, 2 / 3, 1 / 3))
    masi: Real = 1 - index * factor
    return masi


BLOCK = 4_000_000
"""Numbers that are held at once while replicates are computed."""


LEAST = 1e-12
"""Expected disagreement below this is none: distances are at most about 1, and sums have rounding errors."""


class Disagreement:
    """Alpha of one question at one level, for as many replicates as wanted, from counts that are made once."""

    def __init__(self, counts: Tally, answers: Coded, level: str) -> None:
        self.tally = counts.pairable()
        self.level = level
        self.sizes, self.share = self.tally.sizes, self.tally.sizes / self.tally.pairs
        self.scores = self._scores(answers) if level == INTERVAL else None
        self.distances = distances(answers.values, level) if level not in (NOMINAL, INTERVAL, ORDINAL) else None
        self.observed = None if level == ORDINAL else self.share * self._apart()

    def _scores(self, answers: Coded) -> Real:
        """Numbers around the middle of those that count and at most 1, so that their squares lose no digits."""
        present = self.tally.totals(self.tally.times[None, :])[0] > 0
        used = answers.numbers[present] if present.any() else np.zeros(1)
        middle = (used.min() + used.max()) / 2
        scores: Real = np.where(present, (answers.numbers - middle) / (used.max() - middle or 1), 0)
        return scores

    def _apart(self) -> Real:
        """The sum of distances over ordered pairs within each pattern."""
        if self.level == NOMINAL:
            nominal: Real = self.sizes**2 - self.tally.squares()
            return nominal
        if self.scores is not None:
            return _spread(self.sizes, self.tally.sums(self.scores), self.tally.sums(self.scores**2))
        assert self.distances is not None
        return self.tally.within(self.distances)

    def alphas(self, weights: Real) -> Real:
        """Alpha for each row of ``weights`` (how often each pattern counts); NaN where it is undefined."""
        many = weights @ self.sizes
        if self.observed is not None:
            observed = weights @ self.observed
        if self.scores is not None:
            sums = weights @ np.stack([self.tally.sums(self.scores), self.tally.sums(self.scores**2)], axis=1)
            expected = _spread(many, sums[:, 0], sums[:, 1])
        elif self.level == ORDINAL:
            observed, expected = self._ordinal(weights, many)
        else:
            totals = self.tally.totals(weights)
            if self.distances is None:
                expected = many**2 - np.einsum("ij,ij->i", totals, totals)
            else:
                expected = np.einsum("ij,ij->i", totals @ self.distances, totals)
        return _alphas(observed, expected, many, weights @ self.tally.own)

    def relative(self) -> Real:
        """How far the answers of each pattern are apart, by how far two answers of all are; NaN without variation."""
        whole = self.tally.times[None, :]
        if self.level == ORDINAL:
            ranks = _ranks(self.tally.totals(whole), whole @ self.sizes)[0]
            observed = _spread(self.sizes, self.tally.sums(ranks), self.tally.sums(ranks**2)) * self.share
        else:
            assert self.observed is not None
            observed = self.observed
        mean = observed.sum() and float(self.tally.times @ observed / (self.tally.times @ self.sizes))
        alpha = float(self.alphas(whole)[0])
        if np.isnan(alpha) or not mean:
            return np.full(len(self.sizes), np.nan if np.isnan(alpha) else 0.0)
        relative: Real = observed / self.sizes / mean * (1 - alpha)
        return relative

    def _ordinal(self, weights: Real, many: Real) -> tuple[Real, Real]:
        """Interval disagreement on the mid-ranks of each replicate."""
        totals = self.tally.totals(weights)
        ranks = _ranks(totals, many)
        expected = _spread(many, (totals * ranks).sum(axis=1), (totals * ranks**2).sum(axis=1))
        step = max(1, BLOCK // max(len(self.sizes), 1))
        observed = np.empty(len(weights))
        for start in range(0, len(weights), step):
            here = slice(start, start + step)
            sums = self.tally.sums(ranks[here].T)
            squares = self.tally.sums(ranks[here].T ** 2)
            apart = _spread(self.sizes[:, None], sums, squares) * self.share[:, None]
            observed[here] = np.einsum("ij,ji->i", weights[here], apart)
        return observed, expected


def _ranks(totals: Real, many: Real) -> Real:
    """Mid-ranks of values around the middle, as shares of all answers, in each row."""
    share = totals / np.maximum(many, 1)[:, None]
    ranks: Real = np.cumsum(share, axis=1) - share / 2 - 0.5
    return ranks


def _spread(many: Real, sums: Real, squares: Real) -> Real:
    """The sum of squared differences over ordered pairs of numbers, from their sums."""
    spread: Real = 2 * (many * squares - sums**2)
    return spread


def _alphas(observed: Real, expected: Real, many: Real, own: Real) -> Real:
    """1 - observed / expected disagreement of two answers; NaN without variation."""
    pairs = many**2 - own
    defined = (pairs > 0) & (expected > LEAST * many**2)
    found = np.full(len(observed), np.nan)
    found[defined] = 1 - (observed / np.maximum(many, 1))[defined] / (expected[defined] / pairs[defined])
    return found


def prepare_alpha(answers: Coded, level: str, drawn: Real | None = None) -> Prepared:
    """Alpha of these answers, ready for resampling units; ``drawn`` says how often each rater was drawn."""
    counts = tally(answers, drawn).pairable().patterns()
    return Prepared(counts.times, Disagreement(counts, answers, level).alphas)


def krippendorff_alpha(answers: Coded, level: str) -> Statistic:
    """Alpha over the units that at least two raters answered; the others say nothing about agreement.

    Levels: nominal, ordinal, interval, ratio; masi and jaccard for sets. Undefined with one rater, without a unit that
    two raters answered, and without variation: where all pairable answers are the same, nothing shows that raters
    would have noticed a difference. Unanimous raters who used more than one value have 1.
    """
    reason = not_pairable(answers)
    if reason:
        return Statistic(None, reason)
    counts = tally(answers).pairable()
    return Prepared(counts.times, Disagreement(counts, answers, level).alphas).statistic()


def nominal_alpha(units: Units) -> Statistic:
    """Nominal alpha from counts, where who answered what is not known any more."""
    counts = tally_of(units).pairable()
    if not len(counts.times):
        return Statistic(None, NOTHING)
    return Prepared(counts.times, Disagreement(counts, NO_ANSWERS, NOMINAL).alphas).statistic()


_none = np.array([], dtype=np.int64)
NO_ANSWERS = Coded((), (), (), _none, _none, _none)


def disputes(answers: Coded, level: str) -> Real:
    """The disagreement of each unit in the order of ``answers.units``; NaN without two answers, or any variation."""
    counts = tally(answers)
    found = np.full(len(answers.units), np.nan)
    pairable = counts.pairs > 0
    if pairable.any():
        found[pairable] = Disagreement(counts, answers, level).relative()
    return found
