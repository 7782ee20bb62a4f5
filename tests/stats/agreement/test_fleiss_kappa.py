"""Fleiss' kappa against his own example, a derivation by hand, and statsmodels."""

from __future__ import annotations

import pytest
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from rubrica.stats.agreement.fleiss_kappa import fleiss_kappa, prepare
from rubrica.stats.agreement.units import units_of
from tests.stats.agreement.data import FOUR_OBSERVERS, answers, made


def test_the_published_example() -> None:
    """Fourteen psychiatrists, ten patients, five categories: the worked example gives 0.210."""
    table = [
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    ]
    assert fleiss_kappa(dict.fromkeys(table, 1)).value == pytest.approx(0.210, abs=5e-4)


def test_two_categories_by_hand() -> None:
    """Three annotators, four tokens, marked by 3, 2, 1 and 0 of them."""
    # Observed: units agree on 3, 1, 1, 3 of 3 pairs: (1 + 1/3 + 1/3 + 1) / 4 = 2/3.
    # Six of twelve choices are marks: expected = 1/4 + 1/4 = 1/2. Kappa = (2/3 - 1/2) / (1/2) = 1/3.
    assert fleiss_kappa({(0, 3): 1, (1, 2): 1, (2, 1): 1, (3, 0): 1}).value == pytest.approx(1 / 3)


def test_equal_units_are_counted_not_repeated() -> None:
    """Units kept once with a number weigh as much as units listed one by one."""
    ratings = [("a", "a"), ("a", "a"), ("a", "b"), ("b", "b")]
    units = units_of(ratings, ["a", "b"])
    assert units == {(2, 0): 2, (1, 1): 1, (0, 2): 1}
    # Observed 3/4; shares 5/8 and 3/8: expected 34/64. Kappa = (48/64 - 34/64) / (30/64) = 14/30.
    assert fleiss_kappa(units).value == pytest.approx(14 / 30)


@pytest.mark.parametrize(
    ("units", "reason"),
    [
        ({}, "nothing was judged"),
        ({(0, 1): 4}, "fewer than two annotators"),
        ({(3, 0): 4}, "the same category every time"),
    ],
)
def test_undefined_with_a_reason(units: dict[tuple[int, ...], int], reason: str) -> None:
    """Without units, annotators or a second category there is no kappa, and it says why."""
    found = fleiss_kappa(units)
    assert found.value is None
    assert reason in found.reason


def test_uneven_numbers_of_annotators_are_refused() -> None:
    """A unit with two and one with three annotators do not belong in one Fleiss' kappa."""
    with pytest.raises(ValueError, match=r"not \[2, 3\]"):
        fleiss_kappa({(1, 1): 1, (2, 1): 1})


def test_equals_statsmodels() -> None:
    """Complete generated ratings: the same kappa as statsmodels."""
    table = made(3, gaps=0.0)
    counts, _ = aggregate_raters(table.astype(int))
    theirs = statsmodels_kappa(counts, method="fleiss")
    assert prepare(answers(table)).statistic().value == pytest.approx(theirs, abs=1e-12)


def test_uneven_numbers_as_in_the_handbook() -> None:
    """Gwet's example with gaps: 0.76117 (irrCAC, fleiss.kappa.raw)."""
    assert prepare(answers(FOUR_OBSERVERS)).statistic().value == pytest.approx(0.76117, abs=5e-6)
