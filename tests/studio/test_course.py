"""The course in the studio: stage by stage, ours over the answer, place kept, rounds, and the researcher's table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.core.course import all_steps
from rubrica.core.edit_scoring import touched
from tests.studio.conftest import NOW
from tests.studio.course_walk import ROUNDS, STAGES, do, gold_edits, path, place, send_edits

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

pytestmark = pytest.mark.any_database


@pytest.fixture
def study(make_study: Callable[..., Study]) -> Study:
    """A study of salsa whose only steps are the course and the qualification."""
    study = make_study("salsa", items=2)
    study.options["steps"] |= {"course": True, "qualification": True}
    study.save()
    return study


def reach(link: Invitation, name: str) -> None:
    """Mark everything before a step as done."""
    from rubrica.store.models import CourseTry

    for stage in STAGES:
        for step in stage.steps:
            if step.id == name:
                return
            CourseTry.objects.get_or_create(
                annotator=link.annotator,
                step=step.id,
                number=1,
                defaults={"chapter": stage.id, "share": 1, "right": True, "at": NOW},
            )


def finish_course(link: Invitation) -> None:
    """The course is behind this annotator."""
    from rubrica.store.people.participation import finish

    assert link.annotator is not None
    finish(link.annotator, "course", NOW)


def page(client: Client, url: str) -> str:
    """The text of a page that is there."""
    response = client.get(url)
    assert response.status_code == 200, (url, response.status_code)
    return response.content.decode()


def test_the_link_leads_to_the_course(client: Client, door: str) -> None:
    """The first step is the course; its page names ten stages, of which only the first can be opened."""
    assert client.get(door, follow=True).redirect_chain[-1][0] == f"{door}course/"
    text = page(client, f"{door}course/")
    assert text.partition('class="chapters"')[2].count('class="ahead"') == len(STAGES) - 1
    assert f"{door}course/goal/" in text
    assert f"{door}course/ratings/" not in text


def test_nobody_jumps_ahead(client: Client, door: str) -> None:
    """A step that was not reached leads back to the one that is due; what does not exist is not found."""
    assert client.get(f"{door}course/goal/3/").headers["Location"] == f"{door}course/goal/1/"
    assert client.post(f"{door}course/mixed/2/").headers["Location"] == f"{door}course/goal/1/"
    for wrong in ("goal/0/", "goal/99/", "nowhere/1/", "nowhere/", "round_1/1/"):
        assert client.get(f"{door}course/{wrong}").status_code == 404
    assert client.post(f"{door}course/").status_code == 405
    assert client.get(f"{door}course/done/").status_code == 405


def test_reading_is_noted_and_leads_on(client: Client, door: str, link: Invitation) -> None:
    """Going on from a text marks it as read, once, and the place is kept."""
    for _ in range(2):
        assert client.post(f"{door}course/goal/1/").headers["Location"] == f"{door}course/goal/2/"
    assert link.annotator is not None
    assert link.annotator.course_tries.count() == 1  # type: ignore[attr-defined]
    assert f"{door}course/goal/2/" in page(client, f"{door}course/")
    assert client.get(f"{door}course/goal/").headers["Location"] == f"{door}course/goal/2/"


@pytest.mark.parametrize(
    "name", ["goal_facts_lighthouse", "goal_main_tea", "goal_matter_bats", "reo_level_horse", "split_build_saffron",
             "conc_rhine", "lex_filler", "del_court", "info_walk", "mixed_trial", "mixed_same"]
)  # fmt: skip
def test_a_right_answer_to_every_kind(client: Client, door: str, link: Invitation, name: str) -> None:
    """Each kind of exercise is shown, takes its gold answer, and says that it is like ours, and why."""
    reach(link, name)
    step = place(name)[2]
    before = page(client, door + path(name))
    assert str(step.why.get("en"))[:40] not in before  # type: ignore[union-attr]
    response = do(client, door, step)
    where = response.json()["next"] if step.kind in ("select", "whole") else response.headers["Location"]
    assert where == door + path(name)
    after = page(client, where)
    assert "Like our answer" in after
    from django.utils.html import escape

    assert escape(step.why.get("en")) in after  # type: ignore[union-attr]


def test_a_wrong_answer_shows_both(client: Client, door: str, link: Invitation) -> None:
    """Where the answers differ, both stand on the page; a second try is kept as one."""
    reach(link, "goal_matter_bats")
    url = door + path("goal_matter_bats")
    client.post(url, {"chosen": "1"})
    text = page(client, url)
    assert "Different from our answer" in text
    assert "1: Not at all" in text
    assert "4: Very much" in text
    assert 'name="chosen"' in page(client, f"{url}?again")
    client.post(url, {"chosen": "4"})
    assert "Like our answer" in page(client, url)
    assert link.annotator is not None
    assert list(link.annotator.course_tries.filter(step="goal_matter_bats").values_list("right", flat=True)) == [  # type: ignore[attr-defined]
        False,
        True,
    ]


def test_an_empty_answer_is_refused_in_place(client: Client, door: str, link: Invitation) -> None:
    """Without a choice the page says so and nothing is kept."""
    reach(link, "goal_matter_bats")
    response = client.post(door + path("goal_matter_bats"), {"chosen": "nonsense"})
    assert response.status_code == 422
    assert "Please choose an answer first." in response.content.decode()


def test_ours_is_laid_over_a_selection(client: Client, door: str, link: Invitation) -> None:
    """Too many words marked: ours underlined, theirs shaded, and the verdict says that it is a part or too much."""
    import attrs

    from rubrica.core.edits import Span

    reach(link, "del_court")
    step = place("del_court")[2]
    wide = attrs.evolve(step.edit, source=(Span(step.edit.source[0].start, len(step.fields["source"])),))
    url = door + path("del_court")
    assert send_edits(client, url, [wide]).json() == {"next": url}
    text = page(client, url)
    assert "You marked a part of it, or too much" in text
    assert 'class="yours"' in text
    assert "Agreement 80 %" in text


def test_what_was_missed_and_added_is_named(client: Client, door: str, link: Invitation) -> None:
    """No word of the gold was found, and another was marked."""
    import attrs

    from rubrica.core.edits import Span

    reach(link, "del_court")
    step = place("del_court")[2]
    url = door + path("del_court")
    send_edits(client, url, [attrs.evolve(step.edit, source=(Span(0, 3),))])
    text = page(client, url)
    assert "You did not mark this" in text
    assert "Only you marked this" in text
    assert "Agreement 0 %" in text


@pytest.mark.parametrize("body", ["{", "[]", '{"judgements": []}', '{"judgements": [{"lease": "i1", "edits": 5}]}'])
def test_what_no_page_sends_is_refused(client: Client, door: str, link: Invitation, body: str) -> None:
    """A body that is no annotation is answered with 422 and keeps nothing."""
    reach(link, "del_court")
    response = client.post(door + path("del_court"), body, content_type="application/json")
    assert response.status_code == 422
    assert response.json()["errors"]


def test_unfinished_edits_come_back_with_their_questions(client: Client, door: str, link: Invitation) -> None:
    """On a whole pair every question counts: the script is told which edit lacks which answer."""
    import attrs

    reach(link, "mixed_tomb")
    step = place("mixed_tomb")[2]
    bare = [attrs.evolve(edit, answers={}) for edit in step.edits]
    response = send_edits(client, door + path("mixed_tomb"), bare)
    assert response.status_code == 422
    assert {"information", "deletion_type"} <= {error["question"] for error in response.json()["errors"]}


def ticked(step: Any, edits: Any) -> dict[str, Any]:
    """The fields of the form without script for these edits."""
    numbers = {edit.id: str(number) for number, edit in enumerate(edits, start=1)}
    fields: dict[str, Any] = {"slots": str(len(edits))}
    for edit in edits:
        name = f"e{numbers[edit.id]}"
        fields[f"{name}.operation"] = edit.operation
        fields[f"{name}.parent"] = numbers.get(edit.parent, "")
        for side in ("source", "rewrite"):
            fields[f"{name}.{side}"] = [str(one) for one in touched(step.fields[side], edit.spans(side))]
        fields |= {f"{name}.{question}": str(value) for question, value in edit.answers.items()}
    return fields


@pytest.mark.parametrize("name", ["del_goalkeeper", "structure_window", "mixed_opera", "mixed_trial"])
def test_the_form_does_without_script(client: Client, door: str, link: Invitation, name: str) -> None:
    """Words can be ticked instead of marked, composites and questions included, with the same result."""
    reach(link, name)
    step = place(name)[2]
    url = door + path(name)
    assert 'type="checkbox"' in page(client, f"{url}?form")
    response = client.post(f"{url}?form", ticked(step, gold_edits(step)))
    assert response.headers["Location"] == url
    assert "Like our answer" in page(client, url)


def test_the_form_asks_step_by_step(client: Client, door: str, link: Invitation) -> None:
    """What is missing is asked where it belongs, and more places can be had without losing any."""
    reach(link, "mixed_tomb")
    step = place("mixed_tomb")[2]
    url = door + path("mixed_tomb") + "?form"
    fields = ticked(step, gold_edits(step))
    more = client.post(url, fields | {"more": "1"}).content.decode()
    assert "Edit 3" in more
    assert more.count("checked") >= 3
    unanswered = {name: value for name, value in fields.items() if not name.endswith("efficacy")}
    response = client.post(url, unanswered)
    assert response.status_code == 422
    assert "How much easier does this change make the sentence?" in response.content.decode()


def test_the_whole_course_can_be_done(client: Client, door: str, link: Invitation) -> None:
    """A newcomer who answers like us goes through all ten stages, finishes, and comes to the qualification."""
    for stage in STAGES:
        for step in stage.steps:
            if step.is_exercise:
                do(client, door, step)
            else:
                client.post(door + path(step.id))
    text = page(client, f"{door}course/")
    assert "You have finished the course" in text
    assert client.post(f"{door}course/done/").headers["Location"] == f"{door}qualification/"
    assert link.annotator is not None
    assert link.annotator.course_tries.filter(right=False).count() == 0  # type: ignore[attr-defined]


def test_an_unfinished_course_cannot_be_left(client: Client, door: str) -> None:
    """Only whoever has done every step goes on."""
    assert client.post(f"{door}course/done/").headers["Location"] == f"{door}course/"


def test_two_rounds_lead_to_the_work(client: Client, door: str, link: Invitation) -> None:
    """Each pair is compared at once, cannot be sent again, and the second round opens the work."""
    finish_course(link)
    assert "2 rounds of whole sentences" in page(client, f"{door}qualification/")
    for number, one in enumerate(ROUNDS, start=1):
        for at, step in enumerate(one.steps, start=1):
            url = f"{door}qualification/{number}/{at}/"
            assert "rubrica-edits" in page(client, url)
            assert send_edits(client, url, gold_edits(step)).json() == {"next": url}
            assert "Agreement 100 %" in page(client, url)
            assert send_edits(client, url, ()).json() == {"next": url}
        hub = page(client, f"{door}qualification/")
        assert f"Round {number}" in hub
    assert "You qualified" in hub
    assert client.get(door).headers["Location"] == f"{door}work/"


def test_rounds_go_in_order(client: Client, door: str, link: Invitation) -> None:
    """Neither a later pair nor a later round can be opened; what was not sent cannot be looked at."""
    finish_course(link)
    for wrong in ("1/2/", "2/1/", "3/1/", "1/0/", "1/99/"):
        where = client.get(f"{door}qualification/{wrong}").headers["Location"]
        assert where in (f"{door}qualification/1/1/", f"{door}qualification/")


def test_failing_the_last_round_ends_the_way(client: Client, door: str, link: Invitation) -> None:
    """Whoever marks nothing in both rounds is told so kindly, and does not get to the work."""
    finish_course(link)
    for number, one in enumerate(ROUNDS, start=1):
        for at, _ in enumerate(one.steps, start=1):
            send_edits(client, f"{door}qualification/{number}/{at}/", ())
    assert "Thank you for trying" in page(client, f"{door}qualification/")
    assert client.get(f"{door}work/").headers["Location"] == f"{door}qualification/"


def test_the_course_can_be_switched_off(client: Client, door: str, study: Study) -> None:
    """Without the step, its pages lead to what is due."""
    study.options["steps"] |= {"course": False, "qualification": False}
    study.save()
    assert client.get(door).headers["Location"] == f"{door}work/"
    assert client.get(f"{door}course/").headers["Location"] == f"{door}work/"


def test_the_course_in_spanish(client: Client, door: str, link: Invitation) -> None:
    """The learner's language is that of the course; the pairs stay as they are."""

    assert link.annotator is not None
    link.annotator.update(language="es")
    text = page(client, f"{door}course/")
    assert "El objetivo" in text
    assert 'class="notice warning"' not in text
    assert "Qué vas a hacer" in page(client, f"{door}course/goal/1/")


