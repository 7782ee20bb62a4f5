"""Marking edits in a real browser, by mouse and by keyboard alone: what is selected, made, saved, submitted, exported."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.desks import Work
from tests.browser.marking import REWRITE, SOURCE, Marking, pair, span

At = Callable[..., Work]


@pytest.fixture
def marking(at_work: At) -> Marking:
    """The editor of the stage that selects edits, with a pair of its own."""
    return Marking(at_work("salsa", rows=pair(count=2)))


def test_deletion_by_mouse_is_saved_submitted_and_exported(marking: Marking) -> None:
    """Words selected with the mouse and a letter are an edit: saved at once, submitted, and in the export."""
    marking.drag("source", "which the ministry announced on Monday.")
    expect(marking.status).to_contain_text("which the ministry announced on Monday.")
    marking.press("d")
    marking.expect_count(1)
    spans = span(SOURCE, "which the ministry announced on Monday.")
    assert marking.kept() == [{"id": "1", "operation": "deletion", "source": spans}]
    # An operation that implies an answer has it in the judgement.
    deletion = {"id": "1", "operation": "deletion", "source": spans, "answers": {"information": "less"}}
    assert marking.submit() == [deletion]
    assert marking.work.errors == []


def test_deletion_by_keyboard_alone(marking: Marking) -> None:
    """Tab to the text, walk by words, extend with Shift, press the letter."""
    marking.text("source").focus()
    marking.press("ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "d")
    assert marking.kept() == [{"id": "1", "operation": "deletion", "source": span(SOURCE, "the subsidy,")}]


def test_letter_first_then_words_on_both_sides(marking: Marking) -> None:
    """A letter says what the next selection is for; a substitution waits for both sides, and its question is answered."""
    marking.press("s")
    marking.drag("source", "Numerous")
    expect(marking.status).to_contain_text("Simplified sentence")
    marking.drag("rewrite", "Many")
    marking.press("2")
    expect(marking.entry(0)).to_contain_text("The same information")
    assert marking.kept() == [
        {
            "id": "1",
            "operation": "substitution",
            "source": span(SOURCE, "Numerous"),
            "rewrite": span(REWRITE, "Many"),
            "answers": {"information": "same"},
        }
    ]
