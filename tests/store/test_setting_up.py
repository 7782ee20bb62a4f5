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
    from rubrica.core.names import name_from

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
    from rubrica.store.setup.setting_up import change_options

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
    from rubrica.store.setup.setting_up import change_options

    study = draft()
    with pytest.raises(InputError):
        change_options(study, {"welcome_text": "Hello", "lease_minutes": 0}, NOW, "owner")
    assert "welcome_text" not in Study.objects.get(pk=study.pk).options


def test_overlap_is_bounded(draft: Callable[..., Any]) -> None:
    """At least one judgement, and no absurd number."""
    from rubrica.store.setup.running import set_overlap

    study = draft()
    set_overlap(study, {"rate": 5}, NOW)
    assert study.stages.get().overlap == 5
    for wrong in (0, -1, 1001):
        with pytest.raises(InputError, match="overlap"):
            set_overlap(study, {"rate": wrong}, NOW)


@pytest.mark.postgres
def test_parameters_are_frozen_by_the_first_judgement(draft: Callable[..., Any]) -> None:
    """Before it they can be set and are checked; after it they are refused."""
    from rubrica.store.setup.setting_up import change_parameters

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
    from rubrica.store.studies import bring_back, delete

    old = draft(name="one")
    delete(old.name, NOW, "owner")
    draft(name="one")
    back = bring_back(old, NOW, "owner")
    assert (back.name, back.deleted_at) == ("one-2", None)
    assert bring_back(old, NOW, "owner").name == "one-2"
    assert AuditEvent.objects.filter(action="study restored").count() == 1


def test_the_title_changes_and_the_name_stays(draft: Callable[..., Any]) -> None:
    """Files and commands go on using the name."""
    from rubrica.store.models import Study
    from rubrica.store.setup.setting_up import rename

    study = draft(name="one")
    rename(study, " Another title ", NOW, "owner")
    assert (Study.objects.get().title, Study.objects.get().name) == ("Another title", "one")


@pytest.mark.postgres
def test_items_of_a_draft_are_replaced(draft: Callable[..., Any]) -> None:
    """The new ones stand alone, and the attestation of the old ones is gone."""
    from rubrica.store.options import options_of
    from rubrica.store.setup.study_items import attest, replace_items

    study = draft()
    replace_items(study, pairs(4), NOW, "owner")
    attest(study, True, NOW, "owner")
    replace_items(study, pairs(2), NOW, "owner")
    assert [item.key for item in study.items.all()] == ["p1", "p2"]
    assert not options_of(study).items_reviewed


def test_several_systems_take_the_overlap_for_comparing(draft: Callable[..., Any]) -> None:
    """The protocol's rule follows the items, back and forth, unless the researcher set another number."""
    from rubrica.store.setup.running import set_overlap
    from rubrica.store.setup.study_items import replace_items

    study = draft("split_rate")
    usual = study.stages.get().overlap
    comparing = load_shipped("split_rate").protocol.stages[0].overlap_comparing
    assert comparing not in (None, usual)
    two = [*pairs(2, system="a"), *_renamed(pairs(2, system="b"))]
    assert replace_items(study, two, NOW, "owner") == ["rate"]
    assert study.stages.get().overlap == comparing
    assert replace_items(study, pairs(2), NOW, "owner") == ["rate"]
    assert study.stages.get().overlap == usual
    set_overlap(study, {"rate": 7}, NOW)
    assert replace_items(study, two, NOW, "owner") == []


def _renamed(items: list[Any]) -> list[Any]:
    import attrs

    return [attrs.evolve(item, key=f"{item.key}b") for item in items]


def test_items_of_a_launched_study_stay(draft: Callable[..., Any]) -> None:
    """Replacing them is refused."""
    from rubrica.store.setup.running import launch
    from rubrica.store.setup.study_items import replace_items

    study = draft()
    replace_items(study, pairs(4), NOW, "owner")
    launch(study, NOW, "owner", leave_open=True, consents_read=["es"])
    with pytest.raises(InputError, match="launched"):
        replace_items(study, pairs(2), NOW, "owner")
    assert study.items.count() == 4


@pytest.mark.postgres
def test_duplicates_and_gold_are_planted_and_replaced(draft: Callable[..., Any]) -> None:
    """A share of 50 % of six items are three duplicates; new items draw new ones; gold items stay."""
    from rubrica.store.models import Planted
    from rubrica.store.setup.study_items import replace_items, set_duplicates, set_gold

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
    from rubrica.store.options import options_of
    from rubrica.store.setup.study_items import replace_items, set_duplicates

    study = draft()
    replace_items(study, pairs(2), NOW, "owner")
    with pytest.raises(InputError, match="three groups"):
        set_duplicates(study, 0.5, NOW, "owner")
    study.refresh_from_db()
    assert options_of(study).duplicates == 0


@pytest.mark.postgres
def test_planted_items_that_were_given_out_stay(draft: Callable[..., Any]) -> None:
    """They measure work that was done."""
    from rubrica.store.models import Assignment
    from rubrica.store.people.annotators import named
    from rubrica.store.setup.study_items import replace_items, set_gold

    study = draft()
    replace_items(study, pairs(4), NOW, "owner")
    set_gold(study, [(item, {"meaning": 1}) for item in pairs(1)], NOW, "owner")
    ana = named(study, ["ana"], NOW)["ana"]
    gold = study.items.get(key="gold-p1")
    Assignment.objects.create(stage=study.stages.get(), item=gold, annotator=ana, position=1, leased_at=NOW)
    with pytest.raises(InputError, match="already"):
        set_gold(study, [], NOW, "owner")
    assert study.items.filter(planted__kind="gold").count() == 1


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
    from rubrica.store.setup.setting_up import change_options

    study = draft()
    with pytest.raises(InputError) as caught:
        change_options(study, changes, NOW, "owner")
    assert [problem.rule for problem in caught.value.problems] == [rule]
