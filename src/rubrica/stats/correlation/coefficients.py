"""The correlation coefficients by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rubrica.stats.correlation.defined import Correlation, Real
from rubrica.stats.correlation.kendall import kendall, kendall_rows
from rubrica.stats.correlation.pearson import pearson, pearson_rows
from rubrica.stats.correlation.spearman import spearman, spearman_rows

PEARSON, SPEARMAN, KENDALL = "pearson", "spearman", "kendall"
COEFFICIENTS: Mapping[str, Callable[[Real, Real], Correlation]] = {
    PEARSON: pearson,
    SPEARMAN: spearman,
    KENDALL: kendall,
}
"""One pair of scores, with its p-value."""
BY_ROW: Mapping[str, Callable[[Real, Real], Real]] = {
    PEARSON: pearson_rows,
    SPEARMAN: spearman_rows,
    KENDALL: kendall_rows,
}
"""Many pairs of scores at once, without p-values: for resamples and permutations."""
