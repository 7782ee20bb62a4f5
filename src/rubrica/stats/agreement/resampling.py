"""Intervals of measures of agreement, over units, raters or both.

Units that look alike are drawn together, so that a replicate costs nothing but a product of matrices. A rater who was
drawn twice counts twice but is not compared with themselves, which would look like perfect agreement. How an interval
follows from resamples: ``stats/bootstrap.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rubrica.stats.agreement.prepared import Prepared
from rubrica.stats.bootstrap import Interval, Resampled, draws, no_interval, resample, too_little
from rubrica.stats.coded import Coded, Real, Whole

UNITS, RATERS = "units", "raters"
FEWEST_RATERS = 4
"""Of three, one resample in nine has only one of them, and nobody to compare them with."""
Prepare = Callable[[Coded, "Real | None"], Prepared]
"""Makes a measure ready, given the answers and how often each rater was drawn."""


def over_units(prepared: Prepared, replicates: int, seed: int) -> Interval:
    """The interval when units are drawn with replacement."""
    reason = too_little(prepared.units, replicates)
    if reason:
        return no_interval(reason)
    found = resample(prepared.values, prepared.times, replicates, np.random.default_rng(seed))
    return Resampled(prepared.value, found.drawn, found.left_out, prepared.units, times=found.times).interval()


def over_clusters(prepared: Prepared, cluster: Whole, replicates: int, seed: int) -> Interval:
    """The interval when units were made of others, and these are drawn: ``cluster`` says of which each was made."""
    different, place = np.unique(cluster, return_inverse=True)
    many = len(different)
    reason = too_little(many, replicates)
    if reason:
        return no_interval(reason)
    found = resample(prepared.values, np.ones(many), replicates, np.random.default_rng(seed), part_of=place)
    return Resampled(prepared.value, found.drawn, found.left_out, many).interval()


def over_raters(answers: Coded, prepare: Prepare, replicates: int, seed: int, *, units: bool = False) -> Interval:
    """The interval when raters are drawn with replacement, and ``units`` as well if wanted."""
    present = np.flatnonzero(np.bincount(answers.rater, minlength=len(answers.raters)))
    whole = prepare(answers, None)
    reason = too_little(len(present), replicates, RATERS, FEWEST_RATERS)
    reason = reason or (too_little(whole.units, replicates) if units else "")
    if reason:
        return no_interval(reason)
    generator = np.random.default_rng(seed)
    found = np.full(replicates, np.nan)
    for number in range(replicates):
        drawn = np.zeros(len(answers.raters))
        drawn[present] = generator.multinomial(len(present), np.full(len(present), 1 / len(present)))
        prepared = prepare(answers.keep(drawn[answers.rater] > 0), drawn)
        if prepared.units < 1:
            continue
        weights = next(draws(prepared.times, 1, generator)) if units else prepared.times[None, :]
        found[number] = prepared.values(weights)[0]
    left = np.array([prepare(answers.keep(answers.rater != rater), None).value for rater in present])
    return Resampled(whole.value, found, left, len(present), RATERS, least=FEWEST_RATERS).interval()
