"""Suggested edits in the editor: dashed until accepted, adjusted, rejected or ignored; what became of each is kept."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.marking import Marking, pair, span

SOURCE = "Numerous farmers rejected the very old rule."
REWRITE = "Many farmers rejected the rule on Monday."


@pytest.fixture
def marking(studio: Studio, page: Any) -> Marking:
    """The editor of a study that shows suggestions: a substitution, a deletion and an insertion."""
    study = studio.study("salsa", rows=pair(SOURCE, REWRITE, 2))
    stage = study.stages.get(key="select")
    stage.settings = {"suggestions": "shown"}
    stage.save()
    return Marking(Work(studio, study, page).open())


def _fates(marking: Marking) -> dict[str, str]:
    """What became of each suggestion, by its operation, in the submitted judgement."""
    from rubrica.store.recording.suggestions import fates

    return {fate.operation: fate.fate for fate in fates(marking.work.study)}


def test_suggestions_are_dashed_and_no_edits_until_accepted(marking: Marking) -> None:
    """They stand in the list and under the words, and are not part of the judgement."""
    expect(marking.page.locator(".edit-list .edit.proposed")).to_have_count(3)
    expect(marking.page.locator(".edit-marks .mark.proposed")).to_have_count(4)
    expect(marking.page.locator(".edit-count")).to_have_text("Edits: 0 · 3 suggested")
    assert marking.value() == []


def test_accepted_adjusted_rejected_and_ignored_are_kept(marking: Marking) -> None:
    """One of each: the judgement has the edits, and the record says what became of what was suggested."""
    page = marking.page
    marking.entry(0).locator(".edit-head").click()
    page.get_by_role("button", name="Accept", exact=True).click()
    marking.press("2")
    expect(marking.entry(0)).to_contain_text("The same information")
    marking.entry(1).locator(".edit-head").click()
    marking.drag("source", "old")
    marking.press("e")
    assert [edit["source"] for edit in marking.kept()] == [span(SOURCE, "Numerous"), span(SOURCE, "old")]
    page.reload()
    marking.work.ready()
    expect(page.locator(".edit.proposed")).to_have_count(1)
    made = marking.submit()
    assert [edit["operation"] for edit in made] == ["substitution", "deletion"]
    assert _fates(marking) == {"substitution": "accepted", "deletion": "adjusted", "insertion": "ignored"}


def test_rejected_is_gone_over_a_reload_and_can_be_undone(marking: Marking) -> None:
    """Delete rejects; undo brings it back; removing an edit that was accepted rejects it too."""
    page = marking.page
    marking.entry(2).locator(".edit-head").focus()
    marking.press("Delete")
    expect(page.locator(".edit.proposed")).to_have_count(2)
    marking.press("Control+z")
    expect(page.locator(".edit.proposed")).to_have_count(3)
    marking.press("Control+y")
    marking.entry(1).locator(".edit-head").click()
    page.get_by_role("button", name="Accept", exact=True).click()
    marking.entry(1).locator(".edit-head").focus()
    marking.press("Delete")
    marking.work.saved()
    page.reload()
    marking.work.ready()
    expect(page.locator(".edit.proposed")).to_have_count(1)
    marking.work.submit()
    assert marking.submit() == []
    assert _fates(marking) == {"substitution": "ignored", "deletion": "rejected", "insertion": "rejected"}


def _all(marking: Marking, way: str) -> None:
    """Accept all suggestions by mouse, by touch or by keyboard."""
    if way == "keyboard":
        marking.press("Shift+A")
        return
    button = marking.page.get_by_role("button", name="Accept all")
    button.click() if way == "mouse" else button.tap()


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_accepted_all_at_once_each_is_still_to_be_looked_at(marking: Marking, way: str) -> None:
    """What was not opened yet says so, over a reload and when one submits; the record tells it from one by one."""
    page = marking.page
    _all(marking, way)
    expect(page.locator(".edit.proposed")).to_have_count(0)
    expect(page.get_by_role("button", name="Accept all")).to_be_hidden()
    # The first is open, and so looked at.
    expect(marking.entry(0)).to_contain_class("unfinished open")
    expect(page.locator(".edit.unseen")).to_have_count(2)
    expect(page.locator(".edit-count")).to_have_text("Edits: 3 · 1 unfinished · 2 not looked at")
    expect(marking.entry(1)).to_contain_text("accepted with the others, not looked at yet")
    expect(page.locator(".edit-marks .letter", has_text="?")).to_have_count(2)
    marking.press("2")
    marking.work.saved()
    page.reload()
    marking.work.ready()
    expect(page.locator(".edit.unseen")).to_have_count(2)
    marking.work.submit()
    summary = page.locator(".summary-problems")
    expect(summary.get_by_role("link")).to_have_text(
        ["I3 Insertion “on Monday.”: accepted with the others, not looked at yet"]
    )
    # It led to the first of the two, which is opened by it.
    expect(page.locator(".edit.unseen")).to_have_count(1)
    marking.press("Enter")
    expect(page.locator(".edit.unseen")).to_have_count(0)
    expect(page.locator(".edit-count")).to_have_text("Edits: 3 · all finished")
    made = marking.submit()
    assert [edit["operation"] for edit in made] == ["substitution", "deletion", "insertion"]
    assert set(_fates(marking).values()) == {"accepted"}
    assert _together(marking) == {"substitution", "deletion", "insertion"}


def _together(marking: Marking) -> set[str]:
    from rubrica.store.recording.suggestions import fates

    return {fate.operation for fate in fates(marking.work.study) if fate.together}


def test_accepting_all_is_one_step_back_and_looking_is_none(marking: Marking) -> None:
    """Undo brings all suggestions back; what was accepted alone stays; going to an edit by keyboard is looking."""
    page = marking.page
    marking.entry(1).locator(".edit-head").click()
    page.get_by_role("button", name="Accept", exact=True).click()
    _all(marking, "mouse")
    expect(page.locator(".edit.unseen")).to_have_count(1)
    marking.press("Control+z")
    expect(page.locator(".edit.proposed")).to_have_count(2)
    expect(page.locator(".edit.unseen")).to_have_count(0)
    marking.press("Control+y")
    expect(page.locator(".edit.unseen")).to_have_count(1)
    marking.entry(1).locator(".edit-head").focus()
    marking.press("ArrowDown")
    expect(page.locator(".edit.unseen")).to_have_count(0)
    expect(marking.entry(2)).to_contain_class("lit")


def test_study_without_suggestions_shows_none(studio: Studio, page: Any) -> None:
    """Nothing is suggested unless the study says so, and nothing is recorded."""
    from rubrica.store.models import EditSuggestion

    marking = Marking(Work(studio, studio.study("salsa", rows=pair(SOURCE, REWRITE)), page).open())
    marking.expect_count(0)
    assert not EditSuggestion.objects.filter(stage__study=marking.work.study).exists()
