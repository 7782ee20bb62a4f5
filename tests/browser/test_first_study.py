"""A newcomer's first study: a rubric by a form, an Excel file with systems side by side, launched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.conftest import Studio
from tests.browser.looks import no_fault
from tests.browser.walking import press_button, sign_in
from tests.exchange.test_wide_columns import ENGLISH, cut, rows_of, written

FORM = "Questions of your own"


@pytest.fixture
def plain(studio: Studio, browser: Browser) -> Iterator[Page]:
    """A browser without script."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    yield context.new_page()
    context.close()


def test_a_first_study_takes_a_dozen_steps(studio: Studio, page: Page, tmp_path: Path) -> None:
    """Title, three scales by the form and its preview, the file, its systems, launch: nothing else is needed."""
    sign_in(page, studio.url)
    page.get_by_role("link", name="New study").first.click()
    page.get_by_label("Title").fill("Three simplifiers")
    page.get_by_label(FORM).check()
    press_button(page, "Start from meaning, fluency and simplicity, 1 to 5")
    page.locator("#q3-prompt").fill("Simplicity: how simple is it?")
    page.locator("#q3-prompt").press("Tab")
    frame = page.frame_locator("#rubric-preview iframe")
    expect(frame.get_by_role("group", name="Simplicity: how simple is it?")).to_be_visible()
    press_button(page, "Add a question")
    expect(page.locator("#q5-prompt")).to_be_visible()
    expect(page.locator("#q3-prompt")).to_have_value("Simplicity: how simple is it?")
    page.locator("#q5-kind").select_option("choice")
    expect(page.get_by_role("textbox", name="Options, one a line", exact=True)).to_be_visible()
    page.get_by_role("button", name="Remove").last.click()
    expect(page.locator("#q5-prompt")).to_have_count(0)
    page.locator("#q2-name").fill("")
    press_button(page, "Show the work page")
    expect(page.get_by_text("question 2 has no short name")).to_be_visible()
    page.locator("#q2-name").fill("Fluency")
    press_button(page, "Show the work page")
    expect(frame.get_by_role("group", name="Simplicity: how simple is it?")).to_be_visible()
    no_fault(page, "iframe")
    with page.expect_download() as kept:
        press_button(page, "Download as YAML")
    assert kept.value.suggested_filename.endswith(".yaml")
    press_button(page, "Make the draft and add items")
    file = written(tmp_path / "sentences.xlsx", ["No.", "Original", "GPT-4", "MUSS", "Ours"], _numbered())
    page.locator("#file").set_input_files(file)
    expect(page.get_by_text("5 sentences × 3 systems = 15 items")).to_be_visible()
    page.get_by_role("checkbox", name="MUSS").uncheck()
    expect(page.get_by_text("5 sentences × 2 systems = 10 items")).to_be_visible()
    page.get_by_role("checkbox", name="MUSS").check()
    press_button(page, "Use these 15 items")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review of the items")
    press_button(page, "Go on to the launch")
    for box in page.locator("form input[type=checkbox]:visible").all():
        box.check()
    press_button(page, "Launch the study")
    expect(page.get_by_role("button", name="Launch the study")).to_have_count(0)


