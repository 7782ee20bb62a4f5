"""The one gentle notice to whoever gives nearly always the same answer, on the page where they work."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from rubrica.core.hints import Overused, overused
from rubrica.core.study import Item, Judgement
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.criteria import criteria_of
from tests.studio.conftest import NOW
from tests.studio.judging import GOOD, judge
from tests.studio.test_work_page import door_of, first_page, form, html_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubrica.store.models import Study

pytestmark = pytest.mark.any_database
NOTICE = 'data-notice="overuse"'


def said(*answers: int) -> list[dict[str, int]]:
    """What somebody said to the question of meaning, one after the other."""
    return [{"meaning": answer} for answer in answers]


def test_forty_alike_are_overuse() -> None:
    """Forty times 3, or all but one of the last forty; neither thirty-nine nor answers that vary a little more."""
    criteria = criteria_of(load_shipped("breve").protocol)
    assert overused(criteria, said(*[3] * 40)) == Overused("meaning", 3, 40, 40)
    assert overused(criteria, said(*[1, 2] * 30, *[3] * 20, 2, *[3] * 19)) == Overused("meaning", 3, 39, 40)
    assert overused(criteria, said(*[3] * 39)) is None
    assert overused(criteria, said(*[3] * 100, 2, 1)) is None


def test_a_rare_yes_is_no_overuse() -> None:
    """No to a hundred of a hundred concerns is what honest people say, and nobody is told anything."""
    criteria = criteria_of(load_shipped("breve").protocol)
    assert overused(criteria, [{"concern": "no"}] * 100) is None


def test_whoever_overuses_an_answer_is_told_once(make_study: Callable[..., Study]) -> None:
    """After forty judgements with 3 the next page says so, also when it is loaded again; after that, never again."""
    study = make_study(items=60)
    door, client = door_of(study), Client()
    page = first_page(client, door)
    assert NOTICE not in html_of(client.get(page))
    judge(study, "ana", study.items.exclude(assignments__annotator__name="ana")[:40], said=Judgement(GOOD))
    for _ in range(2):
        html = html_of(client.get(page))
        assert html.count(NOTICE) == 1
        assert "40 of your last 40 answers are 3" in html
    answers = {name: str(value) for name, value in GOOD.items()}
    for _ in range(3):
        assert client.post(page, form(page, **answers)).status_code == 302
        page = first_page(client, door)
        assert NOTICE not in html_of(client.get(page))


def test_it_is_told_in_the_language_of_the_page(make_study: Callable[..., Study]) -> None:
    """In Spanish, with the answer as the page has it."""
    study = make_study(items=45)
    door = door_of(study)
    judge(study, "ana", list(study.items.all())[-40:], said=Judgement(GOOD))
    client = Client(headers={"accept-language": "es"})
    assert "40 de tus últimas 40 respuestas son 3" in html_of(client.get(first_page(client, door)))


def test_answers_that_a_rule_fixed_are_not_overused(make_study: Callable[..., Study]) -> None:
    """Forty identical pairs have the answers that the rule gives them, and nobody is told to use the whole scale."""
    same = [Item(f"same-{number}", {"source": f"Lamp {number}.", "rewrite": f"Lamp {number}."}) for number in range(70)]
    study = make_study(rows=same)
    door, client = door_of(study), Client()
    page = first_page(client, door)
    for place, item in enumerate(study.items.exclude(assignments__annotator__name="ana")):
        taken = {"acceptance": "accept"} if place % 2 else {"acceptance": "reject", "severity": 1 + place % 3}
        judge(study, "ana", [item], said=Judgement({"concern": "no", "needed": "yes", **taken}))
    assert NOTICE not in html_of(client.get(page))


def test_researchers_see_that_somebody_was_told(make_study: Callable[..., Study], as_: Callable[[str], Client]) -> None:
    """The timeline of the person's page says so, in words."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member

    study = make_study(name="told", items=45)
    Member.objects.create(study=study, user=User.objects.get(username="owner"), role="owner", since=NOW)
    door, client = door_of(study), Client()
    judge(study, "ana", list(study.items.all())[-40:], said=Judgement(GOOD), start=NOW - timedelta(days=1))
    client.get(first_page(client, door))
    person = study.annotators.get(name="ana")
    html = html_of(as_("owner").get(f"/s/{study.pid}/people/{person.pid}/"))
    assert "told of one answer to nearly everything" in html
    assert "overuse" not in html
