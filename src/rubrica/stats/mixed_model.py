"""A linear mixed model of ratings: systems as fixed effects; sources, rewrites and annotators as random effects.

y = system + source + rewrite + annotator + error, fitted by restricted maximum likelihood (Baayen, Davidson and Bates,
Journal of Memory and Language 59, 2008, doi:10.1016/j.jml.2007.12.005). It is a check on the paired tests, which
average annotators away. Without the effect of the rewrite its ratings would count as independent, though they are of
one text. Shares are fitted as 0 and 1 (a linear probability model).

The likelihood is that of Bates, Mächler, Bolker and Walker, Fitting linear mixed-effects models using lme4, Journal of
Statistical Software 67, 2015, doi:10.18637/jss.v067.i01: variances relative to that of the error, which follows. A
rewrite is of one source, so that both are taken out of the equations one by one; only annotators, who rate across
sources, need a full matrix. Differences have Student's distribution with Satterthwaite's degrees of freedom
(Kuznetsova, Brockhoff and Christensen, lmerTest, Journal of Statistical Software 82, 2017, doi:10.18637/jss.v082.i13).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
MOST_ANNOTATORS = 1_500
"""Of more, the full matrix of annotators takes minutes for a fit: then means of rewrites are fitted."""
FULL = 5_000_000
"""Tables with so few cells are quicker full than sparse."""
LEAST_SHARE = 1e-4
"""A variance below this share of the whole is at its boundary of 0."""
SAME = 1e-5
"""Deviances that differ by less are the same."""
STEP = 1e-3
"""Relative step of numeric derivatives."""
MEANS = (
    "more than {most:,} annotators: means of rewrites were fitted, which leaves out how strict each annotator is; its "
    "error is that of rewrites"
)
NO_EFFECT = "means of rewrites were fitted"


class Pair(NamedTuple):
    """Two systems: first minus second, standard error, degrees of freedom, the ends of a 95 % interval, and p."""

    first: str
    second: str
    difference: Statistic
    error: Statistic
    freedom: Statistic
    low: Statistic
    high: Statistic
    p: Statistic


@attrs.frozen
class MixedModel:
    """A fitted model, or why there is none. ``remarks`` say what makes the fit doubtful, in words.

    Variances are in squared units of the rating; ``pairs`` are all pairs of systems, in the order of systems.
    """

    systems: tuple[str, ...]
    pairs: tuple[Pair, ...]
    source: Statistic
    rewrite: Statistic
    annotator: Statistic
    residual: Statistic
    converged: bool
    ratings: int
    remarks: tuple[str, ...] = ()


class Rated(NamedTuple):
    """Ratings in columns: the score, and of which system, source and rewrite, by which annotator."""

    scores: Sequence[float]
    systems: Sequence[str]
    sources: Sequence[str]
    rewrites: Sequence[str]
    annotators: Sequence[str]


def mixed_model(rated: Rated) -> MixedModel:
    """Fit the model to one score for each rating."""
    names = tuple(dict.fromkeys(rated.systems))
    reason = _reason(rated, names)
    if reason:
        return _without(names, len(rated.scores), reason)
    many = len(set(rated.annotators))
    if many > MOST_ANNOTATORS:
        return _fitted(_Equations(_means(rated), annotators=False), names, len(rated.scores))
    return _fitted(_Equations(rated, annotators=many > 1), names, len(rated.scores))


def _reason(rated: Rated, names: Sequence[str]) -> str:
    """Why these ratings cannot be fitted; empty if they can."""
    if len(names) < 2:
        return "there are not two systems"
    if len(set(rated.sources)) < 2 or len(set(rated.annotators)) < 2:
        return "effects of sources and annotators need at least two of each"
    if len(set(rated.scores)) < 2:
        return "all scores are the same"
    if len(rated.scores) <= len(names) + 1:
        return "there are hardly more ratings than systems"
    return ""


def _without(names: tuple[str, ...], ratings: int, reason: str) -> MixedModel:
    nothing = Statistic(None, reason)
    pairs = tuple(Pair(first, second, *[nothing] * 6) for first, second in combinations(names, 2))
    return MixedModel(names, pairs, nothing, nothing, nothing, nothing, False, ratings)


def _means(rated: Rated) -> Rated:
    """One mean for each rewrite."""
    rewrite, many = _numbered(rated.rewrites)
    first = np.unique(rewrite, return_index=True)[1]
    means = np.bincount(rewrite, rated.scores, minlength=many) / np.bincount(rewrite, minlength=many)
    columns = ([column[place] for place in first] for column in rated[1:])
    return Rated(means.tolist(), *columns)


def _numbered(names: Sequence[str]) -> tuple[Whole, int]:
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names], dtype=np.int64), len(places)


class _Solved(NamedTuple):
    """The equations at given variances: fixed effects, their unscaled covariance, the error variance, the deviance."""

    effects: Real
    covariance: Real
    scale: float
    deviance: float


class _Equations:
    """Sums that the likelihood is made of, kept once. Columns are systems, the score, and annotators if there are any.

    Random effects are rewrites (where any has two ratings), sources, annotators; a variance is relative to the error's.
    """

    def __init__(self, rated: Rated, *, annotators: bool) -> None:
        from scipy.sparse import csr_array, hstack

        system, self.systems = _numbered(rated.systems)
        rewrite, rewrites = _numbered(rated.rewrites)
        source, sources = _numbered(rated.sources)
        self.many = len(system)
        rows = np.arange(self.many)
        scores = np.asarray(rated.scores, dtype=float)
        self.spread = float(scores.std())
        scaled = csr_array(((scores - scores.mean()) / self.spread)[:, None])
        columns = [csr_array((np.ones(self.many), (rows, system))), scaled]
        self.annotators = annotators
        if annotators:
            person, people = _numbered(rated.annotators)
            columns.append(csr_array((np.ones(self.many), (rows, person)), shape=(self.many, people)))
        table = hstack(columns, format="csr")
        of_rewrite = csr_array((np.ones(self.many), (rewrite, rows)), shape=(rewrites, self.many))
        self.by_rewrite = of_rewrite @ table
        if self.by_rewrite.shape[0] * self.by_rewrite.shape[1] <= FULL:
            self.by_rewrite = self.by_rewrite.toarray()
        self.cross = (table.T @ table).toarray()
        self.sizes = np.bincount(rewrite, minlength=rewrites).astype(float)
        owner = np.zeros(rewrites, dtype=np.int64)
        owner[rewrite] = source
        self.of_source = csr_array((np.ones(rewrites), (owner, np.arange(rewrites))), shape=(sources, rewrites))
        self.rewrites = bool((self.sizes > 1).any())
        self.names = [
            *(["rewrite"] if self.rewrites else []),
            *(["source"] if sources < rewrites else []),
            *(["annotator"] if annotators else []),
        ]

    def solved(self, ratios: Sequence[float]) -> _Solved:
        """Effects and deviance at these variances, in the order of ``names``."""
        ratio = {"rewrite": 0.0, "source": 0.0, "annotator": 0.0, **dict(zip(self.names, ratios, strict=True))}
        left = 1 / (1 + ratio["rewrite"] * self.sizes)
        in_source = self.of_source @ (left * self.sizes)
        shared = ratio["source"] / (1 + ratio["source"] * in_source)
        by_source = self.of_source @ _weighed(self.by_rewrite, left)
        cross = self.cross - _crossed(self.by_rewrite, ratio["rewrite"] * left) - _crossed(by_source, shared)
        weight = -np.log(left).sum() + np.log1p(ratio["source"] * in_source).sum()
        return self._solved(cross, float(weight), ratio["annotator"])

    def _solved(self, cross: Real, weight: float, annotator: float) -> _Solved:
        from scipy.linalg import cho_factor, cho_solve

        fixed = self.systems
        if self.annotators:
            own, beside = cross[fixed + 1 :, fixed + 1 :], cross[fixed + 1 :, : fixed + 1]
            factor = cho_factor(np.eye(len(own)) + annotator * own, lower=True)
            weight += 2 * float(np.log(np.diag(factor[0])).sum())
            cross = cross[: fixed + 1, : fixed + 1] - annotator * beside.T @ cho_solve(factor, beside)
        factor = cho_factor(cross[:fixed, :fixed], lower=True)
        effects = cho_solve(factor, cross[:fixed, fixed])
        freedom = self.many - fixed
        scale = max(float(cross[fixed, fixed] - cross[:fixed, fixed] @ effects), 1e-300) / freedom
        weight += 2 * float(np.log(np.diag(factor[0])).sum())
        return _Solved(effects, cho_solve(factor, np.eye(fixed)), scale, weight + freedom * (np.log(scale) + 1))

    def deviance(self, variances: Real) -> float:
        """Minus twice the restricted log-likelihood, but for a constant, at absolute variances; the error's is last."""
        found = self.solved(variances[:-1] / variances[-1])
        freedom = self.many - self.systems
        scaled = found.deviance - freedom * (np.log(found.scale) + 1)
        return float(scaled + freedom * (np.log(variances[-1]) + found.scale / variances[-1]))


