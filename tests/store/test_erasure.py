"""Erasure: answers and identity are gone, counts stay honest, exports leave it out (design/001)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import two_studies
from tests.making import pairs
from tests.store.conftest import first_break

if TYPE_CHECKING:
    from rubrica.store.models import Annotator, Stage, Study

pytestmark = pytest.mark.postgres

NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
SECRET = "a sentence that only ana wrote"


@pytest.fixture
def study(home: Path) -> Study:
    """Two items for two annotators each."""
    return make_study(pairs(2))


def make_study(items: Any, name: str = "study") -> Study:
    """A breve study of these items, two annotators each."""
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import studies

    return studies.create(studies.Plan(name=name, loaded=load_shipped("breve"), items=items, overlap={"rate": 2}), NOW)


def the_stage(study: Study) -> Stage:
    """Its stage."""
    return study.stages.select_related("protocol_version", "study").get()


@pytest.fixture
def ana(study: Study) -> Annotator:
    """Somebody with a full life in the study: judgements, drafts, profile, platform, practice, words of both sides."""
    from rubrica.core.study import Judgement
    from rubrica.store import models
    from rubrica.store.adjudication import flags
    from rubrica.store.allocation.leases import take
    from rubrica.store.course import attempts
    from rubrica.store.people import profiles
    from rubrica.store.people.invitations import enter, open_door
    from rubrica.store.recording.drafts import save_draft
    from rubrica.store.recording.judgements import Said, submit

    personal = enter(open_door(study, "prolific", NOW), {"PROLIFIC_PID": "pid-9"}, NOW)
    person = personal.annotator
    assert person is not None
    stage = the_stage(study)
    first, second = take(person, stage, NOW).leases
    for lease in (first, second):
        lease.stage = stage
    answers = {
        "simplification": 3,
        "meaning": 3,
        "fluency": 3,
        "concern": "no",
        "acceptance": "accept",
        "needed": "yes",
    }
    submit([Said(first, "first-key", Judgement(answers | {"comment": SECRET}), "device-7", 12.0)], NOW)
    save_draft(Said(second, "draft-key", Judgement({"comment": SECRET}), "device-7", 3.0), NOW)
    revision = person.judgements.get(item=first.item).current
    models.Feedback.objects.create(revision=revision, author="owner", text=f"About {SECRET}", at=NOW)
    models.Review.objects.create(revision=revision, author="owner", decision="good", note=f"Of {SECRET}", at=NOW)
    models.Payment.objects.create(annotator=person, stage=stage, kind="task", amount="0.25", currency="EUR", at=NOW)
    flags.flag(second, f"broken: {SECRET}", NOW)
    profiles.save(person, {"first_language": SECRET}, NOW)
    item = stage_item(stage)
    left = Judgement({"comment": SECRET}, (), "uncomfortable")
    attempts.answer(person, stage, models.Attempt.Kind.PRACTICE, 1, (item,), [left], NOW)
    models.StepDone.objects.create(annotator=person, step="welcome", at=NOW)
    return person


def stage_item(stage: Stage) -> Any:
    """The first practice item."""
    from rubrica.store.translate import protocol_of

    return protocol_of(stage).practice[0]


def everything_stored() -> str:
    """All rows of all our tables, the chain of the audit aside, as one text."""
    from django.apps import apps
    from django.core import serializers

    models = [model for model in apps.get_app_config("store").get_models() if model.__name__ != "ProtocolVersion"]
    return "".join(serializers.serialize("json", model._default_manager.all()) for model in models)


def test_nothing_that_tells_is_left_in_any_table(ana: Annotator) -> None:
    """Neither their words, nor their platform id, device, keys or old name stand in any row of the database."""
    from rubrica.store.people.erasure import erase

    old = ana.name
    told = (SECRET, "pid-9", "device-7", "first-key", "draft-key")
    assert [words for words in (*told, f'"{old}"') if words not in everything_stored()] == []
    erase(ana, NOW)
    assert [words for words in (*told, f'"{old}"') if words in everything_stored()] == []


def test_the_tombstone_keeps_counts_honest(ana: Annotator, study: Study) -> None:
    """Judgements, revisions, leases and payments are still counted; the item still shows that it was judged."""
    from rubrica.store.counting.progress import of_stages
    from rubrica.store.people.erasure import Erased, erase

    before = of_stages(study.stages.all())[0]
    assert erase(ana, NOW) == Erased(judgements=2, revisions=2, items=0)
    after = of_stages(study.stages.all())[0]
    assert (after.done, after.wanted) == (before.done, before.wanted)
    assert after.out == 0
    assert set(ana.judgements.values_list("state", flat=True)) == {"erased"}
    revision = ana.judgements.exclude(current=None).get().current
    assert revision is not None
    assert (revision.answers, revision.outcome, revision.erased_at) == ({}, "erased", NOW)
    assert str(ana.payments.get().amount) == "0.2500"
    assert (ana.name, ana.erased_at) == ("erased-1", NOW)


def test_exports_leave_it_out(ana: Annotator, study: Study) -> None:
    """Neither the current judgements nor the whole history hold anything of somebody erased."""
    from rubrica.exchange.exports import Wanted
    from rubrica.store.people.erasure import erase
    from rubrica.store.recording.exports import iterate

    stages = [the_stage(study)]
    assert len(list(iterate(study, stages))) == 1
    erase(ana, NOW)
    assert list(iterate(study, stages)) == []
    assert list(iterate(study, stages, Wanted(every_revision=True))) == []


def test_it_is_recorded_without_saying_who(ana: Annotator) -> None:
    """The decision is the last row of their consent; the audit says that it happened, by whose hand, and no name."""
    from rubrica.store.models import AuditEvent
    from rubrica.store.people.erasure import erase

    old = ana.name
    erase(ana, NOW, actor="owner")
    consent = ana.consents.last()
    assert consent is not None
    assert (consent.decision, consent.erasure) == ("withdrawn", True)
    event = AuditEvent.objects.last()
    assert event is not None
    assert (event.action, event.actor, event.detail) == ("annotator erased", "owner", {})
    assert old not in json.dumps([event.action, event.detail])
    assert first_break() is None


def test_erasing_twice_is_once(ana: Annotator) -> None:
    """A second request changes nothing and makes no second record."""
    from rubrica.store.models import AuditEvent
    from rubrica.store.people.erasure import Erased, erase

    erase(ana, NOW)
    events, consents = AuditEvent.objects.count(), ana.consents.count()
    assert erase(ana, NOW) == Erased(0, 0, 0)
    assert (AuditEvent.objects.count(), ana.consents.count()) == (events, consents)


def test_nothing_more_can_be_saved_or_taken(ana: Annotator, study: Study) -> None:
    """A page left open cannot bring anything back."""
    from rubrica.core.errors import InputError
    from rubrica.core.study import Judgement
    from rubrica.store.allocation.leases import take
    from rubrica.store.people.erasure import erase
    from rubrica.store.recording.drafts import save_draft
    from rubrica.store.recording.judgements import Said

    lease = ana.assignments.select_related("stage__protocol_version", "stage__study", "item").first()
    assert lease is not None
    erase(ana, NOW)
    with pytest.raises(InputError, match="erased"):
        save_draft(Said(lease, "late-key-1", Judgement({"comment": SECRET})), NOW)
    assert take(ana, the_stage(study), NOW).leases == []


def test_an_item_that_was_held_is_free_again(ana: Annotator, study: Study) -> None:
    """The item of the open lease goes to somebody else."""
    from rubrica.store.people.erasure import erase

    erase(ana, NOW)
    assert sorted(ana.assignments.values_list("state", flat=True)) == ["done", "returned"]


def test_texts_they_wrote_give_way(home: Path) -> None:
    """Items by the erased author keep their place and ratings; the rewrite and the name do not stay."""
    from rubrica.core.study import Item
    from rubrica.store.people.erasure import TEXT, erase
    from rubrica.store.people.invitations import invite
    from rubrica.store.translate import text_digest

    fields = {"source": "The old gates stay shut.", "rewrite": SECRET}
    study = make_study([Item("mine", fields, author="ana"), Item("theirs", fields, author="bob")])
    ana = invite(study, ["ana"], NOW)[0].annotator
    assert ana is not None
    assert erase(ana, NOW).items == 1
    mine, theirs = study.items.get(key="mine"), study.items.get(key="theirs")
    assert mine.fields == {"source": "The old gates stay shut.", "rewrite": TEXT}
    assert (mine.author, mine.digest) == ("erased-1", text_digest(mine.fields))
    assert mine.closed_at == NOW
    assert (theirs.author, theirs.fields["rewrite"], theirs.closed_at) == ("bob", SECRET, None)


def test_others_are_untouched(ana: Annotator, study: Study) -> None:
    """Only the one who asked is erased, and the next one gets the next tombstone."""
    from rubrica.store.people.erasure import erase
    from rubrica.store.people.invitations import invite

    bob, eve = (link.annotator for link in invite(study, ["bob", "eve"], NOW))
    assert bob is not None
    assert eve is not None
    erase(ana, NOW)
    erase(bob, NOW)
    eve.refresh_from_db()
    assert (bob.name, eve.name, eve.erased_at) == ("erased-2", "eve", None)


def test_a_failure_in_the_middle_erases_nothing(ana: Annotator, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one transaction: if the last step fails, everything is still there."""
    from rubrica.store.people import erasure

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(erasure.audit, "record", broken)
    with pytest.raises(RuntimeError, match="disk"):
        erasure.erase(ana, NOW)
    ana.refresh_from_db()
    assert ana.erased_at is None
    assert SECRET in everything_stored()


