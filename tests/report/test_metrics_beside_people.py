"""Metrics beside people: rows, the table, the section of the report, and no trace in any other figure."""

from __future__ import annotations

import attrs
import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from rubrica.core.metric_values import MetricValues
from rubrica.core.ratings import CHOICE, NOMINAL, ORDINAL, SCALE, TEXT, YES_NO, Criterion, Rater, Rating, Ratings, Unit
from rubrica.report.metrics_beside_people import beside_people, beside_table
from rubrica.report.sections.section import Chart, Heading, Paragraph
from rubrica.report.tables import Table
from tests.report.made_ratings import made_ratings
from tests.report.test_report import report_of

CRITERIA = (
    Criterion("fluency", "Fluency", SCALE, ORDINAL, (1, 2, 3, 4, 5), 5),
    Criterion("missing", "missing", YES_NO, NOMINAL, ("no", "yes"), "no"),
    Criterion("fate", "fate", CHOICE, NOMINAL, ("keep", "drop"), "keep"),
    Criterion("mood", "mood", CHOICE, NOMINAL, ("warm", "cold")),
    Criterion("ease", "ease", SCALE, ORDINAL, ("hard", "easy")),
    Criterion("remark", "remark", TEXT, "open"),
)
RNG = np.random.default_rng(8)
MARKS = np.clip(RNG.integers(1, 6, size=(24, 1)) + RNG.integers(-1, 2, size=(24, 3)), 1, 5)
SCORES = 10 * MARKS.mean(axis=1) + RNG.normal(scale=9, size=24)
WHO = ("ana", "ben", "gpt")


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    """Twelve sources that two systems rewrote, rated by two people and a model; two metrics, one with a gap."""
    every = [
        Rating(
            f"u{unit}",
            who,
            {
                "fluency": int(mark),
                "missing": "no" if mark > 2 else "yes",
                "fate": "keep" if mark > 3 else "drop",
                "mood": "warm",
                "ease": "easy",
                "remark": "-",
            },
        )
        for unit, marks in enumerate(MARKS)
        for who, mark in zip(WHO, marks, strict=True)
    ]
    units = {f"u{unit}": Unit(f"u{unit}", "AB"[unit % 2], f"s{unit // 2}") for unit in range(24)}
    metrics = (
        MetricValues("sari", "SARI", "higher", "metric:sari", {f"u{unit}": SCORES[unit] for unit in range(24)}),
        MetricValues("fkgl-2", "FKGL", "lower", "metric:fkgl", {f"u{unit}": -SCORES[unit] for unit in range(23)}),
    )
    raters = {name: Rater(name, "model" if name == "gpt" else "person") for name in WHO}
    return Ratings("r", CRITERIA, tuple(every), units, raters, {"file": "r.csv"}, metrics=metrics)


def test_a_metric_with_the_mean_of_people(ratings: Ratings) -> None:
    """Equal to scipy on the mean of the two people; what a model said is no part of it."""
    rows = beside_people(ratings, replicates=200, seed=1)
    assert [row.question for row in rows] == ["fluency", "missing", "fate"]
    sari, fkgl = rows[0].metrics
    mean = MARKS[:, :2].mean(axis=1)
    assert sari.found.spearman.value == pytest.approx(spearmanr(mean, SCORES).statistic)
    assert sari.found.pearson.value == pytest.approx(pearsonr(mean, SCORES).statistic)
    assert sari.found.kendall.value == pytest.approx(kendalltau(mean, SCORES).statistic)
    assert sari.found.interval.low.value < sari.found.spearman.value < sari.found.interval.high.value
    assert fkgl.found.units == 23
    assert fkgl.towards == pytest.approx(spearmanr(mean[:23], SCORES[:23]).statistic)
    share = (MARKS[:, :2] > 2).mean(axis=1)
    assert rows[1].metrics[0].found.pearson.value == pytest.approx(pearsonr(share, SCORES).statistic)


