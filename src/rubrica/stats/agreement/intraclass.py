"""Intraclass correlations: how much of the variance of ratings is between units rather than between raters.

Shrout and Fleiss, Intraclass correlations: uses in assessing rater reliability, Psychological Bulletin 86, 1979,
doi:10.1037/0033-2909.86.2.420. Six forms: (1,·) raters differ from unit to unit, (2,·) raters are a sample of raters,
(3,·) these raters are all that matter; (·,1) of one rater, (·,k) of the mean of all k.

Intervals are those of McGraw and Wong, Forming inferences about some intraclass correlation coefficients, Psychological
Methods 1, 1996, doi:10.1037/1082-989X.1.1.30: from F distributions, so that those of (2,·) hold for other raters, too,
which drawing units cannot give. Two cases are not theirs. Where few raters rate many units, their interval of (2,·) is
too short, and the generalised one of Tian and Cappelleri, Statistics in Medicine 23, 2004, doi:10.1002/sim.1782, takes
its place; where units have different numbers of ratings, Thomas and Hultquist, Annals of Statistics 6, 1978, gives that
of (1,·). All of them take ratings as normal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rubrica.stats.agreement.tally import Prepared, nothing
from rubrica.stats.bootstrap import LEVEL, Interval, alike, no_interval
from rubrica.stats.coded import Coded, Real
from rubrica.stats.statistic import Statistic

FORMS = ((1, False), (2, False), (3, False), (1, True), (2, True), (3, True))
"""The model, and whether it is the mean of all raters that is judged."""
LEAST = 1e-12
ONE_UNIT = "variance between units needs at least two units of two or more answers"
F, GENERALISED, UNEVEN = "F (McGraw and Wong)", "generalised (Tian and Cappelleri)", "F (Thomas and Hultquist)"
MANY = 10
"""With more units than this for each rater but one, the F interval of (2,·) covers too little (design/022)."""
PILED = 0.5
"""Where more of the answers are the same one, they are too far from normal: formulas cover 75 to 90 % (design/022)."""
NOT_NORMAL = "more than half of the answers are the same one, and the formula of the interval takes answers as normal"
DRAWS = 20_000
"""Of the generalised interval; their seed is fixed, for they are no resamples of the data."""


class Squares(NamedTuple):
    """Mean squares of the analysis of variance: between units, within units, between raters, residual."""

    units: Real
    within: Real
    raters: Real
    residual: Real
    many: Real
    each: Real


def prepare(model: int, mean: bool, answers: Coded, level: str = "", drawn: Real | None = None) -> Prepared:
    """One form, on the units that all raters answered.

    Where fewer than two units are complete, the first model takes all units of two or more answers: it does not ask
    who gave them (Shrout and Fleiss's analysis of variance with unequal numbers). The other two are undefined then,
    and all are without variation between answers.
    """
    table = _scaled(answers)
    complete = ~np.isnan(table).any(axis=1)
    answered = (~np.isnan(table)).any(axis=1)
    if complete.sum() > 1:
        left_out = int(answered.sum() - complete.sum())
        remark = f"{complete.sum():,} complete units; {left_out:,} other units left out" if left_out else ""
        whole = table[complete]
        return Prepared(
            np.ones(len(whole)),
            lambda weights: _form(model, mean, _crossed(whole, weights)),
            remark=remark,
            formula=lambda: _ends(model, mean, whole),
            others=model < 3,
        )
    if model > 1:
        return nothing(f"fewer than two units were rated by all {table.shape[1]} raters, which ICC(2,…) and (3,…) need")
    nested = table[(~np.isnan(table)).sum(axis=1) > 1]
    if len(nested) < 2:
        return nothing(ONE_UNIT)
    return Prepared(
        np.ones(len(nested)),
        lambda weights: _form(1, mean, _nested(nested, weights)),
        remark="no two units are complete: each unit's own raters",
        formula=lambda: _uneven_ends(mean, nested),
        others=True,
    )


def _scaled(answers: Coded) -> Real:
    """Ratings by unit and rater around their middle and at most 1; columns of raters without an answer are dropped."""
    table = answers.matrix()
    table = table[:, ~np.isnan(table).all(axis=0)]
    if not table.size:
        return table
    middle = (np.nanmin(table) + np.nanmax(table)) / 2
    scaled: Real = (table - middle) / (np.nanmax(table) - middle or 1)
    return scaled


def _crossed(table: Real, weights: Real) -> Squares:
    """Mean squares where every rater rated every unit, for each row of weights."""
    raters = table.shape[1]
    many = weights.sum(axis=1)
    means = table.mean(axis=1)
    grand = weights @ means / many
    between = raters * (weights @ means**2 - many * grand**2)
    within = weights @ ((table - means[:, None]) ** 2).sum(axis=1)
    columns = weights @ table / many[:, None]
    by_rater = many * ((columns - grand[:, None]) ** 2).sum(axis=1)
    one_less = np.maximum(many - 1, 1)
    return Squares(
        between / one_less,
        within / (many * (raters - 1)),
        by_rater / (raters - 1),
        np.maximum(within - by_rater, 0) / (one_less * (raters - 1)),
        many,
        np.full(len(many), float(raters)),
    )


def _nested(table: Real, weights: Real) -> Squares:
    """Mean squares where each unit has raters of its own, in uneven numbers."""
    numbers = (~np.isnan(table)).sum(axis=1)
    means = np.nanmean(table, axis=1)
    many, answers = weights.sum(axis=1), weights @ numbers
    grand = weights @ (numbers * means) / answers
    one_less = np.maximum(many - 1, 1)
    between = (weights @ (numbers * means**2) - answers * grand**2) / one_less
    within = weights @ np.nansum((table - means[:, None]) ** 2, axis=1) / np.maximum(answers - many, 1)
    each = (answers - weights @ numbers**2 / answers) / one_less
    nothing_known = np.full(len(many), np.nan)
    return Squares(between, within, nothing_known, nothing_known, many, each)


def _form(model: int, mean: bool, squares: Squares) -> Real:
    """The ratio of variances that the form asks for; NaN with one unit or without variation."""
    error = squares.within if model == 1 else squares.residual
    severity = (squares.raters - squares.residual) / squares.many if model == 2 else np.zeros(len(error))
    above = squares.units - error
    one = squares.units + (squares.each - 1) * error + squares.each * severity
    below = squares.units + severity if mean else one
    defined = (squares.many > 1) & (np.abs(below) > LEAST)
    found: Real = np.where(defined, above / np.where(defined, below, 1), np.nan)
    return found


def _ends(model: int, mean: bool, table: Real) -> Interval:
    """The interval of a form where every rater rated every unit; none where all answers to each unit are the same."""
    squares = _crossed(table, np.ones((1, len(table))))
    units, raters = table.shape
    error = float((squares.within if model == 1 else squares.residual)[0])
    if error <= LEAST:
        return no_interval(alike("answers to a unit"))
    if _piled(table):
        return no_interval(NOT_NORMAL)
    between = float(squares.units[0])
    if model == 2:
        severity = float(squares.raters[0])
        few = units - 1 <= MANY * (raters - 1)
        ends = (_severe if few else _generalised)(between, severity, error, units, raters)
        return _interval(ends, raters, mean, F if few else GENERALISED)
    freedom = units * (raters - 1) if model == 1 else (units - 1) * (raters - 1)
    return _interval(_from_f(between / error, units - 1, freedom, raters), raters, mean, F)


def _piled(table: Real) -> bool:
    """Whether one answer is most of them."""
    times = np.unique(table[~np.isnan(table)], return_counts=True)[1]
    return bool(times.max() > PILED * times.sum())


class _Ends(NamedTuple):
    """The ends of the interval of one rater's form."""

    low: float
    high: float


def _from_f(ratio: float, above: int, below: int, each: float) -> _Ends:
    """From the quantiles of a ratio of mean squares that has these degrees of freedom."""
    from scipy.special import fdtri

    tail = (1 + LEVEL) / 2
    ends = ratio / float(fdtri(above, below, tail)), ratio * float(fdtri(below, above, tail))
    return _Ends(*((end - 1) / (end + each - 1) for end in ends))


def _severe(units: float, raters: float, residual: float, many: int, each: int) -> _Ends:
    """The form (2,1): the raters' and the residual mean square are taken as one, with Satterthwaite's freedom."""
    from scipy.special import fdtri

    value = (units - residual) / (units + (each - 1) * residual + each * (raters - residual) / many)
    odds = each * max(value, 0.0) / (many * (1 - value))
    parts = odds * raters, (1 + odds * (many - 1)) * residual
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (each - 1) + parts[1] ** 2 / ((many - 1) * (each - 1)))
    tail = (1 + LEVEL) / 2
    first, second = float(fdtri(many - 1, freedom, tail)), float(fdtri(freedom, many - 1, tail))
    rest = each * raters + (each * many - each - many) * residual
    return _Ends(
        many * (units - first * residual) / (first * rest + many * units),
        many * (second * units - residual) / (rest + many * second * units),
    )


