"""Figures of predicted complexity: equal to scikit-learn's and scipy's, and derived by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import mean_absolute_error, mean_squared_error, r2_score

from rubrica.metrics.lexical.complexity import FIGURES, resamples, values


def test_every_figure_by_hand() -> None:
    """Errors of 0, 1, 1: MAE 2/3, MSE 2/3, R2 = 1 - 2 / 2."""
    found = values(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    assert found["mae"].value == pytest.approx(2 / 3)
    assert found["mse"].value == pytest.approx(2 / 3)
    assert found["r2"].value == pytest.approx(0.0)
    assert found["pearson"].value == pytest.approx(0.5)
    assert found["spearman"].value == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(20))
def test_equal_to_the_last_digit(seed: int) -> None:
    """What the official evaluators call gives the same floating-point numbers."""
    generator = np.random.default_rng(seed)
    gold, own = generator.integers(0, 41, 57) / 40, generator.random(57)
    found = {name: one.value for name, one in values(gold, own).items()}
    assert found == {
        "pearson": pearsonr(gold, own)[0],
        "spearman": spearmanr(gold, own)[0],
        "mae": mean_absolute_error(gold, own),
        "mse": mean_squared_error(gold, own),
        "r2": r2_score(gold, own),
    }


def test_nothing_that_varies_is_undefined_with_its_reason() -> None:
    """Constant predictions have no correlation, constant gold no R2 either; errors stay."""
    flat, other = np.array([0.5, 0.5, 0.5]), np.array([0.1, 0.2, 0.3])
    assert values(other, flat)["pearson"].reason
    assert values(other, flat)["mae"].value == pytest.approx(0.3)
    assert values(flat, other)["r2"].reason == "the gold values do not vary"


def test_resamples_are_what_the_figures_are_of_the_drawn_instances() -> None:
    """Without one instance, each figure is that of the others."""
    generator = np.random.default_rng(1)
    gold, own = generator.random(15), generator.random((2, 15))
    found = resamples(gold, own, 5, 0)
    for name in FIGURES:
        for system in range(2):
            rest = values(np.delete(gold, 3), np.delete(own[system], 3))[name].value
            assert found[name][1][3, system] == pytest.approx(rest)
