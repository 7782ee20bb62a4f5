"""What a report says of people without pointing at anybody."""

from __future__ import annotations

from decimal import Decimal

from rubrica.report.facts import PersonFacts, Told
from rubrica.report.people import HIDDEN, pay_by_the_hour, traits


def person(number: int, **told: Told) -> PersonFacts:
    """An annotator who told this much."""
    return PersonFacts(alias=f"A{number}", kind="person", profile=told)


def test_fewer_than_three_answers_are_not_shown() -> None:
    """A range of two ages is two ages."""
    people = [person(1, age=31), person(2, age=45), person(3, age=None)]
    (age,) = traits(people, ["age"])
    assert (age.told, age.answered, age.unsaid) == (HIDDEN, 2, 1)


def test_numbers_are_medians_and_ranges() -> None:
    """Five ages: the middle one and both ends, with the unit in the title; of three, the middle would be the third."""
    people = [person(number, age=age) for number, age in enumerate((31, 45, 38, 40, 33))]
    (age,) = traits(people, ["age"])
    assert (age.title, age.told) == ("Age (years)", "median 38, range 31 to 45")
    assert traits(people[:3], ["age"])[0].told == "range 31 to 45"


def test_rare_answers_are_put_together() -> None:
    """A country of one or two people is not named."""
    people = [person(number, country="ES") for number in range(4)] + [person(8, country="FI"), person(9, country="IS")]
    (country,) = traits(people, ["country"])
    assert country.told == "ES 4, others 2"
    only_rare = [person(1, country="ES"), person(2, country="FI"), person(3, country="IS")]
    assert traits(only_rare, ["country"])[0].told == "3 different answers, each by fewer than 3 people"


def test_yes_and_no_are_counted() -> None:
    """Two answers are no category that names somebody."""
    people = [person(number, native_speaker="yes") for number in range(4)] + [person(9, native_speaker="no")]
    assert traits(people, ["native_speaker"])[0].told == "yes 4, no 1"


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
