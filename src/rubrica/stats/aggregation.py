"""What raters together say of each unit: its gold answer by majority, mean, median, standardised or counted answers.

The gold answer of one unit, with how many stand behind it and how sure it is.

The answer that most raters gave to each unit, with what happens to a tie said beforehand. The support's share has
Wilson's 95 % interval; uncertainty is the entropy of the answers in bits: 0 if all agree, 1 if two answers have half
of the raters each.

The mean of the answers to each unit, with its standard error and Student's 95 % interval. The standard error is the
sample standard deviation (n - 1) by the root of n; with one rater it is undefined. The interval takes raters for a
sample of all raters there could be.

The median of the answers to each unit, with an interval from order statistics. Of n answers, the k-th lowest and the
k-th highest hold the median of all raters there could be with at least 95 % if a binomial of n and 1/2 is below k with
at most 2.5 % (Conover, Practical Nonparametric Statistics, 1999, section 3.2). That takes six answers. Uncertainty is
the mean distance of the answers from the median, in points of the scale.

Standardised answers: how far above their own usual answer raters put each unit, on average. Each rater's answers are
centred at their mean and divided by their standard deviation (n - 1), as direct assessment does (Graham et al.,
Continuous Measurement Scales in Human Evaluation of Machine Translation, 2013), so that a harsh rater and a mild one
count alike. A rater who always gave the same answer, or only one, has no standard deviation: their answers cannot be
standardised and are left out.

How often each answer of a set, or each short answer, was given to a unit: the most frequent first. This is what MLSP
2024 and TSAR 2022 ask of suggestions. Answers that were given equally often stand in alphabetical order, each in its
most frequent spelling. Where nobody suggested anything, the list is empty.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rubrica.core.answers import Answer
from rubrica.stats.bootstrap import NEAR, alike
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic, wilson

ONE = "one rater"
STANDARD_ERROR, DEVIATION, ENTROPY = "standard error", "mean deviation from the median", "entropy"
"""Measures of uncertainty; entropy is in bits."""


class Gold(NamedTuple):
    """What is concluded of one unit: ``value``, or None with the reason.

    ``raters`` gave an answer that counts, ``support`` of them this very one (None where the value is no answer that
    anybody gave, such as a mean). ``probability`` is the share of the support, or the model's belief in the value.
    ``low`` and ``high`` are the ends of a 95 % interval: of the value if it is a number, else of the support's share.
    """

    value: Answer | None
    raters: int
    support: int | None
    probability: Statistic
    low: Statistic
    high: Statistic
    uncertainty: Statistic
    measure: str
    reason: str = ""


def by_unit(answers: Coded) -> Iterator[Whole]:
    """For each unit, the places of its answers."""
    ends = np.cumsum(answers.per_unit)
    for start, end in zip(np.concatenate(([0], ends[:-1])), ends, strict=True):
        yield np.arange(start, end)


def plain(number: float) -> int | float:
    """A whole number as such."""
    return int(number) if float(number).is_integer() else float(number)


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


def means(answers: Coded) -> list[Gold]:
    """The mean answer to each unit. Raises TypeError if answers are not numbers."""
    return means_of(answers.unit, answers.numbers[answers.code], len(answers.units))


def means_of(unit: Whole, values: Real, units: int, nothing: str = "no answer") -> list[Gold]:
    """Means of values by unit; ``nothing`` is why a unit without values has none."""
    from scipy.special import stdtrit

    count = np.bincount(unit, minlength=units)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(unit, values, minlength=units) / count
        spread = np.bincount(unit, (values - mean[unit]) ** 2, minlength=units)
        error = np.sqrt(spread / (count - 1) / count)
        half = stdtrit(count - 1, 0.975) * error
    return [
        _gold_of_mean(int(n), row, nothing)
        for n, row in zip(count, np.stack((mean, error, half), axis=1).tolist(), strict=True)
    ]


def _gold_of_mean(raters: int, row: Sequence[float], nothing: str) -> Gold:
    mean, error, half = row
    no_share = Statistic(None, "a mean is nobody's answer")
    if raters < 2:
        reason = Statistic(None, nothing if not raters else ONE)
        value = mean if raters else None
        why = "" if raters else nothing
        return Gold(value, raters, None, no_share, reason, reason, reason, STANDARD_ERROR, why)
    ends = Statistic(mean - half), Statistic(mean + half)
    if half <= NEAR * abs(mean):
        ends = (Statistic(None, alike("answers")),) * 2
    return Gold(mean, raters, None, no_share, *ends, Statistic(error), STANDARD_ERROR)


FEWEST = 6


def medians(answers: Coded) -> list[Gold]:
    """The median answer to each unit, halfway between the middle two of an even number."""
    numbers = answers.numbers[answers.code]
    return [_gold_of_median(sorted(numbers[places].tolist())) for places in by_unit(answers)]


def _gold_of_median(values: list[float]) -> Gold:
    raters = len(values)
    if not raters:
        nothing = Statistic(None, "no answer")
        return Gold(None, 0, 0, nothing, nothing, nothing, nothing, DEVIATION, "no answer")
    median = float(np.median(values))
    support = values.count(median)
    deviation = sum(abs(value - median) for value in values) / raters
    low, high = _interval(values)
    return Gold(plain(median), raters, support, Statistic(support / raters), low, high, Statistic(deviation), DEVIATION)


def _interval(values: list[float]) -> tuple[Statistic, Statistic]:
    if len(values) < FEWEST:
        reason = Statistic(None, f"an interval of a median needs {FEWEST} raters")
        return reason, reason
    rank, below = 0, 0.0
    while (below := below + math.comb(len(values), rank) / 2 ** len(values)) <= 0.025:
        rank += 1
    low, high = values[rank - 1], values[len(values) - rank]
    if low == high:
        reason = Statistic(None, alike(f"{len(values) - 2 * (rank - 1)} answers in the middle"))
        return reason, reason
    return Statistic(low), Statistic(high)


class Standardised(NamedTuple):
    """A unit's mean z-score, and by rater the mean and standard deviation it was taken from."""

    gold: list[Gold]
    mean: list[float]
    deviation: list[Statistic]