def _generalised(units: float, raters: float, residual: float, many: int, each: int) -> _Ends:
    """The same from what mean squares say of variances: each by its own chi-squared distribution, drawn many times."""
    generator = np.random.default_rng(0)
    freedom = many - 1, each - 1, (many - 1) * (each - 1)
    between, severity, error = (
        square * degrees / generator.chisquare(degrees, DRAWS)
        for square, degrees in zip((units, raters, residual), freedom, strict=True)
    )
    own = np.maximum(between - error, 0) / each
    found = own / (own + np.maximum(severity - error, 0) / many + error)
    low, high = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return _Ends(float(low), float(high))


def _uneven_ends(mean: bool, table: Real) -> Interval:
    """The interval of (1,·) with uneven numbers of ratings: units' means count alike, with the harmonic mean number."""
    numbers = (~np.isnan(table)).sum(axis=1)
    within = float(_nested(table, np.ones((1, len(table)))).within[0])
    if within <= LEAST:
        return no_interval(alike("answers to a unit"))
    if _piled(table):
        return no_interval(NOT_NORMAL)
    each = len(numbers) / float((1 / numbers).sum())
    ratio = each * float(np.nanmean(table, axis=1).var(ddof=1)) / within
    ends = _from_f(ratio, len(numbers) - 1, int(numbers.sum()) - len(numbers), each)
    return _interval(ends, each, mean, UNEVEN)


def _interval(ends: _Ends, each: float, mean: bool, method: str) -> Interval:
    """The ends of one rater's form, or of the mean of ``each`` (Spearman and Brown)."""
    low, high = (each * end / (1 + (each - 1) * end) if mean else end for end in ends)
    return Interval(Statistic(low), Statistic(high), 0, method)
