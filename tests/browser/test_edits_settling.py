"""Settling what three people marked: accept, take back, merge, take apart, redraw, none; undo; nothing left open."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Studio
from tests.browser.marking import REWRITE, SOURCE, span
from tests.browser.settling import Settling, gone, marked, new, swap

LONG, SHORT = "which the ministry announced on Monday.", "on Monday."
ALL = swap("Numerous", "Many")


@pytest.fixture
def dora(studio: Studio, page: Page) -> Settling:
    """All agree on one edit; two mark a longer deletion than the third, who has an insertion alone."""
    long = [ALL, gone(LONG, id="2")]
    return Settling(
        studio, marked(studio, [long, [ALL, gone(SHORT, id="2"), new("They were angry.", "3")], long]), page
    )


def test_page_begins_with_what_all_agree_on(dora: Settling) -> None:
    """It is one line, accepted; what differs stands side by side, nobody is named, and nothing of it is taken yet."""
    expect(dora.agreed).to_have_count(1)
    expect(dora.agreed).to_contain_text("3 of 3")
    expect(dora.differences).to_have_count(2)
    dora.expect_count_line("Differences: 2 · 2 open")
    assert dora.spans() == [("substitution", span(SOURCE, "Numerous"), span(REWRITE, "Many"))]
    columns = dora.differences.first.locator(".laid-column")
    assert sorted(columns.locator(".laid-share").all_text_contents()) == ["1 of 3", "2 of 3"]
    expect(dora.differences.nth(1)).to_contain_text("marked nothing here")
    assert "person-" not in dora.page.content()
    assert dora.work.errors == []


def test_accepting_one_replaces_the_other_and_is_saved(dora: Settling) -> None:
    """Versions of the same words exclude each other; a second press takes the version back."""
    dora.do("Accept", dora.version(LONG))
    assert dora.spans()[1:] == [("deletion", span(SOURCE, LONG), None)]
    dora.expect_count_line("Differences: 2 · 1 open")
    dora.do("Accept", dora.differences.first.locator(".laid-column", has_text="1 of 3"))
    assert [edit["source"] for edit in dora.kept()[1:]] == [span(SOURCE, SHORT)]
    dora.do("Accepted", dora.differences.first)
    assert len(dora.value()) == 1
    dora.expect_count_line("Differences: 2 · 2 open")


def test_everything_can_be_undone(dora: Settling) -> None:
    """Accepting, choosing none and dropping what all agree on are steps of the one undo."""
    dora.do("Accept", dora.version(LONG))
    dora.do("None of these", dora.differences.nth(1))
    dora.do("Drop", dora.agreed)
    dora.expect_count_line("Differences: 2 · all settled")
    assert len(dora.value()) == 1
    dora.press("u")
    assert len(dora.value()) == 2
    dora.press("u")
    dora.expect_count_line("Differences: 2 · 1 open")
    dora.press("u")
    dora.expect_count_line("Differences: 2 · 2 open")
    dora.press("Control+y", "Control+y")
    dora.expect_count_line("Differences: 2 · all settled")


def test_open_difference_keeps_from_submitting_and_is_gone_to(dora: Settling) -> None:
    """The page says which is open and goes there; then it is submitted as any judgement."""
    dora.do("Accept", dora.version(LONG))
    dora.work.submit()
    expect(dora.page.locator(".summary-problems")).to_contain_text("Difference 2 is still open")
    focused = "document.activeElement.closest('.laid-difference')?.querySelector('h3').textContent"
    assert dora.page.evaluate(focused) == "Difference 2"
    dora.do("None of these", dora.differences.nth(1))
    edits = dora.submit()
    assert [edit["operation"] for edit in edits] == ["substitution", "deletion"]
    assert edits[1]["source"] == span(SOURCE, LONG)


def test_decisions_survive_a_reload(dora: Settling) -> None:
    """What was taken, what was dropped and that none was wanted are there again."""
    dora.do("Accept", dora.version(LONG))
    dora.do("None of these", dora.differences.nth(1))
    dora.do("Drop", dora.agreed)
    dora.work.saved()
    dora.page.reload()
    dora.work.ready()
    dora.expect_count_line("Differences: 2 · all settled")
    expect(dora.agreed).to_contain_text("Put back")
    expect(dora.version(LONG)).to_contain_text("Accepted")
    dora.do("Put back", dora.agreed)
    assert len(dora.value()) == 2


def test_merge_unites_the_words(studio: Studio, page: Page) -> None:
    """Two deletions that overlap become one with the words of both, open in the list."""
    dora = Settling(studio, marked(studio, [[gone("which the ministry")], [gone("ministry announced")]]), page)
    dora.do("Merge", dora.differences.first)
    assert dora.spans() == [("deletion", span(SOURCE, "which the ministry announced"), None)]
    dora.expect_open(0)
    dora.expect_count_line("Differences: 1 · all settled")


def test_merge_of_versions_with_other_answers_asks_anew(studio: Studio, page: Page) -> None:
    """Where they differ in the answer only, the merged edit has none, and the list says so."""
    several = [[swap("Numerous", "Many")], [swap("Numerous", "Many", "less")]]
    dora = Settling(studio, marked(studio, several), page)
    expect(dora.differences.first).to_contain_text("The words are the same; the answers differ.")
    dora.do("Merge", dora.differences.first)
    assert "answers" not in dora.value()[0]
    expect(dora.entry(0)).to_contain_class("unfinished open")
    dora.press("2")
    assert dora.value()[0]["answers"] == {"information": "same"}
    # This is now exactly what one of them said.
    expect(dora.page.locator(".laid-version.taken")).to_have_count(1)


def test_merge_of_composites_has_the_parts_of_all(studio: Studio, page: Page) -> None:
    """Two splits that share a part: a split with all of their parts, each once."""
    several = [
        [{"id": "1", "operation": "split"}, gone("which", id="2", parent="1"), new(words, "3", "1")]
        for words in ("They", "They were")
    ]
    dora = Settling(studio, marked(studio, several), page)
    dora.do("Merge", dora.differences.first)
    # The deletion is the same in both and comes once; the two insertions differ.
    assert [edit["operation"] for edit in dora.value()] == ["split", "deletion", "insertion", "insertion"]


def test_taking_apart_cuts_where_others_drew_a_boundary(studio: Studio, page: Page) -> None:
    """A deletion of the whole clause against one of its end: two deletions, without the space between."""
    dora = Settling(studio, marked(studio, [[gone(LONG)], [gone(SHORT)]]), page)
    dora.do("Take apart", dora.version("which the ministry announced"))
    assert dora.spans() == [
        ("deletion", span(SOURCE, "which the ministry announced"), None),
        ("deletion", span(SOURCE, SHORT), None),
    ]
    # The second is exactly what the other person marked.
    expect(dora.page.locator(".laid-version.taken")).to_have_count(1)


def test_a_substitution_taken_apart_is_what_is_gone_and_what_is_new(studio: Studio, page: Page) -> None:
    """One substitution against a deletion: taken apart, it is a deletion and an insertion."""
    dora = Settling(studio, marked(studio, [[swap("Numerous", "Many")], [gone("Numerous")]]), page)
    dora.do("Take apart", dora.version("Many"))
    assert dora.spans() == [
        ("deletion", span(SOURCE, "Numerous"), None),
        ("insertion", None, span(REWRITE, "Many")),
    ]


def test_redraw_waits_for_the_new_words(dora: Settling) -> None:
    """The version is taken and open; the next selection becomes its words."""
    dora.do("Redraw", dora.version(LONG))
    expect(dora.status).to_contain_text("now select words in")
    dora.drag("source", "which the ministry announced")
    assert dora.spans()[1:] == [("deletion", span(SOURCE, "which the ministry announced"), None)]
    # Settled, though by none of the versions.
    dora.expect_count_line("Differences: 2 · 1 open")
    expect(dora.page.locator(".laid-version.taken")).to_have_count(0)


def test_edit_of_ones_own_settles_what_it_covers(dora: Settling) -> None:
    """Whoever marks the words anew has decided about the versions that have some of them, and about no others."""
    dora.drag("source", "the ministry announced")
    dora.press("d")
    dora.expect_count_line("Differences: 2 · 2 open")
    expect(dora.page.locator(".laid-version.wanting")).to_have_text(
        [re.compile("on Monday"), re.compile("They were angry")]
    )
    dora.press("Control+z")
    dora.drag("source", "announced on Monday.")
    dora.press("d")
    dora.expect_count_line("Differences: 2 · 1 open")


def test_accepting_a_substitution_leaves_the_split_over_it_open(studio: Studio, page: Page) -> None:
    """One box for each independent edit: a split and a substitution among its words are decided one by one."""
    split = [{"id": "1", "operation": "split"}, gone("the subsidy,", id="2", parent="1"), new("They", "3", "1")]
    several = [split, [swap("the subsidy,", "the financial help.")], [gone("Numerous")]]
    dora = Settling(studio, marked(studio, several), page)
    expect(dora.differences).to_have_count(3)
    dora.do("Accept", dora.version("the financial help."))
    dora.expect_count_line("Differences: 3 · 2 open")
    dora.do("Accept", dora.page.locator(".laid-version", has_text="Sentence split"))
    assert sorted(edit["operation"] for edit in dora.value() if not edit.get("parent")) == ["split", "substitution"]


def test_box_stays_open_until_each_version_is_decided(studio: Studio, page: Page) -> None:
    """One deletion against two inside it: accepting one of the two leaves the other to be decided, or refused."""
    several = [[gone(LONG)], [gone("which the ministry"), gone(SHORT, id="2")]]
    dora = Settling(studio, marked(studio, several), page)
    accept = "button:has-text('Accept')"
    dora.page.locator(".laid-version:not(:has-text('announced'))", has_text="which the ministry").locator(
        accept
    ).click()
    dora.expect_count_line("Differences: 1 · 1 open")
    dora.do("None of the rest", dora.differences.first)
    dora.expect_count_line("Differences: 1 · all settled")
    assert dora.spans() == [("deletion", span(SOURCE, "which the ministry"), None)]


def test_split_is_the_name_of_an_edit_only(studio: Studio, page: Page) -> None:
    """No button that takes something apart is called as the operation is."""
    split = [{"id": "1", "operation": "split"}, gone("which", id="2", parent="1"), new("They", "3", "1")]
    dora = Settling(studio, marked(studio, [split, [gone(LONG)], [gone(SHORT)]]), page)
    named = dora.page.locator(".laid button > span:first-child").all_text_contents()
    assert "Take apart" in named
    assert not [name for name in named if "split" in name.lower()]


def test_by_keyboard_alone(dora: Settling) -> None:
    """o goes to the next difference that is open, Space accepts, and what happened is said."""
    dora.press("o", "Space")
    expect(dora.page.locator("[role=status]", has_text="Accepted: Deletion")).to_be_attached()
    dora.press("o", "Space")
    dora.expect_count_line("Differences: 2 · all settled")
    dora.press("Control+Enter")
    dora.page.wait_for_url(lambda url: "/work/" not in url)


def test_versions_are_drawn_over_each_other(dora: Settling) -> None:
    """Each open version is a dashed mark in the text; a press on one goes to it; what is settled is drawn as usual."""
    dashed = dora.page.locator(".edit-marks .mark.proposed")
    assert dashed.count() >= 3
    dora.page.mouse.click(*dora.place("rewrite", "angry.").under)
    assert dora.page.evaluate("document.activeElement.closest('[data-version]')?.textContent ?? ''").startswith("I")
    dora.do("None of these", dora.differences.nth(1))
    dora.do("Accept", dora.version(LONG))
    dora.page.mouse.move(2, 2)
    dora.press("Escape")
    dora.page.locator("[data-action=submit]").focus()
    expect(dashed).to_have_count(0)
