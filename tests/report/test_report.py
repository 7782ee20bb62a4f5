"""The report of a handful of ratings: its sections, what they say, and what they say when there is nothing."""

from __future__ import annotations

import attrs
import pytest

from rubrica.core.ratings import NOMINAL, YES_NO, Criterion, Rater, Rating, Ratings, Unit
from rubrica.report.anonymous import aliases, anonymous
from rubrica.report.report import MAKERS, STEPS, Report, build
from rubrica.report.sections.section import Asked, Case, Choices, Paragraph, Section, Subject
from rubrica.report.tables import Estimate, Table
from rubrica.stats.statistic import Statistic
from tests.conftest import NOW
from tests.report.made_ratings import NAMES, made_ratings

IDS = (
    *("answer", "summary", "materials", "protocol", "annotators", "ratings", "agreement", "checks"),
    *("comparison", "results", "disputed", "datasheet", "reproduce"),
)


def report_of(ratings: Ratings, **choices: int) -> Report:
    """The report of ratings without names."""
    known = aliases(ratings.raters.values())
    subject = Subject(ratings=anonymous(ratings, known), choices=Choices(**{"replicates": 100, "seed": 1, **choices}))
    return build(subject, NOW)


@pytest.fixture(scope="module")
def report() -> Report:
    """The report of the made ratings."""
    return report_of(made_ratings())


def prose(section: Section) -> str:
    """All paragraphs of a section."""
    return "\n".join(part.text for part in section.parts if isinstance(part, Paragraph))


def test_sections_come_in_the_order_of_a_paper(report: Report) -> None:
    """From the answer to how to reproduce; each has something in it."""
    assert tuple(section.id for section in report.sections) == IDS
    assert all(section.parts for section in report.sections)


def test_the_summary_has_the_findings_with_their_numbers(report: Report) -> None:
    """Three annotators, ten judgements of six items; new is ahead of old: 2.80 against 1.80."""
    said = prose(report.section("summary"))
    assert "Three annotators judged six items by two systems: ten judgements, 1.7 per item." in said
    assert "new has the higher mean Meaning (2.80 against 1.80)" in said


def test_every_table_is_signed_and_has_a_name_of_its_own(report: Report) -> None:
    """A table without a signature could not be made again; two of one name would overwrite each other."""
    assert all(table.signature for table in report.tables if table.id != "signatures")
    names = [table.id for table in report.tables]
    assert len(set(names)) == len(names)
    assert all("file:made.csv" in table.signature for table in report.tables if table.id != "signatures")


def test_every_chart_has_a_table_behind_it(report: Report) -> None:
    """And a description for those who do not see it."""
    tables = {table.id for table in report.tables}
    assert report.charts
    for chart in report.charts:
        assert chart.table in tables
        assert chart.alt.endswith(".")


def test_undefined_cells_say_why(report: Report) -> None:
    """A value that is missing is never 0, and has its reason unless the column's note has it."""
    for table in report.tables:
        if table.id.startswith(("checks", "comparison_tests")):
            continue
        for row in table.rows:
            for cell in row:
                statistic = cell.value if isinstance(cell, Estimate) else cell
                if isinstance(statistic, Statistic):
                    assert statistic.value is not None or statistic.reason, (table.id, row)


def test_disputed_items_show_texts_and_answers(report: Report) -> None:
    """On s2/old one said 1 and another 3: the most disputed item, with both answers."""
    cases = [part for part in report.section("disputed").parts if isinstance(part, Case)]
    assert cases[0].title == "Item s2/old, old"
    assert {line.label: line.text for line in cases[0].answers}["Meaning"] == "A1: 1; A3: 3"
    assert "Text <i>s2</i> & more" in {line.text for line in cases[0].texts}
    assert "remark" not in {line.label.lower() for line in cases[0].answers}


def test_as_many_disputed_items_as_asked_for() -> None:
    """One, or none at all."""
    for wanted in (1, 0):
        found = report_of(made_ratings(), disputed=wanted).section("disputed")
        assert sum(isinstance(part, Case) for part in found.parts) == wanted


def test_one_system_is_not_compared() -> None:
    """The section stays and says why it is empty; so does its part of the summary."""
    ratings = made_ratings()
    one = ratings.of(rating for rating in ratings.every if rating.unit.endswith("old"))
    found = report_of(one)
    assert prose(found.section("comparison")) == "All items are of one system (old), so there is nothing to compare."
    assert "ahead" not in prose(found.section("summary"))


def test_a_single_annotator_agrees_with_nobody() -> None:
    """Agreement is undefined, in words; nothing breaks."""
    ratings = made_ratings()
    one = ratings.of(rating for rating in ratings.every if rating.rater == NAMES[0])
    found = report_of(attrs.evolve(one, raters={NAMES[0]: Rater(NAMES[0])}))
    assert "no value can be given" in prose(found.section("agreement"))
    assert "No item has two judgements" in prose(found.section("disputed"))


