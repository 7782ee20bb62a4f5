"""Scores of predicted complexity against people's mean, as the shared tasks on lexical complexity have them.

Shardlow et al., SemEval-2021 Task 1: Lexical Complexity Prediction, 2021, and MLSP 2024. Pearson's r and Spearman's rho
are scipy's, the others equal scikit-learn's to the last digit. Resamples of systems are drawn together.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rubrica.stats.bootstrap import resample
from rubrica.stats.correlation.coefficients import COEFFICIENTS, PEARSON, SPEARMAN
from rubrica.stats.correlation.resamples import resampled
from rubrica.stats.statistic import Statistic

Real = npt.NDArray[np.float64]
FIGURES = (PEARSON, SPEARMAN, "mae", "mse", "r2")
LOWER = ("mae", "mse")
"""Of these less is better."""
NO_SPREAD = "the gold values do not vary"


def values(gold: Real, predicted: Real) -> dict[str, Statistic]:
    """The five figures. Correlations and R2 are undefined where the values that they rest on do not vary."""
    off = gold - predicted
    spread = float(((gold - np.average(gold)) ** 2).sum())
    found = {name: COEFFICIENTS[name](gold, predicted).value for name in (PEARSON, SPEARMAN)}
    found["mae"] = Statistic(float(np.average(np.abs(predicted - gold))))
    found["mse"] = Statistic(float(np.average(off**2)))
    found["r2"] = Statistic(1 - float((off**2).sum()) / spread) if spread else Statistic(None, NO_SPREAD)
    return found


def resamples(gold: Real, predicted: Real, replicates: int, seed: int) -> Mapping[str, tuple[Real, Real]]:
    """Each figure in resamples of instances and without each: by draw and system (a row of ``predicted`` each)."""
    units = np.arange(len(gold))
    found: dict[str, tuple[Real, Real]] = {}
    for name in (PEARSON, SPEARMAN):
        cells = resampled(name, gold[None], predicted, units, replicates, seed)
        found[name] = cells.drawn[:, 0], cells.left_out[:, 0]
    table = np.concatenate([np.abs(predicted - gold), (predicted - gold) ** 2, gold[None], gold[None] ** 2]).T
    table = np.column_stack([table, np.ones(len(gold))])
    sums = resample(lambda weights: weights @ table, np.ones(len(gold)), replicates, np.random.default_rng(seed))
    systems = len(predicted)
    parts = [_of_sums(side, systems) for side in (sums.drawn, sums.left_out)]
    return found | {name: (parts[0][name], parts[1][name]) for name in ("mae", "mse", "r2")}


def _of_sums(sums: Real, systems: int) -> dict[str, Real]:
    many = np.maximum(sums[:, -1:], 1.0)
    squares = sums[:, systems : 2 * systems]
    spread = sums[:, -2:-1] - sums[:, -3:-2] ** 2 / many
    varied = spread > 1e-12
    rest = np.where(varied, 1 - squares / np.where(varied, spread, 1.0), np.nan)
    return {"mae": sums[:, :systems] / many, "mse": squares / many, "r2": rest}