def test_whoever_is_erased_is_erased_in_joined_studies_too(home: Path) -> None:
    """Answers in both, texts that others judge, exports of both; the audit of each says so without a name."""
    from rubrica.store.models import AuditEvent, Judgement
    from rubrica.store.people.erasure import TEXT, Erased, ErasedIn, erase, joined_places

    one = two_studies.writing()
    wim, eva = two_studies.come(two_studies.prolific(one), "p-wim"), two_studies.call(one, "eva")
    texts = two_studies.write(wim)
    two_studies.write(eva)
    two = two_studies.rating(one)
    apart = two_studies.writing("apart")
    kept = two_studies.come(two_studies.prolific(apart), "p-wim")
    two_studies.write(kept)
    assert [study.name for study in joined_places(wim)] == ["rating"]
    done = erase(wim, NOW, actor="owner")
    assert done == Erased(2, 2, 0, (ErasedIn(two, 0, 0, 2),))
    assert not any(text in everything_stored() for text in texts)
    assert sorted(two.items.values_list("author", flat=True)) == ["erased-1", "erased-1", "eva", "eva"]
    assert [row.fields["rewrite"] for row in two.items.filter(author="erased-1")] == [TEXT, TEXT]
    assert Judgement.objects.filter(annotator=kept, state="submitted").count() == 2, "another study is not joined"
    told = AuditEvent.objects.filter(action="annotator erased").order_by("pk").values_list("study", "actor", "detail")
    assert list(told) == [(one.pid, "owner", {}), (two.pid, "owner", {"joined_with": one.pid})]


