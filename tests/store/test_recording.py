"""Saving: a key makes one revision, drafts never count, nothing that was acknowledged is lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from rubrica.core.errors import InputError
from rubrica.core.study import Judgement
from tests.conftest import NOW
from tests.store.conftest import at_once, judged, person, places, said, submit, take

if TYPE_CHECKING:
    from rubrica.store.models import Assignment, Stage

pytestmark = pytest.mark.postgres


@pytest.fixture
def lease(stage: Stage) -> Assignment:
    """An item that ana holds."""
    return take(stage, "ana")[0]


def head() -> Any:
    """The one judgement there is."""
    from rubrica.store.models import Judgement as Head

    return Head.objects.select_related("current").get()


def draft(lease: Assignment, key: str, answers: dict[str, Any] | None = None, **more: Any) -> Any:
    """Save a draft."""
    from rubrica.store.recording import drafts

    return drafts.save_draft(said(lease, key, Judgement(answers or {}), **more), NOW)


def test_drafts_then_submit(lease: Assignment) -> None:
    """Drafts stand as pending; the submitted judgement becomes current and ends them."""
    assert [draft(lease, f"draft-{n}", {"meaning": n}).revision for n in (1, 2, 3)] == [1, 2, 3]
    assert (head().state, head().current, head().pending.answers) == ("draft", None, {"meaning": 3})
    receipt = submit(lease)
    assert (receipt.revision, receipt.repeated, receipt.at) == (4, False, NOW)
    assert (head().state, head().current.number, head().pending) == ("submitted", 4, None)
    lease.refresh_from_db()
    lease.stage.refresh_from_db()
    assert (lease.state, lease.stage.frozen_at) == ("done", NOW)


def test_the_same_key_is_one_revision(lease: Assignment) -> None:
    """A repeated draft or submit answers with the first revision and its time, and changes nothing."""
    from rubrica.store.recording import drafts

    first = draft(lease, "draft-1", {"meaning": 1})
    again = drafts.save_draft(said(lease, "draft-1", Judgement({"meaning": 3})), NOW + timedelta(hours=1))
    assert (again.revision, again.at, again.repeated) == (first.revision, NOW, True)
    assert head().pending.answers == {"meaning": 1}
    one, two = submit(lease, "same-key"), submit(lease, "same-key", NOW + timedelta(hours=1))
    assert (two.revision, two.at, two.repeated) == (one.revision, one.at, True)
    assert head().revisions.count() == 2


def test_a_repeated_submit_after_a_later_draft_changes_nothing(lease: Assignment) -> None:
    """A resent submit neither ends the draft written since nor moves the head."""
    submit(lease, "submit-1")
    draft(lease, "draft-2", {"meaning": 2}, base=1)
    assert submit(lease, "submit-1").repeated
    assert (head().current.number, head().pending.number) == (1, 2)


@pytest.mark.parametrize("fresh", [True, False], ids=["first save", "later save"])
def test_the_same_draft_eight_times_at_once(lease: Assignment, fresh: bool) -> None:
    """Doubled requests in parallel make one revision, and all get its number."""
    if not fresh:
        draft(lease, "earlier")
    results = at_once([lambda: draft(lease, "doubled", {"meaning": 2})] * 8)
    assert {result.revision for result in results} == {1 if fresh else 2}
    assert sum(not result.repeated for result in results) == 1
    assert head().revisions.filter(key="doubled-").count() == 1


@pytest.mark.parametrize("fresh", [True, False], ids=["first save", "later save"])
def test_the_same_submit_eight_times_at_once(stage: Stage, lease: Assignment, fresh: bool) -> None:
    """A double click, or a second tab with the same key, makes no second judgement."""
    if not fresh:
        draft(lease, "earlier")
    results = at_once([lambda: submit(lease, "doubled")] * 8)
    assert sum(not result.repeated for result in results) == 1
    assert head().revisions.filter(draft=False).count() == 1
    assert places(stage) == {lease.item.key: 1}


def test_different_saves_at_once_are_all_kept(lease: Assignment) -> None:
    """First drafts and a submit at the same moment: every one is a revision of the same judgement, none deadlocks."""
    actions: list[Callable[[], Any]] = [lambda n=n: draft(lease, f"draft-{n}", visit="v") for n in range(23)]
    results = at_once([*actions, lambda: submit(lease)])
    assert [result for result in results if isinstance(result, Exception)] == []
    assert sorted(result.revision for result in results) == list(range(1, 25))
    assert (head().last_number, head().state) == (24, "submitted")


def test_people_who_submit_at_once_do_not_disturb_each_other(make_stage: Callable[..., Stage]) -> None:
    """Eight people submit the same item while others ask for work and save drafts; nothing fails."""
    stage = make_stage(items=3, overlap=9, ahead=3)
    held = [take(stage, f"a{number}") for number in range(8)]
    actions: list[Callable[[], Any]] = [lambda x=x: submit(x[0]) for x in held]
    actions += [lambda x=x: draft(x[1], "draft-1") for x in held]
    actions += [lambda n=n: take(stage, f"a{n}") for n in range(8)]
    assert [result for result in at_once(actions) if isinstance(result, Exception)] == []


def test_a_draft_of_another_device_that_was_behind_is_kept_aside(lease: Assignment) -> None:
    """A draft that does not know of a newer save elsewhere is in the history and replaces nothing."""
    draft(lease, "phone-1", {"meaning": 1}, visit="phone")
    late = draft(lease, "laptop-1", {"meaning": 3}, visit="laptop", base=0)
    assert late.superseded
    assert head().pending.answers == {"meaning": 1}
    assert head().revisions.count() == 2
    known = draft(lease, "laptop-2", {"meaning": 3}, visit="laptop", base=2)
    assert not known.superseded
    assert head().pending.answers == {"meaning": 3}


def test_a_page_behind_its_own_saves_is_not_late(lease: Assignment) -> None:
    """Several saves sent before the first answer came back follow each other."""
    for number in (1, 2, 3):
        assert not draft(lease, f"draft-{number}", {"meaning": number}, visit="v", base=0).superseded
    assert head().pending.answers == {"meaning": 3}


def test_a_draft_held_up_until_after_the_submit_is_aside(lease: Assignment) -> None:
    """An old draft that arrives after the same page's submit does not stand in front of what was submitted."""
    from rubrica.store.recording import judgements

    judgements.submit([said(lease, "submit-1", visit="v", base=0)], NOW)
    assert draft(lease, "old-one", {"meaning": 1}, visit="v", base=0).superseded
    assert head().pending is None
    assert not draft(lease, "new-one", {"meaning": 1}, visit="v", base=1).superseded
    assert head().pending.number == 3


