"""Intervals of measures of agreement by the percentile bootstrap, over units, raters or both.

Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13. Units that look alike are drawn together, so
that a replicate costs nothing but a product of matrices. A rater who was drawn twice counts twice but is not compared
with themselves, which would look like perfect agreement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rubrica.stats.agreement.prepared import Prepared
from rubrica.stats.bootstrap import Interval, no_interval, percentile_interval, too_little
from rubrica.stats.coded import Coded, Real, Whole

UNITS, RATERS = "units", "raters"
BLOCK = 8_000_000
"""Numbers that the weights of one block of replicates may have."""
FEW_RATERS = "an interval over raters needs at least three raters"

Prepare = Callable[[Coded, "Real | None"], Prepared]
"""Makes a measure ready, given the answers and how often each rater was drawn."""


def over_units(prepared: Prepared, replicates: int, seed: int, confidence: float = 0.95) -> Interval:
    """The interval when units are drawn with replacement; none without two units."""
    reason = too_little(prepared.units, replicates)
    if reason:
        return no_interval(reason)
    generator = np.random.default_rng(seed)
    found = [prepared.values(weights) for weights in drawn_units(prepared.times, replicates, generator)]
    return percentile_interval(np.concatenate(found), confidence)


def over_clusters(prepared: Prepared, cluster: Whole, replicates: int, seed: int, confidence: float = 0.95) -> Interval:
    """The interval when units were made of others, and these are drawn: ``cluster`` says of which each was made."""
    different, place = np.unique(cluster, return_inverse=True)
    reason = too_little(len(different), replicates)
    if reason:
        return no_interval(reason)
    generator = np.random.default_rng(seed)
    step = max(1, BLOCK // len(cluster))
    found = [
        prepared.values(_single_units(len(different), min(step, replicates - start), generator)[:, place])
        for start in range(0, replicates, step)
    ]
    return percentile_interval(np.concatenate(found), confidence)


def over_raters(
    answers: Coded, prepare: Prepare, replicates: int, seed: int, *, units: bool = False, confidence: float = 0.95
) -> Interval:
    """The interval when raters are drawn with replacement, and ``units`` as well if wanted; none without three."""
    present = np.flatnonzero(np.bincount(answers.rater, minlength=len(answers.raters)))
    reason = too_little(int((answers.per_unit > 0).sum()) if units else 2, replicates)
    if reason or len(present) < 3:
        return no_interval(reason or FEW_RATERS)
    generator = np.random.default_rng(seed)
    found = np.full(replicates, np.nan)
    for number in range(replicates):
        drawn = np.zeros(len(answers.raters))
        drawn[present] = generator.multinomial(len(present), np.full(len(present), 1 / len(present)))
        prepared = prepare(answers.keep(drawn[answers.rater] > 0), drawn)
        if prepared.units < 1:
            continue
        weights = next(drawn_units(prepared.times, 1, generator)) if units else prepared.times[None, :]
        found[number] = prepared.values(weights)[0]
    return percentile_interval(found, confidence)


def drawn_units(times: Real, replicates: int, generator: np.random.Generator) -> Iterator[Real]:
    """How often each kind of unit was drawn, replicate by replicate, in blocks that fit into memory."""
    units = round(float(times.sum()))
    step = max(1, BLOCK // max(len(times), 1))
    for start in range(0, replicates, step):
        size = min(step, replicates - start)
        if len(times) < units:
            yield generator.multinomial(units, times / times.sum(), size=size).astype(float)
        else:
            yield _single_units(units, size, generator)


def _single_units(units: int, replicates: int, generator: np.random.Generator) -> Real:
    """The same where no two units are alike: drawing indices is quicker than numbers for each unit."""
    drawn = generator.integers(units, size=(replicates, units), dtype=np.int32)
    drawn += (np.arange(replicates, dtype=np.int32) * units)[:, None]
    return np.bincount(drawn.ravel(), minlength=replicates * units).reshape(replicates, units).astype(float)
