"""The short way of a draft: kept if the judgement stands as it was seen, left to the long way otherwise."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from rubrica.core.study import Judgement
from tests.conftest import NOW
from tests.store.conftest import at_once, said, submit, take

if TYPE_CHECKING:
    from rubrica.store.models import Assignment, Stage
    from rubrica.store.recording.quick_drafts import Head


@pytest.fixture
def lease(stage: Stage) -> Assignment:
    """An item that ana holds and has begun: one draft is there."""
    from rubrica.store.recording import saving

    lease = take(stage, "ana")[0]
    saving.save_draft(said(lease, "draft-001", Judgement({"meaning": 1}), visit="v"), NOW)
    return lease


def seen(number: int = 1, **changes: Any) -> Head:
    """The judgement as a page saw it."""
    from rubrica.store.models import Judgement as Row
    from rubrica.store.recording.quick_drafts import Head

    row = Row.objects.get()
    return Head(**{"id": row.pk, "state": row.state, "newest": number, "overtaken": False} | changes)


def save(lease: Assignment, key: str, head: Head, answers: dict[str, Any] | None = None) -> Any:
    """Try the short way."""
    from rubrica.store.recording.quick_drafts import save_next_draft

    return save_next_draft(said(lease, key, Judgement(answers or {"meaning": 2}), visit="v"), head, NOW)


def drafts() -> list[tuple[int, str, Any]]:
    """What is kept, and last of all what is pending."""
    from rubrica.store.models import Judgement as Row
    from rubrica.store.models import Revision

    rows = list(Revision.objects.order_by("number").values_list("number", "key", "answers"))
    pending = Row.objects.get().pending
    return [*rows, (pending.number, pending.key, pending.answers)] if pending else rows


def test_next_draft_is_kept(lease: Assignment) -> None:
    """The draft is a revision like any other and what is pending."""
    receipt = save(lease, "draft-002", seen())
    assert receipt == (lease.pid, 2, NOW, False, False)
    assert drafts() == [
        (1, "draft-001", {"meaning": 1}),
        (2, "draft-002", {"meaning": 2}),
        (2, "draft-002", {"meaning": 2}),
    ]


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("draft-002", {"number": 0}),
        ("draft-002", {"overtaken": True}),
        ("draft-002", {"state": "erased"}),
        ("draft-001", {}),
        ("bad\nkey", {}),
    ],
)
def test_nothing_is_written_unless_all_is_plain(lease: Assignment, key: str, change: dict[str, Any]) -> None:
    """An older or newer head, another device, an erasure, a known key, a key that cannot be: the long way decides."""
    assert save(lease, key, seen(**change)) is None
    assert drafts() == [(1, "draft-001", {"meaning": 1})] * 2


def test_erased_meanwhile(lease: Assignment) -> None:
    """An erasure between looking and writing wins."""
    from rubrica.store.models import Judgement as Row

    head = seen()
    Row.objects.update(state="erased")
    assert save(lease, "draft-002", head) is None
    assert len(drafts()) == 2


def test_submitted_meanwhile(lease: Assignment) -> None:
    """A submit between looking and writing is not taken back by an old draft."""
    head = seen()
    submit(lease)
    assert save(lease, "draft-002", head) is None


def test_unknown_question_is_left_to_the_long_way(lease: Assignment) -> None:
    """The refusal is worded there."""
    assert save(lease, "draft-002", seen(), {"no_such_question": 1}) is None


def test_of_many_at_once_one_is_kept(lease: Assignment) -> None:
    """Eight drafts that saw the same head: one is written, the others are told to look again."""
    head = seen()
    receipts = at_once([partial(save, lease, f"at-once-{number}", head) for number in range(8)])
    assert sum(receipt is not None for receipt in receipts) == 1
    assert [number for number, _, _ in drafts()] == [1, 2, 2]
