"""The arithmetic of a study, against figures worked out by hand.

The first guess of the time for one judgement.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from rubrica.core.costs import StageWork, Terms, costs, fewest_annotators, guessed_seconds, rounded
from rubrica.protocols.catalog import load_shipped

RATE = StageWork(id="rate", items=100, overlap=3, seconds=Decimal(60), per_task=Decimal("0.20"))


def test_items_times_overlap_are_judgements() -> None:
    """100 items x 3 = 300 judgements; at 60 s 300 / 60 = 5 hours; at 0.20 each 60.00, and 12.00 by the hour."""
    found = costs([RATE], Terms(annotators=6))
    stage = found.stages[0]
    assert (stage.judgements, stage.planted, stage.tasks) == (300, 0, 300)
    assert (found.hours, found.paid, stage.hourly) == (5, Decimal("60.00"), 12)
    assert (found.tasks_each, rounded(found.hours_each), found.paid_each) == (50, Decimal("0.83"), 10)


def test_planted_items_come_on_top() -> None:
    """5 duplicates go to 3 people each, 4 gold items to all 6: 15 + 24 = 39 more, each paid and timed."""
    work = StageWork(
        id="rate", items=100, overlap=3, seconds=Decimal(60), per_task=Decimal("0.20"), duplicates=5, gold=4
    )
    stage = costs([work], Terms(annotators=6)).stages[0]
    assert (stage.judgements, stage.planted, stage.tasks) == (300, 39, 339)
    assert stage.for_tasks == Decimal("67.80")
    assert rounded(stage.hours) == Decimal("5.65")


def test_hours_bonuses_and_fee_add_up() -> None:
    """Per hour 6.00 x 5 h = 30; bonus 0.50 x 10 % of 300 = 15; with tasks 60 that is 105; 40 % fee: 42; total 147."""
    work = StageWork(
        id="rate", items=100, overlap=3, seconds=Decimal(60), per_task=Decimal("0.20"), bonus=Decimal("0.50")
    )
    terms = Terms(annotators=6, per_hour=Decimal(6), bonus_share=Decimal("0.1"), fee_percent=Decimal(40))
    found = costs([work], terms)
    assert (found.stages[0].for_time, found.stages[0].for_bonuses) == (30, 15)
    assert (found.paid, found.fee, found.total) == (105, 42, 147)


def test_pay_below_a_minimum_wage_is_told_with_the_price_that_would_do() -> None:
    """12.00 by the hour is under 12.82: 12.82 / 60 = 0.21366…, so 0.22 a task; 7.25 is met. A bonus does not count."""
    work = StageWork(
        id="rate", items=100, overlap=3, seconds=Decimal(60), per_task=Decimal("0.20"), bonus=Decimal("5.00")
    )
    wages = {"Germany": Decimal("12.82"), "United States": Decimal("7.25")}
    found = costs([work], Terms(annotators=3, bonus_share=Decimal(1), minimum_wages=wages))
    assert [(one.country, one.hourly, one.per_task_needed) for one in found.shortfalls] == [
        ("Germany", 12, Decimal("0.22"))
    ]


def test_pay_by_the_hour_counts_towards_the_minimum_wage() -> None:
    """12.00 by tasks and 1.00 by the hour are 13.00, which is over 12.82."""
    terms = Terms(annotators=3, per_hour=Decimal(1), minimum_wages={"Germany": Decimal("12.82")})
    assert costs([RATE], terms).shortfalls == ()


def test_stages_are_added() -> None:
    """500 sentences x 3 writers at 180 s and 0.40, then 1500 rewrites x 2 raters at 30 s and 0.10.

    75 h + 25 h = 100 h; 600 + 300 = 900.
    """
    stages = [
        StageWork(id="rewrite", items=500, overlap=3, seconds=Decimal(180), per_task=Decimal("0.40")),
        StageWork(id="rate", items=1500, overlap=2, seconds=Decimal(30), per_task=Decimal("0.10")),
    ]
    found = costs(stages, Terms(annotators=10))
    assert (found.judgements, found.hours, found.paid) == (4500, 100, 900)


@pytest.mark.parametrize(("limit", "expected"), [(None, 3), (300, 3), (20, 15), (7, 43)])
def test_the_fewest_annotators(limit: int | None, expected: int) -> None:
    """One person judges an item once, and 300 judgements at 20 a person take 15 people."""
    assert fewest_annotators([RATE], limit) == expected


def test_too_few_people_for_the_overlap_are_told() -> None:
    """Two people cannot give three judgements of an item."""
    assert costs([RATE], Terms(annotators=2)).stages[0].short_of_people
    assert not costs([RATE], Terms(annotators=3)).stages[0].short_of_people


def test_no_annotators_are_counted_as_one() -> None:
    """Nothing is divided by zero."""
    assert costs([RATE], Terms(annotators=0)).tasks_each == 300


def test_reading_and_questions_add_up() -> None:
    """Content and fluency: 40 words are 12 s, two ratings 12 s, the optional comment 5 s: 29, in steps of 5: 30."""
    protocol = load_shipped("adequacy_fluency").protocol
    assert guessed_seconds(protocol, protocol.stages[0], 40) == 30


def test_writing_takes_longer_than_rating() -> None:
    """A rewrite is guessed to take more time than a rating of one."""
    write, rate = load_shipped("split_rewrite").protocol, load_shipped("split_rate").protocol
    assert guessed_seconds(write, write.stages[0], 30) > guessed_seconds(rate, rate.stages[0], 30)


def test_edits_take_their_time() -> None:
    """Marking edits is more than two minutes."""
    protocol = load_shipped("salsa").protocol
    assert guessed_seconds(protocol, protocol.stage("select"), 40) > 120