def _weighed(rows: Any, weights: Real) -> Any:
    """Each row times its weight, whether the table is full or sparse."""
    return rows * weights[:, None] if isinstance(rows, np.ndarray) else rows.multiply(weights[:, None]).tocsr()


def _crossed(rows: Any, weights: Real) -> Real:
    """The weighted sum of products of columns."""
    found = rows.T @ _weighed(rows, weights)
    return np.asarray(found if isinstance(found, np.ndarray) else found.toarray(), dtype=float)


class _Errors(NamedTuple):
    """What standard errors and their degrees of freedom follow from: covariances of systems' effects.

    ``slopes`` are by how much that changes with each variance that is not at 0, ``information`` the covariance of those
    variances; None where the likelihood has no peak.
    """

    covariance: Real
    slopes: Real
    information: Real | None


def _fitted(equations: _Equations, names: tuple[str, ...], ratings: int) -> MixedModel:
    best = _optimum(equations)
    solved = equations.solved(best.x**2)
    absolute = np.array([*(best.x**2 * solved.scale), solved.scale])
    free = np.append(absolute[:-1] > LEAST_SHARE * absolute.sum(), True)
    errors = _errors(equations, absolute, free)
    unit = equations.spread**2
    known = {name: Statistic(float(value) * unit) for name, value in zip(equations.names, absolute, strict=False)}
    pairs = tuple(_pair(equations, solved.effects, errors, pair, names) for pair in combinations(range(len(names)), 2))
    return MixedModel(
        names,
        pairs,
        known.get("source", Statistic(None, "every source was rewritten once")),
        known.get("rewrite", Statistic(None, "no rewrite was rated twice")),
        known.get("annotator", Statistic(None, NO_EFFECT)),
        Statistic(float(absolute[-1]) * unit),
        bool(best.success) and errors.information is not None,
        ratings,
        tuple(_remarks(equations, bool(best.success), free, errors)),
    )


