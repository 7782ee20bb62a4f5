"""At which stage an annotator works, what is due, what looking changes; flags."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.making import pairs

if TYPE_CHECKING:
    from rubrica.store.models import Annotator, Study

pytestmark = pytest.mark.postgres

NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)


def make(protocol: str, overlap: int = 1) -> Study:
    """A study of two pairs without steps."""
    from rubrica.exchange.study_options import STEPS, checked
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import studies

    loaded = load_shipped(protocol)
    stages = {stage.id: overlap for stage in loaded.protocol.stages}
    study = studies.create(studies.Plan(name=protocol, loaded=loaded, items=pairs(2), overlap=stages), NOW)
    study.update(options=checked({"steps": dict.fromkeys(STEPS, False)}).stored())
    return study


def somebody(study: Study, name: str = "ana") -> Annotator:
    """An annotator with a link."""
    from rubrica.store.people.invitations import invite

    person = invite(study, [name], NOW)[0].annotator
    assert person is not None
    return person


def judge_all(study: Study, person: Annotator, key: str) -> None:
    """Mark everything of a stage as judged by this person."""
    from rubrica.store.models import Assignment

    stage = study.stages.get(key=key)
    for position, item in enumerate(study.items.all()):
        Assignment.objects.create(
            stage=stage, item=item, annotator=person, position=position, state="done", leased_at=NOW
        )


def test_a_study_of_one_stage_has_no_choice(home: Path) -> None:
    """Its stage is everybody's, even when it is paused."""
    from rubrica.store.people.participation import current_stage

    study = make("breve")
    study.stages.update(state="paused")
    assert current_stage(somebody(study)).key == "rate"


def test_stages_follow_who_did_what(home: Path) -> None:
    """New people select; once all is selected others adjudicate; then those who selected classify."""
    from rubrica.store.people.participation import current_stage

    study = make("salsa")
    ana, dan = somebody(study), somebody(study, "dan")
    assert current_stage(ana).key == "select"
    judge_all(study, ana, "select")
    assert current_stage(dan).key == "adjudicate"
    assert current_stage(ana).key == "select"
    judge_all(study, dan, "adjudicate")
    assert current_stage(ana).key == "classify"
    judge_all(study, ana, "classify")
    assert current_stage(ana).key == "classify"


def test_work_in_hand_decides(home: Path) -> None:
    """Whoever holds items of a stage stays there."""
    from rubrica.store.models import Assignment
    from rubrica.store.people.participation import current_stage

    study = make("salsa", overlap=3)
    ana = somebody(study)
    item, stage = study.items.first(), study.stages.get(key="classify")
    assert item is not None
    Assignment.objects.create(stage=stage, item=item, annotator=ana, position=1, leased_at=NOW)
    assert current_stage(ana).key == "classify"


def test_a_further_stage_of_the_same_protocol_asks_for_nothing_again(home: Path) -> None:
    """Welcome and profile are once for a person, and so are the guidelines that were read for an earlier stage."""
    from rubrica.exchange.study_options import checked
    from rubrica.store.people.participation import finish, way

    study = make("salsa")
    study.update(options=checked({"steps": {"consent": False, "course": False, "practice": False}}).stored())
    ana, dan = somebody(study), somebody(study, "dan")
    for step in ("welcome", "profile", "guidelines"):
        assert way(ana).due == step
        finish(ana, step, NOW)
        finish(ana, step, NOW)
    assert way(ana).due == "work"
    judge_all(study, ana, "select")
    judge_all(study, dan, "adjudicate")
    assert way(ana).due == "work"


def test_looking_takes_nothing(home: Path) -> None:
    """Peeking says what there is and leases none of it, again and again."""
    from rubrica.store.allocation.leases import peek, take
    from rubrica.store.models import Assignment

    study = make("breve")
    ana, stage = somebody(study), study.stages.get()
    for _ in range(3):
        assert peek(ana, stage, NOW) == ""
    assert not Assignment.objects.exists()
    assert len(take(ana, stage, NOW).leases) == 2


def test_one_flag_for_each_person_and_item(home: Path) -> None:
    """A second reason replaces the first and opens the flag again; the same reason changes nothing."""
    from rubrica.store.adjudication import flags
    from rubrica.store.allocation.leases import take
    from rubrica.store.models import Flag

    study = make("breve")
    lease = take(somebody(study), study.stages.get(), NOW).leases[0]
    first = flags.flag(lease, " half a sentence ", NOW)
    assert first.reason == "half a sentence"
    flags.resolve(first, "Fixed.", NOW, actor="owner", close=True)
    lease.item.refresh_from_db()
    assert lease.item.closed_at == NOW
    assert flags.flag(lease, "half a sentence", NOW).resolved_at == NOW
    assert flags.flag(lease, "no sentence at all", NOW).resolved_at is None
    assert Flag.objects.count() == 1


@pytest.mark.parametrize("reason", ["", "  ", "x" * 2001, "a\0b", "\ud800"])
def test_a_flag_needs_a_reason_that_can_be_kept(home: Path, reason: str) -> None:
    """Empty, too long or unstorable reasons are refused."""
    from rubrica.core.errors import InputError
    from rubrica.store.adjudication import flags
    from rubrica.store.allocation.leases import take

    study = make("breve")
    with pytest.raises(InputError):
        flags.flag(take(somebody(study), study.stages.get(), NOW).leases[0], reason, NOW)


def test_an_item_is_closed_by_one_rule(home: Path) -> None:
    """Closed over a flag, in the review or on its page: its duplicate goes with it, and nobody holds it any more."""
    from rubrica.store.adjudication import flags
    from rubrica.store.allocation.leases import take
    from rubrica.store.models import Assignment, Item, Planted
    from rubrica.store.setup import study_items

    study = make("breve")
    first = take(somebody(study), study.stages.get(), NOW).leases[0]
    copy = Item.objects.create(study=study, key="copy", position=99, fields=first.item.fields)
    Planted.objects.create(item=copy, kind="duplicate", original=first.item)
    entrances = [
        lambda: flags.resolve(flags.flag(first, "broken", NOW), "", NOW, actor="owner", close=True),
        lambda: study_items.review(study, [], {first.item.pid: "broken"}, NOW, "owner"),
        lambda: study_items.close(first.item, "broken", NOW, "owner"),
    ]
    for entrance in entrances:
        Assignment.objects.filter(pk=first.pk).update(state="open")
        entrance()
        assert set(study.items.closed().values_list("key", flat=True)) == {first.item.key, "copy"}
        assert Assignment.objects.get(pk=first.pk).state == "returned"
        assert study_items.reopen(first.item, NOW, "owner")
        assert not study.items.closed().exists()


def test_closing_and_opening_an_item_is_recorded(home: Path) -> None:
    """A closed item is handed out no more, an opened one again; doing it twice is once."""
    from rubrica.store.allocation.leases import peek
    from rubrica.store.models import AuditEvent
    from rubrica.store.setup import study_items

    study = make("breve")
    ana, stage, items = somebody(study), study.stages.get(), study.items.all()
    for item in items:
        for _ in range(2):
            study_items.close(item, "broken", NOW, actor="owner")
        assert peek(ana, stage, NOW) == ("finished" if item == items.last() else "")
    for _ in range(2):
        study_items.reopen(item, NOW, actor="owner")
    assert peek(ana, stage, NOW) == ""
    actions = list(AuditEvent.objects.values_list("action", flat=True))
    assert (actions.count("item closed"), actions.count("item reopened")) == (2, 1)
