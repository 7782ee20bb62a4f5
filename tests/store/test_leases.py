"""Leases: never beyond the overlap, groups whole, what is given up comes back."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubrica.core.study import Item
from tests.conftest import NOW
from tests.length import either
from tests.making import pairs
from tests.store.conftest import at_once, judged, keys, person, places, said, submit, take

if TYPE_CHECKING:
    from rubrica.store.models import Stage

pytestmark = pytest.mark.postgres

LATER = NOW + timedelta(hours=3)
"""After the end of every lease made now."""


def grouped(groups: int, size: int = 3) -> list[Item]:
    """Items in groups, as the words of a context are."""
    return [
        Item(f"g{group}w{word}", {"source": f"Gate {group} is {word}.", "rewrite": "Shut."}, group=f"g{group}")
        for group in range(groups)
        for word in range(size)
    ]


@pytest.mark.parametrize("overlap", [1, 2, 3])
def test_eight_at_once_never_pass_the_overlap(make_stage: Callable[..., Stage], overlap: int) -> None:
    """Eight people who ask at the same moment, again and again, share the places and no more."""
    stage = make_stage(items=5, overlap=overlap, ahead=5)
    people = [person(stage, f"a{number}") for number in range(8)]
    for round_ in range(3):
        results = at_once([lambda who=who: take(stage, who.name) for who in people])
        assert [result for result in results if isinstance(result, Exception)] == []
        assert max(places(stage).values()) <= overlap, round_
    assert sum(places(stage).values()) == 5 * overlap


def _ask_in_a_process(home: str, url: str, stage: int, name: str) -> None:
    from rubrica.home.database import open_home

    open_home(Path(home), url)
    from rubrica.store import models

    found = models.Stage.objects.select_related("study", "protocol_version").get(pk=stage)
    while leases := take(found, name):
        submit(leases[0], f"{name}-{leases[0].pid}")


def test_processes_finish_a_study_exactly(make_stage: Callable[..., Stage], home: Path) -> None:
    """Several processes take and submit until nothing is left: each item has exactly its judgements, none is extra."""
    from rubrica.store.models import Assignment, Judgement

    processes = either(3, 8)
    stage = make_stage(items=12, overlap=2, ahead=2)
    url = os.environ.get("DATABASE_URL", "")
    for number in range(processes):
        person(stage, f"a{number}")
    spawn = multiprocessing.get_context("spawn")
    running = [
        spawn.Process(target=_ask_in_a_process, args=(str(home), url, stage.pk, f"a{number}"))
        for number in range(processes)
    ]
    for process in running:
        process.start()
    for process in running:
        process.join(300)
    assert [process.exitcode for process in running] == [0] * processes
    assert set(places(stage).values()) == {2}
    assert len(places(stage)) == 12
    assert set(Assignment.objects.values_list("state", flat=True)) == {"done"}
    assert Judgement.objects.filter(state="submitted").count() == 24


def test_groups_are_leased_whole(make_stage: Callable[..., Stage]) -> None:
    """Whoever gets one item of a group gets all of it, in order; so many groups as may be held."""
    stage = make_stage(rows=grouped(4), overlap=1, ahead=2)
    held = take(stage, "ana")
    assert [lease.item.group for lease in held] == [held[0].item.group] * 3 + [held[3].item.group] * 3
    assert keys(held[:3]) == [f"{held[0].item.group}w{word}" for word in range(3)]
    assert not set(keys(held)) & set(keys(take(stage, "bob")))


def test_asking_again_gives_the_same(stage: Stage) -> None:
    """What is held stays first, however often one asks."""
    assert keys(take(stage, "ana")) == keys(take(stage, "ana")) == keys(take(stage, "ana", NOW + timedelta(hours=1)))


def test_work_is_topped_up_once_half_of_it_is_used(make_stage: Callable[..., Stage]) -> None:
    """Until then asking changes nothing; a lease that is half over is renewed in any case."""
    stage = make_stage(items=20, overlap=1, ahead=4)
    held = take(stage, "ana")
    for lease, expected in zip(held, (3, 4, 3), strict=False):
        submit(lease, f"k-{lease.pid}")
        assert len(take(stage, "ana")) == expected
    later = NOW + timedelta(minutes=90)
    assert {lease.expires_at for lease in take(stage, "ana", later)} == {later + timedelta(hours=2)}


def test_begun_items_are_finished_first(stage: Stage) -> None:
    """An item that one person has is given to the next person before a new one is begun."""
    assert keys(take(stage, "ana")) == keys(take(stage, "bob"))
    assert keys(take(stage, "eva")) != keys(take(stage, "ana"))


def test_a_lease_that_ended_goes_to_others(make_stage: Callable[..., Stage]) -> None:
    """After its time an unused lease is free, and another person gets the place."""
    stage = make_stage(items=1, overlap=1)
    assert keys(take(stage, "ana")) == ["p1"]
    assert take(stage, "bob") == []
    assert keys(take(stage, "bob", LATER)) == ["p1"]
    assert take(stage, "ana", LATER) == []


def test_whoever_lost_a_lease_may_have_it_again_first(make_stage: Callable[..., Stage]) -> None:
    """An ended lease whose place is still free goes back to its annotator before any other item, with its draft."""
    from rubrica.store.models import Assignment
    from rubrica.store.recording import drafts

    stage = make_stage(items=30, overlap=1, ahead=1)
    (lease,) = take(stage, "ana")
    drafts.save_draft(said(lease, "draft"), NOW)
    (again,) = take(stage, "ana", LATER)
    assert (again.pk, again.state, again.expires_at) == (lease.pk, "open", LATER + timedelta(hours=2))
    assert Assignment.objects.count() == 1


def test_asking_puts_off_the_end(stage: Stage) -> None:
    """A lease in use does not end: each request after half of its time renews it."""
    (first,) = take(stage, "ana")
    (soon,) = take(stage, "ana", NOW + timedelta(minutes=30))
    assert soon.expires_at == first.expires_at
    (later,) = take(stage, "ana", NOW + timedelta(minutes=90))
    assert later.expires_at == NOW + timedelta(minutes=210)


def test_renewing_a_lease_that_was_returned_changes_nothing(stage: Stage) -> None:
    """A save that comes too late does not reopen a lease."""
    from rubrica.store.allocation import leases
    from rubrica.store.models import Assignment

    (lease,) = take(stage, "ana")
    leases.expire(stage, LATER)
    leases.renew(lease, LATER)
    assert Assignment.objects.get().state == "returned"


def test_a_late_judgement_after_the_place_was_taken_is_extra(make_stage: Callable[..., Stage]) -> None:
    """It is kept and current, but beyond the overlap; when the place was not taken it simply counts."""
    from rubrica.store.models import Assignment, Judgement

    stage = make_stage(items=1, overlap=1)
    (late,) = take(stage, "ana")
    take(stage, "bob", LATER)
    submit(late, now=LATER)
    assert Assignment.objects.get(annotator__name="ana").state == "extra"
    assert Judgement.objects.get(annotator__name="ana").state == "submitted"
    assert places(stage) == {"p1": 1}
    submit(late, "corrected", now=LATER)
    assert Assignment.objects.get(annotator__name="ana").state == "extra"


def test_a_late_judgement_whose_place_is_free_counts(make_stage: Callable[..., Stage]) -> None:
    """Nobody took the place, so the judgement takes it."""
    from rubrica.store.allocation import leases
    from rubrica.store.models import Assignment

    stage = make_stage(items=1, overlap=1)
    (late,) = take(stage, "ana")
    leases.expire(stage, LATER)
    submit(late, now=LATER)
    assert Assignment.objects.get().state == "done"
    assert take(stage, "bob", LATER) == []


def test_two_late_judgements_for_one_place(make_stage: Callable[..., Stage]) -> None:
    """Of two who submit at once for the last place, one counts and the other is extra."""
    from rubrica.store.allocation import leases
    from rubrica.store.models import Assignment

    stage = make_stage(items=1, overlap=2)
    held = [take(stage, name)[0] for name in ("ana", "bob")]
    leases.expire(stage, LATER)
    take(stage, "eva", LATER)
    assert not any(isinstance(r, Exception) for r in at_once([lambda x=x: submit(x, now=LATER) for x in held]))
    assert sorted(Assignment.objects.values_list("state", flat=True)) == ["done", "extra", "open"]


def test_a_skip_frees_the_place_and_never_comes_back(make_stage: Callable[..., Stage]) -> None:
    """What somebody passed on goes to others, and never again to the same person."""
    stage = make_stage(items=1, overlap=1)
    (lease,) = take(stage, "ana")
    submit(lease, outcome="uncomfortable")
    assert places(stage) == {}
    assert take(stage, "ana") == []
    assert take(stage, "ana", LATER) == []
    assert keys(take(stage, "bob")) == ["p1"]


def test_thinking_better_of_a_skip(make_stage: Callable[..., Stage]) -> None:
    """Going back to a skipped item and answering it takes the place again, or is extra once it is taken."""
    from rubrica.store.models import Assignment

    stage = make_stage(items=1, overlap=1)
    (lease,) = take(stage, "ana")
    submit(lease, "skip", outcome="uncomfortable")
    submit(lease, "answer")
    assert Assignment.objects.get().state == "done"
    submit(lease, "skip-2", outcome="uncomfortable")
    take(stage, "bob")
    submit(lease, "answer-2")
    assert Assignment.objects.get(annotator__name="ana").state == "extra"


def test_places_of_excluded_annotators_are_free(make_stage: Callable[..., Stage]) -> None:
    """An excluded annotator gets nothing more, and what they did or hold is handed out again."""
    from rubrica.store.allocation import leases
    from rubrica.store.models import Annotator

    stage = make_stage(items=2, overlap=1, ahead=2)
    done, _ = take(stage, "ana")
    submit(done)
    assert take(stage, "bob") == []
    Annotator.objects.filter(name="ana").update(excluded_at=NOW)
    assert sorted(keys(take(stage, "bob"))) == ["p1", "p2"]
    assert leases.take(person(stage, "ana"), stage, NOW).reason == "excluded"


@pytest.mark.parametrize("state", ["draft", "paused", "closed"])
def test_a_stage_that_is_not_open_gives_nothing(stage: Stage, state: str) -> None:
    """The reason is the state itself; what is held can still be submitted."""
    from rubrica.store.allocation import leases
    from rubrica.store.models import Assignment

    (lease,) = take(stage, "ana")
    stage.state = state
    stage.save()
    assert leases.take(person(stage, "ana"), stage, NOW) == leases.Work([], state)
    submit(lease)
    assert Assignment.objects.get().state == "done"


def test_closed_items_are_not_handed_out(stage: Stage) -> None:
    """An item that a researcher closed goes to nobody."""
    stage.study.items.exclude(key="p4").update(closed_at=NOW)
    assert keys(take(stage, "ana")) == ["p4"]
    submit(take(stage, "ana")[0])
    assert take(stage, "ana") == []


def test_the_limit_is_not_passed(make_stage: Callable[..., Stage]) -> None:
    """Held and done items together never pass the limit; a skip does not count."""
    from rubrica.store.allocation import leases

    stage = make_stage(items=20, overlap=1, ahead=3, limit_per_annotator=4)
    done = 0
    while held := take(stage, "ana"):
        assert done + len(held) <= 4
        submit(held[0], f"k-{held[0].pid}", outcome="uncomfortable" if not done and held[0].position == 1 else "")
        done += held[0].position != 1
    assert done == 4
    assert leases.take(person(stage, "ana"), stage, NOW).reason == "limit"


def test_the_limit_leaves_groups_whole(make_stage: Callable[..., Stage]) -> None:
    """A group that would lead beyond the limit is not begun; the first group is given in any case."""
    stage = make_stage(rows=grouped(4), overlap=1, ahead=3, limit_per_annotator=7)
    assert len(take(stage, "ana")) == 6
    stage.study.options["limit_per_annotator"] = 2
    stage.study.save()
    assert len(take(stage, "bob")) == 3


def test_authors_do_not_rate(make_stage: Callable[..., Stage]) -> None:
    """Where raters must be other people, whoever wrote any rewrite of the study gets nothing."""
    from rubrica.store.allocation import leases

    stage = make_stage("split_rate", rows=pairs(2, author="ana"))
    assert leases.take(person(stage, "ana"), stage, NOW) == leases.Work([], "not_eligible")
    assert take(stage, "bob")


def test_why_there_is_nothing(make_stage: Callable[..., Stage]) -> None:
    """``waiting`` while others hold what one has not had, ``finished`` when nothing can come any more."""
    from rubrica.store.allocation import leases

    def reason(name: str) -> str:
        return leases.take(person(stage, name), stage, NOW).reason

    stage = make_stage(items=2, overlap=1, ahead=1)
    (first,), (second,) = take(stage, "ana"), take(stage, "bob")
    assert reason("eva") == "waiting"
    submit(first)
    submit(second)
    assert [reason(name) for name in ("ana", "eva")] == ["finished", "finished"]


def test_a_place_left_that_one_has_had_is_no_reason_to_wait(make_stage: Callable[..., Stage]) -> None:
    """Whoever did everything is finished though others are still wanted; with items of others out, one waits."""
    from rubrica.store.allocation import leases

    stage = make_stage(items=2, overlap=2, ahead=1)
    submit(take(stage, "ana")[0], "one-----")
    submit(take(stage, "ana")[0], "two-----")
    take(stage, "bob")
    assert leases.take(person(stage, "ana"), stage, NOW).reason == "finished"


def test_a_later_stage_waits_for_the_earlier_one(make_stage: Callable[..., Stage]) -> None:
    """Items come to the second stage when the first has all their judgements; until then one waits."""
    from rubrica.store.allocation import leases

    first = make_stage("salsa", items=2, overlap=1, ahead=1)
    second = first.study.stages.select_related("study", "protocol_version").get(key="adjudicate")
    assert leases.take(person(second, "dan"), second, NOW) == leases.Work([], "waiting")
    (lease,) = take(first, "ana")
    submit(lease)
    assert keys(take(second, "dan")) == keys([lease])
    assert leases.take(person(second, "ana"), second, NOW).reason == "not_eligible"


def _all_of(stage: Stage, name: str, limit: int = 200) -> list[str]:
    """Everything that a diligent annotator sees, in order."""
    seen: list[str] = []
    while (held := take(stage, name)) and len(seen) < limit:
        seen.append(held[0].item.key)
        submit(held[0], f"{name}-{held[0].pid}")
    return seen


def test_gold_goes_to_everybody(make_stage: Callable[..., Stage]) -> None:
    """Items with known answers have no overlap: each annotator who did enough work gets them all, mixed in."""
    gold = [(item, {"meaning": 3}) for item in pairs(2)]
    stage = make_stage(items=12, overlap=2, ahead=2, gold=gold)
    for name in ("ana", "bob"):
        seen = _all_of(stage, name)
        assert {"gold-p1", "gold-p2"} <= set(seen)
        assert seen[0] not in ("gold-p1", "gold-p2")
        assert len(seen) == len(set(seen))


@pytest.mark.parametrize("ahead", [1, 3, 8])
@pytest.mark.parametrize("items", [4, 8, 30])
def test_duplicates_follow_and_are_never_adjacent(make_stage: Callable[..., Stage], items: int, ahead: int) -> None:
    """A hidden duplicate comes later to whoever had its original, with something between, and to nobody else."""
    stage = make_stage(items=items, overlap=1, ahead=ahead, duplicates=0.5)
    seen = _all_of(stage, "ana")
    copies = {key for key in seen if key.endswith("~2")}
    assert copies
    for copy in copies:
        assert seen.index(copy) - seen.index(copy.removesuffix("~2")) >= 2
    assert not any(one + "~2" == other or other + "~2" == one for one, other in pairwise(seen))
    assert len(seen) == len(set(seen))
    assert _all_of(stage, "bob") == []


def test_an_original_does_not_follow_its_duplicate(make_stage: Callable[..., Stage]) -> None:
    """Whoever let the original lapse and did the duplicate does not get the original again, next to it."""
    stage = make_stage(items=3, overlap=1, ahead=8, duplicates=1.0)
    take(stage, "ana")
    copy = next(lease for lease in take(stage, "ana") if lease.item.key.endswith("~2"))
    submit(copy)
    assert copy.item.key.removesuffix("~2") not in keys(take(stage, "ana", LATER))


def test_sheets_and_pages_share_the_places(make_stage: Callable[..., Stage]) -> None:
    """Sheets dealt and leases taken at the same moment never pass the overlap, and a sheet's rows show as held."""
    from rubrica.store.allocation.sheets import Request, deal_sheets

    stage = make_stage(items=20, overlap=2, ahead=3)
    for number in range(3):
        person(stage, f"page{number}")
    deals = [lambda n=n: deal_sheets(stage, Request([f"sheet{n}"], 8, "en"), NOW) for n in range(3)]
    takes = [lambda n=n: take(stage, f"page{n}") for n in range(3)]
    assert not [result for result in at_once([*deals, *takes]) if isinstance(result, Exception)]
    assert max(places(stage).values()) <= 2
    held = [take(stage, f"sheet{number}") for number in range(3)]
    assert any(held)
    assert all(lease.expires_at is None and lease.sheet_id for leases in held for lease in leases)