def test_a_researcher_sees_who_stumbled_where(
    as_: Callable[[str], Client], study: Study, client: Client, door: str, link: Invitation
) -> None:
    """The table shows the share right at the first try and how far each annotator is; strangers see nothing."""
    address = f"/s/{study.pid}/course/"
    owner = as_("owner")
    assert "Nobody has begun the course yet." in page(owner, address)
    reach(link, "goal_matter_bats")
    client.post(door + path("goal_matter_bats"), {"chosen": "1"})
    text = page(owner, address)
    assert "Bats find their prey" in text
    assert "ana" in text
    assert address in page(owner, f"/s/{study.pid}/people/")
    assert as_("viewer").get(address).status_code == 200
    assert as_("stranger").get(address).status_code == 404
    assert as_("").get(address).status_code == 302
    assert owner.post(address).status_code == 405


def test_a_study_without_a_course_has_no_such_page(
    as_: Callable[[str], Client], make_study: Callable[..., Study]
) -> None:
    """Neither the page nor a link to it."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member

    owner = as_("owner")
    other = make_study("breve", name="other")
    Member.objects.create(study=other, user=User.objects.get(username="owner"), role="owner", since=NOW)
    assert owner.get(f"/s/{other.pid}/course/").status_code == 404
    assert f"/s/{other.pid}/course/" not in page(owner, f"/s/{other.pid}/people/")


def test_the_setup_page_says_what_the_course_has(as_: Callable[[str], Client], study: Study) -> None:
    """A researcher who switches the steps on or off sees how long the course is and how the test works."""
    text = page(as_("owner"), f"/s/{study.pid}/setup/annotators/")
    assert "Its course has 196 steps." in text
    assert "2 rounds of whole sentences" in text
    assert 'name="step_course"' in text


def test_every_page_of_the_course_opens(client: Client, door: str, link: Invitation) -> None:
    """Each of the steps, in one language or the other by turns."""

    reach(link, "nothing")
    assert link.annotator is not None
    for number, step in enumerate(all_steps(STAGES)):
        link.annotator.update(language=("en", "es")[number % 2])
        page(client, f"{door}{path(step.id)}?again")
