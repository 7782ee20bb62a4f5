"""Qualification: pass mark, limited tries, no second chance by reloading, a polite end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.studio.conftest import NOW
from tests.studio.test_practice import examples, known, post
from tests.studio.test_work_page import door_of

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study


WRONG = {
    "simplification": 1,
    "meaning": 1,
    "fluency": 1,
    "concern": "yes",
    "acceptance": "reject",
    "severity": 3,
    "corrected": "No.",
    "needed": "no",
}


@pytest.fixture
def study(make_study: Callable[..., Study]) -> Study:
    """A study whose only step is a qualification of two items, two tries."""
    study = make_study(qualification={"pass_mark": 0.8, "tries": 2, "items": 2})
    study.options["steps"]["qualification"] = True
    study.save()
    return study


def two() -> list[dict[str, object]]:
    """Right answers to the last two practice items."""
    return [known(item) for item in examples()[-2:]]


def test_passing_leads_to_the_work(client: Client, door: str, link: Invitation) -> None:
    """Two right answers pass: the score is told, the work is due, and the step stays done."""
    assert client.get(door).headers["Location"] == f"{door}qualification/"
    assert b"At least 80 %" in client.get(f"{door}qualification/").content
    first = post(client, f"{door}qualification/1/1/", two()[0])
    assert first.json() == {"next": f"{door}qualification/1/2/"}
    post(client, f"{door}qualification/1/2/", two()[1])
    page = client.get(f"{door}qualification/").content.decode()
    assert "You qualified" in page
    assert "100 %" in page
    assert client.get(door).headers["Location"] == f"{door}work/"
    assert {one.kind for one in link.annotator.attempts.all()} == {"qualification"}


def test_there_is_no_feedback_in_between(client: Client, door: str) -> None:
    """The answer to an item is the address of the next, nothing about right or wrong."""
    assert set(post(client, f"{door}qualification/1/1/", two()[0]).json()) == {"next"}


def fail(client: Client, door: str, number: int) -> None:
    """Answer both items of a round wrongly."""
    for at in (1, 2):
        item = examples()[-3 + at]
        said = {
            name: value for name, value in WRONG.items() if name in item.answers or name in ("severity", "corrected")
        }
        response = post(client, f"{door}qualification/{number}/{at}/", said)
        assert response.status_code == 200, response.content


def test_failing_allows_another_try_and_then_ends(client: Client, door: str) -> None:
    """After the first failure there is one more try; after the last the way ends politely, without work."""
    fail(client, door, 1)
    page = client.get(f"{door}qualification/").content.decode()
    assert "Not enough this time" in page
    assert "one more try" in page
    fail(client, door, 2)
    page = client.get(f"{door}qualification/").content.decode()
    assert "Thank you for trying" in page
    for name in ("", "work/", "thanks/", "practice/"):
        assert client.get(door + name).headers["Location"] == f"{door}qualification/"
    assert client.get(f"{door}qualification/3/1/").headers["Location"] == f"{door}qualification/"


def test_the_second_try_can_pass(client: Client, door: str) -> None:
    """A failed round does not stand in the way of a passed one."""
    fail(client, door, 1)
    for at, said in enumerate(two(), start=1):
        post(client, f"{door}qualification/2/{at}/", said)
    assert client.get(door).headers["Location"] == f"{door}work/"


def test_an_answer_cannot_be_given_again(client: Client, door: str, link: Invitation) -> None:
    """Reloading or sending an item again leads on to the next one; the first answer stands."""
    post(client, f"{door}qualification/1/1/", two()[0])
    again = post(client, f"{door}qualification/1/1/", {"meaning": 1})
    assert again.json() == {"next": f"{door}qualification/1/2/"}
    assert client.get(f"{door}qualification/1/1/").headers["Location"] == f"{door}qualification/1/2/"
    assert link.annotator.attempts.get().answers["meaning"] == two()[0]["meaning"]


def test_a_later_item_cannot_come_first(client: Client, door: str) -> None:
    """Only the next unanswered item opens; another round does not begin by typing its number."""
    assert client.get(f"{door}qualification/1/2/").headers["Location"] == f"{door}qualification/1/1/"
    assert client.get(f"{door}qualification/2/1/").headers["Location"] == f"{door}qualification/"


@pytest.mark.postgres
def test_two_answers_at_once_count_once(link: Invitation, study: Study) -> None:
    """The same item answered in two tabs is one attempt, the first."""
    from rubrica.core.study import Judgement
    from rubrica.store.course import attempts
    from rubrica.store.models import Attempt
    from rubrica.store.options import options_of

    kind = Attempt.Kind.QUALIFICATION
    stage = study.stages.get()
    page = (attempts.known_items(stage, options_of(study)).qualification[0],)
    one = attempts.answer(link.annotator, stage, kind, 1, page, [Judgement(known(page[0]))], NOW)
    two = attempts.answer(link.annotator, stage, kind, 1, page, [Judgement({}, (), "uncomfortable")], NOW)
    assert two[0].repeated
    assert two[0].attempt.pk == one[0].attempt.pk


def test_skipping_everything_is_not_passing(client: Client, door: str) -> None:
    """Leaving every item gives nothing to grade, which does not pass where there are right answers."""
    for at in (1, 2):
        post(client, f"{door}qualification/1/{at}/", {}, outcome="uncomfortable")
    assert b"could be graded" in client.get(f"{door}qualification/").content
    assert client.get(door).headers["Location"] == f"{door}qualification/"


def test_practice_and_qualification_share_no_item(study: Study) -> None:
    """Qualification has the last items, practice the rest; with too few, each gets half."""
    from rubrica.store.course.attempts import known_items
    from rubrica.store.options import options_of

    study.options["steps"]["practice"] = True
    stage = study.stages.get()
    for wanted, expected in ((2, (14, 2)), (15, (1, 15)), (16, (8, 8)), (50, (8, 8))):
        study.options["qualification"]["items"] = wanted
        items = known_items(stage, options_of(study))
        assert (len(items.practice), len(items.qualification)) == expected
        assert not {one.id for one in items.practice} & {one.id for one in items.qualification}


def test_items_without_right_answers_only_ask_to_be_done() -> None:
    """Free rewrites cannot be graded: whoever has done the round passes, and only then."""
    from rubrica.core.qualification import Exam, Round

    done, begun = Round(1, 2, 2, 0, 0), Round(1, 1, 2, 0, 0)
    assert Exam([done], 1, 0.7, gradable=False).passed
    assert not Exam([begun], 1, 0.7, gradable=False).passed
    assert Exam([done], 1, 0.7, gradable=True).failed


def test_words_of_ones_own_are_no_failure(make_study: Callable[..., Study], client: Client) -> None:
    """Substitutes, which nobody can call wrong, ask only to be given, and the page promises no share of them."""
    from rubrica.core.study import Item

    word = Item("1", {"context": "An arid plain.", "target": "arid"})
    study = make_study("lexical_simplification", rows=[word], qualification={"tries": 1, "items": 1})
    study.options["steps"]["qualification"] = True
    study.save()
    door = door_of(study)
    assert b"must be like ours" not in client.get(f"{door}qualification/").content
    post(client, f"{door}qualification/1/1/", {"substitutes": ["brightish"]})
    assert b"all that was asked" in client.get(f"{door}qualification/").content
    assert client.get(door).headers["Location"] == f"{door}work/"