def z_scores(answers: Coded) -> Standardised:
    """The mean z-score of each unit; the standard deviation of a rater without variation is undefined."""
    values, raters = answers.numbers[answers.code], len(answers.raters)
    count = np.bincount(answers.rater, minlength=raters)
    mean = np.bincount(answers.rater, values, minlength=raters) / np.maximum(count, 1)
    squares = np.bincount(answers.rater, (values - mean[answers.rater]) ** 2, minlength=raters)
    deviation = np.sqrt(squares / np.maximum(count - 1, 1))
    varied = deviation > 1e-12 * np.maximum(1.0, np.abs(mean))
    kept = varied[answers.rater]
    rater = answers.rater[kept]
    standard = (values[kept] - mean[rater]) / deviation[rater]
    gold = means_of(answers.unit[kept], standard, len(answers.units), "only raters without variation")
    return Standardised(
        gold,
        mean.tolist(),
        [
            Statistic(float(one)) if many else Statistic(None, "one answer" if number < 2 else "always the same answer")
            for one, many, number in zip(deviation, varied, count, strict=True)
        ],
    )


class Counted(NamedTuple):
    """An answer, as most wrote it, and how many raters gave it."""

    answer: str
    raters: int


def counts(given: Sequence[Sequence[str]], form: Callable[[str], str] = str) -> list[Counted]:
    """Count the answers of all raters, of whom each gave several; those of the same ``form`` are the same."""
    forms: Counter[str] = Counter()
    spellings: dict[str, Counter[str]] = {}
    for answers in given:
        for spelt, spelling in {form(answer): answer for answer in answers}.items():
            forms[spelt] += 1
            spellings.setdefault(spelt, Counter())[spelling] += 1
    ordered = sorted(forms.items(), key=lambda entry: (-entry[1], entry[0]))
    return [Counted(_usual(spellings[spelt]), number) for spelt, number in ordered]


def _usual(spellings: Counter[str]) -> str:
    """The spelling that most used; of equally frequent ones, that in small letters."""
    return min(spellings, key=lambda spelling: (-spellings[spelling], spelling.swapcase()))


def gold_of(given: Sequence[Sequence[str]], counted: Sequence[Counted]) -> Gold:
    """All answers in their order as the value; support is that of the first, 0 raters of whom is no answer at all."""
    raters = len(given)
    if not raters:
        nothing = Statistic(None, "no answer")
        return Gold(None, 0, 0, nothing, nothing, nothing, nothing, ENTROPY, "no answer")
    support = counted[0].raters if counted else sum(not answers for answers in given)
    interval = wilson(support / raters, raters)
    return Gold(
        tuple(one.answer for one in counted),
        raters,
        support,
        Statistic(support / raters),
        Statistic(interval.low),
        Statistic(interval.high),
        Statistic(None, "several answers may be right"),
        ENTROPY,
    )
