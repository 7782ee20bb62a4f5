"""Work is handed out and taken in by one set of rules, through every entrance: page, API, sheet, import."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.core.study import Item
from tests.conftest import Ran
from tests.making import fill, stored_sheet
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.judging import GOOD, judge, plain_items
from tests.studio.test_work_api import Caller
from tests.studio.test_work_page import first_page, form, lease_in

if TYPE_CHECKING:
    from rubrica.store.models import Study

Rubrica = Callable[..., Ran]
LATER = NOW + timedelta(days=1)


def _token(study: Study, name: str) -> str:
    from rubrica.store.people.invitations import invite, token

    return token(invite(study, [name], NOW)[0])


def _states(study: Study, name: str) -> set[str]:
    """The states of this person's leases."""
    from rubrica.store.models import Assignment

    return set(Assignment.objects.filter(stage__study=study, annotator__name=name).values_list("state", flat=True))


def _late_on_a_page(study: Study, rubrica: Rubrica, folder: Path) -> Callable[[], None]:
    token = _token(study, "ana")
    page = first_page(Client(), f"/w/{token}/")
    return lambda: _ok(Client().post(page, form(page, **GOOD)))


def _late_by_the_api(study: Study, rubrica: Rubrica, folder: Path) -> Callable[[], None]:
    token = _token(study, "ana")
    lease = lease_in(first_page(Client(), f"/w/{token}/"))
    return lambda: _ok(Caller(token).submit(lease))


def _late_in_a_sheet(study: Study, rubrica: Rubrica, folder: Path) -> Callable[[], None]:
    assert rubrica("sheets", "write", study.name, "--annotators", "ana", "--out", folder).code == 0
    (file,) = folder.glob("*.xlsx")
    fill(file)

    def read() -> None:
        assert rubrica("sheets", "read", study.name, file).code == 0

    return read


def _late_by_import(study: Study, rubrica: Rubrica, folder: Path) -> Callable[[], None]:
    rows = [{"item": item.key, "annotator": "ana", "stage": "rate", "answers": GOOD} for item in plain_items(study)]
    file = folder / "more.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def read() -> None:
        ran = rubrica("import", study.name, file)
        assert ran.code == 0, ran.err

    return read


def _ok(response: Any) -> None:
    assert response.status_code in (200, 302), response.content


@pytest.mark.parametrize("full", [True, False], ids=["taken", "free"])
@pytest.mark.parametrize("late", [_late_on_a_page, _late_by_the_api, _late_in_a_sheet, _late_by_import])
def test_what_comes_late_counts_if_there_is_a_place_and_is_extra_otherwise(
    make_study: Callable[..., Study], rubrica: Rubrica, tmp_path: Path, late: Callable[..., Any], full: bool
) -> None:
    """Whatever way a judgement comes after its lease was given away, places never pass the overlap."""
    from rubrica.store.models import Assignment, Judgement

    study = make_study(items=1, overlap=1)
    arrive = late(study, rubrica, tmp_path)
    Assignment.objects.filter(state="open").update(state="returned")
    if full:
        judge(study, "ben")
    arrive()
    assert _states(study, "ana") == {"extra" if full else "done"}
    assert Judgement.objects.filter(annotator__name="ana", state="submitted").count() == 1


def _on_pages(study: Study, name: str, rubrica: Rubrica, folder: Path, stage: str = "rate") -> list[str]:
    """The keys of all items that somebody gets by asking for work until there is none."""
    from django.utils import timezone

    from rubrica.store.allocation.leases import take
    from rubrica.store.people.annotators import named

    step = study.stages.select_related("study", "protocol_version").get(key=stage)
    person = named(study, [name], NOW)[name]
    seen: list[str] = []
    while held := take(person, step, timezone.now()).leases:
        seen += [lease.item.key for lease in held]
        step.assignments.filter(pk__in=[lease.pk for lease in held]).update(state="done")
    return sorted(seen)


def _on_sheets(study: Study, name: str, rubrica: Rubrica, folder: Path, stage: str = "rate") -> list[str]:
    """The keys of all items that somebody gets on sheets."""
    where = ("--stage", stage, "--out", folder, "--json")
    ran = rubrica("sheets", "write", study.name, "--annotators", name, *where)
    assert ran.code == 0, ran.err
    return sorted(row.item.key for file in ran.json["files"] for row in stored_sheet(Path(file)).rows)


HANDED_OUT = pytest.mark.parametrize("handed_out", [_on_pages, _on_sheets])
Gives = Callable[..., list[str]]


@HANDED_OUT
def test_closed_items_and_own_texts_are_not_handed_out(
    make_study: Callable[..., Study], rubrica: Rubrica, tmp_path: Path, handed_out: Gives
) -> None:
    """Neither a closed item nor a text of one's own comes, nor the hidden duplicate of a closed one."""
    from rubrica.store.models import Item, Planted
    from rubrica.store.people.annotators import named

    study = make_study(items=6, overlap=1)
    own, closed, copy, *_ = study.items.all()
    Planted.objects.create(item=copy, kind="duplicate", original=closed)
    Item.objects.filter(pk__in=[closed.pk, copy.pk]).update(closed_at=NOW)
    Item.objects.filter(pk=own.pk).update(author_identity=named(study, ["ana"], NOW)["ana"].identity)
    assert handed_out(study, "ana", rubrica, tmp_path) == ["p4", "p5", "p6"]


