"""The end: codes when the work is done and not before, what a platform needs, stopping early."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.studio.conftest import NOW
from tests.studio.test_join import MTURK, PROLIFIC

if TYPE_CHECKING:
    from rubrica.store.models import Annotator, Invitation, Study


def work(annotator: Annotator, count: int, outcome: str = "answered") -> None:
    """Submit that many judgements."""
    from rubrica.core.simulation import Simulator
    from rubrica.core.study import Judgement
    from rubrica.store.allocation.leases import take
    from rubrica.store.recording.judgements import Said, submit
    from rubrica.store.translate import item_from, protocol_of, rules_of

    stage = annotator.study.stages.select_related("protocol_version", "study").first()
    assert stage is not None
    protocol = protocol_of(stage)
    simulator = Simulator(protocol, rules_of(stage, protocol), annotator.name)
    for number in range(count):
        lease = take(annotator, stage, NOW).leases[0]
        lease.stage = stage
        judged = Judgement({}, (), outcome) if outcome != "answered" else simulator.judge(item_from(lease.item), None)
        submit([Said(lease, f"key-{lease.pid}-{number}", judged)], NOW)


def text(client: Client, door: str) -> str:
    """The last page."""
    return client.get(f"{door}thanks/").content.decode()


def test_the_code_appears_when_the_work_has_run_out(client: Client, make_study: Callable[..., Study]) -> None:
    """After the last item: thanks in the study's words, the code, what was done. Before it: no code."""
    from rubrica.store.people.invitations import invite, token

    study = make_study(name="coded", items=2, completion_code="S3CRET", thanks_text="*Gracias* to all.")
    link = invite(study, ["ana"], NOW)[0]
    door = f"/w/{token(link)}/"
    work(link.annotator, 1)
    assert "S3CRET" not in text(client, door)
    assert "You can stop here" in text(client, door)
    work(link.annotator, 1)
    assert "S3CRET" in text(client, door)
    assert "<em>Gracias</em>" in text(client, door)


def test_a_limit_that_is_reached_is_the_end(client: Client, make_study: Callable[..., Study]) -> None:
    """With a limit for each person the code comes after that many."""
    from rubrica.store.people.invitations import invite, token

    study = make_study(name="limited", items=5, completion_code="S3CRET", limit_per_annotator=2)
    link = invite(study, ["ana"], NOW)[0]
    door = f"/w/{token(link)}/"
    work(link.annotator, 1)
    assert "You have done 1 of 2" in text(client, door)
    work(link.annotator, 1)
    assert "S3CRET" in text(client, door)


def test_looking_at_the_last_page_takes_no_work(client: Client, door: str, link: Invitation) -> None:
    """The page looks whether there is more without leasing any of it."""
    text(client, door)
    assert not link.annotator.assignments.exists()


def test_simple_is_an_answer_on_the_last_page(client: Client, make_study: Callable[..., Study]) -> None:
    """That a sentence is too simple, or too problematic, is a judgement; only what was passed on was skipped."""
    from rubrica.store.people.invitations import invite, token

    link = invite(make_study("split_rewrite", name="split", items=5), ["ana"], NOW)[0]
    for outcome in ("answered", "too_simple", "too_problematic", "skip", "uncomfortable"):
        work(link.annotator, 1, outcome)
    shown = text(client, f"/w/{token(link)}/")
    assert "<dt>Judged</dt><dd>3</dd>" in shown
    assert "<dt>Skipped, at no loss</dt><dd>2</dd>" in shown


def test_skipping_everything_still_ends_with_the_code(client: Client, make_study: Callable[..., Study]) -> None:
    """Skipping is at no loss: whoever skipped all items gets the code like everybody else."""
    from rubrica.store.people.invitations import invite, token

    link = invite(make_study(name="hard", items=2, completion_code="S3CRET"), ["ana"], NOW)[0]
    work(link.annotator, 2, "uncomfortable")
    page = text(client, f"/w/{token(link)}/")
    assert "S3CRET" in page
    assert "Skipped, at no loss" in page


def test_nothing_done_gives_no_code(client: Client, make_study: Callable[..., Study]) -> None:
    """Somebody for whom all work was taken is told so, and how to hand the task back."""
    from rubrica.store.people.invitations import enter, invite, open_door, token

    study = make_study(name="gone", items=1, overlap=1)
    work(invite(study, ["fast"], NOW)[0].annotator, 1)
    late = enter(open_door(study, "prolific", NOW, code="S3CRET"), PROLIFIC, NOW)
    page = text(client, f"/w/{token(late)}/")
    assert "S3CRET" not in page
    assert "return your submission on Prolific" in page


@pytest.fixture
def came(make_study: Callable[..., Study]) -> Callable[..., str]:
    """Makes somebody who came by a platform and has done everything; the address of their pages."""
    from rubrica.store.people.invitations import enter, open_door, token

    def make(kind: str, given: dict[str, str], code: str = "D00R") -> str:
        study = make_study(name="crowd", items=1, completion_code="S3CRET")
        personal = enter(open_door(study, kind, NOW, code=code), given, NOW)
        assert personal.annotator is not None
        work(personal.annotator, 1)
        return f"/w/{token(personal)}/"

    return make


def test_prolific_gets_its_return_link(client: Client, came: Callable[..., str]) -> None:
    """The door's own code comes before the study's, inside Prolific's address."""
    page = text(client, came("prolific", PROLIFIC))
    assert "https://app.prolific.com/submissions/complete?cc=D00R" in page
    assert "S3CRET" not in page


def test_a_door_without_a_code_uses_the_studys(client: Client, came: Callable[..., str]) -> None:
    """The study's code serves for doors that have none."""
    assert "complete?cc=S3CRET" in text(client, came("prolific", PROLIFIC, code=""))


def test_mturk_gets_its_assignment_back(client: Client, came: Callable[..., str]) -> None:
    """A form posts the assignment and the code to MTurk, and the policy of the page lets it."""
    response = client.get(f"{came('mturk', MTURK)}thanks/")
    page = response.content.decode()
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in page
    assert 'name="assignmentId" value="A1"' in page
    assert 'value="D00R"' in page
    assert "form-action 'self' https://www.mturk.com" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "where",
    [
        "http://www.mturk.com",
        "https://mturk.com.evil.example",
        "https://evilmturk.com",
        "https://user@www.mturk.com",
        "https://www.mturk.com:8080",
        "javascript:alert(1)",
        "https://[bad",
        "",
    ],
)
def test_only_mturk_gets_an_assignment(where: str) -> None:
    """An address that is not MTurk's own, over https, is not posted to."""
    from rubrica.studio.annotate.thanks import external_submit

    assert external_submit(where) == ""
    assert external_submit("https://www.mturk.com/").startswith("https://www.mturk.com/mturk/")


def test_an_excluded_annotator_gets_no_code(client: Client, came: Callable[..., str], study: Study) -> None:
    """Whose part the researchers have ended is told so."""
    from rubrica.store.models import Annotator

    door = came("prolific", PROLIFIC)
    Annotator.objects.filter(study__name="crowd").update(excluded_at=NOW)
    page = text(client, door)
    assert "D00R" not in page
    assert "Your part has ended" in page