def test_erasing_reaches_back_to_where_somebody_wrote(home: Path) -> None:
    """A named person in two joined studies is erased in both, whichever is asked, in every spelling."""
    from rubrica.store.people.erasure import erase

    one = two_studies.writing()
    two_studies.write(two_studies.call(one, "eva"))
    two = two_studies.rating(one)
    here, there = two_studies.call(two, "Rui"), two_studies.call(one, "rui")
    assert [place.study.name for place in erase(here, NOW).elsewhere] == ["writing"]
    there.refresh_from_db()
    assert there.erased_at == NOW


def test_two_spellings_in_one_study_are_two_people_to_erasure(home: Path) -> None:
    """What cannot be undone is done only to whoever asked: an imported A1 is not a1."""
    from rubrica.store.people.annotators import named
    from rubrica.store.people.erasure import erase

    study = make_study(pairs(2))
    one, other = named(study, ["a1", "A1"], NOW).values()
    erase(one, NOW)
    other.refresh_from_db()
    assert other.erased_at is None
    assert named(study, ["A1"], NOW)["A1"].pk == other.pk


@pytest.fixture
def gone(home: Path) -> Study:
    """A joined pair of studies from which wim, who wrote, was erased; the first of them."""
    from rubrica.store.people.erasure import erase

    one = two_studies.writing()
    wim = two_studies.call(one, "wim")
    two_studies.write(wim)
    two_studies.write(two_studies.call(one, "eva"))
    two_studies.rating(one)
    erase(wim, NOW)
    return one


