"""The mixed model against a published fit, the analysis of variance and statsmodels; its errors; why there is none."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from statsmodels.regression import mixed_linear_model as statsmodels_mixed

from rubrica.stats import mixed_model as module
from rubrica.stats.mixed_model import MixedModel, Rated, mixed_model

MACHINES = {
    "A": [(52.0, 52.8, 53.1), (51.8, 52.8, 53.1), (60.0, 60.2, 58.4), (51.1, 52.3, 50.3), (50.9, 51.8, 51.4)],
    "B": [(62.1, 62.6, 64.0), (59.7, 60.0, 59.0), (68.6, 65.8, 69.7), (63.2, 62.8, 62.2), (64.8, 65.0, 65.4)],
    "C": [(67.5, 67.2, 66.9), (61.5, 61.7, 62.3), (70.8, 70.6, 71.0), (64.1, 66.2, 64.0), (72.1, 72.0, 71.1)],
}
SIXTH = {"A": (46.4, 44.8, 49.2), "B": (43.7, 44.2, 43.0), "C": (62.0, 61.4, 60.5)}
"""Six workers on three machines, three scores each (Milliken and Johnson, Analysis of Messy Data, 1992, page 285)."""


def crossed(table: np.ndarray) -> Rated:
    """Ratings from a table by system, source and annotator."""
    system, source, person = (list(map(str, row)) for row in np.indices(table.shape).reshape(3, -1))
    rewrites = [f"{one}/{other}" for one, other in zip(source, system, strict=True)]
    return Rated(list(table.ravel()), system, source, rewrites, person)


def simulated(
    seed: int, shape: tuple[int, int, int] = (2, 12, 4), rewrite: float = 0.6, effect: float = 0.5
) -> np.ndarray:
    """Systems x sources x annotators: all of them differ, rewrites differ, and there is noise."""
    generator = np.random.default_rng(seed)
    return (
        3
        + effect * np.arange(shape[0])[:, None, None]
        + generator.normal(0, 0.9, shape[1])[None, :, None]
        + generator.normal(0, rewrite, shape[:2])[:, :, None]
        + generator.normal(0, 0.8, shape[2])[None, None, :]
        + generator.normal(0, 0.7, shape)
    )


def deviations(found: MixedModel) -> list[float]:
    """Standard deviations of sources, rewrites and the error."""
    return [one.value**0.5 for one in (found.source, found.rewrite, found.residual)]


def test_the_published_fit_of_machines_and_workers() -> None:
    """Pinheiro and Bates, Mixed-Effects Models in S and S-PLUS, 2000, section 1.3: 4.78, 3.73 and 0.962.

    Differences from machine A are 7.97 and 13.92 with a standard error of 2.18 and 10 degrees of freedom.
    """
    table = np.array([[*MACHINES[name], SIXTH[name]] for name in "ABC"])
    found = mixed_model(crossed(table))
    assert deviations(found) == pytest.approx([4.7814, 3.7294, 0.9616], abs=2e-3)
    assert found.annotator.value == pytest.approx(0, abs=1e-6)
    assert "the variance of annotators is at its boundary of 0" in found.remarks
    assert [-pair.difference.value for pair in found.pairs] == pytest.approx([7.967, 13.917, 5.950], abs=1e-3)
    assert [pair.error.value for pair in found.pairs] == pytest.approx([2.177] * 3, abs=1e-3)
    assert [pair.freedom.value for pair in found.pairs] == pytest.approx([10] * 3, abs=0.01)
    assert found.converged


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_balanced_data_have_the_variances_of_anova(seed: int) -> None:
    """In a balanced design REML gives the ANOVA estimates, as long as none is negative (Searle et al. 1992, 4.8)."""
    table = simulated(seed)
    systems, sources, people = table.shape
    found = mixed_model(crossed(table))
    mean, by_rewrite = table.mean(), table.mean(axis=2)
    by_system, by_source, by_person = table.mean(axis=(1, 2)), table.mean(axis=(0, 2)), table.mean(axis=(0, 1))
    squares = ((table - by_rewrite[:, :, None] - by_person[None, None, :] + mean) ** 2).sum()
    residual = squares / ((systems * sources - 1) * (people - 1))
    apart = by_rewrite - by_system[:, None] - by_source[None, :] + mean
    rewrites = people * (apart**2).sum() / ((systems - 1) * (sources - 1))
    between = systems * people * ((by_source - mean) ** 2).sum() / (sources - 1)
    persons = systems * sources * ((by_person - mean) ** 2).sum() / (people - 1)
    assert residual < rewrites < between
    assert found.converged
    assert found.residual.value == pytest.approx(residual, rel=1e-3)
    assert found.rewrite.value == pytest.approx((rewrites - residual) / people, rel=1e-2)
    assert found.source.value == pytest.approx((between - rewrites) / (systems * people), rel=1e-2)
    assert found.annotator.value == pytest.approx((persons - residual) / (systems * sources), rel=1e-2)
    (pair,) = found.pairs
    assert pair.difference.value == pytest.approx(by_system[0] - by_system[1], abs=1e-6)
    # The difference of two systems is that of their rewrites, source by source: a paired t test over sources.
    assert pair.error.value == pytest.approx(np.sqrt(2 * rewrites / (sources * people)), rel=1e-3)
    assert pair.freedom.value == pytest.approx(sources - 1, rel=1e-2)


def test_uneven_data_are_fitted_as_statsmodels_does() -> None:
    """With a third of the ratings missing: the same differences, standard errors and variances."""
    rated = crossed(simulated(4, (3, 15, 4)))
    kept = np.flatnonzero(np.random.default_rng(9).random(180) > 1 / 3).tolist()
    some = Rated(*([column[place] for place in kept] for column in rated))
    found = mixed_model(some)

    def columns(names: list[str]) -> np.ndarray:
        return np.eye(len(set(names)))[[sorted(set(names)).index(name) for name in names]]

    fixed = columns(list(some.systems))
    fixed[:, 0] = 1
    parts = [columns(list(names)) for names in (some.sources, some.rewrites, some.annotators)]
    labels = [[[f"{name}{place}" for place in range(part.shape[1])]] for name, part in zip("swa", parts, strict=True)]
    spec = statsmodels_mixed.VCSpec(["source", "rewrite", "annotator"], labels, [[part] for part in parts])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = statsmodels_mixed.MixedLM(np.array(some.scores), fixed, groups=np.ones(len(kept)), exog_vc=spec)
        theirs = model.fit(reml=True)
    assert [-pair.difference.value for pair in found.pairs[:2]] == pytest.approx(list(theirs.fe_params[1:]), abs=2e-3)
    assert [pair.error.value for pair in found.pairs[:2]] == pytest.approx(list(theirs.bse_fe[1:]), rel=1e-2)
    assert sum(one.value for one in (found.annotator, found.rewrite, found.source)) == pytest.approx(
        theirs.vcomp.sum(), rel=2e-2
    )
    assert found.residual.value == pytest.approx(theirs.scale, rel=2e-2)


def test_ratings_of_one_rewrite_are_not_independent() -> None:
    """Equal systems: of 120 studies about one in twenty is significant. Without the rewrite it would be one in six."""
    found = [mixed_model(crossed(simulated(seed, (2, 20, 3), effect=0.0))).pairs[0].p.value for seed in range(120)]
    assert np.mean([p < 0.05 for p in found]) <= 0.1


def test_more_annotators_than_a_full_matrix_can_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Means of rewrites are fitted instead, which is said; the differences are those of a paired t test."""
    table = simulated(6)
    monkeypatch.setattr(module, "MOST_ANNOTATORS", 3)
    found = mixed_model(crossed(table))
    assert any("means of rewrites were fitted" in remark for remark in found.remarks)
    gaps = table.mean(axis=2)[0] - table.mean(axis=2)[1]
    (pair,) = found.pairs
    assert pair.difference.value == pytest.approx(gaps.mean(), abs=1e-6)
    assert pair.error.value == pytest.approx(gaps.std(ddof=1) / len(gaps) ** 0.5, rel=1e-3)
    assert found.annotator.value is None
    assert found.converged


