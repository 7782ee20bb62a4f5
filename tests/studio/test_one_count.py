"""What is wanted, done, extra and remaining is one count, through every entrance: commands, pages, API and report."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.core.study import Item
from tests.conftest import Ran
from tests.studio.api_client import ApiClient
from tests.studio.conftest import NOW
from tests.studio.drafting import text_of
from tests.studio.judging import judge, plain_items
from tests.studio.test_versions import changed

if TYPE_CHECKING:
    from rubrica.store.models import Study

Rubrica = Callable[..., Ran]
WANTED, DONE, EXTRA, OUT = 11, 8, 1, 1
"""Five open items of two places each, and the closed one's single judgement. Items 1 to 3 have both places done, and
item 1 a third judgement; item 4 and the closed item have one. Somebody holds a place with a draft."""
COUNTS = {"wanted": WANTED, "done": DONE, "extra": EXTRA, "handed_out": OUT, "remaining": WANTED - DONE}


@pytest.fixture
def mixed(study: Study) -> Study:
    """A study with an excluded person, a judgement beyond the overlap, a closed item, a planted one, and a draft."""
    from rubrica.store.people import annotators
    from rubrica.store.setup.study_items import close, set_gold

    study.stages.update(state="draft")
    set_gold(study, [(Item("g", {"source": "A gold source.", "rewrite": "Gold."}), {"meaning": 3})], NOW, "owner")
    study.stages.update(state="open")
    first, second, third, fourth, _, closed = plain_items(study)
    judge(study, "dan")
    annotators.exclude(study.annotators.get(name="dan"), "Careless.", NOW)
    judge(study, "ana", [first, second, third, fourth, closed])
    judge(study, "ben", [first, second, third, study.items.get(planted__kind="gold")])
    judge(study, "eva", [first])
    close(closed, "broken", NOW, "owner")
    _begin(study, "fay")
    return study


def _begin(study: Study, name: str) -> None:
    """Let this annotator take one item and save a draft of it."""
    from django.utils import timezone

    from rubrica.store.allocation.leases import take
    from rubrica.store.people.invitations import invite, token

    [link] = invite(study, [name], NOW)
    assert link.annotator is not None
    leases = take(link.annotator, study.stages.get(), timezone.now()).leases
    study.annotators.get(name=name).assignments.exclude(pk=leases[0].pk).delete()
    draft = {"key": "key-0000001", "answers": {"meaning": 1}}
    ApiClient(token=token(link)).send("put", f"/work/{leases[0].pid}/draft", draft)


def _stage(shown: Any) -> dict[str, int]:
    return {name: shown[name] for name in COUNTS}


def test_commands_count_alike(mixed: Study, rubrica: Rubrica) -> None:
    """`study show` and `study list` say the same of a stage, in JSON and in words."""
    [stage] = rubrica("study", "show", mixed.name, "--json").json["study"]["stages"]
    assert _stage(stage) == COUNTS
    [study] = rubrica("study", "list", "--json").json["studies"]
    assert [_stage(stage) for stage in study["stages"]] == [COUNTS]
    words = rubrica("study", "show", mixed.name).out
    assert "6 items x 2, less 1 for closed items = 11 judgements; 8 done, 1 beyond the overlap, 1 handed out" in words
    assert re.search(rf"rate +{DONE} +{WANTED}", rubrica("study", "list").out)


def test_pages_count_alike(mixed: Study, as_: Callable[[str], Client]) -> None:
    """Overview, list of studies and list of items say what the commands say."""
    viewer = as_("viewer")
    overview = text_of(viewer.get(f"/s/{mixed.pid}/"))
    assert f"{DONE} of {WANTED} judgements 73 %" in overview
    assert f"Handed out {OUT} Extra, beyond the overlap {EXTRA} Closed items 1" in overview
    assert f"{DONE} of {WANTED} judgements" in text_of(viewer.get("/studies/"))
    items = text_of(viewer.get(f"/s/{mixed.pid}/items/"))
    rows = re.findall(r"(\d) / (\d)(?: \+ (\d))?", items)
    assert [tuple(map(int, filter(None, row))) for row in rows] == [(2, 2, 1), (2, 2), (2, 2), (1, 2), (0, 2), (1, 1)]
    unfinished = text_of(viewer.get(f"/s/{mixed.pid}/items/?state=unfinished"))
    assert [key for key in ("p1", "p2", "p3", "p4", "p5", "p6") if f" {key} " in unfinished] == ["p4", "p5"]


def test_the_api_counts_alike(mixed: Study, people: dict[str, Any]) -> None:
    """A study asked for alone and in the list has the same numbers."""
    client = ApiClient(people["viewer"])
    whole = client.get(f"/studies/{mixed.pid}")
    assert [_stage(stage) for stage in whole["stages"]] == [COUNTS]
    [listed] = client.get("/studies")["results"]
    for found in (whole, listed):
        assert (found["items"], found["done"], found["wanted"]) == (6, DONE, WANTED)


def test_the_report_counts_alike(mixed: Study, rubrica: Rubrica, tmp_path: Path) -> None:
    """The report says of the stage what the overview says, and that it is not finished."""
    assert rubrica("report", mixed.name, "-o", tmp_path / "r", "--no-charts", "--bootstrap", 0).code == 0
    words = " ".join(re.sub(r"<[^>]+>", " ", (tmp_path / "r" / "report.html").read_text()).split())
    assert "8 of 11 judgements wanted are done (73 %), 1 more beyond the overlap" in words
    assert "73 % of the judgements wanted are in" in words


def test_a_person_is_paid_for_what_the_people_page_counts(mixed: Study, as_: Callable[[str], Client]) -> None:
    """Excluded, extra and planted judgements were work: each person's tasks are their done and extra ones."""
    from rubrica.store.counting.progress import of_people
    from rubrica.store.money import payments

    paid = {one.annotator.name: sum(line.tasks for line in one.tasks) for one in payments.accounts(mixed)}
    assert paid == {"ana": 5, "ben": 4, "dan": 6, "eva": 1}
    names = dict(mixed.annotators.values_list("pk", "name"))
    assert {names[pk]: work.judged for pk, work in of_people(mixed).items() if work.judged} == paid
    assert "dan" in text_of(as_("viewer").get(f"/s/{mixed.pid}/people/"))


def test_nothing_remains_of_a_closed_stage(mixed: Study, rubrica: Rubrica, as_: Callable[[str], Client]) -> None:
    """Closed early, a stage keeps what it wanted; page, command and report know that nothing more will come."""
    from rubrica.store.setup import running

    running.move(mixed, "close", NOW)
    [stage] = rubrica("study", "show", mixed.name, "--json").json["study"]["stages"]
    assert _stage(stage) == {**COUNTS, "remaining": 0}
    overview = text_of(as_("viewer").get(f"/s/{mixed.pid}/"))
    assert f"{DONE} of {WANTED} judgements" in overview
    assert "All done." not in overview


def test_a_replaced_stage_wants_what_it_has(mixed: Study, rubrica: Rubrica) -> None:
    """With a new version of the protocol, its items are wanted at the new stage only."""
    from rubrica.store.setup.versions import start

    start(mixed, changed(), NOW, "owner")
    old, new = rubrica("study", "show", mixed.name, "--json").json["study"]["stages"]
    assert (old["wanted"], old["done"], old["extra"], old["remaining"]) == (DONE, DONE, EXTRA, 0)
    assert (new["wanted"], new["done"], new["remaining"]) == (10, 0, 10)
