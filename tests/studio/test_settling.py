"""Who settles edits and who classifies them, and what the page of each begins with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from rubrica.core.study import Item
from tests.studio.test_work_edits import GONE, REWRITE, SOURCE, SWAP, Person, _data

if TYPE_CHECKING:
    from rubrica.store.models import Study

pytestmark = pytest.mark.postgres

WIDER = {**GONE, "source": [[4, 9]]}


@pytest.fixture
def selected(make_study: Callable[..., Study]) -> tuple[Study, dict[str, Person]]:
    """A pair that three people have selected edits in: all the substitution, two of them another deletion."""
    from rubrica.store.setup.running import set_overlap

    study = make_study("salsa", rows=[Item("p1", {"source": SOURCE, "rewrite": REWRITE})], overlap=3)
    set_overlap(study, {"adjudicate": 1}, timezone.now())
    people = {name: Person(study, name) for name in ("ana", "ben", "eva")}
    for name, person in people.items():
        edits = [WIDER if name == "ben" else GONE, SWAP]
        assert person.submit(edits, key=f"key-{name}-01").status_code == 200
    return study, people


def _stage(person: Person) -> str:
    from rubrica.store.people.participation import current_stage

    assert person.link.annotator is not None
    return current_stage(person.link.annotator).key


def _reason(person: Person, stage: str) -> str:
    """Why somebody who asks for work of this stage gets none; nothing if they get some."""
    from rubrica.store.allocation.leases import take

    assert person.link.annotator is not None
    row = person.link.study.stages.select_related("study", "protocol_version").get(key=stage)
    return take(person.link.annotator, row, timezone.now()).reason


def test_fourth_person_settles_and_the_three_classify(selected: tuple[Study, dict[str, Person]]) -> None:
    """A selector may not adjudicate, the adjudicator and a stranger may not classify, the three may."""
    study, people = selected
    assert {_reason(person, "adjudicate") for person in people.values()} == {"not_eligible"}
    dora = Person(study, "dora")
    assert _stage(dora) == "adjudicate"
    assert dora.submit([SWAP], key="key-dora-01").status_code == 200
    assert [_stage(person) for person in people.values()] == ["classify"] * 3
    fay = Person(study, "fay")
    # No item of the stage was ever theirs.
    assert [_reason(person, "classify") for person in (dora, fay)] == ["finished", "finished"]
    assert {_reason(person, "classify") for person in people.values()} == {""}


def test_stranger_cannot_open_or_send_anothers_page(selected: tuple[Study, dict[str, Person]]) -> None:
    """The lease of the fourth person is nobody else's."""
    study, people = selected
    dora = Person(study, "dora")
    lease = dora.lease().pid
    assert Client().get(f"/w/{people['ana'].token}/work/{lease}/").status_code == 404
    body = {"judgements": [{"lease": lease, "key": "key-000042", "edits": [GONE]}]}
    assert people["ana"].call("POST", "/submit", body).status_code == 404


def test_page_begins_with_what_all_agree_on_and_names_nobody(selected: tuple[Study, dict[str, Person]]) -> None:
    """The substitution is there; the two deletions are versions of one difference; letters stand for people."""
    study, people = selected
    dora = Person(study, "dora")
    item = _data(dora)["items"][dora.lease().pid]
    assert [edit["operation"] for edit in item["edits"]] == ["substitution"]
    overlay = item["overlay"]
    assert (overlay["people"], overlay["settled"]) == (3, False)
    first, second = overlay["groups"]
    assert [first["agreed"], second["agreed"]] == [False, True]
    assert sorted(len(version["people"]) for version in first["versions"]) == [1, 2]
    page = Client().get(f"/w/{dora.token}/work/{dora.lease().pid}/").content.decode()
    assert not [name for name in people if f">{name}<" in page or f'"{name}"' in page]
    pids = [person.link.annotator.pid for person in people.values() if person.link.annotator]
    assert not [pid for pid in pids if pid in page]


def test_draft_stands_instead_of_what_all_agree_on(selected: tuple[Study, dict[str, Person]]) -> None:
    """Once something is saved the page shows that, with the versions still beside it; submitted, it is settled."""
    study, _people = selected
    dora = Person(study, "dora")
    lease = dora.lease().pid
    dora.call.draft(lease, edits=[GONE])
    item = _data(dora)["items"][lease]
    assert item["edits"] == [GONE]
    assert len(item["overlay"]["groups"]) == 2
    body = {"judgements": [{"lease": lease, "key": "key-000043", "edits": [GONE]}]}
    assert dora.call("POST", "/submit", body).status_code == 200
    page = Client().get(f"/w/{dora.token}/work/{lease}/").content.decode()
    assert '"settled": true' in page


