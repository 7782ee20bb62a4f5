"""Setting up a study: drafts, titles, options, overlap, parameters, the trash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubrica.core.errors import InputError
from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW
from tests.making import pairs


@pytest.fixture
def owner(home: Path) -> Any:
    """A researcher."""
    from django.contrib.auth.models import User

    return User.objects.create(username="owner")


@pytest.fixture
def draft(owner: Any) -> Callable[..., Any]:
    """Makes a draft: ``draft("breve", title="…", settings={…})``."""

    def make(protocol: str = "breve", title: str = "A study", **more: Any) -> Any:
        from rubrica.store.setting_up import Draft, begin, free_name, name_from

        name = more.pop("name", "") or free_name(name_from(title))
        return begin(Draft(title=title, name=name, loaded=load_shipped(protocol), **more), owner, NOW)

    return make


def test_a_draft_belongs_to_its_maker_and_gives_no_work(draft: Callable[..., Any], owner: Any) -> None:
    """The maker owns it, and its stages are drafts."""
    from rubrica.store.models import AuditEvent

    study = draft(title=" Concise Spanish, 2026 ")
    assert (study.title, study.name) == ("Concise Spanish, 2026", "concise-spanish-2026")
    assert [(member.user, member.role) for member in study.members.all()] == [(owner, "owner")]
    assert {stage.state for stage in study.stages.all()} == {"draft"}
    assert AuditEvent.objects.get(action="study created").actor == "owner"


@pytest.mark.parametrize(
    ("title", "name"), [("Über 3 Dinge!", "uber-3-dinge"), ("研究", "study"), ("---", "study"), ("a" * 300, "a" * 80)]
)
def test_names_are_made_from_titles(home: Path, title: str, name: str) -> None:
    """ASCII letters and digits joined by hyphens, never empty, never too long."""
    from rubrica.store.setting_up import name_from

    assert name_from(title) == name


def test_a_taken_name_gets_a_number(draft: Callable[..., Any]) -> None:
    """The second study of a title has another name."""
    assert [draft().name, draft().name, draft().name] == ["a-study", "a-study-2", "a-study-3"]


@pytest.mark.parametrize("title", ["", "   ", "x" * 201])
def test_a_title_is_needed_and_bounded(draft: Callable[..., Any], title: str) -> None:
    """Nothing is stored without a proper title."""
    from rubrica.store.models import Study

    with pytest.raises(InputError):
        draft(title=title, name="fine")
    assert not Study.objects.exists()


def test_a_name_given_twice_is_refused(draft: Callable[..., Any]) -> None:
    """Names are unique among the living."""
    draft(name="one")
    with pytest.raises(InputError, match="already a study"):
        draft(name="one")


def test_options_are_merged_and_noted(draft: Callable[..., Any]) -> None:
    """Setting some leaves the others, and the trail says which changed without their contents."""
    from rubrica.store.models import AuditEvent, Study
    from rubrica.store.options import options_of
    from rubrica.store.setting_up import change_options

    study = draft()
    change_options(study, {"welcome_text": "Hello"}, NOW, "owner")
    change_options(study, {"lease_minutes": 30}, NOW, "owner")
    found = options_of(Study.objects.get(pk=study.pk))
    assert (found.welcome_text, found.lease_minutes) == ("Hello", 30)
    assert [event.detail for event in AuditEvent.objects.filter(action="settings changed").order_by("id")] == [
        {"settings": ["welcome_text"]},
        {"settings": ["lease_minutes"]},
    ]


def test_wrong_options_change_nothing(draft: Callable[..., Any]) -> None:
    """All or nothing."""
    from rubrica.store.models import Study
    from rubrica.store.setting_up import change_options

    study = draft()
    with pytest.raises(InputError):
        change_options(study, {"welcome_text": "Hello", "lease_minutes": 0}, NOW, "owner")
    assert "welcome_text" not in Study.objects.get(pk=study.pk).options


def test_overlap_is_bounded(draft: Callable[..., Any]) -> None:
    """At least one judgement, and no absurd number."""
    from rubrica.store.setting_up import change_overlap

    study = draft()
    change_overlap(study, {"rate": 5}, NOW, "owner")
    assert study.stages.get().overlap == 5
    for wrong in (0, -1, 1001):
        with pytest.raises(InputError, match="overlap"):
            change_overlap(study, {"rate": wrong}, NOW, "owner")


def test_parameters_are_frozen_by_the_first_judgement(draft: Callable[..., Any]) -> None:
    """Before it they can be set and are checked; after it they are refused."""
    from rubrica.store.setting_up import change_parameters

    study = draft("lexical_complexity")
    change_parameters(study, {"wording": "audience"}, NOW, "owner")
    assert study.stages.get().settings == {"wording": "audience"}
    with pytest.raises(InputError, match="cannot be"):
        change_parameters(study, {"wording": "them"}, NOW, "owner")
    study.stages.update(frozen_at=NOW)
    with pytest.raises(InputError, match="frozen"):
        change_parameters(study, {"wording": "you"}, NOW, "owner")


def test_a_study_comes_back_from_the_trash_under_a_free_name(draft: Callable[..., Any]) -> None:
    """The name was taken meanwhile; a second restore changes nothing."""
    from rubrica.store.models import AuditEvent
    from rubrica.store.setting_up import bring_back, move_to_trash

    old = draft(name="one")
    move_to_trash(old, NOW, "owner")
    draft(name="one")
    back = bring_back(old, NOW, "owner")
    assert (back.name, back.deleted_at) == ("one-2", None)
    assert bring_back(old, NOW, "owner").name == "one-2"
    assert AuditEvent.objects.filter(action="study restored").count() == 1


def test_the_title_changes_and_the_name_stays(draft: Callable[..., Any]) -> None:
    """Files and commands go on using the name."""
    from rubrica.store.models import Study
    from rubrica.store.setting_up import rename

    study = draft(name="one")
    rename(study, " Another title ", NOW, "owner")
    assert (Study.objects.get().title, Study.objects.get().name) == ("Another title", "one")


def test_items_of_a_draft_are_replaced(draft: Callable[..., Any]) -> None:
    """The new ones stand alone, and the attestation of the old ones is gone."""
    from rubrica.store.item_setup import attest, replace_items
    from rubrica.store.options import options_of

    study = draft()
    replace_items(study, pairs(4), NOW, "owner")
    attest(study, True, NOW, "owner")
    replace_items(study, pairs(2), NOW, "owner")
    assert [item.key for item in study.items.all()] == ["p1", "p2"]
    assert not options_of(study).items_reviewed


def test_several_systems_take_the_overlap_for_comparing(draft: Callable[..., Any]) -> None:
    """The protocol's rule follows the items, back and forth, unless the researcher set another number."""
    from rubrica.store.item_setup import replace_items
    from rubrica.store.setting_up import change_overlap

    study = draft("split_rate")
    usual = study.stages.get().overlap
    comparing = load_shipped("split_rate").protocol.stages[0].overlap_comparing
    assert comparing not in (None, usual)
    two = [*pairs(2, system="a"), *_renamed(pairs(2, system="b"))]
    assert replace_items(study, two, NOW, "owner") == ["rate"]
    assert study.stages.get().overlap == comparing
    assert replace_items(study, pairs(2), NOW, "owner") == ["rate"]
    assert study.stages.get().overlap == usual
    change_overlap(study, {"rate": 7}, NOW, "owner")
    assert replace_items(study, two, NOW, "owner") == []


