"""The cost arithmetic of stored studies, and studies at a glance."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from tests.conftest import NOW
from tests.making import pairs

if TYPE_CHECKING:
    from rubrica.store.models import Stage

pytestmark = pytest.mark.postgres


def test_rows_and_settings_become_costs(make_stage: Callable[..., Stage]) -> None:
    """6 items x 2 = 12, one duplicate x 2, one gold item for each of 4 people: 18 tasks at 0.50 are 9.00, 20 % on top.

    18 tasks x 60 s are 0.3 hours; 0.50 a minute is 30 an hour.
    """
    from rubrica.store.money.costs import costs_of

    payment = {"currency": "EUR", "per_task": {"rate": "0.50"}, "platform_fee": 20, "median_seconds": {"rate": 60}}
    stage = make_stage(duplicates=0.17, gold=[(pairs(1)[0], {"meaning": 1})], payment=payment)
    found = costs_of(stage.study, 4)
    assert (found.judgements, found.tasks) == (12, 18)
    assert (found.hours, found.paid, found.total) == (Decimal("0.3"), 9, Decimal("10.8"))
    assert found.stages[0].hourly == 30


def test_items_left_out_cost_nothing(make_stage: Callable[..., Stage]) -> None:
    """Five items x 2 remain."""
    from rubrica.store.money.costs import costs_of

    stage = make_stage()
    stage.study.items.filter(key="p1").update(closed_at=NOW)
    assert costs_of(stage.study).judgements == 10


def test_without_a_number_the_fewest_people_are_taken(make_stage: Callable[..., Stage]) -> None:
    """Twelve judgements at four a person take three people."""
    from rubrica.store.money.costs import costs_of

    assert costs_of(make_stage().study).annotators == 2
    assert costs_of(make_stage(name="t", limit_per_annotator=4).study).annotators == 3


def test_seconds_are_guessed_from_the_texts(make_stage: Callable[..., Stage]) -> None:
    """Longer texts take longer, and a study without items has a guess too."""
    from rubrica.core.study import Item
    from rubrica.store.money.costs import mean_words, seconds_guessed

    stage = make_stage()
    assert mean_words(stage.study) == 10
    long = make_stage(name="long", rows=[Item("1", {"source": "word " * 200, "rewrite": "word " * 200})])
    assert seconds_guessed(long.study)["rate"] > seconds_guessed(stage.study)["rate"]
    stage.study.items.all().delete()
    assert mean_words(stage.study) == 40


def test_cards_count_what_is_done(make_stage: Callable[..., Stage]) -> None:
    """Done of wanted over all items, excluded annotators left out; a study without items is there too."""
    from rubrica.store.counting.progress import cards
    from rubrica.store.models import Assignment
    from rubrica.store.people.annotators import named

    stage, empty = make_stage(), make_stage(name="empty", items=1)
    empty.study.items.all().delete()
    people = named(stage.study, ["ana", "ben"], NOW)
    people["ben"].excluded_at = NOW
    people["ben"].save()
    for person in people.values():
        for position, item in enumerate(stage.study.items.all()[:3]):
            Assignment.objects.create(
                stage=stage, item=item, annotator=person, position=position, state="done", leased_at=NOW
            )
    found = {card.study.name: card for card in cards([stage.study, empty.study])}
    assert (found["s"].done, found["s"].wanted, found["s"].annotators, found["s"].state) == (3, 12, 2, "running")
    assert (found["empty"].items, found["empty"].wanted) == (0, 0)
