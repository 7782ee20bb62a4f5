"""What a report says of people without pointing at anybody."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from rubrica.report.facts import PersonFacts, Told
from rubrica.report.people import HIDDEN, UNEVEN, groups, pay_by_the_hour, traits


def person(number: int, **told: Told) -> PersonFacts:
    """An annotator who told this much."""
    return PersonFacts(alias=f"A{number}", kind="person", profile=told)


def stages(**people: str) -> SimpleNamespace:
    """A study of six people, with who judged at each stage."""
    steps = [SimpleNamespace(key=key, people=tuple(names.split())) for key, names in people.items()]
    return SimpleNamespace(stages=steps, people=tuple(person(number) for number in range(1, 7)))


@pytest.mark.parametrize(
    ("study", "expected"),
    [
        (stages(rate="A1 A2 A3 A4 A5 A6"), [()]),
        (stages(write="A1 A2 A3", rate="A4 A5 A6"), [("write",), ("rate",)]),
        (stages(select="A1 A2 A3", settle="A4", rate="A3 A2 A1"), [("select", "rate"), ("settle",)]),
        (stages(write="A1 A2 A3 A4", rate="A1 A2 A3 A4 A5"), [()]),
    ],
)
def test_groups_never_differ_by_one_or_two_people(study: Any, expected: list[tuple[str, ...]]) -> None:
    """What is told of five people and of four of them is told of the fifth: then all are one group."""
    found = groups(study)
    assert [group.stages for group in found] == expected
    if expected == [()]:
        assert len(found[0].people) == 6


def test_fewer_than_three_answers_are_not_shown() -> None:
    """A range of two ages is two ages."""
    people = [person(1, age=31), person(2, age=45), person(3, age=None)]
    (age,) = traits(people, ["age"])
    assert (age.told, age.answered, age.unsaid) == (HIDDEN, 2, 1)


def test_numbers_are_means_deviations_medians_and_ranges() -> None:
    """Of three the mean; of five not a range, which would tell the others; its ends are no one's alone.

    √(125.2 / 4), √(125.875 / 7).
    """
    people = [person(number, age=age) for number, age in enumerate((31, 45, 38, 40, 33))]
    (age,) = traits(people, ["age"])
    assert (age.title, age.told) == ("Age (years)", "mean 37.4 (SD 5.6), median 38")
    more = [*people, *(person(number, age=38) for number in range(5, 8))]
    assert (
        traits(more, ["age"])[0].told == "mean 37.6 (SD 4.2), median 38, between 38 and 38 but for 2 people at each end"
    )
    assert traits(people[:3], ["age"])[0].told == "mean 38.0"
    same = [person(number, age=50) for number in range(3)]
    assert traits(same, ["age"])[0].told == "50 (all of them)"


def test_rare_answers_are_put_together() -> None:
    """A country of one or two people is not named."""
    rare = [person(8, country="FI"), person(9, country="IS"), person(10, country="FI")]
    people = [person(number, country="ES") for number in range(4)] + rare
    assert traits(people, ["country"])[0].told == "ES 4, others 3"
    assert traits(people[:-1], ["country"])[0].told == UNEVEN
    two = [*people[:-1], *(person(number, country="PT") for number in range(20, 23))]
    assert traits(two, ["country"])[0].told == "ES 4, others 5"
    only_rare = [person(1, country="ES"), person(2, country="FI"), person(3, country="IS")]
    assert traits(only_rare, ["country"])[0].told == "3 different answers, each by fewer than 3 people"


def test_yes_and_no_are_counted_where_neither_is_one_or_two_people() -> None:
    """Otherwise the two are told from the rest by whoever knows that they took part."""
    people = [person(number, native_speaker="yes") for number in range(4)]
    assert traits(people, ["native_speaker"])[0].told == "yes 4"
    people += [person(number, native_speaker="no") for number in (8, 9)]
    assert traits(people, ["native_speaker"])[0].told == UNEVEN
    assert traits([*people, person(10, native_speaker="no")], ["native_speaker"])[0].told == "yes 4, no 3"


def test_own_questions_of_a_study_are_left_out() -> None:
    """Only the usual questions are known to be harmless."""
    assert traits([person(number, shoe_size=41) for number in range(5)], ["shoe_size"]) == []


def test_pay_is_compared_with_the_wage_of_ones_own_country() -> None:
    """Of three with measured time, two have a minimum to compare with, and one is below it."""
    people = [
        PersonFacts(alias="A1", kind="person", profile=None, hourly=Decimal("9.00"), minimum=Decimal("10.00")),
        PersonFacts(alias="A2", kind="person", profile=None, hourly=Decimal("12.00"), minimum=Decimal("10.00")),
        PersonFacts(alias="A3", kind="person", profile=None, hourly=Decimal("15.00")),
        PersonFacts(alias="A4", kind="person", profile=None),
    ]
    pay = pay_by_the_hour(people)
    assert pay is not None
    assert (pay.people, pay.lowest, pay.middle, pay.highest) == (3, 9, 12, 15)
    assert (pay.compared, pay.below) == (2, 1)
    assert pay_by_the_hour(people[3:]) is None
