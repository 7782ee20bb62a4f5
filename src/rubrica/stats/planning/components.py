"""What makes ratings of a pilot vary: raters of one rewrite, texts, and which system does better on which text.

A one-way analysis of variance by moments (Searle, Casella and McCulloch, Variance Components, 1992, section 3.6):
ratings of a text under a system vary by ``within``, the true means of texts by ``between``, the true differences of two
systems from text to text by ``gap``. With k ratings of each, an observed mean of a text varies by between + within / k,
an observed difference by gap + 2 within / k; so what is seen in the pilot less what its own raters add is what is left.
Raters are drawn anew for every text, as in a crowd: how strict each is belongs to ``within``.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
import numpy.typing as npt

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
