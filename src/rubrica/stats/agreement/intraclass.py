"""Intraclass correlations: how much of the variance of ratings is between units rather than between raters.

Shrout and Fleiss, Intraclass correlations: uses in assessing rater reliability, Psychological Bulletin 86, 1979,
doi:10.1037/0033-2909.86.2.420. Six forms: (1,·) raters differ from unit to unit, (2,·) raters are a sample of raters,
(3,·) these raters are all that matter; (·,1) of one rater, (·,k) of the mean of all k.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rubrica.stats.agreement.prepared import Prepared, nothing
from rubrica.stats.coded import Coded, Real

FORMS = ((1, False), (2, False), (3, False), (1, True), (2, True), (3, True))
"""The model, and whether it is the mean of all raters that is judged."""
LEAST = 1e-12
ONE_UNIT = "variance between units needs at least two units of two or more answers"


class Squares(NamedTuple):
    """Mean squares of the analysis of variance: between units, within units, between raters, residual."""

    units: Real
    within: Real
    raters: Real
    residual: Real
    many: Real
    each: Real


def prepare(model: int, mean: bool, answers: Coded, level: str = "", drawn: Real | None = None) -> Prepared:
    """One form, on the units that all raters answered, ready for resampling these.

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
            np.ones(len(whole)), lambda weights: _form(model, mean, _crossed(whole, weights)), remark=remark
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
