"""What a metric and a criterion have in common, whether over sentences or over systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import attrs

from rubrica.report.correlation_data import Scope
from rubrica.report.tables import Estimate
from rubrica.stats.bootstrap import Resampled, no_interval
from rubrica.stats.correlation.coefficients import Correlation, Real, exact_p
from rubrica.stats.statistic import Statistic


class Coefficient(NamedTuple):
    """A coefficient with its interval and p-values.

    ``p`` takes units as independent, as published tables do. ``resampled`` is of the procedure that made the interval,
    so that both say the same: it decides. Without an interval it is ``p``, or of few units that of all orders.
    """

    estimate: Estimate
    p: Statistic
    resampled: Statistic


def coefficient(
    name: str, people: Real, metric: Real, found: Correlation, resampled: Resampled | None, reason: str
) -> Coefficient:
    """A coefficient with its resamples; ``reason`` says why it has none."""
    interval = no_interval(found.value.reason or reason) if resampled is None else resampled.interval()
    estimate = Estimate(found.value, interval.low, interval.high)
    if resampled is not None and interval.low.value is not None:
        return Coefficient(estimate, found.p, resampled.p())
    exact = exact_p(name, people, metric) if found.p.value is not None else None
    return Coefficient(estimate, found.p, exact or found.p)


@attrs.frozen
class CorrelationResult:
    """A metric against a criterion: coefficients by name."""

    scope: Scope
    criterion: str
    metric: str
    coefficients: Mapping[str, Coefficient]
    n: int
    sources: int

    @property
    def values(self) -> Mapping[str, Estimate]:
        """Coefficients with their intervals, by name."""
        return {name: one.estimate for name, one in self.coefficients.items()}

    @property
    def p(self) -> Mapping[str, Statistic]:
        """Their p-values if units were independent."""
        return {name: one.p for name, one in self.coefficients.items()}

    def significant(self, name: str, alpha: float) -> bool:
        """Whether the p-value that goes with the interval of a coefficient is below ``alpha``; without one, no."""
        p = self.coefficients[name].resampled.value
        return p is not None and p < alpha
