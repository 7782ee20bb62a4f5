"""The items of a study: searched, paged, one by one, closed and reopened, added while it runs."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from rubrica.core.study import Item
from tests.making import pairs
from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Study

As = Callable[[str], Client]


def page(study: Study, more: str = "") -> str:
    """The address of the page, or of one of its parts."""
    return f"/s/{study.pid}/items/{more}"


def keys(client: Client, address: str) -> list[str]:
    """The ids that the table shows, in order."""
    shown = client.get(address).content.decode()
    return [html.unescape(key) for key in re.findall(r'<th scope="row"><a [^>]*>([^<]*)</a>', shown)]


def csv_file(text: str, name: str = "more.csv") -> SimpleUploadedFile:
    """A file as a browser sends it."""
    return SimpleUploadedFile(name, text.encode())


def test_stages_are_called_by_their_title(study: Study, as_: Callable[[str], Client]) -> None:
    """In the list and on the page of an item, as everywhere; the key is for files and commands."""
    client = as_("viewer")
    assert "Rate the rewrites" in client.get(f"/s/{study.pid}/items/").content.decode()
    item = study.items.first()
    assert item is not None
    assert "<strong>Rate the rewrites</strong>" in client.get(f"/s/{study.pid}/items/{item.pid}/").content.decode()


def test_table_pages_and_searches(make_study: Callable[..., Study], people: Any, as_: As) -> None:
    """Fifty items a page; the search looks into texts, ids and systems, also for accented letters and signs."""
    from rubrica.store.models import Member

    rows = [*pairs(60), Item("x%1", {"source": "El camión averiado", "rewrite": "El camión roto"}, system="gpt")]
    study = make_study(name="many", rows=rows)
    Member.objects.create(study=study, user=people["viewer"], role="viewer", since=NOW)
    client = as_("viewer")
    assert keys(client, page(study)) == [f"p{number}" for number in range(1, 51)]
    assert len(keys(client, page(study, "?page=2"))) == 11
    assert keys(client, page(study, "?q=camión")) == ["x%1"]
    assert keys(client, page(study, "?q=%25")) == ["x%1"]
    assert keys(client, page(study, "?system=gpt")) == ["x%1"]
    assert keys(client, page(study, "?q=nothing+like+it")) == []
    assert keys(client, page(study, "?q=%00")) == []
    assert client.get(page(study, "?page=-5&state=odd&order=odd")).status_code == 200


def test_table_says_what_is_done(study: Study, as_: As, link: Any) -> None:
    """Each item shows its judgements done and wanted at each stage; finished ones can be left out."""
    from rubrica.store.allocation.leases import take

    lease = take(link.annotator, study.stages.get(), NOW).leases[0]
    lease.state = "done"
    lease.save()
    assert '<td class="number">1 / 2' in as_("viewer").get(page(study, f"?q={lease.item.key}")).content.decode()
    study.stages.update(overlap=1)
    assert lease.item.key not in keys(as_("viewer"), page(study, "?state=unfinished"))
    assert len(keys(as_("viewer"), page(study, "?state=unfinished"))) == 5


def test_planted_items_are_marked(make_study: Callable[..., Study], people: Any, as_: As) -> None:
    """Researchers see which items are planted and what they measure by."""
    from rubrica.store.models import Item as Row
    from rubrica.store.models import Member, Planted

    study = make_study(name="planted")
    Member.objects.create(study=study, user=people["viewer"], role="viewer", since=NOW)
    row = Row.objects.get(study=study, key="p1")
    Planted.objects.create(item=row, kind="gold", answers={"meaning": 3})
    client = as_("viewer")
    assert keys(client, page(study, "?state=planted")) == ["p1"]
    answer = client.get(page(study, f"{row.pid}/")).content.decode()
    assert "Known answers" in answer
    assert "every annotator may get it" in answer


def test_item_page_shows_texts_judgements_and_flags(study: Study, as_: As, link: Any) -> None:
    """One item's page has its texts, who judged it with the answers, and what was flagged."""
    from rubrica.core.study import Judgement
    from rubrica.store import models
    from rubrica.store.allocation.leases import take
    from rubrica.store.recording.judgements import Said, submit

    lease = take(link.annotator, study.stages.get(), NOW).leases[0]
    submit([Said(lease, "key-1234", Judgement({}, (), "uncomfortable"))], NOW)
    models.Flag.objects.create(
        stage=lease.stage, item=lease.item, annotator=link.annotator, reason="<b>broken</b>", at=NOW
    )
    answer = as_("viewer").get(page(study, f"{lease.item.pid}/")).content.decode()
    assert lease.item.fields["source"] in answer
    assert "ana" in answer
    assert "rather not judged, passed on" in answer
    assert "&lt;b&gt;broken&lt;/b&gt;" in answer
    assert "Close the item" not in answer


