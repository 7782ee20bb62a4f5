"""Krippendorff's alpha and its bootstrap interval, beside the package krippendorff on the same data.

Where a thousand calls of the package are the measure, fewer are timed (``CALLS``) and their mean is multiplied: every
call does the same work. Only ratios have limits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import krippendorff
import numpy as np

from benchmarks.report import Figure
from rubrica.core.ratings import INTERVAL, ORDINAL
from rubrica.stats.agreement.krippendorff_alpha import krippendorff_alpha, prepare_alpha
from rubrica.stats.agreement.measures import over_units
from rubrica.stats.coded import from_matrix

REPLICATES = 1000
CALLS = 50
RATERS = 5


def _ratings(units: int, low: int, high: int, spread: int) -> Any:
    """Ratings of five raters around a true value, a row for each unit."""
    generator = np.random.default_rng(0)
    true = generator.integers(low, high + 1, size=units)[:, None]
    return np.clip(true + generator.integers(-spread, spread + 1, size=(units, RATERS)), low, high).astype(float)


def _best(work: Callable[[], object], times: int) -> float:
    """Seconds of the quickest of several runs."""
    return min(_seconds(work) for _ in range(times))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _package(table: Any, level: str) -> float:
    return float(krippendorff.alpha(reliability_data=table.T, level_of_measurement=level))


def _alpha(table: Any, level: str) -> float:
    value = krippendorff_alpha(from_matrix(table), level).value
    assert value is not None
    return value


def run() -> Iterator[Figure]:
    """The interval against a thousand calls, then alpha of a million ratings, then alpha on a long scale."""
    table = _ratings(10_000, 1, 5, 1)
    theirs = REPLICATES * np.mean([_seconds(lambda: _package(table, ORDINAL)) for _ in range(CALLS)])
    ours = _best(lambda: over_units(prepare_alpha(from_matrix(table), ORDINAL), REPLICATES, seed=0), 5)
    detail = f"{ours:.3f} s against {theirs:.2f} s ({CALLS} calls timed, times {REPLICATES // CALLS})"
    yield Figure("interval, 10,000 x 5: times cheaper than calls", theirs / ours, "", 20, at_least=True, detail=detail)
    for name, size, level, least in (
        ("1,000,000 ratings, five points, ordinal", (200_000, 1, 5, 1), ORDINAL, 1),
        ("50,000 ratings, 0 to 100, interval", (10_000, 0, 100, 9), INTERVAL, 50),
        ("50,000 ratings, 0 to 100, ordinal", (10_000, 0, 100, 9), ORDINAL, 50),
    ):
        table = _ratings(*size)
        assert abs(_alpha(table, level) - _package(table, level)) < 1e-9
        ours = _best(lambda table=table, level=level: _alpha(table, level), 5)
        theirs = _best(lambda table=table, level=level: _package(table, level), 3 if least == 1 else 1)
        detail = f"{1000 * ours:.1f} ms against {1000 * theirs:.1f} ms"
        yield Figure(f"{name}: times faster", theirs / ours, "", least, at_least=True, detail=detail)