def _optimum(equations: _Equations) -> Any:
    """Standard deviations relative to the error's, from several starts: a boundary of 0 can hold a search."""
    from scipy.optimize import minimize

    count = len(equations.names)
    starts = [np.full(count, start) for start in (1.0, 0.3)]
    found = [
        minimize(
            lambda deviations: equations.solved(deviations**2).deviance,
            start,
            method="L-BFGS-B",
            bounds=[(0.0, 1e3)] * count,
            options={"ftol": 1e-12, "gtol": 1e-6, "maxiter": 500},
        )
        for start in starts
    ]
    best = min(found, key=lambda one: one.fun)
    near = [one for one in found if one.fun < best.fun + SAME]
    # Rounding may stop a search that has arrived; two that met there have.
    best.success = len(near) > 1 or any(one.success for one in near)
    return best


def _errors(equations: _Equations, variances: Real, free: npt.NDArray[np.bool_]) -> _Errors:
    """Numeric derivatives at the optimum; variances at 0 stay there."""
    point, steps = np.where(free, variances, 0.0), STEP * variances

    def covariance(at: Real) -> Real:
        return np.asarray(at[-1] * equations.solved(at[:-1] / at[-1]).covariance, dtype=float)

    slopes = []
    for place in np.flatnonzero(free):
        step = np.zeros(len(point))
        step[place] = steps[place]
        slopes.append((covariance(point + step) - covariance(point - step)) / (2 * steps[place]))
    return _Errors(covariance(point), np.array(slopes), _information(equations, point, steps, free))