def test_a_single_question_has_consistency_too() -> None:
    """Two of three answers are the same again: in the table, in words, and in the datasheet."""
    ratings = made_ratings()
    only = attrs.evolve(ratings, criteria=ratings.criteria[:1])
    again = [
        attrs.evolve(one, planted="duplicate", original=one.unit, answers={"meaning": 3}) for one in ratings.every[2:5]
    ]
    found = report_of(attrs.evolve(only, every=(*ratings.every, *again)))
    assert "Of three answers to repeated items, 67\u00a0% are the same as before (within one point" in prose(
        found.section("checks")
    )
    assert [table.id for table in found.section("checks").tables].count("checks_planted") == 1
    asked = {part.id: part for part in found.section("datasheet").parts if isinstance(part, Asked)}
    assert "of three answers to items that came twice, 67\u00a0% are the same as before" in asked["4.1.7"].answer
    assert (
        "not measured"
        in {part.id: part.answer for part in report_of(ratings).section("datasheet").parts if isinstance(part, Asked)}[
            "4.1.7"
        ]
    )


def test_agreement_that_may_be_chance_is_not_called_enough() -> None:
    """Two of 20 items have a rare answer, and a third is open: alpha is 0.78, but its interval reaches 0.

    Values: 5 yes and 35 no, so 1 - (2 / 40) / (2 * 5 * 35 / (40 * 39)).
    """
    ratings = made_ratings()
    sure = Criterion("sure", "sure", YES_NO, NOMINAL, ("no", "yes"), None)
    rare = Criterion("rare", "rare", YES_NO, NOMINAL, ("no", "yes"), None)
    every = [
        Rating(f"u{unit}", who, {"sure": "yes" if unit % 2 else "no", "rare": "yes" if unit < 3 - place else "no"})
        for unit in range(20)
        for place, who in enumerate(NAMES[:2])
    ]
    units = {f"u{unit}": Unit(f"u{unit}") for unit in range(20)}
    found = report_of(attrs.evolve(ratings, criteria=(sure, rare), every=tuple(every), units=units))
    said = prose(found.section("summary"))
    assert "Sure reaches 0.667" in said
    assert "Rare cannot be told from chance." in said


def test_no_judgement_at_all_is_said_in_every_section() -> None:
    """A report of an empty study can be made; it says that there is nothing yet."""
    empty = attrs.evolve(made_ratings(), every=(), units={}, raters={})
    found = report_of(empty)
    assert tuple(section.id for section in found.sections) == IDS
    assert "Nobody has judged anything yet" in prose(found.section("summary"))
    for name in ("annotators", "ratings", "agreement", "checks", "comparison", "results"):
        assert [part for part in found.section(name).parts if isinstance(part, Paragraph) and part.kind == "empty"], (
            name
        )


def test_excluded_annotators_are_named_by_alias_with_what_changes() -> None:
    """Without the third rater new has 3, 3, 2 on meaning; with her 3, 3, 2, 3, 3."""
    found = report_of(made_ratings().without([NAMES[2]])).section("checks")
    assert "One annotator was excluded by decision; three judgements of theirs are kept but not counted." in prose(
        found
    )
    table = next(table for table in found.tables if table.id == "checks_excluded")
    row = _row(table, "Meaning", "new")
    assert [cell.value for cell in row[3:5] if isinstance(cell, Statistic)] == pytest.approx([14 / 5, 8 / 3])
    assert row[5:] == (5, 3)


def _row(table: Table, question: str, system: str) -> tuple[object, ...]:
    return next(row for row in table.rows if row[:2] == (question, system))


def test_building_tells_every_step() -> None:
    """A progress bar moves to its end."""
    heard: list[int] = []
    known = aliases(made_ratings().raters.values())
    build(Subject(ratings=anonymous(made_ratings(), known), choices=Choices(replicates=0)), NOW, heard.append)
    assert heard == list(range(1, STEPS + 1))
    assert len(MAKERS) < STEPS


def test_a_scale_with_many_points_is_shown_by_quartiles() -> None:
    """A slider from 0 to 100 whose points a file does not list: systems may have no answer in common."""
    ratings = made_ratings()
    slider = attrs.evolve(ratings.criteria[0], level="interval", values=(), good=None)
    every = tuple(
        attrs.evolve(rating, answers={"meaning": 10 * place + len(rating.unit)})
        for place, rating in enumerate(ratings.every * 2)
    )
    found = report_of(attrs.evolve(ratings, criteria=(slider,), every=every[:10] + every[12:]))
    table = next(table for table in found.section("ratings").tables if table.id == "ratings_1")
    assert [column.id for column in table.columns] == ["question", "system", "judgements", "q1", "median", "q3", "mean"]
