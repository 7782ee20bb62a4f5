"""A pair that three people have marked, and the fourth who settles what they marked, as tests drive one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from rubrica.core.edits import from_json
from rubrica.core.study import Item, Judgement
from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.marking import REWRITE, SOURCE, Marking, pair, span

if TYPE_CHECKING:
    from rubrica.store.models import Study

OVERLAP = {"select": 3, "adjudicate": 1, "classify": 3}
NAMES = ("ana", "ben", "eva")


def gone(*words: str, id: str = "1", parent: str = "", text: str = SOURCE) -> dict[str, Any]:
    """A deletion of these words."""
    return {"id": id, "operation": "deletion", "source": span(text, *words)} | ({"parent": parent} if parent else {})


def new(words: str, id: str = "1", parent: str = "", text: str = REWRITE) -> dict[str, Any]:
    """An insertion of these words."""
    return {"id": id, "operation": "insertion", "rewrite": span(text, words)} | ({"parent": parent} if parent else {})


def swap(source: str, rewrite: str, information: str = "same", id: str = "1") -> dict[str, Any]:
    """A substitution."""
    spans = {"source": span(SOURCE, source), "rewrite": span(REWRITE, rewrite)}
    return {"id": id, "operation": "substitution", **spans, "answers": {"information": information}}


def marked(studio: Studio, several: Sequence[Sequence[dict[str, Any]]], rows: list[Item] | None = None) -> Study:
    """A study of `salsa` of one pair that so many people have marked, each with these edits."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.recording.judgements import Said, submit

    study = studio.study("salsa", rows=rows or pair(), overlap={**OVERLAP, "select": len(several)})
    stage = study.stages.select_related("study", "protocol_version").get(key="select")
    for number, edits in enumerate(several):
        person = studio.invite(study, f"person-{number}").annotator
        assert person is not None
        (lease,) = take(person, stage, timezone.now()).leases
        judgement = Judgement({}, tuple(from_json(edit) for edit in edits))
        submit([Said(lease, f"key-{number:06}", judgement)], timezone.now())
    return study


class Settling(Marking):
    """The fourth person at the view that lays the others' edits over each other."""

    def __init__(self, studio: Studio, study: Study, page: Page) -> None:
        super().__init__(Work(studio, study, page, studio.door(studio.invite(study, "dora"))).open())

    @property
    def agreed(self) -> Locator:
        """What all agree on."""
        return self.page.locator(".laid-agreed")

    @property
    def differences(self) -> Locator:
        """What differs."""
        return self.page.locator(".laid-difference")

    def version(self, words: str, nth: int = 0) -> Locator:
        """The first version of an edit that shows these words."""
        return self.page.locator(".laid-version", has_text=words).nth(nth)

    def do(self, name: str, within: Locator) -> None:
        """Press the button of that name."""
        within.locator("button", has_text=name).first.click()

    def expect_count_line(self, text: str) -> None:
        """How many differences there are and how many are open."""
        expect(self.page.locator(".laid-count")).to_have_text(text)

    def spans(self) -> list[tuple[str, Any, Any]]:
        """Operation and spans of the edits as they would be sent."""
        return [(edit["operation"], edit.get("source"), edit.get("rewrite")) for edit in self.value()]
