"""All measures, and their intervals.

What holds for every measure: replicates, special cases, and what each asks of the answers.

Intervals of agreement: seeded, honest about what they cannot say, and the same however units are counted.
"""

from __future__ import annotations

import attrs
import krippendorff
import numpy as np
import pytest

from rubrica.core.ratings import INTERVAL, NOMINAL, ORDINAL, RATIO
from rubrica.stats import bootstrap
from rubrica.stats.agreement import krippendorff_alpha
from rubrica.stats.agreement.measures import (
    EVERY,
    FAMILIES,
    MEASURES,
    Measure,
    over_clusters,
    over_raters,
    over_units,
    unsuited,
)
from rubrica.stats.agreement.tally import not_pairable
from rubrica.stats.bootstrap import draws
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


@pytest.mark.parametrize("measure", EVERY, ids=lambda one: one.name)
def test_every_measure_has_an_interval_around_its_value(measure: Measure) -> None:
    """Low is below the value, high above, and the same seed gives the same again."""
    prepared = measure.prepare(answers(made(1, gaps=0.0, units=200)), measure.level(INTERVAL))
    found = over_units(prepared, 300, seed=4)
    value = prepared.statistic().value
    assert None not in (found.low.value, found.high.value, value)
    assert found.low.value < value < found.high.value
    assert over_units(prepared, 300, seed=4) == found
    assert over_units(prepared, 300, seed=5) != found


def test_equals_a_bootstrap_with_the_krippendorff_package() -> None:
    """Drawing units and calling the package each time gives the same interval, but for chance."""
    table = made(7, units=80, gaps=0.2)
    generator = np.random.default_rng(1)
    theirs = [
        krippendorff.alpha(
            reliability_data=table[generator.integers(len(table), size=len(table))].T, level_of_measurement=ORDINAL
        )
        for _ in range(1500)
    ]
    # The spread of the replicates; the ends are moved by the bias and the acceleration.
    drawn = draws((prepared := krippendorff_alpha.prepare_alpha(answers(table), ORDINAL)).times, 4000, generator)
    ours = np.concatenate([prepared.values(weights) for weights in drawn])
    assert np.quantile(ours, [0.025, 0.975]) == pytest.approx(np.quantile(theirs, [0.025, 0.975]), abs=0.015)
    found = over_units(prepared, 4000, seed=0)
    assert (found.low.value, found.high.value) == pytest.approx(np.quantile(theirs, [0.025, 0.975]), abs=0.04)


def test_units_that_look_alike_are_drawn_together() -> None:
    """Patterns are drawn as often as their units would be: same mean, same spread."""
    times = np.array([50.0, 30.0, 20.0])
    together = next(draws(times, 4000, np.random.default_rng(0)))
    alone = next(draws(np.ones(100), 4000, np.random.default_rng(0)))
    kinds = np.stack([alone[:, :50].sum(1), alone[:, 50:80].sum(1), alone[:, 80:].sum(1)], axis=1)
    assert together.sum(axis=1) == pytest.approx(100)
    assert together.mean(axis=0) == pytest.approx(kinds.mean(axis=0), abs=0.3)
    assert together.std(axis=0) == pytest.approx(kinds.std(axis=0), abs=0.2)


def test_blocks_do_not_change_how_many_replicates_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the blocks, every replicate is computed."""
    monkeypatch.setattr(bootstrap, "BLOCK", 100)
    assert over_units(krippendorff_alpha.prepare_alpha(answers(made(2)), ORDINAL), 57, seed=0).defined == 57


def test_no_interval_with_a_reason() -> None:
    """Few units, few raters, no resamples."""
    few = np.array([[1.0, 2.0, 2.0, 1.0, 2.0]] * 9)
    one_unit = krippendorff_alpha.prepare_alpha(answers(few), ORDINAL)
    assert "10 units" in over_units(one_unit, 100, 0).low.reason
    assert "asked for" in over_units(krippendorff_alpha.prepare_alpha(answers(made(1)), ORDINAL), 0, 0).low.reason
    assert "10 units" in over_clusters(one_unit, np.arange(9), 10, 0).low.reason
    two = answers(made(1, raters=3))
    prepare = lambda some, drawn: krippendorff_alpha.prepare_alpha(some, ORDINAL, drawn)  # noqa: E731
    assert "4 raters" in over_raters(two, prepare, 100, 0).low.reason
    assert "asked for" in over_raters(two, prepare, 0, 0).low.reason
    assert "10 units" in over_raters(answers(few), prepare, 9, 0, units=True).low.reason


@pytest.mark.parametrize("measure", [one for one in EVERY if one.raters], ids=lambda one: one.name)
def test_raters_drawn_twice_do_not_agree_with_themselves(measure: Measure) -> None:
    """Raters who answer at random stay around chance, though most replicates have somebody twice."""
    table = np.random.default_rng(3).integers(1, 4, size=(300, 5)).astype(float)
    level = measure.level(ORDINAL)
    data = answers(table)
    found = over_raters(data, lambda some, drawn: measure.prepare(some, level, drawn), 60, seed=1)
    value = measure.prepare(data, level).statistic().value
    assert None not in (found.low.value, found.high.value)
    assert found.low.value - 0.05 < value < found.high.value + 0.05
    assert found.high.value - found.low.value < 0.2


def test_drawing_each_rater_once_changes_nothing() -> None:
    """The weights of raters are 1 where everybody was drawn once."""
    data = answers(made(5))
    for measure in EVERY:
        if measure.raters:
            level = measure.level(ORDINAL)
            once = measure.prepare(data, level, np.ones(4)).statistic().value
            assert once == pytest.approx(measure.prepare(data, level).statistic().value, abs=1e-12)


def test_alpha_of_a_rater_drawn_twice_by_hand() -> None:
    """Two raters, the first drawn twice: the pairs are the same, the first's answers count twice by chance."""
    # Units (1, 1) and (1, 2). Unit disagreement, mean over pairs of two raters: 0 and 1, each weighing 3 answers.
    # Answers: 1 four times (two of them one person's twice), 1 and 2 once: totals 5 and 1.
    # Ordered pairs of answers at distance 1: 2 x 5 x 1 = 10, of 36 - own pairs; own: two units of 4 + 1 = 10.
    data = answers(np.array([[1.0, 1.0], [1.0, 2.0]]))
    found = krippendorff_alpha.prepare_alpha(data, "nominal", np.array([2.0, 1.0])).statistic()
    assert found.value == pytest.approx(1 - (3 / 6) / (10 / 26))


def test_units_made_of_one_unit_are_drawn_together() -> None:
    """Units that are the same answer many times over are no more information than one."""
    table = made(9, units=30, raters=2, gaps=0.0)
    data = answers(np.repeat(table, 8, axis=0))
    of_one = np.repeat(np.arange(30), 8)
    prepared = krippendorff_alpha.prepare_alpha(attrs.evolve(data, made_of=of_one), ORDINAL)
    clustered = over_clusters(prepared, of_one, 800, seed=0)
    plain = over_units(krippendorff_alpha.prepare_alpha(answers(table), ORDINAL), 800, seed=0)
    width = [one.high.value - one.low.value for one in (clustered, plain)]  # type: ignore[operator]
    assert width[0] == pytest.approx(width[1], rel=0.2)
