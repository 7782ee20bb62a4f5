"""Krippendorff's alpha, its distances and disputes.

Krippendorff's alpha against his own examples, derivations by hand, Fleiss' kappa, and two other implementations.

Distances between sets against Passonneau's examples and NLTK.

How disputed units are: by hand, and adding up to alpha.
"""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import jaccard_distance, masi_distance

from rubrica.core.answers import Answer
from rubrica.core.ratings import INTERVAL, JACCARD, MASI, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement import krippendorff_alpha as alpha_module
from rubrica.stats.agreement import tally as tally_module
from rubrica.stats.agreement.kappas import fleiss_kappa
from rubrica.stats.agreement.krippendorff_alpha import disputes, distances, krippendorff_alpha, nominal_alpha
from rubrica.stats.agreement.tally import units_of
from rubrica.stats.coded import Coded, from_triples
from tests.stats.agreement.data import FOUR_OBSERVERS, N, answers, made

LEVELS = [NOMINAL, ORDINAL, INTERVAL, RATIO]


@pytest.mark.parametrize(
    ("level", "published"), [(NOMINAL, 0.743), (ORDINAL, 0.815), (INTERVAL, 0.849), (RATIO, 0.797)]
)
def test_the_published_example_with_gaps(level: str, published: float) -> None:
    """Four observers, twelve units, gaps: the worked examples of all four levels."""
    assert krippendorff_alpha(answers(FOUR_OBSERVERS), level).value == pytest.approx(published, abs=5e-4)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "shape",
    [
        {"points": 2, "gaps": 0.0},
        {"points": 5, "gaps": 0.3},
        {"points": 101, "gaps": 0.5, "raters": 6},
        {"points": 5, "gaps": 0.7, "raters": 9, "units": 200},
    ],
    ids=str,
)
def test_equals_the_krippendorff_package(level: str, shape: dict[str, float]) -> None:
    """Generated ratings on short and long scales, with few and many gaps."""
    for seed in range(3):
        table = made(seed, **shape)  # type: ignore[arg-type]
        theirs = krippendorff.alpha(reliability_data=table.T, level_of_measurement=level)
        assert krippendorff_alpha(answers(table), level).value == pytest.approx(theirs, abs=1e-10)


@pytest.mark.parametrize("level", [NOMINAL, ORDINAL, INTERVAL])
def test_negative_and_fractional_values(level: str) -> None:
    """Values such as -1.5 are as good as any other, unless zero is where the scale starts."""
    table = made(1) * 0.75 - 2.5
    theirs = krippendorff.alpha(reliability_data=table.T, level_of_measurement=level)
    assert krippendorff_alpha(answers(table), level).value == pytest.approx(theirs, abs=1e-10)


def test_zeros_of_a_ratio_scale() -> None:
    """Two zeros are the same; a zero and another number are as far apart as can be."""
    # Values 0, 0 | 0, 2 | 2, 2: observed: one unit of 2 ordered pairs at distance 1, so 2. Three zeros, three twos:
    # expected 2 x 9 / 5. Alpha = 1 - 2 x 5 / 18.
    assert krippendorff_alpha(answers([[0, 0], [0, 2], [2, 2]]), RATIO).value == pytest.approx(1 - 10 / 18)