def test_a_rewrite_with_one_rating_each_has_no_effect_of_its_own() -> None:
    """Its effect is part of the error, and the remark says so."""
    table = simulated(7)
    rated = crossed(table)
    kept = [
        place
        for place, (rewrite, who) in enumerate(zip(rated.rewrites, rated.annotators, strict=True))
        if int(who) == (int(rewrite.split("/")[0]) + int(rewrite.split("/")[1])) % 4
    ]
    found = mixed_model(Rated(*([column[place] for place in kept] for column in rated)))
    assert found.rewrite.reason == "no rewrite was rated twice"
    assert any("part of the error" in remark for remark in found.remarks)
    assert found.pairs[0].error.value > 0


@pytest.mark.parametrize(
    ("scores", "systems", "people", "reason"),
    [
        ([1, 2, 3, 4], "aaaa", "xyxy", "two systems"),
        ([1, 2, 3, 4], "aabb", "xxxx", "at least two"),
        ([1, 1, 1, 1], "aabb", "xyxy", "the same"),
        ([1, 2, 2], "aab", "xyy", "hardly more ratings"),
    ],
)
def test_without_a_model_the_reason_is_said(scores: list[float], systems: str, people: str, reason: str) -> None:
    """One system, one annotator, no variation, hardly any data."""
    sources = [str(place // 2) for place in range(len(scores))]
    rewrites = [f"{source}{system}" for source, system in zip(sources, systems, strict=True)]
    found = mixed_model(Rated(scores, systems, sources, rewrites, people))
    assert found.residual.value is None
    assert reason in found.residual.reason
    assert not found.converged
