"""What the tests of the desk find in the database, and items for groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubrica.core.study import Item
from tests.browser.desks import Work

if TYPE_CHECKING:
    from rubrica.store.models import Revision


def drafts(work: Work) -> list[Revision]:
    """Drafts in the order of their saving."""
    return [one for one in work.studio.revisions(work.study) if one.draft]


def expect_draft(work: Work, answers: dict[str, Any]) -> None:
    """Wait until the newest draft has these answers."""
    for _ in range(900):
        found = drafts(work)
        if found and found[-1].answers == answers:
            return
        work.page.wait_for_timeout(100)
    assert drafts(work)[-1].answers == answers


def submitted(work: Work) -> list[Revision]:
    """Submitted revisions in their order."""
    return [one for one in work.studio.revisions(work.study) if not one.draft]


def words() -> list[Item]:
    """Two contexts with three words each."""
    contexts = {
        "c1": ("The obstinate gatekeeper relinquished the keys.", ("obstinate", "gatekeeper", "relinquished")),
        "c2": ("A meticulous clerk annotated the ledger.", ("meticulous", "clerk", "ledger")),
    }
    return [
        Item(f"{group}-{word}", {"context": context, "target": word}, group=group)
        for group, (context, targets) in contexts.items()
        for word in targets
    ]
