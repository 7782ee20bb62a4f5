"""Resamples of correlations: many metrics against many criteria, on the same draws.

Sources are drawn with replacement and bring all their units (Efron and Tibshirani, An Introduction to the Bootstrap,
1993, chapter 8; BOOT-INPUTS of Deutsch, Dror and Roth, A Statistical Analysis of Summarization Evaluation Metrics Using
Resampling Methods, TACL 9, 2021). A resample is how often each unit came, so that Pearson's r follows from weighted
sums, Spearman's rho from weighted mid-ranks and tau-b from weighted counts of pairs; nothing is copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from rubrica.stats.correlation.coefficients import KENDALL, PEARSON
from rubrica.stats.correlation.defined import Real
from rubrica.stats.correlation.levels import levels
from rubrica.stats.correlation.pair_signs import PairSigns, pair_signs

Whole = npt.NDArray[np.int64]
CELLS = 2_000_000
"""How many numbers of a table of draws or ranks are held at once: 16 MB."""
MATRIX = 100
"""Up to so many units tau-b is counted from all n x n signs; beyond, bands of them are quicker."""
FLAT = 1e-12


def draws(clusters: Whole, replicates: int, seed: int, at_once: int = 1) -> Iterator[Real]:
    """How often each unit came in each resample, a row each, in blocks. ``clusters`` has the number of its source.

    The same for the same seed and sources, whatever is computed; ``at_once`` is how many such tables a caller holds.
    """
    units, sources = len(clusters), int(clusters.max()) + 1
    generator = np.random.default_rng(seed)
    step = max(1, CELLS // (units * max(1, at_once)))
    for start in range(0, replicates, step):
        size = min(step, replicates - start)
        drawn = generator.integers(sources, size=(size, sources)) + sources * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * sources).reshape(size, sources)
        yield times[:, clusters].astype(float)


def resampled(name: str, people: Real, metrics: Real, clusters: Whole, replicates: int, seed: int) -> Real:
    """The coefficient ``name`` in every resample: by resample, criterion (row of ``people``) and metric.

    NaN where a side does not vary in a resample.
    """
    left, right = _standard(people), _standard(metrics)
    many = 1 if name in (PEARSON, KENDALL) else len(people) + len(metrics)
    measure: Callable[[Real, Real, Real], Real] = {PEARSON: _pearson}.get(name, _spearman)
    if name == KENDALL:
        measure = partial(weighed_kendall, signs=prepared_signs(left, right))
    blocks = [measure(np.ascontiguousarray(times.T), left, right) for times in draws(clusters, replicates, seed, many)]
    return np.moveaxis(np.concatenate(blocks, axis=2), 2, 0)


def _standard(rows: Real) -> Real:
    """Rows around 0 with variance 1, so that sums of squares lose no digits."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    spread = centred.std(axis=1, keepdims=True)
    found: Real = centred / np.where(spread > 0, spread, 1.0)
    return found


def _pearson(times: Real, left: Real, right: Real) -> Real:
    total = np.maximum(times.sum(axis=0), 1.0)
    means = [side @ times / total for side in (left, right)]
    spread = [side**2 @ times / total - mean**2 for side, mean in zip((left, right), means, strict=True)]
    together = np.stack([(row * right) @ times / total for row in left])
    together -= means[0][:, None] * means[1][None]
    varied = (spread[0] > FLAT)[:, None] & (spread[1] > FLAT)[None]
    below = np.where(varied, spread[0][:, None] * spread[1][None], 1.0)
    found: Real = np.where(varied, np.clip(together / np.sqrt(below), -1, 1), np.nan)
    return found


def _spearman(times: Real, left: Real, right: Real) -> Real:
    total, root = np.maximum(times.sum(axis=0), 1.0), np.sqrt(times)
    ranked = [[_standard_ranks(row, times, total, root) for row in side] for side in (left, right)]
    return np.array([[np.einsum("nr,nr->r", one, other) for other in ranked[1]] for one in ranked[0]])


def _standard_ranks(row: Real, times: Real, total: Real, root: Real) -> Real:
    """Mid-ranks in each resample around 0 with weighted variance 1, times the root of the weight; NaN if constant."""
    known = levels(row)
    many = known.sums(times)
    ranks: Real = ((np.cumsum(many, axis=0) - many / 2) / total - 0.5)[known.place]
    ranks *= root
    spread = np.einsum("nr,nr->r", ranks, ranks)
    ranks /= np.sqrt(np.where(spread > FLAT, spread, np.nan))
    return ranks


def weighed_kendall(times: Real, left: Real, right: Real, signs: Sequence[Sequence[PairSigns]]) -> Real:
    """tau-b by row of ``left``, of ``right`` and column of ``times`` (how often each unit came); NaN without order."""
    pairs = times.sum(axis=0) ** 2
    untied = [np.stack([pairs - (levels(row).sums(times) ** 2).sum(axis=0) for row in side]) for side in (left, right)]
    apart = np.array([[one.weighed(times) for one in row] for row in signs])
    varied = (untied[0] > 0)[:, None] & (untied[1] > 0)[None]
    below = np.where(varied, untied[0][:, None] * untied[1][None], 1.0)
    found: Real = np.where(varied, apart / np.sqrt(below), np.nan)
    return found


def prepared_signs(left: Real, right: Real) -> list[list[PairSigns]]:
    """The signs of pairs of each cell, once for all resamples."""
    units = left.shape[1]
    return [[pair_signs(one, other, units if units <= MATRIX else None) for other in right] for one in left]
