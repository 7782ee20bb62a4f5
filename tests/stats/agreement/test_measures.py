"""What holds for every measure: replicates, special cases, and what each asks of the answers."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from rubrica.core.ratings import INTERVAL, NOMINAL, ORDINAL, RATIO
from rubrica.stats.agreement.measures import EVERY, FAMILIES, MEASURES, Measure, unsuited
from rubrica.stats.agreement.undefined import not_pairable
from rubrica.stats.coded import Real, from_triples
from rubrica.stats.statistic import Statistic
from tests.stats.agreement.data import N, answers, made


def _value(measure: Measure, table: Real | list[list[float]], level: str = ORDINAL) -> Statistic:
    data = answers(np.array(table, dtype=float))
    reason = not_pairable(data)
    return Statistic(None, reason) if reason else measure.prepare(data, measure.level(level)).statistic()


@pytest.mark.parametrize("measure", EVERY, ids=lambda one: one.name)
@pytest.mark.parametrize("gaps", [0.0, 0.25])
def test_a_replicate_is_the_same_as_repeated_units(measure: Measure, gaps: float) -> None:
    """Weights of units give what the data give in which each unit stands that many times."""
    table = made(11, units=40, points=23, gaps=gaps)
    table = table[(~np.isnan(table)).sum(axis=1) > 1]
    if measure.family == "icc":
        table = table[~np.isnan(table).any(axis=1)]
    times = np.random.default_rng(0).integers(0, 4, size=len(table))
    data = answers(table)
    kept_apart = attrs.evolve(data, made_of=np.arange(len(data.units)))
    # All values must stay known, because weights of Gwet's AC2 depend on them.
    repeated = answers(np.repeat(table, times, axis=0)).widened(data.values)
    level = measure.level(INTERVAL)
    found = measure.prepare(kept_apart, level).values(np.array([times, np.ones(len(times))], dtype=float))
    assert found[0] == pytest.approx(measure.prepare(repeated, level).statistic().value, abs=1e-9)
    assert found[1] == pytest.approx(measure.prepare(data, level).statistic().value, abs=1e-9)


UNANIMOUS = [[1, 1, 1], [3, 3, 3], [5, 5, 5], [3, 3, 3]]
ONE_VALUE = [[4, 4, 4], [4, 4, 4], [4, 4, 4]]
DISJOINT = [[1, N, N], [N, 2, N], [N, N, 3]]
ONE_RATER = [[1.0], [2.0], [3.0]]
NOBODY = [[N, N], [N, N]]
ONE_UNIT = [[1, 2, 4]]


@pytest.mark.parametrize("measure", EVERY, ids=lambda one: one.name)
def test_unanimous_raters_agree_fully(measure: Measure) -> None:
    """Where everybody always gave the same answer, and more than one value was used, agreement is 1."""
    assert _value(measure, UNANIMOUS).value == pytest.approx(1)


@pytest.mark.parametrize("measure", EVERY, ids=lambda one: one.name)
def test_one_value_only(measure: Measure) -> None:
    """If all answers are the same, percent agreement is 1 however it is counted, and nothing else can be said."""
    found = _value(measure, ONE_VALUE)
    if measure.family == "percent":
        assert found.value == 1
    else:
        assert found.value is None
        assert found.reason.startswith("no variation")


@pytest.mark.parametrize("measure", EVERY, ids=lambda one: one.name)
@pytest.mark.parametrize(
    ("table", "reason"),
    [(DISJOINT, "no overlap"), (ONE_RATER, "one rater"), (NOBODY, "no answer")],
    ids=["disjoint", "one rater", "nobody"],
)
def test_nothing_to_compare(measure: Measure, table: list[list[float]], reason: str) -> None:
    """Raters without a common unit, one rater, no answers: undefined, never 0 or 1."""
    found = _value(measure, table)
    assert found.value is None
    assert reason in found.reason


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # Expected and observed disagreement come from the same three answers.
        ("alpha", 0.0),
        # No pair agrees; each category has a third: (0 - 1/3) / (1 - 1/3).
        ("fleiss", -0.5),
        ("cohen", 0.0),
        # Chance agreement: 3 x (1/3 x 2/3) / (3 - 1) = 1/3.
        ("ac1", -0.5),
        ("percent", 0.0),
    ],
)
def test_one_unit(name: str, value: float) -> None:
    """One unit has a value by the formulas, which says little; measures of variance between units have none."""
    assert _value(MEASURES[name], ONE_UNIT).value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", ["icc(1,1)", "icc(2,1)", "icc(3,k)", "pearson", "spearman", "kendall"])
def test_one_unit_has_no_variance(name: str) -> None:
    """Correlations of any kind need two units."""
    found = _value(MEASURES[name], ONE_UNIT, INTERVAL)
    assert found.value is None
    assert found.reason


def test_what_measures_ask_of_answers() -> None:
    """Labels have no mean, sets no order, and a ratio scale no negative numbers."""
    words = from_triples([("1", "a", "x"), ("1", "b", "y")], ("x", "y"))
    assert "needs numbers" in unsuited(MEASURES["icc(1,1)"], words, NOMINAL)
    assert "needs numbers" in unsuited(MEASURES["pearson"], words, ORDINAL)
    assert "in an order" in unsuited(MEASURES["ac2"], words, NOMINAL)
    assert unsuited(MEASURES["kendall"], words, ORDINAL) == ""
    assert "level interval needs numbers" in unsuited(MEASURES["alpha"], words, INTERVAL)
    assert "negative" in unsuited(MEASURES["alpha"], answers(np.array([[-1.0, 2.0]])), RATIO)


def test_every_family_of_the_command_line() -> None:
    """The ten families that --measure promises."""
    assert FAMILIES == ("alpha", "fleiss", "cohen", "ac1", "ac2", "icc", "percent", "pearson", "spearman", "kendall")


@pytest.mark.parametrize("measure", EVERY, ids=lambda one: one.name)
def test_the_largest_numbers_are_numbers(measure: Measure) -> None:
    """Only proportions of distances count: numbers near the largest there are give what small ones give."""
    table = np.array([[1, -1, 1], [1, 1, 1], [0, 1, 0], [-1, -1, 1], [0, 0, 0]], dtype=float)
    small = _value(measure, table, INTERVAL).value
    assert _value(measure, table * 8e307, INTERVAL).value == pytest.approx(small, abs=1e-9)