def test_excluded_people_are_not_laid_over(selected: tuple[Study, dict[str, Person]]) -> None:
    """Without ben, who was excluded, the two others agree on everything."""
    from rubrica.store.models import Assignment

    study, people = selected
    dora = Person(study, "dora")
    lease = dora.lease().pid
    ben = people["ben"].link.annotator
    assert ben is not None
    ben.excluded_at = timezone.now()
    ben.save()
    assert Assignment.objects.filter(pid=lease).exists()
    overlay: dict[str, Any] = _data(dora)["items"][lease]["overlay"]
    assert (overlay["people"], [group["agreed"] for group in overlay["groups"]]) == (2, [True, True])


def test_stages_of_other_kinds_have_no_overlay(make_study: Callable[..., Study]) -> None:
    """Selecting begins with nothing and nobody to settle."""
    study = make_study("salsa", rows=[Item("p1", {"source": SOURCE, "rewrite": REWRITE})], overlap=1)
    ana = Person(study, "ana")
    assert "overlay" not in _data(ana)["items"][ana.lease().pid]


def test_named_adjudicators_are_kept_apart(make_study: Callable[..., Study]) -> None:
    """Whom the study names settles and nothing else, also as the first to come; nobody else settles."""
    rows = [Item("p1", {"source": SOURCE, "rewrite": REWRITE})]
    study = make_study("salsa", rows=rows, overlap=1, adjudicators=["dora"])
    dora, ana, fay = Person(study, "dora"), Person(study, "ana"), Person(study, "fay")
    assert (_stage(dora), _reason(dora, "select")) == ("adjudicate", "not_eligible")
    assert _reason(dora, "adjudicate") == "waiting"
    assert ana.submit([GONE], key="key-ana-001").status_code == 200
    assert _reason(fay, "adjudicate") == "not_eligible"
    assert dora.submit([GONE], key="key-dora-01").status_code == 200
    assert _stage(ana) == "classify"


def test_researcher_sets_overlap_and_adjudicators_by_stage(make_study: Callable[..., Study]) -> None:
    """The step on quality has a number for each stage, and asks who settles only where somebody does."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member
    from rubrica.store.options import options_of

    study, other = make_study("salsa"), make_study("breve")
    rosa = User.objects.create(username="rosa")
    for one in (study, other):
        Member.objects.create(study=one, user=rosa, role="owner", since=timezone.now())
    client = Client()
    client.force_login(rosa)
    sent = {"overlap_0": "2", "overlap_1": "1", "overlap_2": "5", "duplicates": "0", "lease_minutes": "60"}
    names = {"adjudicators": " dora , eva,dora,"}
    assert client.post(f"/s/{study.pid}/setup/quality/", {**sent, **names}).status_code == 302
    assert list(study.stages.order_by("position").values_list("overlap", flat=True)) == [2, 1, 5]
    study.refresh_from_db()
    assert options_of(study).adjudicators == ["dora", "eva"]
    assert 'value="dora, eva"' in client.get(f"/s/{study.pid}/setup/quality/").content.decode()
    assert "Who settles disagreement" not in client.get(f"/s/{other.pid}/setup/quality/").content.decode()


def test_who_selected_is_told_to_come_back_and_how(selected: tuple[Study, dict[str, Person]], client: Client) -> None:
    """After selecting, the pages without work say that the pair comes back for classifying, and by which link."""
    _, people = selected
    ana = people["ana"]
    for page in ("thanks/", "work/"):
        shown = client.get(f"/w/{ana.token}/{page}", follow=True).content.decode()
        assert "you come back for “Classify and rate”" in shown
        assert f"http://testserver/w/{ana.token}/" in shown
    assert (
        "come back for"
        not in client.get(f"/w/{Person(people['ana'].link.study, 'zoe').token}/", follow=True).content.decode()
    )


def test_link_leads_to_a_settled_pair_at_once(make_study: Callable[..., Study], client: Client) -> None:
    """Also past the guidelines that were read before, and past pairs that are still to be selected."""
    from rubrica.store.options import change

    rows = [Item(f"p{number}", {"source": SOURCE, "rewrite": REWRITE}) for number in range(1, 4)]
    study = make_study("salsa", rows=rows, overlap=1)
    change(study, steps=dict.fromkeys(("welcome", "consent", "profile", "course", "practice", "qualification"), False))
    ana = Person(study, "ana")
    client.post(f"/w/{ana.token}/guidelines/", {"understood": "on"})
    first = ana.lease()
    assert ana.submit([GONE, SWAP], key="key-ana-01").status_code == 200
    dora = Person(study, "dora")
    assert dora.submit([SWAP], key="key-dora-01").status_code == 200
    page = client.get(f"/w/{ana.token}/", follow=True)
    assert " data-fixed" in page.content.decode()
    assert first.item.key in {lease.item.key for lease in _held(ana, "classify")}


def _held(person: Person, stage: str) -> list[Any]:
    from rubrica.store.models import Assignment

    return list(Assignment.objects.filter(annotator=person.link.annotator, stage__key=stage).open())
