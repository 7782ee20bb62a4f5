"""The work page in a real browser: answering, conditions, keys, undo, time, and what is told when it is wrong."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.desks import Work
from tests.browser.saved import drafts, expect_draft, submitted
from tests.making import pairs

At = Callable[..., Work]

ANSWERS = {
    "simplification": 3,
    "meaning": 3,
    "fluency": 3,
    "concern": "no",
    "acceptance": "accept",
    "needed": "yes",
}


def test_change_is_saved_within_a_second(at_work: At) -> None:
    """A click on an answer is sent within a second of the page's own clock, and the page says when it was saved."""
    work = at_work()
    work.stop_clock()
    work.choose("meaning", 2)
    work.page.clock.run_for(1000)
    expect(work.state).to_contain_text("Saved")
    assert [one.answers for one in drafts(work)] == [{"meaning": 2}]


def test_typing_is_saved_in_few_drafts(at_work: At) -> None:
    """Typing is saved while it goes on, not once a letter, and the last draft has it all."""
    work = at_work()
    work.page.locator("[data-question=comment] textarea").press_sequentially("a quiet comment", delay=40)
    work.saved()
    made = drafts(work)
    assert 1 <= len(made) <= 6
    assert made[-1].answers == {"comment": "a quiet comment"}


def test_reload_keeps_answers(at_work: At) -> None:
    """After a reload everything is there, whether it was sent before or not."""
    work = at_work()
    work.choose("meaning", 2)
    work.page.locator("[data-question=comment] textarea").fill("kept")
    work.page.reload()
    work.ready()
    expect(work.input("meaning", 2)).to_be_checked()
    expect(work.page.locator("[data-question=comment] textarea")).to_have_value("kept")
    expect_draft(work, {"meaning": 2, "comment": "kept"})


def test_whole_judgement_leads_to_the_next(at_work: At) -> None:
    """Answering by mouse and submitting makes one judgement with the time it took, and opens the next item."""
    work = at_work()
    first = work.page.url
    work.answer(ANSWERS)
    work.submit()
    work.page.wait_for_url(lambda url: url != first)
    work.ready()
    (revision,) = submitted(work)
    assert revision.answers == ANSWERS
    assert revision.seconds is not None
    assert 0 < revision.seconds < 60


def test_double_click_submits_once(at_work: At) -> None:
    """Clicking twice, and Enter besides, makes one revision."""
    work = at_work()
    first = work.page.url
    work.answer(ANSWERS)
    work.page.locator("[data-action=submit]").dblclick()
    work.page.wait_for_url(lambda url: url != first)
    assert len(submitted(work)) == 1


def test_conditions_open_in_place_and_keep_nothing_stale(at_work: At) -> None:
    """A condition opens further questions without moving what is looked at; closed again, they begin anew."""
    work = at_work()
    page = work.page
    edit = page.locator("[data-question=edit]")
    expect(edit).to_be_hidden()
    work.choose("acceptance", "accept_with_edit")
    rewrite = edit.locator("textarea").input_value()
    box = work.input("acceptance", "accept_with_edit").bounding_box()
    expect(edit).to_be_visible()
    edit.locator("textarea").fill("Gate 1 stays shut.")
    work.choose("acceptance", "reject")
    expect(edit).to_be_hidden()
    expect(page.locator("[data-question=severity]")).to_be_visible()
    work.choose("acceptance", "accept_with_edit")
    expect(edit.locator("textarea")).to_have_value(rewrite)
    assert "shut" in rewrite
    work.saved()
    assert drafts(work)[-1].answers.get("edit", rewrite) == rewrite
    again = work.input("acceptance", "accept_with_edit").bounding_box()
    assert box is not None
    assert again is not None


def test_page_does_not_jump_when_a_question_opens_above(at_work: At) -> None:
    """What has the focus stays where it is on the screen while others open, close or shrink."""
    work = at_work()
    work.page.set_viewport_size({"width": 1000, "height": 600})
    concern = work.input("concern", "yes")
    concern.scroll_into_view_if_needed()
    before = work.page.evaluate("document.querySelector('[data-question=concern]').getBoundingClientRect().top")
    concern.check()
    work.page.wait_for_timeout(200)
    after = work.page.evaluate("document.querySelector('[data-question=concern]').getBoundingClientRect().top")
    assert abs(after - before) < 2


