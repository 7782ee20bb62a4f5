"""Correlations of metrics with people: what people said as numbers, parts of the data, figures, tables."""

from __future__ import annotations

import attrs
import numpy as np
import pytest
from scipy import stats

from rubrica.core.errors import InputError
from rubrica.core.ratings import INTERVAL, SCALE, Criterion, Rater, Rating, Unit
from rubrica.report.correlation import Choices, Correlations, correlate, lower_is_better, steps
from rubrica.report.correlation_charts import sentence_rows, system_rows
from rubrica.report.correlation_data import PeopleScores, Scope, data_of, people_scores
from rubrica.report.correlation_tables import (
    correlation_tables,
    figure_table,
    metric_table,
    paper_table,
    plain_name,
    short,
)
from rubrica.report.tables import as_latex, flat_rows
from tests.report.made_correlations import QUALITY, data, found, made
from tests.report.made_ratings import made_ratings


def test_answers_become_numbers() -> None:
    """Scales as they are, yes and no as shares of the good answer; labels without a good one are left out, and said."""
    people = people_scores(made_ratings())
    assert [(one.criterion, one.title) for one in people.criteria] == [
        ("meaning", "meaning"),
        ("missing", "no missing facts"),
    ]
    # s1/old has the ratings 1 and 2, and twice yes, where no is good; s2/old yes and no.
    assert people.criteria[0].scores["s1/old"] == 1.5
    assert people.criteria[1].scores["s1/old"] == 0.0
    assert people.criteria[1].scores["s2/old"] == 0.5
    assert people.remarks == ("no numbers, and left out: fate",)


def test_ways_to_combine_raters() -> None:
    """The median, the mean of standardised answers, and a named answer as 1."""
    ratings = made_ratings()
    assert people_scores(ratings, "median").criteria[0].scores["s2/new"] == 2.5
    # Worker 77 gave 2, 3, 2, 2: mean 2.25, standard deviation 0.5; Maria 1, 3, 1: mean 5/3, variance 4/3.
    standard = people_scores(ratings, "z").criteria[0].scores
    assert standard["s1/new"] == pytest.approx(((3 - 2.25) / 0.5 + (3 - 5 / 3) / (4 / 3) ** 0.5) / 2)
    kept = people_scores(ratings, good={"fate": "keep"}).criteria[2]
    assert (kept.title, kept.scores["s1/old"]) == ("fate: keep", 0.5)
    with pytest.raises(InputError, match="no answer 'burn'"):
        people_scores(ratings, good={"fate": "burn"})


def test_rows_are_those_of_the_paper() -> None:
    """Each data set and system, each data set, each system, all; one data set has no rows of its own."""
    scopes = data().scopes
    systems = [name for name in QUALITY if name != "human"]
    assert scopes == [
        *(Scope(dataset, system) for dataset in ("news", "law") for system in systems),
        Scope("news"),
        Scope("law"),
        *(Scope(None, system) for system in systems),
        Scope(),
    ]
    units, people, scores = made()
    single = data_of([unit for unit in units if unit.dataset == "law"], people, scores, ["good"])
    assert single.scopes == [*(Scope(None, system) for system in QUALITY), Scope()]
    assert len(data(human=()).of(Scope("law", "new"))) == 14


def test_sentences_equal_scipy() -> None:
    """Every coefficient of every part, on the units that have both scores."""
    _, people, scores = made()
    for one in found().sentences:
        human = next(own.scores for own in people if own.criterion == one.criterion)
        units = [
            unit
            for unit in data().units
            if one.metric in scores[unit.key]
            and one.scope.dataset in (None, unit.dataset)
            and one.scope.system in (None, unit.system)
        ]
        left, right = [human[unit.key] for unit in units], [scores[unit.key][one.metric] for unit in units]
        assert one.n == len(units)
        if len(set(left)) > 1:
            wanted = stats.kendalltau(left, right)
            assert one.values["kendall"].value.value == pytest.approx(wanted.statistic, abs=1e-9)
            assert one.p["kendall"].value == pytest.approx(wanted.pvalue, abs=1e-9)
        else:
            assert one.values["kendall"].value.reason == "people's scores do not vary"


