"""Things to read: flags, concerns, comments, skips; settled, read, and undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from rubrica.core.study import Judgement
from tests.studio.conftest import NOW
from tests.studio.judging import GOOD, judge, plain_items

if TYPE_CHECKING:
    from rubrica.store.models import Flag, Study

CONCERN = Judgement({**GOOD, "concern": "yes", "concern_kinds": ("hate",), "comment": "Rude <b>words</b>."})


@pytest.fixture
def address(study: Study) -> str:
    """The address."""
    return f"/s/{study.pid}/attention/"


@pytest.fixture
def flag(study: Study) -> Flag:
    """An annotator's flag on the first item."""
    from rubrica.store.models import Flag

    row = judge(study, "ana", plain_items(study, 1))[0]
    return Flag.objects.create(stage=row.stage, item=row.item, annotator=row.annotator, reason="Cut off.", at=NOW)


def test_concerns_comments_and_skips_are_listed(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """Each kind has its list, in words; what annotators write is text and never markup."""
    judge(study, "ana", plain_items(study, 1), said=CONCERN)
    judge(study, "ben", plain_items(study, 1), said=Judgement({}, (), "uncomfortable"))
    client = as_("viewer")
    assert "Hateful speech" in client.get(f"{address}?show=concern").content.decode()
    comments = client.get(f"{address}?show=comment").content.decode()
    assert "Rude &lt;b&gt;words&lt;/b&gt;." in comments
    assert "Mark as read" not in comments
    assert "ben" in client.get(f"{address}?show=skip").content.decode()
    assert "rather not judged, passed on: 1" in client.get(f"{address}?show=ways_out").content.decode()


def test_nothing_to_read_says_so(address: str, as_: Callable[[str], Client]) -> None:
    """Empty lists tell what would appear there; an unknown list is the first one."""
    for show in ("flags", "concern", "comment", "skip", "ways_out", "nonsense", "\0"):
        answer = as_("viewer").get(address, {"show": show})
        assert answer.status_code == 200
        assert 'class="empty"' in answer.content.decode()


def test_reading_is_marked_once_and_undone(study: Study, address: str, as_: Callable[[str], Client]) -> None:
    """A read note leaves the list, a doubled click changes nothing, and it can be made unread."""
    from rubrica.store.models import ReadMark

    [row] = judge(study, "ana", plain_items(study, 1), said=CONCERN)
    assert row.current is not None
    form = {"action": "read", "show": "comment", "subject": f"comment:{row.current.pid}"}
    client = as_("adjudicator")
    for _ in range(2):
        assert client.post(f"{address}act/", form).status_code == 302
    assert ReadMark.objects.count() == 1
    assert "Rude" not in client.get(f"{address}?show=comment").content.decode()
    assert "Rude" in client.get(f"{address}?show=comment&all=1").content.decode()
    client.post(f"{address}act/", {**form, "action": "unread"})
    assert not ReadMark.objects.exists()


@pytest.mark.parametrize(("who", "status"), [("", 302), ("stranger", 404), ("viewer", 403)])
def test_who_may_not_settle(flag: Flag, address: str, as_: Callable[[str], Client], who: str, status: int) -> None:
    """Viewers read, adjudicators and managers settle."""
    assert as_(who).post(f"{address}act/", {"action": "resolve", "flag": flag.pid}).status_code == status
    flag.refresh_from_db()
    assert flag.resolved_at is None


def test_a_flag_is_settled_once_and_opened_again(flag: Flag, address: str, as_: Callable[[str], Client]) -> None:
    """The first note stands, a second click changes nothing, and settling can be undone."""
    client = as_("adjudicator")
    client.post(f"{address}act/", {"action": "resolve", "flag": flag.pid, "note": "Mended.", "show": "flags"})
    client.post(f"{address}act/", {"action": "resolve", "flag": flag.pid, "note": "Other.", "show": "flags"})
    flag.refresh_from_db()
    assert (flag.resolution, flag.resolved_by) == ("Mended.", "adjudicator")
    client.post(f"{address}act/", {"action": "reopen", "flag": flag.pid})
    flag.refresh_from_db()
    assert flag.resolved_at is None


def test_closing_an_item_is_for_managers_and_undone(flag: Flag, address: str, as_: Callable[[str], Client]) -> None:
    """An adjudicator cannot take an item out of the work; a manager can, and can bring it back."""
    form = {"action": "resolve", "flag": flag.pid, "close": "yes"}
    assert as_("adjudicator").post(f"{address}act/", form).status_code == 403
    manager = as_("manager")
    assert manager.post(f"{address}act/", form).status_code == 302
    flag.item.refresh_from_db()
    assert flag.item.closed_at is not None
    assert "item closed" in manager.get(f"{address}?show=flags&all=1").content.decode()
    manager.post(f"{address}act/", {"action": "open_item", "item": flag.item.pid})
    flag.item.refresh_from_db()
    assert flag.item.closed_at is None
    manager.post(f"{address}act/", {"action": "close", "item": flag.item.pid})
    flag.item.refresh_from_db()
    assert flag.item.closed_at is not None


def test_a_note_that_is_refused_stays(flag: Flag, address: str, as_: Callable[[str], Client]) -> None:
    """The flag is shown again with the note and the tick."""
    long = "Looked at, and fine. " * 120
    form = {"action": "resolve", "flag": flag.pid, "note": long, "close": "yes", "show": "flags"}
    response = as_("manager").post(f"{address}act/", form)
    assert response.status_code == 422
    body = response.content.decode()
    assert f'value="{long}"' in body
    assert 'name="close" value="yes" checked' in body
    flag.refresh_from_db()
    assert flag.resolved_at is None


def test_bad_ids_methods_and_input(address: str, as_: Callable[[str], Client]) -> None:
    """Unknown flags and items are not found, unknown actions and subjects are said on the page."""
    client = as_("manager")
    for pid in ("", "x" * 16, "\0" * 16):
        assert client.post(f"{address}act/", {"action": "resolve", "flag": pid}).status_code == 404
        assert client.post(f"{address}act/", {"action": "close", "item": pid}).status_code == 404
    assert client.get(f"{address}act/").status_code == 405
    assert client.post(address).status_code == 405
    for form in (
        {"action": "x"},
        {"action": "read"},
        {"action": "read", "subject": "gossip:1"},
        {"action": "read", "subject": "comment:\0"},
    ):
        assert "notice error" in client.post(f"{address}act/", form, follow=True).content.decode()
