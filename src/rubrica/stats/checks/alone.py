"""What can be told of a rater without the others: shares and reading time, runs, answers to the same unit again.

What can be told of a rater without comparing them with others: shares beyond what is usual, and reading time. A share
is held against the highest (or lowest) that careful raters have; its p-value is the chance of so extreme a count if
that were theirs (binomial). Of one answer too often, what careful raters have varies from question to question: Table
3 of Zhang and others (Small but Mighty: New Benchmarks for Split and Rephrase, 2020) has 5 of 5 from 25 to 85 % of
ratings, and raters differ in leniency. So the share is a normal variable of its own, and what is known of other raters
is taken in as far as there are any: one rater can be told, and the more others, the less is assumed.

Nobody reads faster than some ten words a second: adults read 4 (Brysbaert, How Many Words Do We Read per Minute?,
2019), skim at 7.5 and scan for a word at 10 (Carver, Reading Rate: Theory, Research, and Practical Implications,
1992).

Whether the same answer came too often in a row, given how often the rater gives each answer. If answers came in any
order with the same chance, the expected number of runs of at least k times the same answer is, for an answer that was
given c times of n,

    c (c-1) … (c-k+1) / [n (n-1) … (n-k+1)]  x  [1 + (n - c)]

where 1 is the run that starts the sequence and n - c the ones that follow another answer ((n - k) places, each with
the chance (n - c) / (n - k) that another answer stands before). Summed over answers, this is at least the probability
of any such run (Boole's inequality), and equal to it where only one such run has room. So it is a p-value, rather too
large.

How far raters agree with themselves when they see the same unit again. An answer is consistent if it is the same, or
near: within one point on scales of five points or more, within a tenth of a slider (``core.grading``). Sets are
compared by MASI or Jaccard's index (1 is the same). On a scale it also matters how far apart answers are: the mean
absolute difference in points.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rubrica.core.answers import Answer
from rubrica.core.grading import NEAR, POINTS_FOR_NEAR, RIGHT, WRONG, consistent
from rubrica.core.ratings import JACCARD, MASI, Criterion
from rubrica.core.scales import Scale
from rubrica.stats.agreement.krippendorff_alpha import distances
from rubrica.stats.coded import Real
from rubrica.stats.statistic import Statistic

LENIENCY = 0.4
"""How much shares of an answer differ between careful raters: a standard deviation, as a normal variable."""
ONE_QUESTION, WHOLE_JUDGEMENT, BETWEEN = 0.7, 0.3, 0.4
"""What share the most frequent answer to a question, or the most frequent judgement, has: means, standard deviation.

As normal variables: an answer has a share of 0.73 on average and of 0.90 at one question of twenty, a judgement of
several questions one of 0.60 and 0.81.
"""
MOST_LIKE_THIS = 0.2
"""Of a careful rater's, the share that may be pasted, handed back, or judged in less time than it takes to read."""
LEAST_RIGHT, LEAST_STEADY, MOST_WITHOUT = 0.8, 0.6, 0.6
"""Of a careful rater, known answers that are right, answers that are as before, words without a simpler one."""
WORDS_A_SECOND, SECONDS_A_QUESTION = 10.0, 0.5
"""Faster than that nobody reads, or answers a question."""
_GRID = np.linspace(-4.0, 4.0, 65)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of languages that are written without spaces between words."""


class Given(NamedTuple):
    """How often somebody gave an answer, of how many."""

    times: int
    of: int


def more_than(times: float, of: int, most: float) -> float:
    """The chance of at least so many if the share were ``most``."""
    from scipy.special import bdtrc

    return float(bdtrc(int(times) - 1, of, most)) if times > 0 else 1.0


def fewer_than(times: float, of: int, least: float) -> float:
    """The chance of at most so many if the share were ``least``; parts of answers (sets) are rounded up."""
    from scipy.special import bdtr

    return float(bdtr(int(np.ceil(times - 1e-9)), of, least))


def one_answer(own: Given, others: Sequence[Given], usual: float = ONE_QUESTION) -> float:
    """The chance that a careful rater gives one answer so often, by what others do; without any by what is usual."""
    after = _after(tuple(others), usual)
    return float((after * _at_least(own)).sum())


def _at_least(own: Given) -> Real:
    """By what the question is like, the chance of so many: over all leniencies."""
    from scipy.special import bdtrc, ndtr

    share = ndtr(_GRID[:, None] + LENIENCY * _LENIENT)
    chance = bdtrc(own.times - 1, own.of, share) if own.times else np.ones_like(share)
    found: Real = (chance * _WEIGHT).sum(axis=1)
    return found


_LENIENT = np.linspace(-3.0, 3.0, 25)
_WEIGHT = np.exp(-(_LENIENT**2) / 2) / np.exp(-(_LENIENT**2) / 2).sum()


@lru_cache(maxsize=1024)
def _after(others: tuple[Given, ...], usual: float) -> Real:
    """How probable it is what the question is like, after the others' answers."""
    from scipy.special import ndtr

    logs = -(((_GRID - usual) / BETWEEN) ** 2) / 2
    share = np.clip(ndtr(_GRID[:, None] + LENIENCY * _LENIENT), 1e-12, 1 - 1e-12)
    for times, of in others:
        each = times * np.log(share) + (of - times) * np.log1p(-share)
        most = each.max()
        logs = logs + np.log((np.exp(each - most) * _WEIGHT).sum(axis=1) + 1e-300)
    chance = np.exp(logs - logs.max())
    found: Real = chance / chance.sum()
    return found