def _information(equations: _Equations, point: Real, steps: Real, free: npt.NDArray[np.bool_]) -> Real | None:
    """The covariance of the estimated variances: twice the inverse of the deviance's curvature."""
    places = np.flatnonzero(free).tolist()

    def at(*moved: tuple[int, int]) -> float:
        there = point.copy()
        for place, times in moved:
            there[place] += times * steps[place]
        return equations.deviance(there)

    curvature = np.zeros((len(places), len(places)))
    middle = at()
    for row, one in enumerate(places):
        curvature[row, row] = (at((one, 1)) - 2 * middle + at((one, -1))) / steps[one] ** 2
        for column, other in enumerate(places[:row]):
            mixed = sum(float(a * b) * at((one, a), (other, b)) for a in (1, -1) for b in (1, -1))
            curvature[row, column] = curvature[column, row] = mixed / (4 * steps[one] * steps[other])
    try:
        found = np.asarray(2 * np.linalg.inv(curvature), dtype=float)
    except np.linalg.LinAlgError:
        return None
    return found if (np.diag(found) > 0).all() else None


def _pair(equations: _Equations, effects: Real, errors: _Errors, pair: tuple[int, int], names: Sequence[str]) -> Pair:
    """One difference. Satterthwaite's degrees of freedom: twice its squared variance by that variance's variance."""
    from scipy.special import stdtr, stdtrit

    first, second = (names[place] for place in pair)
    contrast = np.zeros(len(effects))
    contrast[list(pair)] = 1, -1
    difference = float(contrast @ effects) * equations.spread
    variance = float(contrast @ errors.covariance @ contrast)
    if errors.information is None or not variance > 0:
        nothing = Statistic(None, "the fit gives no standard error")
        return Pair(first, second, Statistic(difference), *[nothing] * 5)
    slope = errors.slopes @ contrast @ contrast
    most = equations.many - equations.systems
    freedom = float(np.clip(2 * variance**2 / (slope @ errors.information @ slope), 1, most))
    error = float(np.sqrt(variance)) * equations.spread
    half = float(stdtrit(freedom, 0.975)) * error
    p = float(2 * stdtr(freedom, -abs(difference) / error))
    numbers = (difference, error, freedom, difference - half, difference + half, p)
    return Pair(first, second, *map(Statistic, numbers))


def _remarks(equations: _Equations, success: bool, free: npt.NDArray[np.bool_], errors: _Errors) -> list[str]:
    found = []
    if not success or errors.information is None:
        found.append("the fit did not converge: do not rely on it")
    found += [
        f"the variance of {name}s is at its boundary of 0"
        for name, above in zip(equations.names, free, strict=False)
        if not above
    ]
    if not equations.rewrites and equations.annotators:
        found.append("no rewrite was rated twice, so that its effect is part of the error")
    if not equations.annotators:
        found.append(MEANS.format(most=MOST_ANNOTATORS))
    return found