def test_systems_equal_scipy() -> None:
    """Means over units with both scores; orders of systems; no interval from three of them."""
    one = next(r for r in found().systems if (r.scope, r.criterion, r.metric) == (Scope(), "meaning", "good"))
    _, people, scores = made()
    sides: tuple[list[float], list[float]] = ([], [])
    for system in ("old", "new", "best"):
        keys = [unit.key for unit in data().units if unit.system == system and "good" in scores[unit.key]]
        sides[0].append(float(np.mean([people[0].scores[key] for key in keys])))
        sides[1].append(float(np.mean([scores[key]["good"] for key in keys])))
    assert one.values["pearson"].value.value == pytest.approx(stats.pearsonr(*sides).statistic, abs=1e-9)
    assert (one.n, one.pairwise.accuracy.value, one.pairwise.pairs) == (3, 1.0, 3)
    assert one.values["pearson"].low == (None, "an interval needs at least 10 systems")
    # Three systems in one order: chance gives that, or the reverse, two times in six.
    spearman = one.coefficients["spearman"]
    assert (spearman.estimate.value.value, spearman.p.value) == (1.0, 0.0)
    assert spearman.resampled.value == pytest.approx(1 / 3)
    assert not one.significant("spearman", 0.05)


def many_systems(systems: int, strength: float, seed: int) -> Correlations:
    """A metric and people on twenty sources of so many systems, which differ."""
    generator = np.random.default_rng(seed)
    good = generator.normal(0, 0.5, systems)
    also = strength * good + (1 - strength**2) ** 0.5 * generator.normal(0, 0.5, systems)
    units = [Unit(f"{source}/{name}", f"s{name}", str(source)) for source in range(20) for name in range(systems)]
    noise = generator.normal(0, 1, (2, len(units)))
    place = [int(unit.system[1:]) for unit in units]
    said = PeopleScores("c", "c", {u.key: good[p] + n for u, p, n in zip(units, place, noise[0], strict=True)})
    scores = {u.key: {"m": also[p] + n} for u, p, n in zip(units, place, noise[1], strict=True)}
    return correlate(data_of(units, [said], scores, ["m"]), Choices(replicates=400, permutations=0, compare=False))


def test_systems_are_drawn_as_well_as_sources() -> None:
    """Of 12 systems the interval is that of few points: about as wide as Fisher's for twelve, not for 240 rewrites."""
    (one,) = many_systems(12, 0.8, 1).systems
    value, low, high = (part.value for part in one.values["pearson"])
    assert None not in (value, low, high)
    wide = np.tanh(np.arctanh(value) + np.array([-1, 1]) * 1.96 / 3)
    assert high - low > 0.6 * (wide[1] - wide[0])
    (few,) = many_systems(9, 0.8, 1).systems
    assert few.values["pearson"].low.reason == "an interval needs at least 10 systems"


def test_daggers_and_intervals_are_of_one_procedure() -> None:
    """A dagger stands where the interval has 0 in it, on every row, rewrites of one source hanging together."""
    seen = set()
    for seed in range(12):
        one = many_systems(12, 0.3, seed)
        for row in (*one.sentences, *one.systems):
            for name, own in row.coefficients.items():
                _, low, high = (part.value for part in own.estimate)
                if low is not None and high is not None:
                    seen.add(row.significant(name, 0.05))
                    assert row.significant(name, 0.05) is not (low <= 0 <= high)
    assert seen == {True, False}


def test_ties_of_systems_are_ties() -> None:
    """The same scores in another order are the same mean: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 to a computer.

    Two of the three systems tie on both sides, so all three pairs are right and tau-b is 1; without, one pair is wrong.
    """
    up, down = (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)
    units = [Unit(f"{source}{system}", system, str(source)) for source in range(3) for system in "xyz"]
    people = {"x": up, "y": down, "z": (1.0, 1.0, 1.0)}
    metric = {"x": down, "y": up, "z": (1.0, 1.0, 1.0)}
    said = PeopleScores("c", "c", {unit.key: people[unit.system][int(unit.source)] for unit in units})
    scores = {unit.key: {"m": metric[unit.system][int(unit.source)]} for unit in units}
    (one,) = correlate(data_of(units, [said], scores, ["m"]), Choices(replicates=0, permutations=0)).systems
    assert one.pairwise.accuracy.value == 1.0
    assert one.values["kendall"].value.value == pytest.approx(1.0)


