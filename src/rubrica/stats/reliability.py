"""How far the verdicts of a crowd can be trusted: what an expert says of them, and what fewer raters would be worth.

How often an expert says *correct*, when so many of a crowd do: a Beta distribution for each group of outputs. Section
6 and Figure 1 of Zhang, Zhu, Brahma and Li, Small but Mighty: New Benchmarks for Split and Rephrase, 2020. With k of n
outputs correct and one added to each side (Laplace), the share is distributed as Beta(k + 1, n - k + 1). Bounds are
one-sided: at a confidence of 0.9 the share is above the 10th percentile, and it is below the 90th.

What fewer raters would have been worth: how often an expert agrees with the verdict of m of n raters. Each output has
n ratings, b of them *correct*: its group. Draw m of its n raters. How many of them say correct does not depend on the
expert once the group is known, for nothing tells the raters of an output apart; so it is hypergeometric, and the
expert's share given what the m raters say is a mixture over the groups:

    P(expert | j of m) = sum_b w_b P(j | b) s_b / sum_b w_b P(j | b),    P(j | b) = C(b, j) C(n - b, m - j) / C(n, m)

with w_b the share of outputs in group b and s_b the share of them that an expert calls correct. Both are uncertain:
s_b is Beta(k + 1, n - k + 1) as above, the w_b are Dirichlet(counts + 1). Means and one-sided bounds
are of seeded draws from them (Gelman et al., Bayesian Data Analysis, 2013, chapters 2 and 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.statistic import Statistic

NOBODY = "no expert judged any"


class ExpertShare(NamedTuple):
    """The share of outputs that an expert calls correct: its mean, and where it lies with the given confidence."""

    correct: int
    judged: int
    mean: Statistic
    above: Statistic
    below: Statistic

    def density(self, shares: Sequence[float]) -> list[float]:
        """The density at these shares, for drawing; empty if nothing was judged."""
        from scipy.stats import beta

        if not self.judged:
            return []
        return [float(value) for value in beta.pdf(shares, self.correct + 1, self.judged - self.correct + 1)]


def expert_share(correct: int, judged: int, confidence: float = 0.9) -> ExpertShare:
    """The distribution of the share from counts. Undefined without any judgement: a prior is no finding."""
    from scipy.special import betaincinv

    if not judged:
        nothing = Statistic(None, NOBODY)
        return ExpertShare(0, 0, nothing, nothing, nothing)
    first, second = correct + 1, judged - correct + 1
    return ExpertShare(
        correct,
        judged,
        Statistic(first / (first + second)),
        Statistic(float(betaincinv(first, second, 1 - confidence))),
        Statistic(float(betaincinv(first, second, confidence))),
    )


Real = npt.NDArray[np.float64]
DRAWS = 20_000
MAJORITY, UNANIMOUS = "majority", "unanimous"
RULES = (MAJORITY, UNANIMOUS)
NO_EXPERT = "an expert judged none of a group"


class Reliability(NamedTuple):
    """What the verdict of so many raters is worth under a rule. Shares are of all outputs, from 0 to 1.

    ``yes``: the raters say correct; then the expert does in ``yes_agrees``, with the confidence in more than
    ``yes_above``. ``no``: they say that it is not; then the expert says correct in ``no_disagrees``, in less than
    ``no_below``. ``right``: the two agree, of outputs that the rule decides; ``undecided``: ties, or split raters.
    """

    raters: int
    rule: str
    yes: Statistic
    yes_agrees: Statistic
    yes_above: Statistic
    no: Statistic
    no_disagrees: Statistic
    no_below: Statistic
    right: Statistic
    undecided: Statistic


def drawn_correct(group: int, raters: int, drawn: int) -> list[float]:
    """The chance that 0, 1, …, ``drawn`` say correct, when ``group`` of ``raters`` do and ``drawn`` are drawn."""
    return [
        comb(group, correct) * comb(raters - group, drawn - correct) / comb(raters, drawn)
        for correct in range(drawn + 1)
    ]


def fewer_raters(
    outputs: Sequence[int], correct: Sequence[int], judged: Sequence[int], *, confidence: float, seed: int
) -> list[Reliability]:
    """Every number of raters from 1 to n under both rules.

    By group 0 to n: how many outputs it has, and how many of those an expert judged, and called correct. Undefined
    where an expert judged none of a group that has outputs: its share would be the prior alone.
    """
    most = len(outputs) - 1
    if not sum(outputs) or any(size and not seen for size, seen in zip(outputs, judged, strict=True)):
        nothing = Statistic(None, NO_EXPERT if sum(outputs) else "no output has so many ratings")
        return [Reliability(m, rule, *[nothing] * 8) for m in range(1, most + 1) for rule in rules_of(m)]
    generator = np.random.default_rng(seed)
    weights = generator.dirichlet([size + 1 for size in outputs], DRAWS)
    shares = generator.beta(
        [one + 1 for one in correct],
        [seen - one + 1 for one, seen in zip(correct, judged, strict=True)],
        (DRAWS, most + 1),
    )
    found = []
    for drawn in range(1, most + 1):
        chances = np.array([drawn_correct(group, most, drawn) for group in range(most + 1)])
        for rule in rules_of(drawn):
            says_yes, says_no = _decided(drawn, rule)
            found.append(_reliability(drawn, rule, chances @ says_yes, chances @ says_no, weights, shares, confidence))
    return found


def rules_of(raters: int) -> tuple[str, ...]:
    """One rater is a majority and unanimous, and so are two who agree."""
    return RULES if raters > 2 else (UNANIMOUS,)


def _decided(drawn: int, rule: str) -> tuple[Real, Real]:
    """Which numbers of correct ratings make a yes, and which a no."""
    numbers = np.arange(drawn + 1)
    if rule == UNANIMOUS:
        return (numbers == drawn).astype(float), (numbers == 0).astype(float)
    return (2 * numbers > drawn).astype(float), (2 * numbers < drawn).astype(float)


def _reliability(
    drawn: int, rule: str, yes_given: Real, no_given: Real, weights: Real, shares: Real, confidence: float
) -> Reliability:
    """``yes_given`` and ``no_given``: the chance of either verdict in each group."""
    yes, no = weights @ yes_given, weights @ no_given
    yes_correct, no_correct = (weights * shares) @ yes_given, (weights * shares) @ no_given
    agrees, disagrees = yes_correct / yes, no_correct / no
    right = (yes_correct + no - no_correct) / (yes + no)
    return Reliability(
        drawn,
        rule,
        _mean(yes),
        _mean(agrees),
        Statistic(float(np.quantile(agrees, 1 - confidence))),
        _mean(no),
        _mean(disagrees),
        Statistic(float(np.quantile(disagrees, confidence))),
        _mean(right),
        _mean(np.maximum(0.0, 1 - yes - no)),
    )


def _mean(draws: Real) -> Statistic:
    return Statistic(float(draws.mean()))
