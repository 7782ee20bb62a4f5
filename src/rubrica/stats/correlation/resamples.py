"""Resamples of correlations: many metrics against many criteria, on the same draws.

Sources are drawn with replacement and bring all their units (Efron and Tibshirani, An Introduction to the Bootstrap,
1993, chapter 8; BOOT-INPUTS of Deutsch, Dror and Roth, A Statistical Analysis of Summarization Evaluation Metrics Using
Resampling Methods, TACL 9, 2021). A resample is how often each unit came, so that Pearson's r follows from weighted
sums, Spearman's rho from weighted mid-ranks and tau-b from weighted counts of pairs; nothing is copied.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rubrica.stats.correlation.coefficients import KENDALL, PEARSON
from rubrica.stats.correlation.defined import Real

Whole = npt.NDArray[np.int64]
CELLS = 2_000_000
"""How many numbers of a table of draws or ranks are held at once: 16 MB."""
MATRIX = 2500
"""Up to so many units tau-b is counted for all resamples at once from n x n signs; beyond, sorting is quicker."""
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
    measure = {PEARSON: _pearson, KENDALL: _kendall}.get(name, _spearman)
    blocks = [measure(times, left, right) for times in draws(clusters, replicates, seed, many)]
    return np.concatenate(blocks)


def _standard(rows: Real) -> Real:
    """Rows around 0 with variance 1, so that sums of squares lose no digits."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    spread = centred.std(axis=1, keepdims=True)
    found: Real = centred / np.where(spread > 0, spread, 1.0)
    return found


def _pearson(times: Real, left: Real, right: Real) -> Real:
    total = np.maximum(times.sum(axis=1), 1.0)[:, None]
    means = [times @ side.T / total for side in (left, right)]
    spread = [times @ (side**2).T / total - mean**2 for side, mean in zip((left, right), means, strict=True)]
    together = np.stack([times @ (row * right).T / total for row in left], axis=1)
    together -= means[0][:, :, None] * means[1][:, None, :]
    varied = (spread[0] > FLAT)[:, :, None] & (spread[1] > FLAT)[:, None, :]
    below = np.where(varied, spread[0][:, :, None] * spread[1][:, None, :], 1.0)
    found: Real = np.where(varied, np.clip(together / np.sqrt(below), -1, 1), np.nan)
    return found


def _spearman(times: Real, left: Real, right: Real) -> Real:
    ranked = [[_standard_ranks(row, times) for row in side] for side in (left, right)]
    columns = [[np.einsum("rn,rn->r", one, other) for other in ranked[1]] for one in ranked[0]]
    return np.moveaxis(np.array(columns), 2, 0)


def _standard_ranks(row: Real, times: Real) -> Real:
    """Mid-ranks in each resample around 0 with weighted variance 1, times the root of the weight; NaN if constant."""
    many, place = _marginal(row, times)
    total = np.maximum(times.sum(axis=1, keepdims=True), 1.0)
    ranks = ((np.cumsum(many, axis=1) - many / 2) / total)[:, place] - 0.5
    spread = np.einsum("rn,rn->r", times, ranks**2)[:, None]
    found: Real = ranks * np.sqrt(times) / np.sqrt(np.where(spread > FLAT, spread, np.nan))
    return found


def _marginal(row: Real, times: Real) -> tuple[Real, Whole]:
    """How often each different score came in each resample, and which of them each unit has."""
    used, place = np.unique(row, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(used)))
    return np.add.reduceat(times[:, order], starts, axis=1), place


def _kendall(times: Real, left: Real, right: Real) -> Real:
    if times.shape[1] > MATRIX:
        return _kendall_sorted(times, left, right)
    # Whole numbers well below 2^24: single precision is exact, and twice as fast.
    light = times.astype(np.float32)
    pairs = times.sum(axis=1) ** 2
    signs = [[_signs(row) for row in side] for side in (left, right)]
    untied = [
        np.stack([pairs - (_marginal(row, times)[0] ** 2).sum(axis=1) for row in side], axis=1)
        for side in (left, right)
    ]
    apart = [
        [np.einsum("rn,rn->r", light @ (one * other).astype(np.float32), light) for other in signs[1]]
        for one in signs[0]
    ]
    varied = (untied[0] > 0)[:, :, None] & (untied[1] > 0)[:, None, :]
    below = np.where(varied, untied[0][:, :, None] * untied[1][:, None, :], 1.0)
    found: Real = np.where(varied, np.moveaxis(np.array(apart, dtype=float), 2, 0) / np.sqrt(below), np.nan)
    return found


def _signs(row: Real) -> npt.NDArray[np.int8]:
    return np.sign(np.subtract.outer(row, row)).astype(np.int8)


def _kendall_sorted(times: Real, left: Real, right: Real) -> Real:
    from scipy.stats import kendalltau

    found = np.empty((len(times), len(left), len(right)))
    for number, row in enumerate(times.astype(np.int64)):
        drawn = np.repeat(np.arange(len(row)), row)
        for first, one in enumerate(left):
            for second, other in enumerate(right):
                found[number, first, second] = kendalltau(one[drawn], other[drawn]).statistic
    return found