def test_ties_of_standardised_answers_are_ties() -> None:
    """Two units with the same answers tie, in whatever order raters gave them."""
    answers = {"u": (4, 4, 1), "w": (3, 5, 4), "x": (4, 3, 4), "y": (3, 5, 2), "v": (4, 4, 1)}
    every = []
    for unit, numbers in answers.items():
        given = list(zip("abc", numbers, strict=True))
        every += [Rating(unit, rater, {"c": n}) for rater, n in (reversed(given) if unit == "v" else given)]
    ratings = attrs.evolve(
        made_ratings(),
        criteria=(Criterion("c", "c", SCALE, INTERVAL),),
        every=tuple(every),
        units={name: Unit(name) for name in answers},
        raters={name: Rater(name) for name in "abc"},
    )
    scores = people_scores(ratings, "z").criteria[0].scores
    assert scores["u"] == scores["v"]


def test_the_better_metric_is_found() -> None:
    """Both tests, after Holm; on units that both metrics scored."""
    one = next(test for test in found().tests if (test.level, test.criterion) == ("sentence", "meaning"))
    assert (one.first, one.second, one.n) == ("good", "weak", 88)
    assert one.permutation_holm.value == pytest.approx(1 / 61)
    assert one.williams_holm.value is not None
    assert one.williams_holm.value < 0.01
    assert one.difference.low.value is not None
    assert one.difference.low.value > 0


def test_resampling_units_is_narrower_or_wider_but_not_the_same() -> None:
    """Units drawn one by one give other intervals, the same values, and the same pairs within sources."""
    other = correlate(data(apart=True), Choices(replicates=60, permutations=0, compare=False, resample="units"))
    for one, same in zip(found().sentences, other.sentences, strict=True):
        assert one.values["pearson"].value == same.values["pearson"].value
        assert one.by_source == same.by_source
    whole, again = found().sentences[-1], other.sentences[-1]
    assert whole.values["pearson"].low != again.values["pearson"].low


def test_steps_are_told() -> None:
    """Progress reaches what was announced."""
    told: list[int] = []
    choices = Choices(replicates=0, permutations=0)
    correlate(data(), choices, done=told.append)
    assert told == list(range(1, steps(data(), choices) + 1))


def test_the_papers_table() -> None:
    """Three digits without the zero, a dagger where p is not below alpha, the note says what is left out."""
    table = paper_table(found(), "weak")
    assert [column.title for column in table.columns] == ["data set", "system", "meaning", "no faults", "n"]
    assert table.rows[-1][:2] == ("all data sets", "all systems")
    daggers = {
        (row[:2], column): str(row[column]).endswith("†")
        for row in table.rows
        for column in (2, 3)
        if isinstance(row[column], str)
    }
    assert True in daggers.values()
    whole = found().sentence(Scope(), "meaning", "weak")
    assert daggers[("all data sets", "all systems"), 2] is not whole.significant("spearman", 0.05)
    assert "Left out: human." in table.note
    assert r"$\dagger$" in as_latex(table)
    assert [short(value) for value in (0.3666, -0.037, 1.0, -1.0, -0.0001)] == [
        ".367",
        "-.037",
        "1.000",
        "-1.000",
        ".000",
    ]


def test_tables_for_people_and_programs() -> None:
    """One table for each metric, then all together, systems, tests; programs get every digit."""
    names = [table.id for table in correlation_tables(found())]
    assert names == [
        *("correlation-good", "correlation-weak", "correlation-sentences", "correlation-systems"),
        "correlation-tests",
    ]
    rows = flat_rows(figure_table(found()))
    assert len(rows) == len(found().sentences) + len(found().systems)
    assert rows[0]["spearman"] == found().sentences[0].values["spearman"].value.value
    # Three systems are in the same order by chance one time in six, and the t distribution says never.
    assert "Kendall's are exact" in correlation_tables(found())[3].note
    few = attrs.evolve(found(), tests=())
    assert metric_table(few).rows == ()


def test_what_charts_show() -> None:
    """A point for each rewrite that has both scores, and for each system; names of files are plain."""
    assert len(sentence_rows(found(), "good")) == 2 * 88
    assert {row["system"] for row in system_rows(found(), "weak")} == {"old", "new", "best"}
    metrics = ("SARI (add)", "ß/..", "//", "ß")
    other = attrs.evolve(found(), data=attrs.evolve(data(), metrics=metrics))
    assert [plain_name(other, name) for name in metrics] == ["sari--add", "ß-2", "3", "ß-4"]


def test_of_which_metrics_less_is_better() -> None:
    """Known of figures of ours, whatever their capitals; nothing is assumed of others."""
    assert lower_is_better(["overlap", "quality_of_text", "sari_add"]) == frozenset()
    assert lower_is_better(["TER", "fkgl", "sari"]) == {"TER", "fkgl"}
