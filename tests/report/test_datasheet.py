"""The human evaluation datasheet: every question is there, answered or marked."""

from __future__ import annotations

import pytest

from rubrica.protocols.catalog import load_shipped, shipped
from rubrica.protocols.criteria import criteria_of
from rubrica.report.datasheet_questions import CRITERION, GROUPS, QUALITIES, QUESTIONS, TASKS
from rubrica.report.sections.datasheet import as_markdown
from rubrica.report.sections.section import Asked
from tests.report.made_ratings import made_ratings
from tests.report.test_report import report_of


@pytest.fixture(scope="module")
def asked() -> list[Asked]:
    """The questions in the report of a file."""
    return [part for part in report_of(made_ratings()).section("datasheet").parts if isinstance(part, Asked)]


def test_every_question_is_answered_or_marked(asked: list[Asked]) -> None:
    """None is silently left open."""
    assert all(one.answer.strip() or one.missing.strip() for one in asked)


def test_no_question_is_left_out(asked: list[Asked]) -> None:
    """The general ones once, those about criteria once for each of the three questions that judge."""
    numbers = [one.id for one in asked]
    assert len(set(numbers)) == len(numbers)
    assert {number for number in numbers if not number.startswith("4.")} == set(QUESTIONS)
    blocks = [number for number in numbers if number.startswith("4.")]
    assert blocks == [f"4.{criterion}.{part}" for criterion in (1, 2, 3) for part in CRITERION]


def test_every_general_question_has_a_group() -> None:
    """A question outside of all groups would not be shown."""
    assert all(any(number.startswith(f"{group}.") for group in GROUPS) for number in QUESTIONS)


@pytest.mark.parametrize("name", shipped())
def test_shipped_protocols_are_known(name: str) -> None:
    """Their task, and the kind of quality of each question that judges."""
    protocol = load_shipped(name).protocol.resolve({})
    assert name in TASKS
    judging = {one.id for one in criteria_of(protocol) if one.level != "open" and one.kind != "verdict"}
    assert set(QUALITIES.get(name, {})) == judging


def test_the_file_has_the_same_questions() -> None:
    """As Markdown, with a mark where something is to be added."""
    report = report_of(made_ratings())
    text = as_markdown(report)
    assert text.startswith("# Human evaluation datasheet: made\n")
    assert all(f"**{number} {question}**" in text for number, question in QUESTIONS.items())
    missing = [part for part in report.section("datasheet").parts if isinstance(part, Asked) and part.missing]
    assert text.count("> **To be added by the researcher:**") == len(missing) > 0