@pytest.mark.parametrize(
    ("study", "spelling"),
    [("writing", "wim"), ("writing", "Wim"), ("writing", "erased-1"), ("rating", "wim"), ("rating", "Wim")],
)
def test_an_erased_name_opens_no_entrance(gone: Study, study: str, spelling: str) -> None:
    """No link, no sheet, no import, no text of theirs, in either of the joined studies; each says why."""
    from rubrica.core.errors import InputError
    from rubrica.core.study import Item, Judgement
    from rubrica.exchange.records import Record
    from rubrica.store import studies
    from rubrica.store.allocation.sheets import Request, deal_sheets
    from rubrica.store.models import Annotator
    from rubrica.store.models import Item as Row
    from rubrica.store.people.invitations import invite
    from rubrica.store.recording.imports import import_records
    from rubrica.store.setup.study_items import add

    here = studies.find(study)
    stage = the_stage(here)
    text = {"source": "Old and shut.", "rewrite": "It is old. It is shut."}
    item = Item("s1" if study == "writing" else "s1-2", {})
    record = Record(study=study, stage=stage.key, item=item, annotator=spelling, judgement=Judgement({}), revision=1)
    before = (Annotator.objects.count(), Row.objects.count())
    entrances = [
        lambda: invite(here, [spelling], NOW),
        lambda: deal_sheets(stage, Request([spelling], 10, "en"), NOW),
        lambda: import_records(here, [(3, record)], "old.jsonl", NOW),
        lambda: add(here, [Item("new", text, author=spelling)], NOW, ""),
    ]
    for entrance in entrances if study == "rating" else entrances[:3]:
        with pytest.raises(InputError) as refused:
            entrance()
        problem = refused.value.problems[0]
        assert problem.rule == "erased"
        assert "at their request" in problem.what
    assert (Annotator.objects.count(), Row.objects.count()) == before


def test_a_platforms_person_does_not_come_back_by_id_or_pseudonym(home: Path) -> None:
    """The door says that they were erased; an old export under their pseudonym is refused."""
    from rubrica.core.errors import InputError
    from rubrica.core.study import Item, Judgement
    from rubrica.exchange.records import Record
    from rubrica.store.people.erasure import erase
    from rubrica.store.recording.imports import import_records

    study = two_studies.writing()
    door = two_studies.prolific(study)
    person = two_studies.come(door, "p1")
    two_studies.write(person)
    record = Record(
        study="writing",
        stage="rewrite",
        item=Item("s1", {}),
        annotator=person.name,
        judgement=Judgement({}),
        revision=1,
    )
    erase(person, NOW)
    with pytest.raises(InputError) as refused:
        two_studies.come(door, "p1")
    assert refused.value.problems[0].rule == "erased"
    with pytest.raises(InputError) as refused:
        import_records(study, [(2, record)], "old.csv", NOW)
    assert (refused.value.problems[0].rule, refused.value.problems[0].line) == ("erased", 2)
    assert two_studies.come(door, "p2").name == "annotator-002"


def test_answers_that_were_under_way_do_not_outrun_the_erasure(home: Path) -> None:
    """Whatever way answers come, the last look at the person is in the transaction that saves them."""
    from django.db import transaction

    from rubrica.core.errors import InputError
    from rubrica.core.study import Judgement
    from rubrica.store.models import Assignment
    from rubrica.store.people.erasure import erase
    from rubrica.store.recording.judgements import Said, record

    study = two_studies.writing()
    wim = two_studies.call(study, "wim")
    stage, item = the_stage(study), study.items.select_related("study").first()
    assert item is not None
    known_before = two_studies.call(study, "wim")
    erase(wim, NOW)
    with pytest.raises(InputError, match="was erased"), transaction.atomic():
        record(
            stage,
            [Said(Assignment(stage=stage, item=item, annotator=known_before), "", Judgement({"rewrite": "A. B."}))],
            "import",
            NOW,
        )