def test_work_on_a_page_and_in_a_sheet_is_one_judgement(make_stage: Callable[..., Stage], tmp_path: Path) -> None:
    """A row done on the page and read from the sheet again is a further revision of the same judgement."""
    from rubrica.exchange.sheets.read import OpenedSheet
    from rubrica.exchange.sheets.write import write_sheet
    from rubrica.store.allocation.sheets import Request, deal_sheets, read_file
    from rubrica.store.models import Assignment, Judgement
    from tests.making import fill

    stage = make_stage(items=2, overlap=1)
    (file,) = deal_sheets(stage, Request(["ana"], 8, "en"), NOW).files
    write_sheet(file, tmp_path / "s.xlsx")
    for lease in take(stage, "ana"):
        submit(lease, f"k-{lease.pid}", outcome="uncomfortable")
    fill(tmp_path / "s.xlsx", "otherwise")
    read_file(stage.study, OpenedSheet(tmp_path / "s.xlsx"), LATER)
    assert Judgement.objects.count() == Assignment.objects.filter(state="done").count() == 2
    assert {head.current.origin for head in Judgement.objects.select_related("current")} == {"sheet"}
    assert {head.last_number for head in Judgement.objects.all()} == {2}


def test_giving_back_returns_open_leases_only(stage: Stage) -> None:
    """A withdrawal frees what is held and leaves what was judged."""
    from rubrica.store.allocation import overlap
    from rubrica.store.models import Assignment

    submit(take(stage, "ana")[0])
    take(stage, "ana")
    assert overlap.give_back(Assignment.objects.filter(annotator__name="ana")) == 1
    assert sorted(Assignment.objects.values_list("state", flat=True)) == ["done", "returned"]


def test_a_group_is_shown_together(make_stage: Callable[..., Stage]) -> None:
    """The page of one lease shows the annotator's own leases of the same group, in order."""
    from rubrica.store.allocation.leases import group_of

    stage = make_stage(rows=grouped(2), overlap=2, ahead=1)
    held = take(stage, "ana")
    take(stage, "bob")
    assert keys(group_of(held[1])) == keys(held)
    assert judged(held[0]).outcome == "answered"
