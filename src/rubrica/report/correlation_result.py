"""What a metric and a criterion have in common, whether over sentences or over systems."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rubrica.report.correlation_data import Scope
from rubrica.report.tables import Estimate
from rubrica.stats.statistic import Statistic


@attrs.frozen
class CorrelationResult:
    """A metric against a criterion: coefficients by name, each with its interval, and their p-values."""

    scope: Scope
    criterion: str
    metric: str
    values: Mapping[str, Estimate]
    p: Mapping[str, Statistic]
    n: int
    sources: int

    def significant(self, name: str, alpha: float) -> bool:
        """Whether the p-value of a coefficient is below ``alpha``; without one, no."""
        p = self.p[name].value
        return p is not None and p < alpha
