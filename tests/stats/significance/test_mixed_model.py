"""The mixed model against the analysis of variance, which it equals in a balanced design; and where there is none."""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.stats.significance.mixed_model import MOST_RATINGS, mixed_model

SYSTEMS, ITEMS, PEOPLE = 2, 12, 4


def balanced(seed: int) -> tuple[np.ndarray, list[str], list[str], list[str]]:
    """Every annotator rates every item of every system once; returns the table and the columns."""
    generator = np.random.default_rng(seed)
    table = (
        3
        + 0.5 * np.arange(SYSTEMS)[:, None, None]
        + generator.normal(0, 0.9, ITEMS)[None, :, None]
        + generator.normal(0, 0.8, PEOPLE)[None, None, :]
        + generator.normal(0, 0.7, (SYSTEMS, ITEMS, PEOPLE))
    )
    places = np.indices(table.shape).reshape(3, -1)
    return table, *([f"{name}{place}" for place in row] for name, row in zip("sia", places, strict=True))


@pytest.mark.parametrize("seed", [1, 2])
def test_balanced_data_have_the_variances_of_anova(seed: int) -> None:
    """In a balanced design REML gives the ANOVA estimates, as long as none is negative (Searle et al. 1992, 4.8)."""
    table, systems, items, people = balanced(seed)
    found = mixed_model(list(table.ravel()), systems, items, people)
    mean = table.mean()
    by_system, by_item, by_person = table.mean(axis=(1, 2)), table.mean(axis=(0, 2)), table.mean(axis=(0, 1))
    fitted = by_system[:, None, None] + by_item[None, :, None] + by_person[None, None, :] - 2 * mean
    # Degrees of freedom left: 96 ratings, less 1 + 1 for systems, 11 for items and 3 for people.
    residual = ((table - fitted) ** 2).sum() / (table.size - SYSTEMS - (ITEMS - 1) - (PEOPLE - 1))
    item = (SYSTEMS * PEOPLE * ((by_item - mean) ** 2).sum() / (ITEMS - 1) - residual) / (SYSTEMS * PEOPLE)
    person = (SYSTEMS * ITEMS * ((by_person - mean) ** 2).sum() / (PEOPLE - 1) - residual) / (SYSTEMS * ITEMS)
    assert min(item, person) > 0
    assert found.converged
    assert found.residual.value == pytest.approx(residual, rel=1e-3)
    assert found.item.value == pytest.approx(item, rel=1e-2)
    assert found.annotator.value == pytest.approx(person, rel=1e-2)
    (effect,) = found.effects
    assert effect.difference.value == pytest.approx(by_system[1] - by_system[0], abs=1e-6)
    # Two means of 48 ratings of the same items by the same people: only the residual is left in their difference.
    assert effect.error.value == pytest.approx(np.sqrt(2 * residual / (ITEMS * PEOPLE)), rel=1e-3)


def test_a_variance_of_nothing_is_said() -> None:
    """Annotators who do not differ leave a variance at its boundary, and the remark says so."""
    generator = np.random.default_rng(0)
    items = [str(item) for item in range(30) for _ in range(4)]
    scores = np.repeat(generator.normal(0, 1, 30), 4) + generator.normal(0, 0.5, 120)
    # Take away each annotator's mean, so that annotators have none left.
    scores = (scores.reshape(30, 4) - scores.reshape(30, 4).mean(axis=0)).ravel()
    systems = ["a" if int(item) % 2 else "b" for item in items]
    found = mixed_model(list(scores), systems, items, ["x", "y", "z", "w"] * 30)
    assert "the variance of annotators is at its boundary of 0" in found.remarks


@pytest.mark.parametrize(
    ("scores", "systems", "people", "reason"),
    [
        ([1, 2, 3, 4], "aaaa", "xyxy", "two systems"),
        ([1, 2, 3, 4], "aabb", "xxxx", "at least two"),
        ([1, 1, 1, 1], "aabb", "xyxy", "the same"),
        ([0, 1] * MOST_RATINGS, "ab" * MOST_RATINGS, "xyyx" * (MOST_RATINGS // 2), "too large"),
    ],
)
def test_without_a_model_the_reason_is_said(scores: list[float], systems: str, people: str, reason: str) -> None:
    """One system, one annotator, no variation, too much data."""
    items = [str(place // 2) for place in range(len(scores))]
    found = mixed_model(scores, systems, items, people)
    assert found.residual.value is None
    assert reason in found.residual.reason
    assert not found.converged