def test_judgement_by_keyboard_alone(at_work: At) -> None:
    """Digits and letters answer the question at hand and move to the next; Enter submits."""
    work = at_work()
    first = work.page.url
    expect(work.page.locator(".question.focused")).to_have_attribute("data-question", "simplification")
    for key in ("3", "2", "3", "n", "1", "y"):
        work.page.keyboard.press(key)
    work.page.keyboard.press("Enter")
    work.page.wait_for_url(lambda url: url != first)
    (revision,) = submitted(work)
    asked = list(work.order)
    assert [revision.answers[name] for name in asked[:3]] == [3, 2, 3]
    assert (revision.answers["concern"], revision.answers["needed"]) == ("no", "yes")
    assert revision.answers["acceptance"] == "accept"


def test_keys_are_silent_while_typing_and_when_switched_off(at_work: At) -> None:
    """Digits in a comment are text; with single keys switched off they answer nothing, also after a reload."""
    work = at_work()
    page = work.page
    comment = page.locator("[data-question=comment] textarea")
    comment.press_sequentially("3 ug?")
    expect(comment).to_have_value("3 ug?")
    expect(page.locator("dialog.keys")).to_be_hidden()
    page.locator("[data-action=keys]").click()
    page.locator("[data-action=shortcuts]").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    work.ready()
    page.keyboard.press("3")
    expect(page.locator("[data-question=meaning] input:checked")).to_have_count(0)


