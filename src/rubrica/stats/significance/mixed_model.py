"""A linear mixed model of ratings: systems as fixed effects, items and annotators as crossed random effects.

y = system + item + annotator + error, fitted by restricted maximum likelihood (Baayen, Davidson and Bates, Journal of
Memory and Language 59, 2008). It is a check on the paired tests, which average annotators away: does a difference
stand when some annotators are stricter and some items harder? Shares are fitted as 0 and 1 (a linear probability
model). Needs statsmodels (the extra ``mixed``), which is imported only here.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.core.errors import wrong
from rubrica.stats.statistic import Statistic

MOST_RATINGS, MOST_EFFECTS = 20_000, 1_000
"""Beyond these a fit takes many minutes: every effect is a column of a full matrix."""
LEAST_SHARE = 1e-4
"""A variance below this share of the whole is at its boundary of 0."""


@attrs.frozen
class Effect:
    """How far a system is from the first one: estimate, standard error and Wald's two-sided p-value."""

    system: str
    difference: Statistic
    error: Statistic
    p: Statistic


@attrs.frozen
class MixedModel:
    """A fitted model, or why there is none. ``remarks`` say what makes the fit doubtful, in words.

    Variances are in squared units of the rating; ``reference`` is the system the others are compared with.
    """

    reference: str
    effects: tuple[Effect, ...]
    item: Statistic
    annotator: Statistic
    residual: Statistic
    converged: bool
    ratings: int
    remarks: tuple[str, ...] = ()


def mixed_model(
    scores: Sequence[float], systems: Sequence[str], items: Sequence[str], annotators: Sequence[str]
) -> MixedModel:
    """Fit the model to one score for each rating. Raises InputError if statsmodels is not installed."""
    names = list(dict.fromkeys(systems))
    effects = len(set(items)) + len(set(annotators))
    reason = _reason(scores, names, items, annotators, effects)
    if reason:
        return _without(names, len(scores), reason)
    library = _library()
    system, _ = _numbered(systems)
    fixed = np.column_stack(
        [np.ones(len(scores)), *((system == place).astype(float) for place in range(1, len(names)))]
    )
    matrices = [_indicators(items), _indicators(annotators)]
    columns = [
        [[f"{name}{place}" for place in range(matrix.shape[1])]] for name, matrix in zip("ia", matrices, strict=True)
    ]
    random = library.VCSpec(["item", "annotator"], columns, [[matrix] for matrix in matrices])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = library.MixedLM(np.asarray(scores, dtype=float), fixed, groups=np.ones(len(scores)), exog_vc=random)
        try:
            fitted = model.fit(reml=True)
        except (np.linalg.LinAlgError, ValueError) as error:
            return _without(names, len(scores), f"the fit failed: {error}")
    return _fitted(fitted, names, len(scores), [str(one.message) for one in caught])


def _reason(
    scores: Sequence[float], names: Sequence[str], items: Sequence[str], annotators: Sequence[str], effects: int
) -> str:
    """Why these ratings cannot be fitted; empty if they can."""
    if len(names) < 2:
        return "there are not two systems"
    if len(set(items)) < 2 or len(set(annotators)) < 2:
        return "effects of items and annotators need at least two of each"
    if len(set(scores)) < 2:
        return "all scores are the same"
    if len(scores) > MOST_RATINGS or effects > MOST_EFFECTS:
        return f"too large to fit here: more than {MOST_RATINGS:,} ratings or {MOST_EFFECTS:,} items and annotators"
    return ""


def _without(names: Sequence[str], ratings: int, reason: str) -> MixedModel:
    nothing = Statistic(None, reason)
    effects = tuple(Effect(name, nothing, nothing, nothing) for name in names[1:])
    return MixedModel(names[0] if names else "", effects, nothing, nothing, nothing, False, ratings)


def _library() -> Any:
    try:
        from statsmodels.regression import mixed_linear_model  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        fix = "Install it: pip install 'rubrica[mixed]'."
        raise wrong(f"a mixed model needs statsmodels: {error}", "not_installed", fix, value=error.name) from error
    return mixed_linear_model


def _numbered(names: Sequence[str]) -> tuple[npt.NDArray[np.int64], int]:
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names], dtype=np.int64), len(places)


def _indicators(names: Sequence[str]) -> npt.NDArray[np.float64]:
    numbers, count = _numbered(names)
    matrix: npt.NDArray[np.float64] = np.eye(count)[numbers]
    return matrix


def _fitted(fitted: Any, names: Sequence[str], ratings: int, warned: Sequence[str]) -> MixedModel:
    item, annotator, residual = float(fitted.vcomp[0]), float(fitted.vcomp[1]), float(fitted.scale)
    remarks = [] if fitted.converged else ["the fit did not converge: do not rely on it"]
    for name, variance in (("items", item), ("annotators", annotator)):
        if variance < LEAST_SHARE * (item + annotator + residual):
            remarks.append(f"the variance of {name} is at its boundary of 0")
    remarks += [one for one in dict.fromkeys(warned) if "boundary" not in one]
    return MixedModel(
        names[0],
        tuple(
            Effect(
                name, _number(fitted.fe_params[place]), _number(fitted.bse_fe[place]), _number(fitted.pvalues[place])
            )
            for place, name in enumerate(names[1:], start=1)
        ),
        Statistic(item),
        Statistic(annotator),
        Statistic(residual),
        bool(fitted.converged),
        ratings,
        tuple(remarks),
    )


def _number(value: Any) -> Statistic:
    return Statistic(float(value)) if np.isfinite(value) else Statistic(None, "the fit gives no finite number")
