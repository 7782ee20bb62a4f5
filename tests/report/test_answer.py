"""The first screen of a report: one table, one chart, three sentences."""

from __future__ import annotations

import io

import attrs
import openpyxl
import pytest

from rubrica.core.ratings import (
    GOLD,
    MASI,
    NOMINAL,
    ORDINAL,
    SCALE,
    VERDICT,
    WORDS,
    Criterion,
    Rater,
    Rating,
    Ratings,
    Unit,
)
from rubrica.report.html import as_html
from rubrica.report.report import Report
from rubrica.report.sections.section import Chart, Paragraph
from rubrica.report.tables import Estimate, Measured, Table, as_csv, as_latex, as_xlsx, shown
from tests.report.made_ratings import made_ratings
from tests.report.test_report import prose, report_of

SYSTEMS = {"best": 5, "also_best": 5, "worst": 1}


def many_ratings(sources: int = 20) -> Ratings:
    """Three systems on the same sources by three raters: two are alike, one is far below; two planted, one skipped."""
    every, units = [], {}
    for place in range(sources):
        for system, mark in SYSTEMS.items():
            key = f"{place}/{system}"
            units[key] = Unit(key, system, f"s{place}", texts={"source": "A text.", "rewrite": "Text."})
            for number, rater in enumerate(("r1", "r2", "r3")):
                given = max(1, min(5, mark - (place + number) % 2)) if mark > 1 else 1 + (place + number) % 2
                every.append(Rating(key, rater, {"meaning": given, "fluency": 3 + (place + number) % 2}))
    units["gold"] = Unit("gold", "best", "gold", texts={"source": "A.", "rewrite": "B."})
    every += [Rating("gold", rater, {"meaning": 5}, planted=GOLD, known={"meaning": 5}) for rater in ("r1", "r2")]
    every.append(Rating("0/best", "r4", {}, outcome="cannot_judge"))
    criteria = tuple(Criterion(name, name, SCALE, ORDINAL, (1, 2, 3, 4, 5), 5) for name in ("meaning", "fluency"))
    raters = {name: Rater(name) for name in ("r1", "r2", "r3", "r4")}
    return Ratings("many", criteria, tuple(every), units, raters, {"file": "many.csv"})


@pytest.fixture(scope="module")
def many() -> Report:
    """The report of these ratings."""
    return report_of(many_ratings(), replicates=200)


def table_of(report: Report) -> Table:
    """The table of the first screen."""
    (table,) = (part for part in report.section("answer").parts if isinstance(part, Table))
    return table


def test_the_best_system_stands_first_however_they_came() -> None:
    """By the mean of the places in the criteria; of equals the one that came first."""
    ratings = many_ratings()
    first = {"worst": "a worst", "best": "b best", "also_best": "c also best"}
    units = {key: attrs.evolve(unit, system=first[unit.system]) for key, unit in ratings.units.items()}
    turned = attrs.evolve(ratings, units=dict(reversed(units.items())), every=ratings.every[::-1])
    table = table_of(report_of(turned, replicates=200))
    assert table.rows[-1][0] == "a worst"
    assert "mean of the places" in table.note


def test_systems_by_criterion_with_the_tied_cluster_in_bold(many: Report) -> None:
    """A row for each system, a column for each criterion; what cannot be told from the best is marked."""
    table = table_of(many)
    assert [column.title for column in table.columns] == [
        *("System", "Judgements", "Meaning (1 to 5)", "Fluency (1 to 5)"),
    ]
    assert [row[:2] for row in table.rows] == [("best", 60), ("also_best", 60), ("worst", 60)]
    assert all(
        isinstance(cell, Measured) and isinstance(cell.value, Estimate) for row in table.rows for cell in row[2:]
    )
    assert shown(table.rows[0][2], table.columns[2]).startswith("4.50 [")
    assert {place for place in table.best if place[1] == 2} == {(0, 2), (1, 2)}
    assert {place for place in table.best if place[1] == 3} == {(0, 3), (1, 3), (2, 3)}


def test_nothing_is_bold_where_nothing_could_be_tested() -> None:
    """Systems that share no source cannot be told apart by a test: the table marks none of them as best."""
    ratings = many_ratings()
    alone = {key: attrs.evolve(unit, source=key) for key, unit in ratings.units.items()}
    report = report_of(attrs.evolve(ratings, units=alone), replicates=200)
    table = table_of(report)
    assert table.best == frozenset()
    assert "Bold" not in " ".join(table.notes())
    said = "No difference between systems could be tested: they were rated on no common source."
    assert said in prose(report.section("answer"))


def test_the_chart_orders_systems_as_the_table_does() -> None:
    """The best stands first in both, however the systems came."""
    report = report_of(attrs.evolve(many_ratings(), every=many_ratings().every[::-1]), replicates=200)
    (chart,) = report.section("answer").charts
    order = chart.spec["concat"][0]["encoding"]["y"]["sort"]
    assert order == [row[0] for row in table_of(report).rows]
    assert "with 95 % interval" in str(chart.spec["title"])