@pytest.mark.parametrize("level", [*LEVELS, "sets"])
def test_counts_that_are_kept_sparsely_give_the_same(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table of all counts would be too large, only counts that are not 0 are kept."""
    data = answers(made(4)) if level != "sets" else _sets(SETS)
    level = MASI if level == "sets" else level
    dense = krippendorff_alpha(data, level).value
    monkeypatch.setattr(tally_module, "SHORT", 0)
    monkeypatch.setattr(tally_module, "FULL", 0)
    assert krippendorff_alpha(data, level).value == pytest.approx(dense, abs=1e-12)


SETS: list[tuple[tuple[str, ...], ...]] = [
    (("a",), ("a",), ("a", "b")),
    (("a", "b"), ("b", "c"), ("b",)),
    (("c",), ("c",), ("c",)),
    (("a", "c"), ("b",), ("a", "b", "c")),
    (("b", "c"), ("b", "c"), ("a",)),
]


def _sets(units: list[tuple[tuple[str, ...], ...]]) -> Coded:
    found: list[tuple[str, str, Answer]] = [
        (str(unit), str(rater), value) for unit, given_ in enumerate(units) for rater, value in enumerate(given_)
    ]
    return from_triples(found, tuple(sorted({value for _, _, value in found}, key=str)))


def _masi(one: frozenset[str], other: frozenset[str]) -> float:
    """Passonneau's distance, written down a second time, set by set."""
    if one == other:
        return 0.0
    monotonic = 2 / 3 if one <= other or other <= one else 1 / 3 if one & other else 0
    return 1 - len(one & other) / len(one | other) * monotonic


@pytest.mark.parametrize(("level", "distance"), [(JACCARD, jaccard_distance), (MASI, _masi)])
def test_sets_equal_nltk(level: str, distance: object) -> None:
    """Answers that are sets: NLTK's alpha with its Jaccard distance, and with MASI (whose thirds it rounds) as ours."""
    data = [
        (str(rater), str(unit), frozenset(value)) for unit, row in enumerate(SETS) for rater, value in enumerate(row)
    ]
    theirs = AnnotationTask(data=data, distance=distance).alpha()
    assert krippendorff_alpha(_sets(SETS), level).value == pytest.approx(theirs, abs=1e-12)


def test_two_annotators_by_hand() -> None:
    """Ten units of two annotators on two categories, four of them in disagreement."""
    # Krippendorff's second example: 14 zeros and 6 ones among 20 values, 4 disagreeing units.
    # Observed: 4 units x 2 ordered pairs = 8. Expected: 2 x 14 x 6 / 19 = 168 / 19. Alpha = 1 - 8 x 19 / 168 = 0.095.
    units = {(2, 0): 5, (1, 1): 4, (0, 2): 1}
    assert nominal_alpha(units).value == pytest.approx(1 - 8 * 19 / 168)


def test_counts_and_answers_give_the_same() -> None:
    """Where who answered what is known, and where only counts are left."""
    rows = [[None if np.isnan(value) else value for value in row] for row in FOUR_OBSERVERS]
    counted = nominal_alpha(units_of(rows, [1, 2, 3, 4, 5]))
    assert counted.value == pytest.approx(krippendorff_alpha(answers(FOUR_OBSERVERS), NOMINAL).value, abs=1e-12)


@pytest.mark.parametrize("units", [{(3, 0): 90, (2, 1): 6, (1, 2): 3, (0, 3): 5}, {(2, 0): 7, (1, 1): 2, (0, 2): 4}])
def test_complete_data_are_kappa_and_a_little(units: dict[tuple[int, ...], int]) -> None:
    """For complete data alpha is kappa + (1 - kappa) / (number of values)."""
    kappa = fleiss_kappa(units).value
    assert kappa is not None
    values = sum(sum(counts) * times for counts, times in units.items())
    assert nominal_alpha(units).value == pytest.approx(kappa + (1 - kappa) / values)


def test_undefined_with_a_reason() -> None:
    """Without a pair, or with one category only, there is no alpha."""
    assert "two annotators" in nominal_alpha({(1, 0): 3}).reason
    assert "same category" in nominal_alpha({(3, 0): 3, (0, 1): 2}).reason
    assert "two annotators" in nominal_alpha({}).reason


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.0, np.nan]), min_size=3, max_size=3), min_size=2, max_size=12),
    st.sampled_from(LEVELS),
    st.randoms(use_true_random=False),
)
def test_neither_order_nor_patterns_matter(rows: list[list[float]], level: str, random: object) -> None:
    """Units and raters in another order, and equal units counted together, give the same alpha, or none as well."""
    table = np.array(rows)
    first = krippendorff_alpha(answers(table), level)
    generator = np.random.default_rng(random.randrange(1000))  # type: ignore[attr-defined]
    mixed = generator.permuted(table[generator.permutation(len(table))], axis=1)
    second = krippendorff_alpha(answers(mixed), level).value
    # Mixed row by row, so raters swap answers: with one rater left, that may make two of one.
    if first.value is None or second is None:
        return
    assert second == pytest.approx(first.value, abs=1e-9)
    merged = alpha_module.prepare_alpha(answers(table), level).statistic().value
    assert merged == pytest.approx(first.value, abs=1e-9)
    assert first.value <= 1


DISTANCES_SETS = [(), ("a",), ("a", "b"), ("b", "c"), ("a", "b", "c"), ("d",)]


def test_masi_by_hand() -> None:
    """Equal 0; subset 1 - J x 2/3; overlap 1 - J x 1/3; disjoint 1; two empty sets are equal."""
    table = distances(DISTANCES_SETS, MASI)
    assert table[1, 2] == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert table[2, 3] == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert table[1, 5] == 1
    assert table[0, 1] == 1
    assert table.diagonal() == pytest.approx([0] * len(DISTANCES_SETS))


def test_equal_nltk() -> None:
    """Jaccard exactly; MASI but for NLTK's rounding of 2/3 and 1/3 to two digits."""
    for i, one in enumerate(DISTANCES_SETS[1:], start=1):
        for j, other in enumerate(DISTANCES_SETS[1:], start=1):
            assert distances(DISTANCES_SETS, JACCARD)[i, j] == pytest.approx(jaccard_distance(set(one), set(other)))
            assert distances(DISTANCES_SETS, MASI)[i, j] == pytest.approx(
                masi_distance(set(one), set(other)), abs=0.004
            )


def test_other_levels_have_no_table() -> None:
    """Ordinal distances depend on the data."""
    with pytest.raises(ValueError, match="ordinal"):
        distances([1, 2], "ordinal")


def test_two_units_by_hand() -> None:
    """Nominal: a unit in full agreement has 0, one in disagreement 1 by what chance gives; one answer has none."""
    # Answers 1, 1 | 1, 2: of 4 x 3 ordered pairs, 2 x 3 x 1 = 6 differ: chance 1/2. The second unit differs always.
    found = disputes(answers(np.array([[1, 1], [1, 2], [2, N]])), NOMINAL)
    assert found[:2] == pytest.approx([0, 2])
    assert np.isnan(found[2])


@pytest.mark.parametrize("level", [NOMINAL, ORDINAL, INTERVAL, RATIO])
def test_alpha_is_one_minus_their_mean(level: str) -> None:
    """Weighted by the number of answers."""
    data = answers(made(3))
    found = disputes(data, level)
    counted = ~np.isnan(found)
    mean = np.average(found[counted], weights=data.per_unit[counted])
    assert 1 - mean == pytest.approx(krippendorff_alpha(data, level).value, abs=1e-12)


def test_nothing_to_dispute() -> None:
    """Unanimous units have 0; without variation there is no measure of how far apart answers are."""
    assert disputes(answers(np.array([[1, 1], [2, 2]])), ORDINAL).tolist() == [0, 0]
    assert np.isnan(disputes(answers(np.array([[1, 1], [1, 1]])), ORDINAL)).all()
    assert np.isnan(disputes(answers(np.array([[1, N], [N, 2]])), ORDINAL)).all()
