"""One's own history: answers in words, versions, feedback, flags; nothing of anybody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.test import Client

from tests.studio.conftest import NOW
from tests.studio.test_thanks import work

if TYPE_CHECKING:
    from rubrica.store.models import Feedback, Invitation, Study


def page_of(client: Client, door: str) -> str:
    """The history."""
    return client.get(f"{door}history/").content.decode()


def comment(link: Invitation, text: str = "Look at the tense.") -> Feedback:
    """A researcher's words on the annotator's first judgement."""
    from rubrica.store.models import Feedback

    revision = link.annotator.judgements.order_by("pk")[0].current
    return Feedback.objects.create(revision=revision, author="owner", text=text, at=NOW)


def test_an_empty_history_says_what_to_do(client: Client, door: str) -> None:
    """Before the first judgement the page leads on."""
    assert "You have not submitted anything yet" in page_of(client, door)


def test_answers_stand_in_words_with_a_link_to_change_them(client: Client, door: str, link: Invitation) -> None:
    """Each judgement shows the texts, the answers and the page where it can be changed."""
    work(link.annotator, 2)
    page = page_of(client, door)
    lease = link.annotator.assignments.filter(state="done").first()
    assert lease is not None
    assert lease.item.fields["rewrite"] in page
    assert f"{door}work/{lease.pid}/" in page


def test_prompts_are_as_they_were_asked(client: Client, make_study: Callable[..., Study]) -> None:
    """Of a pair whose two sides are the same, the question that a rule put in other words."""
    from rubrica.core.study import Item
    from rubrica.store.people.invitations import invite, token

    same = {"source": "The gate is shut.", "rewrite": "The gate is shut."}
    study = make_study(name="same", rows=[Item("same", same)])
    link = invite(study, ["ana"], NOW)[0]
    work(link.annotator, 1)
    page = page_of(client, f"/w/{token(link)}/")
    assert "The sentence was not rewritten. Should it have been?" in page
    assert "Is the rewrite more concise than the source?" not in page


def test_what_tells_planted_items_is_never_shown(client: Client, make_study: Callable[..., Study]) -> None:
    """Keys of items would give planted ones away."""
    from rubrica.store.models import Item
    from rubrica.store.people.invitations import invite, token

    study = make_study(name="planted", items=2)
    Item.objects.filter(study=study).update(metadata={"note": "secret-note"})
    for item in study.items.all():
        item.key = f"gold-{item.key}-secret-key"
        item.save()
    link = invite(study, ["ana"], NOW)[0]
    work(link.annotator, 2)
    page = page_of(client, f"/w/{token(link)}/")
    assert "secret-key" not in page
    assert "secret-note" not in page


def test_earlier_versions_are_there(client: Client, door: str, link: Invitation) -> None:
    """A changed judgement shows what it said before."""
    from rubrica.core.study import Judgement
    from rubrica.store.models import Assignment
    from rubrica.store.recording.judgements import Said, submit

    work(link.annotator, 1)
    lease = Assignment.objects.select_related("stage__study", "stage__protocol_version", "item").get(
        annotator=link.annotator, state="done"
    )
    submit([Said(lease, "another-key", Judgement({}, (), "uncomfortable"))], NOW)
    page = page_of(client, door)
    assert "One earlier version" in page
    assert "rather not judged" in page


def test_feedback_is_shown_announced_and_marked_as_read(client: Client, door: str, link: Invitation) -> None:
    """It is new until the annotator says that it was read; reading twice is once."""
    from rubrica.store.adjudication.adjudication import unread_feedback

    work(link.annotator, 1)
    said = comment(link)
    assert unread_feedback(link.annotator) == 1
    assert "Look at the tense." in page_of(client, door)
    assert "1 new feedback" in page_of(client, door)
    # Seen at once, without opening the menu.
    for page in ("work/", "thanks/"):
        assert "feedback-note" in client.get(f"{door}{page}", follow=True).content.decode()
    for _ in range(2):
        assert client.post(f"{door}history/{said.pid}/read/").status_code == 302
    assert unread_feedback(link.annotator) == 0
    assert "new feedback" not in page_of(client, door)


def test_nobody_reads_anothers(client: Client, door: str, link: Invitation, study: Study) -> None:
    """Another annotator's judgements are not there, and their feedback cannot be marked."""
    from rubrica.store.people.invitations import invite, token

    work(link.annotator, 1)
    said = comment(link)
    bob = f"/w/{token(invite(study, ['bob'], NOW)[0])}/"
    assert "Look at the tense." not in page_of(client, bob)
    assert client.post(f"{bob}history/{said.pid}/read/").status_code == 404
    assert client.get(f"{door}history/{said.pid}/read/").status_code == 405
    said.refresh_from_db()
    assert said.read_at is None


def test_flags_are_shown_and_can_be_taken_back(client: Client, door: str, link: Invitation, study: Study) -> None:
    """A flag stands with its item until it is taken back; a settled one stays, with the researcher's note."""
    from rubrica.store.adjudication import flags
    from rubrica.store.allocation.leases import take

    stage = study.stages.get()
    first, second = take(link.annotator, stage, NOW).leases[:2]
    one, two = flags.flag(first, "half a sentence", NOW), flags.flag(second, "wrong language", NOW)
    flags.resolve(two, "It is meant so.", NOW, actor="owner")
    page = page_of(client, door)
    assert "half a sentence" in page
    assert "It is meant so." in page
    assert client.post(f"{door}flags/{two.pid}/take-back/").status_code == 404
    assert client.post(f"{door}flags/{one.pid}/take-back/").status_code == 302
    assert client.post(f"{door}flags/{one.pid}/take-back/").status_code == 404
    assert "half a sentence" not in page_of(client, door)


def test_long_histories_come_in_pages(client: Client, make_study: Callable[..., Study]) -> None:
    """Twenty at a time, with a way to the older ones; a page that does not exist is the nearest one."""
    from rubrica.store.people.invitations import invite, token

    link = invite(make_study(name="long", items=21), ["ana"], NOW)[0]
    work(link.annotator, 21)
    door = f"/w/{token(link)}/history/"
    assert client.get(door).content.decode().count('class="judged card"') == 20
    assert client.get(f"{door}?page=2").content.decode().count('class="judged card"') == 1
    assert client.get(f"{door}?page=nonsense").status_code == 200