def test_the_readme_journey_takes_a_dozen_actions(studio: Studio, page: Page, tmp_path: Path) -> None:
    """60 sentences by three systems under odd headers become links for three colleagues, as in the README.

    Beside the texts stand a column Source that says where they come from and long remarks in half of the rows.
    The launch asks for two ticks; languages whose consent nobody has read are not offered.
    """
    sentences = [f"{text.rstrip('.')} in the year {1900 + at}." for at, text in enumerate(ENGLISH * 12)]
    rows = [
        [
            str(at),
            ("news", "report")[at % 2],
            *texts,
            "A long remark of the linguist on this sentence." if at % 2 else "",
        ]
        for at, texts in enumerate(_rewritten(sentences), start=1)
    ]
    header = ["#", "Source", "Complex sentence", "BART-large (2024)", "T5 fine-tuned", "GPT prompt v3", "My remarks"]
    file = written(tmp_path / "sentences.xlsx", header, rows)
    sign_in(page, studio.url)
    done = 0

    def act(_: None) -> None:
        nonlocal done
        done += 1

    act(page.get_by_role("link", name="New study").first.click())
    act(page.get_by_label("Title").fill("A newcomer's study"))
    act(page.get_by_role("radio", name="Quality of rewrites").check())
    act(press_button(page, "Make the draft and add items"))
    act(page.locator("#file").set_input_files(file))
    expect(page.get_by_text("60 sentences × 3 systems = 180 items")).to_be_visible()
    act(press_button(page, "Use these 180 items"))
    act(press_button(page, "Go on to the launch"))
    expect(page.get_by_text("each of the 3 people judges all 180 items")).to_be_visible()
    for box in page.locator("form.launch input[type=checkbox]:visible").all():
        act(box.check())
    act(press_button(page, "Launch the study"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Invite annotators")
    act(page.get_by_label("Names", exact=True).fill("Ana\nBen\nEva"))
    act(press_button(page, "Make links"))
    for name in ("A1 Ana", "A2 Ben", "A3 Eva"):
        expect(page.get_by_role("rowheader", name=name, exact=True)).to_be_visible()
    no_fault(page)
    assert done <= 12


def _rewritten(sentences: list[str]) -> list[list[str]]:
    return [
        [text, *(f"{cut(text, words)[:-1]}, {number}." for words in (8, 7, 6))] for number, text in enumerate(sentences)
    ]


def test_a_scale_with_words_at_its_ends_is_one_row(studio: Studio, page: Page) -> None:
    """All eleven points of it, as somebody who made them would expect; on a phone they stand one under the other."""
    sign_in(page, studio.url)
    page.get_by_role("link", name="New study").first.click()
    page.get_by_label("Title").fill("Eleven points")
    page.get_by_label(FORM).check()
    page.locator("#q1-prompt").fill("How good is it?")
    page.locator("#q1-name").fill("Quality")
    page.locator("#q1-points").fill("11")
    page.locator("#q1-labels").fill("useless\nperfect")
    press_button(page, "Show the work page")
    options = page.frame_locator("#rubric-preview iframe").locator("label.option")
    expect(options).to_have_count(11)
    rows = {round(box["y"]) for box in (one.bounding_box() for one in options.all()) if box}
    assert len(rows) == 1
    page.set_viewport_size({"width": 390, "height": 844})
    expect(options.first).to_be_visible()
    rows = {round(box["y"]) for box in (one.bounding_box() for one in options.all()) if box}
    assert len(rows) == 11


def test_the_form_works_without_script(studio: Studio, plain: Page) -> None:
    """Copy, add, remove and preview reload the page at the form, with everything that was typed."""
    sign_in(plain, studio.url)
    plain.goto(f"{studio.url}/studies/new/")
    plain.get_by_label(FORM).check()
    press_button(plain, "Start from meaning, fluency and simplicity, 1 to 5")
    expect(plain.get_by_label(FORM)).to_be_checked()
    press_button(plain, "Add a question")
    plain.locator("#q5-prompt").fill("Would you publish it?")
    press_button(plain, "Show the work page")
    expect(plain.get_by_text("question 5 has no short name")).to_be_visible()
    expect(plain.locator("#q5-prompt")).to_have_value("Would you publish it?")
    plain.locator("#q5-name").fill("Publish")
    plain.locator("#q5-kind").select_option("yes_no")
    press_button(plain, "Show the work page")
    frame = plain.frame_locator("#rubric-preview iframe")
    expect(frame.get_by_role("group", name="Would you publish it?")).to_have_count(1)
    assert plain.url.endswith("#rubric-preview")


def _numbered() -> list[list[str]]:
    return [[str(number), *row] for number, row in enumerate(rows_of(ENGLISH, 3), start=1)]


def test_what_is_typed_while_a_button_waits_stays(studio: Studio, page: Page) -> None:
    """A slow answer takes no letter away: not from a question, nor from one that moves up or follows a removed one."""
    sign_in(page, studio.url)
    page.goto(f"{studio.url}/studies/new/")
    page.get_by_label(FORM).check()
    press_button(page, "Start from meaning, fluency and simplicity, 1 to 5")
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST" and "rubric=look" not in (route.request.post_data or ""):
            waiting.append(route)
        else:
            route.continue_()

    page.route("**/studies/new/", hold)

    def while_waiting(button: Locator, field: str, text: str) -> None:
        with page.expect_request("**/studies/new/"):
            button.click()
        page.locator(field).press("End")
        page.keyboard.type(text)
        with page.expect_response("**/studies/new/"):
            waiting.pop().continue_()

    page.locator("#q3-prompt").fill("How simple")
    while_waiting(page.get_by_role("button", name="Add a question"), "#q3-prompt", " is it?")
    expect(page.locator("#q5-prompt")).to_be_visible()
    expect(page.locator("#q3-prompt")).to_have_value("How simple is it?")
    expect(page.locator("#q3-prompt")).to_be_focused()
    page.keyboard.type("!")
    expect(page.locator("#q3-prompt")).to_have_value("How simple is it?!")
    while_waiting(page.get_by_role("button", name="Move up").nth(1), "#q3-name", "ity")
    expect(page.locator("#q2-name")).to_have_value("Simplicityity")
    expect(page.locator("#q2-prompt")).to_have_value("How simple is it?!")
    while_waiting(page.get_by_role("button", name="Remove").first, "#q2-name", "!")
    expect(page.locator("#q1-name")).to_have_value("Simplicityity!")
    frame = page.frame_locator("#rubric-preview iframe")
    page.get_by_role("button", name="Remove").last.click()
    waiting.pop().continue_()
    expect(frame.get_by_role("group", name="How simple is it?!")).to_be_visible()