def test_a_figure_that_only_describes_is_near_either_way(ratings: Ratings) -> None:
    """A compression ratio that falls while marks rise follows people as well as one that rises."""
    falling = {unit: -value for unit, value in ratings.metrics[0].values.items()}
    one = attrs.evolve(ratings.metrics[0], name="ratio", better="neither", values=falling)
    found = beside_people(attrs.evolve(ratings, metrics=(one,)), replicates=0)[0].metrics[0]
    rho = found.found.spearman.value
    assert rho is not None
    assert found.towards == -rho > 0


def test_people_with_each_other(ratings: Ratings) -> None:
    """Each person with the other, the model with both; their mean is of people alone."""
    row = beside_people(ratings, replicates=0)[0]
    ana, ben, model = row.raters
    assert ana.found.spearman.value == pytest.approx(spearmanr(MARKS[:, 0], MARKS[:, 1]).statistic)
    assert model.kind == "model"
    assert model.found.spearman.value == pytest.approx(spearmanr(MARKS[:, 2], MARKS[:, :2].mean(axis=1)).statistic)
    assert row.mean("spearman").value == pytest.approx((ana.found.spearman.value + ben.found.spearman.value) / 2)


def test_rows_for_scripts(ratings: Ratings) -> None:
    """The promised keys; an undefined figure is null with its reason."""
    flat = attrs.evolve(
        ratings, metrics=(MetricValues("flat", "Flat", "neither", "", dict.fromkeys(ratings.units, 1)),)
    )
    row = beside_people(flat, replicates=10)[0].as_json()[0]
    assert set(row) == {
        *("question", "metric", "kind", "better", "pearson", "spearman", "kendall", "low", "high", "units"),
        *("people", "human", "settings"),
    }
    assert row["spearman"] == {"value": None, "reason": "the metric's values do not vary"}
    assert row["low"] == {"value": None, "reason": "the metric's values do not vary"}
    assert (row["kind"], row["people"]["raters"]) == ("metric", 2)
    assert [one["rater"] for one in row["people"]["each"]] == list(WHO)


def test_the_table_marks_what_everybody_is(ratings: Ratings) -> None:
    """People first, then metrics; a metric with several settings has its name; lower is better is said."""
    table = beside_table(beside_people(ratings, replicates=10))
    assert [(row[1], row[2]) for row in table.rows[:6]] == [
        ("mean of 2 people", "people"),
        ("ana", "person"),
        ("ben", "person"),
        ("gpt", "model"),
        ("SARI", "metric"),
        ("FKGL (fkgl-2)", "metric"),
    ]
    assert "negative correlation agrees with people: FKGL." in table.note


def test_nobody_varies(ratings: Ratings) -> None:
    """A question that everybody always answered alike has one row with the reason."""
    same = [attrs.evolve(one, answers={**one.answers, "fluency": 3}) for one in ratings.every]
    table = beside_table(beside_people(ratings.of(same), replicates=10))
    assert [row[1] for row in table.rows if row[0] == "Fluency"] == ["mean of 2 people"]
    assert table.reasons()[0] == "the people's means do not vary"


def test_the_report_has_a_part_for_them(ratings: Ratings) -> None:
    """A heading, what it means, settings, a table and a chart; without metrics there is nothing."""
    section = report_of(ratings).section("agreement")
    assert Heading("Metrics beside people") in section.parts
    said = [part.text for part in section.parts if isinstance(part, Paragraph)]
    assert "Two metrics are registered in the study: SARI and FKGL (fkgl-2)." in " ".join(said)
    assert "SARI: metric:sari" in said
    (table,) = [part for part in section.parts if isinstance(part, Table) and part.id == "metrics_beside_people"]
    assert "metrics:sari+fkgl-2" in table.signature
    assert "A1" in {row[1] for row in table.rows}
    assert any(isinstance(part, Chart) and "SARI (metric)" in part.alt for part in section.parts)
    plain = report_of(made_ratings()).section("agreement")
    assert Heading("Metrics beside people") not in plain.parts


def test_every_other_figure_is_the_same(ratings: Ratings) -> None:
    """With and without metrics, all other tables and sections of the report are equal."""
    with_, without = report_of(ratings), report_of(attrs.evolve(ratings, metrics=()))
    tables = [table for table in with_.tables if not table.id.startswith(("metrics_", "correlation", "signatures"))]
    assert tables == [table for table in without.tables if table.id != "signatures"]