def test_undo_takes_back_several_changes(at_work: At) -> None:
    """Undo brings back the answer of before, and what a condition had cleared, step by step."""
    work = at_work()
    page = work.page
    work.choose("acceptance", "accept_with_edit")
    page.locator("[data-question=edit] textarea").fill("Mine.")
    work.choose("acceptance", "accept")
    work.choose("meaning", 1)
    page.keyboard.press("u")
    expect(page.locator("[data-question=meaning] input:checked")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(work.input("acceptance", "accept_with_edit")).to_be_checked()
    expect(page.locator("[data-question=edit] textarea")).to_have_value("Mine.")
    work.saved()
    assert drafts(work)[-1].answers == {"acceptance": "accept_with_edit", "edit": "Mine."}


def test_missing_answers_are_named_and_gone_to(at_work: At) -> None:
    """Submitting too early says what is missing at each question and in a list, and goes to the first."""
    work = at_work()
    page = work.page
    work.choose("meaning", 3)
    work.submit()
    summary = page.locator(".summary-problems")
    expect(summary.locator("a")).to_have_count(5)
    first = page.locator(".question.wrong").first
    expect(first.locator(".problem")).to_have_text("Please choose an answer.")
    assert page.evaluate("document.activeElement.closest('.question').classList.contains('wrong')")
    summary.locator("a").last.click()
    expect(page.locator(".question:focus-within")).to_have_attribute("data-question", "needed")
    work.choose("needed", "yes")
    expect(summary.locator("a")).to_have_count(4)
    assert submitted(work) == []


def test_rewrite_of_one_sentence_is_refused_with_ways_out(at_work: At) -> None:
    """What only the server can check is told at the question as well, and nothing typed is lost."""
    work = at_work("split_rewrite")
    box = work.page.locator("[data-question=rewrite] textarea")
    box.fill("One sentence only.")
    work.submit()
    expect(work.page.locator("[data-question=rewrite] .problem")).to_contain_text("at least 2 sentences")
    expect(box).to_be_focused()
    expect(box).to_have_value("One sentence only.")
    box.fill("One sentence. And another.")
    work.submit()
    work.page.wait_for_url(lambda url: "/work/" in url)
    expect(work.page.locator("[data-question=rewrite] textarea")).to_have_value("")
    assert submitted(work)[0].answers["rewrite"] == "One sentence. And another."


def test_hints_come_while_writing(at_work: At) -> None:
    """Remarks on a rewrite appear under it and never block."""
    work = at_work("split_rewrite")
    work.page.locator("[data-question=rewrite] textarea").fill("The doors. They stay.")
    hints = work.page.locator("[data-question=rewrite] .hints")
    expect(hints).to_contain_text("2 sentences")
    expect(hints).to_contain_text("gates")


def test_uncomfortable_item_is_left_at_once(at_work: At) -> None:
    """The way out that everybody has needs no answers."""
    work = at_work()
    first = work.page.url
    work.page.keyboard.press("s")
    work.page.locator("[data-outcome=uncomfortable]").click()
    work.page.wait_for_url(lambda url: url != first)
    assert [one.outcome for one in submitted(work)] == ["uncomfortable"]


def test_flag_needs_a_reason_and_keeps_the_page(at_work: At) -> None:
    """A flag goes to the researchers with its reason; the item can still be answered."""
    from rubrica.store.models import Flag

    work = at_work()
    page = work.page
    page.keyboard.press("f")
    page.locator("[name=flag]").click()
    expect(page.locator("details.flag textarea")).to_be_focused()
    page.locator("details.flag textarea").fill("two texts in one")
    page.locator("[name=flag]").click()
    expect(page.locator("[data-notice=flag]")).to_be_visible()
    work.saved()
    assert [one.reason for one in Flag.objects.filter(stage__study=work.study)] == ["two texts in one"]


def test_guide_opens_at_the_question_and_closes_with_the_same_key(at_work: At) -> None:
    """The guidelines open beside the work, marked at the section of the question at hand."""
    work = at_work()
    page = work.page
    work.choose("meaning", 2)
    page.keyboard.press("g")
    expect(page.locator("aside.guide")).to_be_visible()
    expect(page.locator("aside.guide .here")).to_have_attribute("id", "guide-fluency")
    expect(page.locator("aside.guide .here")).to_be_in_viewport()
    page.keyboard.press("g")
    expect(page.locator("aside.guide")).to_be_hidden()


def test_alt_arrows_go_back_and_forth(at_work: At) -> None:
    """Alt and an arrow lead through one's own pages, not through the browser's history."""
    work = at_work()
    page = work.page
    first = page.url
    work.answer(ANSWERS)
    work.submit()
    page.wait_for_url(lambda url: url != first)
    second = page.url
    work.ready()
    page.keyboard.press("Alt+ArrowLeft")
    page.wait_for_url(first)
    work.ready()
    page.keyboard.press("Alt+ArrowRight")
    page.wait_for_url(second)
    work.ready()
    page.keyboard.press("Alt+ArrowLeft")
    page.wait_for_url(first)
    work.ready()
    page.keyboard.press("Alt+ArrowLeft")
    page.wait_for_timeout(300)
    assert page.url == first


def test_time_is_not_doubled_by_reloads(at_work: At) -> None:
    """Active time goes on over reloads and is counted once: it is never more than has gone by."""
    began = time.monotonic()
    work = at_work()
    page = work.page
    for _ in range(3):
        page.mouse.move(50, 50)
        page.wait_for_timeout(1100)
        page.reload()
        work.ready()
    first = page.url
    work.answer(ANSWERS)
    work.submit()
    page.wait_for_url(lambda url: url != first)
    seconds = submitted(work)[0].seconds
    visits = {one.visit for one in work.studio.revisions(work.study)}
    assert len(visits) == 1
    assert seconds is not None
    assert 3 <= seconds <= time.monotonic() - began


def test_group_is_one_page_with_one_judgement_each(at_work: At) -> None:
    """Three words of a context are answered together and submitted together, each with its own time."""
    from tests.browser.saved import words

    work = at_work("lexical_complexity", rows=words(), overlap=2)
    page = work.page
    first = page.url
    expect(page.locator(".item")).to_have_count(3)
    for _ in range(3):
        page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != first)
    assert len(submitted(work)) == 3


def test_no_page_error_or_blocked_content(at_work: At) -> None:
    """The page runs without an error and within its own content policy, and asks no outside host."""
    work = at_work(rows=pairs(2))
    work.answer(ANSWERS)
    work.saved()
    assert work.errors == []
    assert {url.split("/")[2] for url in work.requests if url.startswith("http")} == {work.studio.url.split("/")[2]}