def test_answers_on_an_items_page_stand_in_words(study: Study, as_: As) -> None:
    """As the annotator read them: labels of the scale, short names of the questions."""
    from rubrica.core.study import Judgement
    from tests.studio.judging import GOOD, judge, plain_items

    (item,) = plain_items(study, 1)
    judge(study, "ana", [item], said=Judgement(GOOD))
    answer = as_("viewer").get(page(study, f"{item.pid}/")).content.decode()
    assert "3: The same" in answer
    assert "Meaning Preservation" in answer


def test_closing_returns_leases_and_reopening_undoes_it(study: Study, as_: As, link: Any) -> None:
    """A closed item is taken back and handed out no more; reopened, it is handed out again. Twice is once."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.counting.progress import of_stages

    stage = study.stages.get()
    lease = take(link.annotator, stage, NOW).leases[0]
    client = as_("manager")
    for _ in range(2):
        client.post(page(study, f"{lease.item.pid}/close/"), {"reason": "typo in the source"})
    lease.refresh_from_db()
    lease.item.refresh_from_db()
    assert lease.state == "returned"
    assert lease.item.closed_reason == "typo in the source"
    assert of_stages(study.stages.all())[0].wanted == 10
    assert lease.item.key not in [held.item.key for held in take(link.annotator, stage, NOW).leases]
    assert "typo in the source" in client.get(page(study)).content.decode()
    client.post(page(study, f"{lease.item.pid}/reopen/"))
    lease.item.refresh_from_db()
    assert lease.item.closed_at is None


def test_closing_needs_a_reason(study: Study, as_: As) -> None:
    """Without a reason nothing is closed, and the page says so."""
    row = study.items.first()
    assert row is not None
    for reason in ("", "   ", "x" * 501):
        assert as_("manager").post(page(study, f"{row.pid}/close/"), {"reason": reason}).status_code == 422
    row.refresh_from_db()
    assert row.closed_at is None


@pytest.mark.own_process
def test_adding_shows_the_columns_first(study: Study, as_: As) -> None:
    """A file is read and shown; only the confirmation adds its items, which are handed out from then on."""
    client = as_("manager")
    text = "id,original,rewritten\nn1,A long source.,A source.\nn2,Another one.,One.\n"
    client.post(page(study, "add/"), {"action": "upload", "file": csv_file(text)})
    shown = client.get(page(study, "add/")).content.decode()
    assert 'value="confirm"' in shown
    assert "A long source." in shown
    assert study.items.count() == 6
    columns = {"column.source": "original", "column.rewrite": "rewritten", "column.id": "id"}
    answer = client.post(page(study, "add/"), {"action": "confirm", **columns}, follow=True)
    assert "2 items were added" in answer.content.decode()
    assert list(study.items.values_list("key", "position").order_by("position"))[-2:] == [("n1", 7), ("n2", 8)]
    client.post(page(study, "add/"), {"action": "confirm", **columns})
    assert study.items.count() == 8


def test_adding_can_be_undone_until_somebody_has_an_item(study: Study, as_: As, link: Any) -> None:
    """What was just added can be taken back, unless it has been handed out."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.setup.study_items import add

    client = as_("manager")
    for expected in (6, 8):
        add(study, [Item(f"n{number}", pairs(1)[0].fields) for number in (1, 2)], NOW, "manager")
        if expected == 8:
            study.items.filter(key__startswith="p").update(closed_at=NOW)
            take(link.annotator, study.stages.get(), NOW)
        answer = client.post(page(study, "add/undo/"), {"after": "6", "count": "2"}, follow=True)
        assert study.items.count() == expected
    assert "handed out" in answer.content.decode()
    assert client.post(page(study, "add/undo/"), {"after": "x", "count": "-2"}).status_code == 302