def test_with_too_few_sources_neither_table_nor_chart_promises_intervals() -> None:
    """The note says once that figures are means without intervals, and why."""
    report = report_of(many_ratings(3), replicates=200)
    (chart,) = report.section("answer").charts
    note = table_of(report).note
    assert note.startswith("Means, without intervals: an interval needs at least 10 sources.")
    assert "[95 %" not in note
    assert "No interval" not in note
    assert "95 %" not in str(chart.spec["title"])
    assert "too few" in str(chart.spec["title"])
    assert "three sources tell only large differences" in prose(report.section("answer")), "the planted one is none"


def test_one_chart_which_is_not_shown_again(many: Report) -> None:
    """The chart of systems stands on the first screen, and nowhere else."""
    charts = [part for part in many.section("answer").parts if isinstance(part, Chart)]
    assert [chart.id for chart in charts] == ["systems"]
    assert [chart.id for chart in many.charts].count("systems") == 1


def test_three_sentences_say_what_holds_who_agrees_and_where_to_be_careful(many: Report) -> None:
    """Each is a point of a list below the chart."""
    points = [one.text for one in many.section("answer").parts if isinstance(one, Paragraph) and one.kind == "list"]
    assert len(points) == 3
    assert "tested differences hold" in points[0]
    assert "Krippendorff" in points[1]
    assert points[2].startswith("Be careful: ")


def test_one_source_says_nothing_about_others() -> None:
    """A single judgement has an answer, no agreement, and a sentence that is one."""
    made = made_ratings()
    key = next(iter(made.units))
    first = next(rating for rating in made.every if rating.unit == key)
    alone = {key: attrs.evolve(made.units[key], system="")}
    said = prose(report_of(attrs.evolve(made, units=alone, every=(first,))).section("answer"))
    assert "one source says nothing about others" in said
    assert "Agreement cannot be given: there is one rater only." in said


def test_counts_of_export_and_results_are_reconciled(many: Report) -> None:
    """183 judgements are exported and 180 count: it is said why not the others."""
    said = prose(many.section("answer"))
    assert "180 judgements" in said
    assert "An export has 183; not counted are 2 of planted items and 1 left without an answer." in said


def test_without_systems_the_table_has_questions_and_agreement() -> None:
    """A row for each question: what came out over all items, alpha and percent agreement."""
    made = made_ratings()
    units = {key: attrs.evolve(unit, system="", source="") for key, unit in made.units.items()}
    table = table_of(report_of(attrs.evolve(made, units=units)))
    assert [row[0] for row in table.rows] == ["Meaning", "Missing facts", "Fate"]
    assert [column.id for column in table.columns] == ["question", "result", "alpha", "percent", "answers"]
    assert shown(table.rows[1][1], table.columns[1]) == "no 60\u00a0%"


def test_words_and_verdicts_come_out_as_figures() -> None:
    """Words given on average and how often none was simpler; of a verdict the share that reached it."""
    criteria = (
        Criterion("substitutes", "Substitutes", WORDS, MASI, blank=True),
        Criterion("accepted", "Accepted", VERDICT, NOMINAL, ("no", "yes"), "yes"),
    )
    said = [(("hard", "tough"), "yes"), ((), "no"), (("tough",), "yes"), (("stony",), "yes")]
    every = tuple(
        Rating(f"w{place // 2}", f"r{place % 2}", {"substitutes": words, "accepted": verdict})
        for place, (words, verdict) in enumerate(said)
    )
    units = {key: Unit(key, texts={"context": "An arid text.", "target": "arid"}) for key in ("w0", "w1")}
    raters = {name: Rater(name) for name in ("r0", "r1")}
    table = table_of(report_of(Ratings("words", criteria, every, units, raters, {"file": "words.csv"})))
    assert [(row[0], row[1], row[-1]) for row in table.rows] == [
        ("Substitutes", "1.00 words, none 25\u00a0%", 4),
        ("Accepted", "yes 75\u00a0%", 4),
    ]


def test_only_the_answer_stands_open(many: Report) -> None:
    """All other sections are folded, and what a link leads to is inside the fold, so that it opens."""
    page = as_html(many, {})
    assert page.count("<details><summary><h2") == len(many.sections) - 1
    first = page.index('id="answer"')
    assert first < page.index("<details><summary><h2")
    assert '<div id="agreement">' in page


def test_the_table_for_the_paper_in_its_forms(many: Report) -> None:
    """LaTeX has mean and interval in one cell, Excel the same with every digit on a second sheet, CSV every digit."""
    table = table_of(many)
    assert "4.50 [" in as_latex(table)
    assert "meaning.mean_low" in as_csv(table).splitlines()[0]
    book = openpyxl.load_workbook(io.BytesIO(as_xlsx(table)))
    assert book["Table"]["C2"].value.startswith("4.50 [")
    assert book["Table"]["C2"].font.bold
    assert book["Numbers"]["C2"].value == 4.5


def test_a_name_that_looks_like_a_formula_stays_text() -> None:
    """What a system is called is never computed by a spreadsheet."""
    table = Table("t", "T", table_of(report_of(made_ratings())).columns[:1], (("=1+1",),))
    cell = openpyxl.load_workbook(io.BytesIO(as_xlsx(table)))["Table"]["A2"]
    assert (cell.value, cell.data_type) == ("=1+1", "s")
