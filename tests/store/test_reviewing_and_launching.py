"""Before a study starts: its items are reviewed, what the researcher must say is said, and it is launched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rubrica.core.errors import InputError
from tests.conftest import NOW
from tests.making import pairs

pytestmark = pytest.mark.postgres


def test_a_review_leaves_items_out_and_takes_them_back(draft: Callable[..., Any]) -> None:
    """Left out with the reason and with its hidden duplicate; fine again undoes both."""
    from rubrica.store.setup.study_items import replace_items, review, review_count, set_duplicates

    study = draft()
    replace_items(study, pairs(3), NOW, "owner")
    set_duplicates(study, 1.0, NOW, "owner")
    one, two = study.items.get(key="p1"), study.items.get(key="p2")
    review(study, [two.pid], {one.pid: " names a person "}, NOW, "owner")
    assert review_count(study) == (3, 2, 1)
    closed = study.items.exclude(closed_at=None).order_by("key").values_list("key", "closed_reason")
    assert list(closed) == [("p1", "names a person"), ("p1~2", "names a person")]
    review(study, [one.pid], {}, NOW, "owner")
    assert review_count(study) == (3, 2, 0)
    assert not study.items.exclude(closed_at=None).exists()


def test_a_review_touches_its_own_study_alone(draft: Callable[..., Any]) -> None:
    """An item of another study is left as it is."""
    from rubrica.store.setup.study_items import replace_items, review

    mine, other = draft(name="mine"), draft(name="other")
    replace_items(other, pairs(1), NOW, "owner")
    pid = other.items.get().pid
    review(mine, [pid], {pid: "x"}, NOW, "owner")
    assert (other.items.get().reviewed_at, other.items.get().closed_at) == (None, None)


def test_launching_needs_items_and_happens_once(draft: Callable[..., Any]) -> None:
    """Without items it is refused; twice is once."""
    from rubrica.exchange.launch import ATTESTED
    from rubrica.store.models import AuditEvent
    from rubrica.store.setup.running import launch, readiness, state_of
    from rubrica.store.setup.study_items import replace_items

    study = draft()
    with pytest.raises(InputError, match="no items"):
        launch(study, NOW, "owner", attested=ATTESTED, consents_read=["es"])
    assert state_of(study.stages.all()) == "draft"
    replace_items(study, pairs(2), NOW, "owner")
    assert readiness(study).blocks == []
    assert readiness(study).advice == ["review", "ethics", "payment"]
    launch(study, NOW, "owner", attested=ATTESTED, consents_read=["es"])
    launch(study, NOW, "owner")
    assert state_of(study.stages.all()) == "running"
    assert AuditEvent.objects.filter(action="study launched").count() == 1


def test_launching_asks_what_the_researcher_can_say(draft: Callable[..., Any]) -> None:
    """Every sentence not said is a problem; left open on purpose, it is recorded beside what else was left open."""
    from rubrica.store.models import AuditEvent
    from rubrica.store.setup.running import launch, state_of
    from rubrica.store.setup.study_items import replace_items

    study = draft()
    replace_items(study, pairs(2), NOW, "owner")
    with pytest.raises(InputError) as caught:
        launch(study, NOW, "owner", consents_read=["es"])
    assert [(problem.rule, problem.value) for problem in caught.value.problems] == [
        ("attest", "review"),
        ("attest", "ethics"),
    ]
    assert state_of(study.stages.all()) == "draft"
    launch(study, NOW, "owner", attested=["review"], leave_open=True, consents_read=["es"])
    recorded = AuditEvent.objects.get(action="study launched").detail
    assert (recorded["attested"], recorded["left_open"]) == (["review"], ["ethics", "payment"])


def test_a_review_of_every_item_can_be_required_and_is_for_salsa(draft: Callable[..., Any]) -> None:
    """Vouching is not enough then, nor leaving it open; who changes the requirement stands in the audit."""
    from rubrica.store.models import AuditEvent
    from rubrica.store.setup.running import launch, readiness, review_required, state_of
    from rubrica.store.setup.study_items import attest, replace_items, require_review, review

    study = draft("salsa")
    replace_items(study, pairs(2), NOW, "owner")
    assert review_required(study)
    attest(study, True, NOW, "owner")
    (block,) = readiness(study).blocks
    assert (block.rule, block.value) == ("review", 2)
    with pytest.raises(InputError, match="2 items were not reviewed"):
        launch(study, NOW, "owner", attested=["review", "ethics"], leave_open=True, consents_read=["es"])
    require_review(study, False, NOW, "owner")
    assert readiness(study).blocks == []
    require_review(study, True, NOW, "owner")
    review(study, [item.pid for item in study.items.all()], {}, NOW, "owner")
    assert readiness(study) == ([], ["ethics", "payment"])
    launch(study, NOW, "owner", attested=["review", "ethics"], consents_read=["es"])
    assert state_of(study.stages.all()) == "running"
    decided = AuditEvent.objects.filter(action__startswith="review of all items").order_by("pk")
    assert [(one.action, one.actor) for one in decided] == [
        ("review of all items not required", "owner"),
        ("review of all items required", "owner"),
    ]


def test_other_protocols_leave_the_review_to_the_researcher(draft: Callable[..., Any]) -> None:
    """It is advised; whoever wants it can require it."""
    from rubrica.store.setup.running import readiness, review_required
    from rubrica.store.setup.study_items import replace_items, require_review

    study = draft()
    replace_items(study, pairs(1), NOW, "owner")
    assert not review_required(study)
    require_review(study, True, NOW, "owner")
    assert [problem.rule for problem in readiness(study).blocks] == ["review"]
    assert "review" not in readiness(study).advice


def test_a_later_stage_is_launched_without_being_asked_again(draft: Callable[..., Any]) -> None:
    """The items and the record are those of the study, and were spoken for."""
    from rubrica.store.setup.running import launch, state_of
    from rubrica.store.setup.study_items import replace_items

    study = draft("salsa")
    replace_items(study, pairs(2), NOW, "owner")
    study.stages.filter(key="select").update(state="open")
    launch(study, NOW, "owner")
    assert {stage.state for stage in study.stages.all()} == {"open"}
    assert state_of(study.stages.all()) == "running"


def test_a_study_with_every_item_left_out_cannot_be_launched(draft: Callable[..., Any]) -> None:
    """There would be nothing to do."""
    from rubrica.store.setup.running import readiness
    from rubrica.store.setup.study_items import replace_items, review

    study = draft()
    replace_items(study, pairs(1), NOW, "owner")
    review(study, [], {study.items.get().pid: ""}, NOW, "owner")
    assert [problem.rule for problem in readiness(study).blocks] == ["no_items"]


def test_a_consent_that_nobody_reviewed_is_read_before_the_launch(draft: Callable[..., Any]) -> None:
    """In every language that is offered, beside the original; who read which text is kept, and a change asks again."""
    from rubrica.exchange.study_options import CONSENT
    from rubrica.store.models import AuditEvent, ConsentReading
    from rubrica.store.people.consents import digest, take_responsibility, unread
    from rubrica.store.setup.running import launch
    from rubrica.store.setup.setting_up import change_options
    from rubrica.store.setup.study_items import replace_items

    study = draft()
    replace_items(study, pairs(2), NOW, "owner")
    (one,) = unread(study)
    assert (one.language, one.original) == ("es", CONSENT)
    assert "voluntari" in one.text
    with pytest.raises(InputError, match="beside the original") as refused:
        launch(study, NOW, "owner", leave_open=True)
    assert [(problem.rule, problem.value) for problem in refused.value.problems] == [("consent", "es")]
    change_options(study, {"languages": ["en"]}, NOW, "owner")
    launch(study, NOW, "owner", leave_open=True)
    with pytest.raises(InputError, match="beside the original"):
        change_options(study, {"languages": ["en", "es"]}, NOW, "owner")
    take_responsibility(study, ["es", "nl"], NOW, "owner")
    take_responsibility(study, ["es"], NOW, "owner")
    change_options(study, {"languages": ["en", "es"]}, NOW, "owner")
    kept = ConsentReading.objects.get()
    assert (kept.language, kept.by, kept.at, kept.text_digest) == ("es", "owner", NOW, digest(one.text))
    assert AuditEvent.objects.filter(action="consent read").count() == 1