def _renamed(items: list[Any]) -> list[Any]:
    import attrs

    return [attrs.evolve(item, key=f"{item.key}b") for item in items]


def test_items_of_a_launched_study_stay(draft: Callable[..., Any]) -> None:
    """Replacing them is refused."""
    from rubrica.store.item_setup import replace_items
    from rubrica.store.launching import launch

    study = draft()
    replace_items(study, pairs(4), NOW, "owner")
    launch(study, NOW, "owner", leave_open=True)
    with pytest.raises(InputError, match="launched"):
        replace_items(study, pairs(2), NOW, "owner")
    assert study.items.count() == 4


def test_duplicates_and_gold_are_planted_and_replaced(draft: Callable[..., Any]) -> None:
    """A share of 50 % of six items are three duplicates; new items draw new ones; gold items stay."""
    from rubrica.store.item_setup import replace_items, set_duplicates, set_gold
    from rubrica.store.models import Planted

    study = draft()
    replace_items(study, pairs(6), NOW, "owner")
    set_duplicates(study, 0.5, NOW, "owner")
    set_gold(study, [(item, {"meaning": 1}) for item in pairs(2)], NOW, "owner")
    assert (Planted.objects.filter(kind="duplicate").count(), Planted.objects.filter(kind="gold").count()) == (3, 2)
    replace_items(study, pairs(4), NOW, "owner")
    assert (Planted.objects.filter(kind="duplicate").count(), Planted.objects.filter(kind="gold").count()) == (2, 2)
    set_duplicates(study, 0, NOW, "owner")
    set_gold(study, [], NOW, "owner")
    assert study.items.count() == 4


