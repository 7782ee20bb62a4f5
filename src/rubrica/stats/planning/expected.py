"""What a study of so many texts and raters would find: widths of intervals and power, by simulation from a pilot.

The residual bootstrap for data with levels (Carpenter, Goldstein and Rasbash, Journal of the Royal Statistical Society
C 52, 2003): a simulated text draws its own residual, each of its ratings another, from the pilot's residuals scaled to
the estimated variances; so skewed or bounded ratings keep their shape. Simply drawing texts and ratings again would
count the noise of the pilot's raters twice. Every simulated study is analysed as a real one is: a 95 % interval of the
mean, and a paired t test, which the permutation test equals but for small samples (Lehmann and Romano, Testing
Statistical Hypotheses, 2005, section 15.2).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from rubrica.stats.planning.components import Components
from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
CHUNK = 2_000_000
"""How many ratings are simulated at once."""
LEVEL = 0.95


class Expected(NamedTuple):
    """What to expect of a study of ``items`` texts with ``raters`` ratings each, of two systems.

    Widths are from end to end, in the unit of the rating; power is the chance to find the effect.
    """

    items: int
    raters: int
    width_mean: Statistic
    width_difference: Statistic
    power: Statistic


def expected(
    found: Components, effect: float | None, items: int, raters: int, *, replicates: int, alpha: float, seed: int
) -> Expected:
    """Simulate the study many times. Undefined where the pilot says too little, or with fewer than two texts."""
    generator = np.random.default_rng([seed, items, raters])
    if items < 2:
        nothing = Statistic(None, "an interval needs at least two texts")
        return Expected(items, raters, nothing, nothing, nothing)
    widths, paired, hits = [], [], 0
    step = max(1, CHUNK // (items * raters))
    for start in range(0, replicates, step):
        size = min(step, replicates - start)
        first, second = (_noise(found.within_residuals, size, items, raters, generator) for _ in range(2))
        if found.between.value is not None:
            widths.append(_widths(_drawn(found.between_residuals, size, items, generator) + first))
        if found.gap.value is not None:
            gaps = _drawn(found.gap_residuals, size, items, generator) + first - second
            paired.append(_widths(gaps))
            hits += _found(gaps, effect or 0.0, alpha)
    difference = _mean(paired, found.gap)
    power = Statistic(hits / replicates) if paired and effect is not None else difference
    if paired and effect is None:
        power = Statistic(None, found.difference.reason or "no effect is given")
    return Expected(items, raters, _mean(widths, found.between), difference, power)


def _drawn(residuals: Real, size: int, items: int, generator: np.random.Generator) -> Real:
    return residuals[generator.integers(len(residuals), size=(size, items))]


def _noise(residuals: Real, size: int, items: int, raters: int, generator: np.random.Generator) -> Real:
    """The mean of the residuals of so many raters."""
    if not len(residuals):
        return np.zeros((size, items))
    noise: Real = residuals[generator.integers(len(residuals), size=(size, items, raters))].mean(axis=2)
    return noise


def _widths(values: Real) -> Real:
    """The width of the interval of the mean of each row."""
    items = values.shape[1]
    width: Real = 2 * t.ppf((1 + LEVEL) / 2, items - 1) * values.std(axis=1, ddof=1) / np.sqrt(items)
    return width


def _found(gaps: Real, effect: float, alpha: float) -> int:
    """In how many rows the test finds a difference on the side of the effect."""
    items = gaps.shape[1]
    error = gaps.std(axis=1, ddof=1) / np.sqrt(items)
    means = gaps.mean(axis=1) + effect
    beyond = np.abs(means) > t.ppf(1 - alpha / 2, items - 1) * error
    return int(np.count_nonzero(beyond & (np.sign(means) == np.sign(effect)))) if effect else int(beyond.sum())


def _mean(parts: list[Real], why: Statistic) -> Statistic:
    return Statistic(float(np.concatenate(parts).mean())) if parts else Statistic(None, why.reason)