@HANDED_OUT
def test_places_of_excluded_people_are_handed_out_again(
    make_study: Callable[..., Study], rubrica: Rubrica, tmp_path: Path, handed_out: Gives
) -> None:
    """What an excluded annotator judged takes no place."""
    from rubrica.store.people.annotators import exclude

    study = make_study(items=3, overlap=1)
    judge(study, "ben")
    assert handed_out(study, "ana", rubrica, tmp_path) == []
    exclude(study.annotators.get(name="ben"), "Careless.", NOW)
    assert handed_out(study, "eva", rubrica, tmp_path) == ["p1", "p2", "p3"]


@HANDED_OUT
@pytest.mark.parametrize("state", ["draft", "paused", "closed"])
def test_a_stage_that_is_not_open_hands_out_nothing(
    study: Study, rubrica: Rubrica, tmp_path: Path, handed_out: Gives, state: str
) -> None:
    """A draft, a paused and a closed stage give no work."""
    study.stages.update(state=state)
    assert handed_out(study, "ana", rubrica, tmp_path) == []


@HANDED_OUT
def test_the_limit_holds(make_study: Callable[..., Study], rubrica: Rubrica, tmp_path: Path, handed_out: Gives) -> None:
    """Nobody gets more items than the study's limit, planted ones included, and the first group is given whole."""
    from rubrica.store.setup.study_items import set_duplicates

    study = make_study(items=20, overlap=1, limit_per_annotator=5)
    set_duplicates(study, 0.5, NOW, "owner")
    assert 1 <= len(handed_out(study, "ana", rubrica, tmp_path)) <= 5
    assert handed_out(study, "ana", rubrica, tmp_path) == []
    rows = [Item(f"g{n}", {"source": f"Gate {n}.", "rewrite": f"{n}."}, group=f"g{n // 8}") for n in range(16)]
    large = make_study(rows=rows, overlap=1, limit_per_annotator=5, name="large")
    assert len(handed_out(large, "ana", rubrica, tmp_path)) == 8


@HANDED_OUT
def test_a_later_stage_gets_what_those_who_count_have_finished(
    make_study: Callable[..., Study], rubrica: Rubrica, tmp_path: Path, handed_out: Gives
) -> None:
    """An item is ready when the earlier stage has all its judgements; those of an excluded annotator are none."""
    from rubrica.store.people.annotators import exclude

    study = make_study("salsa", items=2, overlap=1)
    judge(study, "ana", plain_items(study, 1))
    judge(study, "ben", plain_items(study)[1:])
    exclude(study.annotators.get(name="ben"), "Careless.", NOW)
    assert handed_out(study, "dan", rubrica, tmp_path, "adjudicate") == ["p1"]


def _by_the_setup_page(study: Study, owner: Client, api: ApiClient) -> int:
    sent = {"overlap_0": "1", "duplicates": "0", "limit_per_annotator": "", "lease_minutes": "30"}
    return owner.post(f"/s/{study.pid}/setup/quality/", sent).status_code


def _by_the_overview(study: Study, owner: Client, api: ApiClient) -> int:
    return owner.post(f"/s/{study.pid}/run/", {"action": "overlap", "stage": "rate", "overlap": "1"}).status_code


def _by_the_api(study: Study, owner: Client, api: ApiClient) -> int:
    return api.call("put", f"/studies/{study.pid}/stages/rate/overlap", {"overlap": 1})[0]


@pytest.mark.parametrize("entrance", [_by_the_setup_page, _by_the_overview, _by_the_api])
def test_overlap_is_never_lowered_below_what_items_have(
    study: Study, as_: Callable[[str], Client], people: dict[str, Any], entrance: Callable[..., int]
) -> None:
    """Two have judged an item: no entrance lets the study ask for one."""
    judge(study, "ana", plain_items(study, 1))
    judge(study, "ben", plain_items(study, 1))
    assert entrance(study, as_("owner"), ApiClient(people["owner"])) == 422
    assert study.stages.get().overlap == 2


@pytest.mark.parametrize("overlap", [0, 1001])
def test_overlap_is_bounded_when_a_study_is_made(
    study: Study, people: dict[str, Any], rubrica: Rubrica, overlap: int
) -> None:
    """A command refuses the numbers that API and pages refuse."""
    made = rubrica("study", "new", "t", "--protocol", "breve", "--overlap", overlap)
    assert (made.code, "from 1 to 1,000" in made.err) == (1, True)
    new = {"title": "T", "protocol": "breve", "overlap": {"rate": overlap}}
    assert ApiClient(people["owner"]).call("post", "/studies", new)[0] == 422
