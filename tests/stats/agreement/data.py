"""Published and generated ratings that several tests use: rows are units, columns raters, NaN is no answer."""

from __future__ import annotations

import numpy as np

from rubrica.stats.coded import Coded, Real, from_matrix

N = np.nan
FOUR_OBSERVERS = np.array(
    [
        [1, 1, N, 1],
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
        [N, 5, 5, 5],
        [N, N, 1, 1],
        [N, N, 3, N],
    ]
)
"""Krippendorff, Computing Krippendorff's alpha-reliability, 2011, example C; also in Gwet's Handbook, 2014 (Table 2.10
in chapter 2, ``cac.raw4raters`` of his package irrCAC)."""

FOUR_JUDGES = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float
)
"""Shrout and Fleiss, Intraclass correlations, 1979, Table 2: four judges on six targets."""


def made(seed: int, units: int = 60, raters: int = 4, points: int = 5, gaps: float = 0.2) -> Real:
    """Ratings around a true value, on a scale from 1, some of them missing."""
    generator = np.random.default_rng(seed)
    true = generator.integers(1, points + 1, size=units)[:, None]
    spread = max(1, points // 4)
    table = np.clip(true + generator.integers(-spread, spread + 1, size=(units, raters)), 1, points).astype(float)
    table[generator.random(table.shape) < gaps] = N
    return table


def answers(table: Real) -> Coded:
    """The table as statistics take it."""
    return from_matrix(np.asarray(table, dtype=float))
