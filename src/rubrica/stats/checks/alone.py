"""What can be told of a rater without comparing them with others: shares beyond what is usual, and reading time.

A share is held against the highest (or lowest) that careful raters have; its p-value is the chance of so extreme a
count if that were theirs (binomial). Of one answer too often, what careful raters have varies from question to
question: Table 3 of Zhang and others (Small but Mighty: New Benchmarks for Split and Rephrase, 2020) has 5 of 5 from
25 to 85 % of ratings, and raters differ in leniency. So the share is a normal variable of its own, and what is known
of other raters is taken in as far as there are any: one rater can be told, and the more others, the less is assumed.

Nobody reads faster than some ten words a second: adults read 4 (Brysbaert, How Many Words Do We Read per Minute?,
2019), skim at 7.5 and scan for a word at 10 (Carver, Reading Rate: Theory, Research, and Practical Implications, 1992).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rubrica.stats.coded import Real

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