def test_time_on_task_is_counted_once(lease: Assignment) -> None:
    """Each visit counts with its largest figure, however often it was saved; other visits are added."""
    from rubrica.store.recording import judgements

    for number, seconds in enumerate((5, 20, 12)):
        draft(lease, f"draft-{number}", visit="phone", visit_seconds=seconds)
    judgements.submit([said(lease, "submit-1", visit="laptop", visit_seconds=7)], NOW)
    assert head().current.seconds == 27
    other = judged(lease, "another")
    judgements.submit([said(lease, "submit-2", other, visit="laptop", visit_seconds=9)], NOW)
    assert head().current.seconds == 29
    assert list(head().revisions.filter(draft=True).values_list("seconds", flat=True)) == [None] * 3


def test_without_a_visit_there_is_no_time(lease: Assignment) -> None:
    """What nobody measured is missing, not 0."""
    submit(lease)
    assert head().current.seconds is None


def test_drafts_are_in_no_export(stage: Stage, lease: Assignment) -> None:
    """An export holds what was submitted, and nothing typed since or instead."""
    from rubrica.store.recording.exports import iterate

    draft(lease, "draft-1", {"meaning": 1})
    assert list(iterate(stage.study, [stage])) == []
    submit(lease)
    draft(lease, "draft-2", {"meaning": 1}, base=2)
    (record,) = iterate(stage.study, [stage])
    assert record.judgement == judged(lease)


def test_a_page_is_submitted_whole_or_not_at_all(make_stage: Callable[..., Stage]) -> None:
    """One incomplete judgement of a group refuses all, and says for each what is missing."""
    from rubrica.core.study import RefusedError
    from rubrica.store import models
    from rubrica.store.recording import judgements

    stage = make_stage(ahead=2)
    good, bad = take(stage, "ana")
    with pytest.raises(RefusedError) as refused:
        judgements.submit([said(good, "good"), said(bad, "bad", Judgement({}))], NOW)
    assert list(refused.value.by_lease) == [bad.pid]
    assert "meaning" in {problem.question for problem in refused.value.by_lease[bad.pid]}
    assert models.Revision.objects.count() == 0
    assert len(judgements.submit([said(good, "good"), said(bad, "bad")], NOW)) == 2


