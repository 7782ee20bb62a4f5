"""How large a study has to be: what varies in a pilot, and what a larger study would find.

What makes ratings of a pilot vary: raters of one rewrite, texts, and which system does better on which text. A one-way
analysis of variance by moments (Searle, Casella and McCulloch, Variance Components, 1992, section 3.6): ratings of a
text under a system vary by ``within``, the true means of texts by ``between``, the true differences of two systems
from text to text by ``gap``. With k ratings of each, an observed mean of a text varies by between + within / k, an
observed difference by gap + 2 within / k; so what is seen in the pilot less what its own raters add is what is left.
Raters are drawn anew for every text, as in a crowd: how strict each is belongs to ``within``.

What a study of so many texts and raters would find: widths of intervals and power, by simulation from a pilot. The
residual bootstrap for data with levels (Carpenter, Goldstein and Rasbash, Journal of the Royal Statistical Society C
52, 2003): a simulated text draws its own residual, each of its ratings another, from the pilot's residuals scaled to
the estimated variances; so skewed or bounded ratings keep their shape. Simply drawing texts and ratings again would
count the noise of the pilot's raters twice. Every simulated study is analysed as a real one is: a 95 % interval of the
mean, and a paired t test, which the permutation test equals but for small samples (Lehmann and Romano, Testing
Statistical Hypotheses, 2005, section 15.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import attrs
import numpy as np
import numpy.typing as npt
from scipy.stats import t

from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
ALIKE = "all ratings of the pilot are alike, so that it cannot show what ratings vary by"


@attrs.frozen(eq=False)
class Pilot:
    """The ratings of each text under two systems, in the same order of texts; empty where a text has none.

    With one system, ``second`` is empty.
    """

    first: tuple[Real, ...]
    second: tuple[Real, ...] = ()

    def paired(self) -> list[tuple[Real, Real]]:
        """Texts that have ratings under both systems."""
        return [(a, b) for a, b in zip(self.first, self.second, strict=False) if len(a) and len(b)]


@attrs.frozen(eq=False)
class Components:
    """Variances in squared units of the rating, and the pilot's residuals of each kind with exactly that variance.

    ``difference`` is the observed one, first minus second, over texts that both have.
    """

    within: Statistic
    between: Statistic
    gap: Statistic
    difference: Statistic
    within_residuals: Real
    between_residuals: Real
    gap_residuals: Real


def components(pilot: Pilot) -> Components:
    """Estimate the variances; a negative estimate is 0. Undefined parts say why."""
    groups = [ratings for ratings in (*pilot.first, *pilot.second) if len(ratings)]
    repeated = [ratings for ratings in groups if len(ratings) > 1]
    nothing = np.zeros(0)
    if not repeated:
        reason = Statistic(None, "no text was rated twice under one system, so raters cannot be told from texts")
        return Components(reason, reason, reason, _difference(pilot.paired()), nothing, nothing, nothing)
    residuals = np.concatenate([ratings - ratings.mean() for ratings in repeated])
    within = float((residuals**2).sum() / sum(len(ratings) - 1 for ratings in repeated))
    if not within and len({float(rating) for ratings in groups for rating in ratings}) == 1:
        alike = Statistic(None, ALIKE)
        return Components(alike, alike, alike, _difference(pilot.paired()), nothing, nothing, nothing)
    between, means = _between([pilot.first, pilot.second], within)
    gap, gaps = _gap(pilot.paired(), within)
    return Components(
        Statistic(within),
        between,
        gap,
        _difference(pilot.paired()),
        _reflated(residuals, within),
        _reflated(means, between.value),
        _reflated(gaps, gap.value),
    )


def _difference(paired: Sequence[tuple[Real, Real]]) -> Statistic:
    if not paired:
        return Statistic(None, "the pilot has no text that two systems were rated on")
    return Statistic(float(np.mean([a.mean() - b.mean() for a, b in paired])))


def _between(systems: Sequence[Sequence[Real]], within: float) -> tuple[Statistic, Real]:
    """The variance of texts' true means, pooled over systems; and the observed means less their system's mean."""
    centred, squares, freedom, added = [], 0.0, 0, 0.0
    for ratings in systems:
        means = np.array([one.mean() for one in ratings if len(one)])
        if len(means) < 2:
            continue
        sizes = np.array([len(one) for one in ratings if len(one)])
        centred.append(means - means.mean())
        squares += float((centred[-1] ** 2).sum())
        freedom += len(means) - 1
        added += (len(means) - 1) * within * float((1 / sizes).mean())
    if not freedom:
        return Statistic(None, "the pilot has fewer than two texts"), np.zeros(0)
    return Statistic(max(0.0, (squares - added) / freedom)), np.concatenate(centred)


def _gap(paired: Sequence[tuple[Real, Real]], within: float) -> tuple[Statistic, Real]:
    """The variance of true differences from text to text; and the observed differences less their mean."""
    if len(paired) < 2:
        return Statistic(None, "the pilot has fewer than two texts that two systems were rated on"), np.zeros(0)
    gaps = np.array([a.mean() - b.mean() for a, b in paired])
    added = within * float(np.mean([1 / len(a) + 1 / len(b) for a, b in paired]))
    return Statistic(max(0.0, float(gaps.var(ddof=1)) - added)), gaps - gaps.mean()


def _reflated(residuals: Real, variance: float | None) -> Real:
    """The residuals scaled so that drawing from them has this variance (Carpenter, Goldstein and Rasbash 2003)."""
    if variance is None or not len(residuals):
        return np.zeros(0)
    own = float((residuals**2).mean())
    return residuals * np.sqrt(variance / own) if own else np.zeros(len(residuals))


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