def least_seconds(texts: Sequence[str], questions: int) -> float:
    """The least time in which these texts can be read and so many questions be answered."""
    return sum(map(words, texts)) / WORDS_A_SECOND + questions * SECONDS_A_QUESTION


def words(text: str) -> float:
    """About how many words a text has; two letters are one in languages without spaces."""
    letters = len(_UNSPACED.findall(text))
    return len(_UNSPACED.sub(" ", text).split()) + letters / 2


def run_by_chance(answers: Sequence[Hashable], length: int) -> Statistic:
    """The chance of a run of at least this length among these answers in any order; undefined without a choice."""
    total, counts = len(answers), Counter(answers)
    if len(counts) < 2:
        return Statistic(None, "always the same answer" if counts else "no answer")
    expected = 0.0
    for count in counts.values():
        if count < length:
            continue
        term = 1.0 + (total - count)
        for step in range(length):
            term *= (count - step) / (total - step)
        expected += term
    return Statistic(min(1.0, expected))


class Consistency(NamedTuple):
    """Of ``pairs`` of first and second answers: how many are the same, the same or near, and how far apart they are."""

    pairs: int
    same: int
    consistent: int
    difference: Statistic
    similarity: Statistic

    @property
    def value(self) -> Statistic:
        """The figure by which raters are compared: similarity of sets, else the share of consistent answers."""
        if self.similarity.value is not None:
            return self.similarity
        return Statistic(self.consistent / self.pairs) if self.pairs else Statistic(None, "no unit was seen twice")


def consistency(pairs: Sequence[tuple[Answer, Answer]], criterion: Criterion, scale: Scale) -> Consistency:
    """Compare first and second answers to one question."""
    nothing = Statistic(None, "no unit was seen twice" if not pairs else f"answers to {criterion.id} have no distance")
    if not pairs:
        return Consistency(0, 0, 0, nothing, nothing)
    verdicts = [again(one, two, criterion, scale) for one, two in pairs]
    counts = len(pairs), verdicts.count(RIGHT), len(pairs) - verdicts.count(WRONG)
    if criterion.level in (MASI, JACCARD):
        apart = [float(distances((one, two), criterion.level)[0, 1]) for one, two in pairs]
        return Consistency(*counts, nothing, Statistic(1 - sum(apart) / len(apart)))
    if not criterion.ordered:
        return Consistency(*counts, nothing, nothing)
    steps = [_steps(one, two, criterion) for one, two in pairs]
    return Consistency(*counts, Statistic(sum(steps) / len(steps)), nothing)


def again(first: Answer, second: Answer, criterion: Criterion, scale: Scale) -> str:
    """What an answer to the same unit again is worth: right if it is the same, near on a scale, else wrong."""
    if _plain(first) == _plain(second):
        return RIGHT
    if criterion.level in (MASI, JACCARD):
        return WRONG
    if criterion.ordered and not criterion.numeric and len(criterion.values) >= POINTS_FOR_NEAR:
        near = _steps(first, second, criterion) <= 1
    else:
        near = consistent(scale, first, second)
    return NEAR if near else WRONG


def _plain(answer: Answer) -> Answer | frozenset[str]:
    """Sets have no order."""
    return frozenset(answer) if isinstance(answer, tuple) else answer


def _steps(one: Answer, two: Answer, criterion: Criterion) -> float:
    """How many points apart two answers are; labels of a scale by their places on it."""
    if isinstance(one, int | float) and isinstance(two, int | float):
        return abs(float(one) - float(two))
    places = {value: place for place, value in enumerate(criterion.values)}
    return abs(places.get(one, 0) - places.get(two, 0))
