"""A pair through the stages of SALSA in the browser: selected, settled, then classified with its spans fixed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.marking import SOURCE, Marking, pair, span
from tests.browser.settling import long_pairs

if TYPE_CHECKING:
    from rubrica.store.models import Study

# From where to where the first letters and the last of some words are drawn.
ENDS = """(words) => {
  const head = words.firstChild.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(words.lastChild);
  const tail = range.getBoundingClientRect();
  return [head.left + 8 <= head.right ? head.left : Infinity, tail.right];
}"""


def _person(studio: Studio, study: Study, browser: Browser, name: str) -> Marking:
    page = browser.new_context(service_workers="block").new_page()
    return Marking(Work(studio, study, page, studio.door(studio.invite(study, name))).open())


def _settled(studio: Studio, browser: Browser) -> Marking:
    """Ana selects, dora keeps what she selected, and ana comes back to classify."""
    study = studio.study("salsa", rows=pair(), overlap=1)
    ana = _person(studio, study, browser, "ana")
    ana.drag("source", "Numerous")
    ana.drag("rewrite", "Many")
    ana.press("s", "2")
    ana.drag("source", "on Monday.")
    ana.press("d")
    ana.submit()
    dora = _person(studio, study, browser, "dora")
    dora.expect_count(2)
    dora.submit()
    dora.page.context.close()
    ana.work.open()
    return ana


def test_fixed_edits_are_judged_and_nothing_else(studio: Studio, browser: Browser) -> None:
    """The first edit is open; keys answer one question after the other; words and kinds cannot be changed."""
    ana = _settled(studio, browser)
    page = ana.page
    ana.expect_open(0)
    expect(page.locator(".edit-tools, .edit-kind, [data-do=remove], [data-do=change]")).to_have_count(0)
    expect(page.locator(".edit-questions .question.answered")).to_have_attribute("data-question", "information")
    ana.drag("source", "farmers")
    ana.press("d")
    ana.expect_count(2)
    expect(page.locator(".edit-marks .chosen")).to_have_count(0)
    # Numerous to many: easier, somewhat, no grammar error. What was answered opens what is asked next.
    ana.press("1", "2", "2")
    ana.entry(0).locator(".edit-questions input:checked").last.focus()
    ana.press("Enter")
    ana.expect_open(1)
    # What was found stands in the list: the type and its degree, not the answers one after the other.
    expect(ana.entry(0).locator(".edit-state")).to_have_text("Paraphrase, somewhat")
    # On Monday is gone: trivial, no grammar error.
    ana.press("2", "2", "Enter")
    expect(ana.entry(1).locator(".edit-state")).to_have_text("Trivial Change")
    expect(page.locator("[data-question=comment] textarea")).to_be_focused()
    made = ana.submit()
    assert [edit["answers"] for edit in made] == [
        {"information": "same", "paraphrase_impact": "positive", "efficacy": 2, "grammar_error": "no"},
        {"information": "less", "deletion_type": "trivial_deletion", "grammar_error": "no"},
    ]
    assert made[1]["source"] == span(SOURCE, "on Monday.")
    page.goto(f"{ana.work.door}history/")
    expect(page.locator(".judged").first.locator(".marked-list")).to_contain_text(
        "Substitution: Numerous → Many · Paraphrase, somewhat"
    )
    page.context.close()


def test_changed_answer_closes_what_depended_on_it(studio: Studio, browser: Browser) -> None:
    """Another answer hides the questions that followed from the first, and their answers are not kept."""
    ana = _settled(studio, browser)
    ana.press("1", "2", "2")
    expect(ana.page.locator(".edit-questions [data-question=grammar_error] input[value=no]")).to_be_checked()
    impact = ana.page.locator(".edit-questions [data-question=paraphrase_impact]")
    impact.locator("legend").click()
    expect(impact).to_have_class(re.compile("focused"))
    ana.press("2")
    expect(impact.locator("input[value=no_impact]")).to_be_checked()
    ana.work.saved()
    assert ana.value()[0]["answers"] == {"information": "same", "paraphrase_impact": "no_impact", "grammar_error": "no"}
    ana.page.context.close()


def test_row_says_the_type_its_degree_and_a_grammar_error(studio: Studio, browser: Browser) -> None:
    """A deletion that harms a little and breaks the grammar is *Bad Deletion, minor · Grammar*, never *Minor · Yes*."""
    ana = _settled(studio, browser)
    ana.entry(1).locator(".edit-head").click()
    for question, value in (
        ("deletion_type", "bad_deletion"),
        ("severity", 1),
        ("coreference", "no"),
        ("grammar_error", "yes"),
    ):
        ana.work.choose(question, value)
    expect(ana.entry(1).locator(".edit-state")).to_have_text("Bad Deletion, minor · Grammar")
    ana.page.context.close()


def test_long_rows_keep_both_ends_of_the_arrow(studio: Studio, browser: Browser) -> None:
    """Of a long substitution the list shows the first and the last words of both sides."""
    study = studio.study("salsa", rows=long_pairs(1))
    ana = _person(studio, study, browser, "ana")
    ana.drag("source", "Numerous inhabitants of the lower valley vacated their dwellings")
    ana.drag("rewrite", "Many people in the lower valley left their homes")
    ana.press("s", "2", "Escape")
    words = ana.entry(0).locator(".edit-words")
    row = words.bounding_box()
    assert row is not None
    for side in range(2):
        first, end = words.locator("bdi").nth(side).evaluate(ENDS)
        assert row["x"] <= first < end <= row["x"] + row["width"]
    expect(words.locator("bdi").first).to_have_text("Numerous inhabitants of the lower valley vacated their dwellings")
    ana.page.context.close()