def test_duplicates_need_three_groups(draft: Callable[..., Any]) -> None:
    """With two items a duplicate could only stand beside its original; nothing is changed."""
    from rubrica.store.item_setup import replace_items, set_duplicates
    from rubrica.store.options import options_of

    study = draft()
    replace_items(study, pairs(2), NOW, "owner")
    with pytest.raises(InputError, match="three groups"):
        set_duplicates(study, 0.5, NOW, "owner")
    study.refresh_from_db()
    assert options_of(study).duplicates == 0


def test_planted_items_that_were_given_out_stay(draft: Callable[..., Any]) -> None:
    """They measure work that was done."""
    from rubrica.store.annotators import named
    from rubrica.store.item_setup import replace_items, set_gold
    from rubrica.store.models import Assignment

    study = draft()
    replace_items(study, pairs(4), NOW, "owner")
    set_gold(study, [(item, {"meaning": 1}) for item in pairs(1)], NOW, "owner")
    ana = named(study, ["ana"], NOW)["ana"]
    gold = study.items.get(key="gold-p1")
    Assignment.objects.create(stage=study.stages.get(), item=gold, annotator=ana, position=1, leased_at=NOW)
    with pytest.raises(InputError, match="already"):
        set_gold(study, [], NOW, "owner")
    assert study.items.filter(planted__kind="gold").count() == 1


def test_a_review_leaves_items_out_and_takes_them_back(draft: Callable[..., Any]) -> None:
    """Left out with the reason and with its hidden duplicate; fine again undoes both."""
    from rubrica.store.item_setup import replace_items, review, review_count, set_duplicates

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
    from rubrica.store.item_setup import replace_items, review

    mine, other = draft(name="mine"), draft(name="other")
    replace_items(other, pairs(1), NOW, "owner")
    pid = other.items.get().pid
    review(mine, [pid], {pid: "x"}, NOW, "owner")
    assert (other.items.get().reviewed_at, other.items.get().closed_at) == (None, None)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"thanks_text": "a\0"}, "characters"),
        ({"ethics": {"contact": "\ud800"}}, "characters"),
        ({"profile": {"own": [{"id": "q", "label": "L", "kind": "choice", "options": ["a\0"]}]}}, "characters"),
        ({"payment": {"per_task": {"ra\0te": "1"}}}, "characters"),
        ({"payment": {"currency": "NAN"}}, "currency"),
    ],
)
def test_settings_that_cannot_be_kept_are_refused(
    draft: Callable[..., Any], changes: dict[str, Any], rule: str
) -> None:
    """Broken characters anywhere, and currencies that there are not."""
    from rubrica.store.setting_up import change_options

    study = draft()
    with pytest.raises(InputError) as caught:
        change_options(study, changes, NOW, "owner")
    assert [problem.rule for problem in caught.value.problems] == [rule]


def test_launching_needs_items_and_happens_once(draft: Callable[..., Any]) -> None:
    """Without items it is refused; twice is once."""
    from rubrica.store.item_setup import replace_items
    from rubrica.store.launching import ATTESTED, launch, readiness, state_of
    from rubrica.store.models import AuditEvent

    study = draft()
    with pytest.raises(InputError, match="no items"):
        launch(study, NOW, "owner", attested=ATTESTED)
    assert state_of(study.stages.all()) == "draft"
    replace_items(study, pairs(2), NOW, "owner")
    assert readiness(study).blocks == []
    assert readiness(study).advice == ["review", "ethics", "payment"]
    launch(study, NOW, "owner", attested=ATTESTED)
    launch(study, NOW, "owner")
    assert state_of(study.stages.all()) == "running"
    assert AuditEvent.objects.filter(action="study launched").count() == 1


