"""A rater and the others: by hand, and rater by rater with SciPy on a table with gaps."""

import math

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from rubrica.stats.checks.with_others import correlations, same_answers
from rubrica.stats.coded import from_matrix, from_triples


@pytest.mark.parametrize("ranks", [False, True])
def test_correlation_with_the_mean_of_the_others(ranks: bool) -> None:
    """The same as SciPy's for each rater, gaps left out, units that nobody else rated too."""
    generator = np.random.default_rng(2)
    table = (generator.normal(3, 1, (60, 1)) + generator.normal(0, 1, (60, 5))).round()
    table[generator.random(table.shape) < 0.4] = math.nan
    table = table[~np.isnan(table).all(axis=1)]
    for rater, found in enumerate(correlations(from_matrix(table), ranks)):
        others = np.delete(table, rater, axis=1)
        both = ~np.isnan(table[:, rater]) & ~np.isnan(others).all(axis=1)
        measure = spearmanr if ranks else pearsonr
        expected = measure(table[both, rater], np.nanmean(others[both], axis=1))
        assert found.units == both.sum()
        assert found.value.value == pytest.approx(expected.statistic, abs=1e-10)


def test_undefined_without_variation_or_units() -> None:
    """Always 3, or two units only: there is no correlation, and the reason says why."""
    flat = correlations(from_matrix(np.array([[3.0, 1.0], [3.0, 2.0], [3.0, 5.0], [3.0, 4.0]])), ranks=False)
    assert [found.value.reason for found in flat] == [
        "no variation in the rater's own answers",
        "no variation in the others' means",
    ]
    few = correlations(from_matrix(np.array([[3.0, 1.0], [2.0, 2.0]])), ranks=False)
    assert few[0].value.reason == "fewer than 4 units that somebody else rated"


def test_share_of_the_same_answers() -> None:
    """Unit u: a, a, b; unit v: a, b; unit w: one rater. x has 1/2 of two others, then 0 of one: a mean of 1/4."""
    triples = [("u", "x", "a"), ("u", "y", "a"), ("u", "z", "b"), ("v", "x", "a"), ("v", "z", "b"), ("w", "q", "a")]
    found = same_answers(from_triples(triples, ("a", "b")))
    assert [(one.value.value, one.units) for one in found] == [(0.25, 2), (0.5, 1), (0.0, 2), (None, 0)]
    # x says a, which of the others (1/2 of two, then none of one) 1/4 say: no more than chance.
    assert found[0].beyond_chance.value == pytest.approx(0)


def test_without_answers_there_is_nobody() -> None:
    """No ratings, no raters: nothing for either kind of question."""
    assert same_answers(from_triples([], ("a", "b"))) == []
    assert correlations(from_triples([], (1, 2)), ranks=True) == []