@pytest.mark.parametrize(
    ("key", "judgement", "rule"),
    [
        ("short", Judgement(), "key"),
        ("ü" * 10, Judgement(), "key"),
        ("line\nbreak", Judgement(), "key"),
        ("k" * 65, Judgement(), "key"),
        ("key-12345", Judgement({"no_such": 1}), "unknown_question"),
        ("key-12345", Judgement({"comment": "\0"}), "form"),
        ("key-12345", Judgement({"comment": "\ud800"}), "form"),
        ("key-12345", Judgement({"comment": "x" * 1_000_001}), "form"),
        ("key-12345", Judgement({"meaning": None}), "form"),  # type: ignore[dict-item]
        ("key-12345", Judgement({}, (), "no_such_way"), "way_out"),
    ],
)
def test_what_no_page_sends_is_refused(lease: Assignment, key: str, judgement: Judgement, rule: str) -> None:
    """A draft may be unfinished, but not of a form that no answer has; nothing is stored."""
    from rubrica.store import models
    from rubrica.store.recording import drafts, judgements

    with pytest.raises(InputError) as refused:
        drafts.save_draft(judgements.Said(lease, key, judgement), NOW)
    assert [problem.rule for problem in refused.value.problems] == [rule]
    assert models.Revision.objects.count() == 0


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, 10**400, {"a": 1}, [1], ("a", 1), "\udfff"])
def test_hostile_values_never_reach_the_database(lease: Assignment, value: Any) -> None:
    """Whatever JSON can carry, a draft or submit of it is refused with a message or stored as an answer."""
    from rubrica.store import models
    from rubrica.store.recording import drafts, judgements

    for save in (lambda one: drafts.save_draft(one, NOW), lambda one: judgements.submit([one], NOW)):
        with pytest.raises(InputError):
            save(said(lease, "key-1", Judgement({**judged(lease).answers, "meaning": value})))
    assert models.Revision.objects.count() == 0


def test_an_erased_judgement_takes_nothing_more(lease: Assignment) -> None:
    """After erasure neither a draft nor a submit is stored, whatever the page still sends."""
    submit(lease)
    one = head()
    one.state = "erased"
    one.save()
    for save in (lambda: draft(lease, "draft-1"), lambda: submit(lease, "submit-2")):
        with pytest.raises(InputError, match="erased"):
            save()
    assert head().revisions.count() == 1


def test_a_keyword_in_place_of_a_rewrite_is_a_way_out(make_stage: Callable[..., Stage]) -> None:
    """Typing SIMPLE where the rewrite goes means what it means in a sheet."""
    from rubrica.store.recording import judgements
    from rubrica.store.translate import protocol_of

    stage = make_stage("split_rewrite", items=1)
    (lease,) = take(stage, "ana")
    ways = {way.keyword: way.id for way in protocol_of(stage).ways_out if way.keyword}
    word, way = next(iter(ways.items()))
    judgements.submit([said(lease, "submit-1", Judgement({"rewrite": f" {word.lower()}. "}))], NOW)
    assert (head().current.outcome, head().current.answers) == (way, {})


def test_submitting_again_corrects(stage: Stage, lease: Assignment) -> None:
    """Going back and changing makes a further revision; the lease stays done and the first is kept."""
    from rubrica.store.recording import judgements

    submit(lease, "submit-1")
    judgements.submit([said(lease, "submit-2", judged(lease, "another"))], NOW + timedelta(days=1))
    assert (head().current.number, head().revisions.count()) == (2, 2)
    assert places(stage) == {lease.item.key: 1}
    assert person(stage, "ana").judgements.count() == 1


def test_submitting_the_same_again_is_no_correction(lease: Assignment) -> None:
    """A second tab that submits the same answers makes no further revision, whatever its key."""
    submit(lease, "submit-1")
    again = submit(lease, "other-tab", NOW + timedelta(hours=1))
    assert (again.repeated, again.revision, again.at) == (True, 1, NOW)
    assert (head().current.number, head().revisions.count(), head().pending) == (1, 1, None)