def test_launching_asks_what_the_researcher_can_say(draft: Callable[..., Any]) -> None:
    """Every sentence not said is a problem; left open on purpose, it is recorded beside what else was left open."""
    from rubrica.store.item_setup import replace_items
    from rubrica.store.launching import launch, state_of
    from rubrica.store.models import AuditEvent

    study = draft()
    replace_items(study, pairs(2), NOW, "owner")
    with pytest.raises(InputError) as caught:
        launch(study, NOW, "owner")
    assert [(problem.rule, problem.value) for problem in caught.value.problems] == [
        ("attest", "review"),
        ("attest", "ethics"),
    ]
    assert state_of(study.stages.all()) == "draft"
    launch(study, NOW, "owner", attested=["review"], leave_open=True)
    recorded = AuditEvent.objects.get(action="study launched").detail
    assert (recorded["attested"], recorded["left_open"]) == (["review"], ["ethics", "payment"])


def test_a_review_of_every_item_can_be_required_and_is_for_salsa(draft: Callable[..., Any]) -> None:
    """Vouching is not enough then, nor leaving it open; who changes the requirement stands in the audit."""
    from rubrica.store.item_setup import attest, replace_items, require_review, review
    from rubrica.store.launching import launch, readiness, review_required, state_of
    from rubrica.store.models import AuditEvent

    study = draft("salsa")
    replace_items(study, pairs(2), NOW, "owner")
    assert review_required(study)
    attest(study, True, NOW, "owner")
    (block,) = readiness(study).blocks
    assert (block.rule, block.value) == ("review", 2)
    with pytest.raises(InputError, match="2 items were not reviewed"):
        launch(study, NOW, "owner", attested=["review", "ethics"], leave_open=True)
    require_review(study, False, NOW, "owner")
    assert readiness(study).blocks == []
    require_review(study, True, NOW, "owner")
    review(study, [item.pid for item in study.items.all()], {}, NOW, "owner")
    assert readiness(study) == ([], ["ethics", "payment"])
    launch(study, NOW, "owner", attested=["review", "ethics"])
    assert state_of(study.stages.all()) == "running"
    decided = AuditEvent.objects.filter(action__startswith="review of all items").order_by("pk")
    assert [(one.action, one.actor) for one in decided] == [
        ("review of all items not required", "owner"),
        ("review of all items required", "owner"),
    ]


def test_other_protocols_leave_the_review_to_the_researcher(draft: Callable[..., Any]) -> None:
    """It is advised; whoever wants it can require it."""
    from rubrica.store.item_setup import replace_items, require_review
    from rubrica.store.launching import readiness, review_required

    study = draft()
    replace_items(study, pairs(1), NOW, "owner")
    assert not review_required(study)
    require_review(study, True, NOW, "owner")
    assert [problem.rule for problem in readiness(study).blocks] == ["review"]
    assert "review" not in readiness(study).advice


def test_a_later_stage_is_launched_without_being_asked_again(draft: Callable[..., Any]) -> None:
    """The items and the record are those of the study, and were spoken for."""
    from rubrica.store.item_setup import replace_items
    from rubrica.store.launching import launch, state_of

    study = draft("salsa")
    replace_items(study, pairs(2), NOW, "owner")
    study.stages.filter(key="select").update(state="open")
    launch(study, NOW, "owner")
    assert {stage.state for stage in study.stages.all()} == {"open"}
    assert state_of(study.stages.all()) == "running"


def test_a_study_with_every_item_left_out_cannot_be_launched(draft: Callable[..., Any]) -> None:
    """There would be nothing to do."""
    from rubrica.store.item_setup import replace_items, review
    from rubrica.store.launching import readiness

    study = draft()
    replace_items(study, pairs(1), NOW, "owner")
    review(study, [], {study.items.get().pid: ""}, NOW, "owner")
    assert [problem.rule for problem in readiness(study).blocks] == ["no_items"]