def test_files_without_ids_get_free_numbers(study: Study, as_: As) -> None:
    """Rows that are merely counted do not clash with items that are there."""
    study.items.filter(key="p1").update(key="7")
    client = as_("manager")
    client.post(page(study, "add/"), {"action": "upload", "file": csv_file("source,rewrite\nA b.,A.\nC d.,C.\n")})
    client.post(page(study, "add/"), {"action": "confirm", "column.source": "source", "column.rewrite": "rewrite"})
    assert list(study.items.order_by("position").values_list("key", flat=True))[-2:] == ["8", "9"]


def test_ids_that_are_there_are_all_listed(study: Study, as_: As) -> None:
    """Every id that the study has already is named, and nothing is added."""
    client = as_("manager")
    text = "id,source,rewrite\np1,A b.,A.\np2,C d.,C.\nnew,E f.,E.\n"
    client.post(page(study, "add/"), {"action": "upload", "file": csv_file(text)})
    shown = html.unescape(client.get(page(study, "add/")).content.decode())
    assert "the id 'p1' is in the study already" in shown
    assert "the id 'p2' is in the study already" in shown
    assert 'value="confirm"' not in shown
    answer = client.post(
        page(study, "add/"),
        {"action": "confirm", "column.id": "id", "column.source": "source", "column.rewrite": "rewrite"},
    )
    assert answer.status_code == 422
    assert study.items.count() == 6


@pytest.mark.parametrize(
    "file",
    [("more.pdf", b"%PDF"), ("more.csv", b""), ("more.csv", b"\xff\xfe"), ("more.xlsx", b"PK"), ("a.jsonl", b"{")],
)
def test_broken_files_are_told(study: Study, as_: As, file: tuple[str, bytes]) -> None:
    """Whatever cannot be read is told on the page, never a failure of ours."""
    client = as_("manager")
    answer = client.post(page(study, "add/"), {"action": "upload", "file": SimpleUploadedFile(*file)}, follow=True)
    assert answer.status_code in (200, 422)
    assert 'role="alert"' in answer.content.decode()
    assert study.items.count() == 6


def test_draft_goes_to_the_setup(study: Study, as_: As) -> None:
    """Items of a study that is not launched are chosen in its setup."""
    study.stages.update(state="draft")
    answer = as_("manager").get(page(study, "add/"))
    assert answer.headers["Location"] == f"/s/{study.pid}/setup/items/"


def test_roles(study: Study, as_: As) -> None:
    """Members look, managers change, strangers find nothing, unknown ids are nothing, actions need a post."""
    row = study.items.first()
    assert row is not None
    viewer, stranger, manager = as_("viewer"), as_("stranger"), as_("manager")
    assert viewer.get(page(study)).status_code == 200
    for address in ("add/", f"{row.pid}/close/", f"{row.pid}/reopen/", "add/undo/"):
        assert viewer.post(page(study, address)).status_code == 403
        assert stranger.post(page(study, address)).status_code == 404
    for address in (f"{row.pid}/close/", f"{row.pid}/reopen/", "add/undo/"):
        assert manager.get(page(study, address)).status_code == 405
    assert stranger.get(page(study)).status_code == 404
    assert manager.post(page(study)).status_code == 405
    assert manager.get(page(study, "nothing/")).status_code == 404


def test_items_of_other_studies_are_not_there(make_study: Callable[..., Study], study: Study, as_: As) -> None:
    """The id of another study's item leads nowhere."""
    theirs = make_study(name="other").items.first()
    assert theirs is not None
    assert as_("manager").get(page(study, f"{theirs.pid}/")).status_code == 404
    assert as_("manager").post(page(study, f"{theirs.pid}/close/"), {"reason": "x"}).status_code == 404
