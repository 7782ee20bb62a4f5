"""Any Thresh template in the browser: edits without spans, a context beside the texts, colours, upload on New study."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from rubrica.core.study import Item
from rubrica.exchange.thresh.template_protocol import convert_template
from rubrica.protocols.loader import check_text
from tests.browser.conftest import NOW, Studio
from tests.browser.desks import Work
from tests.browser.marking import Marking
from tests.browser.saved import submitted
from tests.browser.walking import press_button, sign_in

TEMPLATE = """
template_name: facts
template_label: Facts of a summary
edits:
  - name: wrong_fact
    label: Wrong fact
    color: teal
    enable_output: true
    annotation:
      - {name: severity, question: How bad is it?, options: likert-3}
  - name: missing_info
    label: Missing information
    color: red
    annotation:
      - {name: what, question: What is missing?, options: textbox}
      - {name: severity, question: How bad is it?, options: likert-3}
"""
CONTEXT = " ".join(
    [
        "The harbour of the old town was closed in May after the storm had broken two of the three cranes; the mayor",
        "promised the fishers, who had waited for weeks without any word from the council, that it would open again in",
        "June, although nobody had yet said where the money for the repairs was supposed to come from this year.",
    ]
)
SUMMARY = "The harbour opened in May, and the mayor thanked the fishers for the money that they had lent to the town."


@pytest.fixture
def work(studio: Studio, page: Page) -> Marking:
    """An annotator at an item of the template: a long context, no source, a summary."""
    from rubrica.exchange.study_options import STEPS, checked
    from rubrica.store import studies

    loaded = check_text(convert_template(TEMPLATE, "facts.yml").text, "facts.yaml")
    rows = [Item("1", {"context": CONTEXT, "rewrite": SUMMARY})]
    plan = studies.Plan(name=f"facts-{uuid4().hex[:8]}", loaded=loaded, items=rows, overlap={"annotate": 1})
    study = studies.create(plan, NOW)
    study.update(options=checked({"steps": dict.fromkeys(STEPS, False)}).stored())
    return Marking(Work(studio, study, page).open())


def test_an_edit_without_words_is_made_by_its_button_and_kept(work: Marking) -> None:
    """It needs no selection: its questions open at once, and it is submitted without spans."""
    page = work.page
    page.get_by_role("button", name="Missing information").click()
    edit = page.locator(".edit.open")
    expect(edit).to_contain_text("Missing information")
    edit.locator("[data-question=missing_info_what], [data-question=what]").locator("input, textarea").fill("the storm")
    edit.get_by_text("somewhat").click()
    work.work.saved()
    page.get_by_role("button", name="Submit").first.click()
    expect(page.locator("rubrica-desk")).to_have_count(0)
    (revision,) = submitted(work.work)
    (kept,) = revision.edits.all()
    assert (kept.operation, kept.source_spans, kept.rewrite_spans) == ("missing_info", [], [])
    assert work.work.errors == []


def test_on_a_phone_an_edit_without_words_can_be_made_at_once(work: Marking) -> None:
    """The other tools wait for words to be chosen; this one is there."""
    work.page.set_viewport_size({"width": 390, "height": 844})
    expect(work.page.get_by_role("button", name="Wrong fact")).to_be_hidden()
    work.page.get_by_role("button", name="Missing information").click()
    expect(work.page.locator(".edit.open")).to_contain_text("Missing information")


def test_a_context_lies_over_nothing(work: Marking) -> None:
    """A context of 60 words and the text to mark stand apart, on a desktop and on a phone, wherever one scrolls."""
    for width, height in ((1280, 900), (390, 844)):
        work.page.set_viewport_size({"width": width, "height": height})
        for down in (0, 400):
            work.page.evaluate(f"scrollTo(0, {down})")
            context, text = (work.page.locator(name).first.bounding_box() for name in (".texts", ".edit-texts"))
            assert context is not None
            assert text is not None
            assert context["y"] + context["height"] <= text["y"] + 1, (width, down)


def test_colours_are_those_of_the_template(work: Marking) -> None:
    """Tags and buttons have the template's own colours, darker or lighter only where they could not be read."""
    colour = "all => all.map((one) => getComputedStyle(one.querySelector('.tag') || one).backgroundColor)"
    buttons = work.page.locator(".op")
    assert buttons.evaluate_all(colour) == ["rgb(0, 126, 126)", "rgb(235, 0, 0)"]
    work.page.get_by_role("button", name="Missing information").click()
    assert work.page.locator(".edit.open").evaluate_all(colour) == ["rgb(235, 0, 0)"]
    work.page.emulate_media(color_scheme="dark")
    assert buttons.evaluate_all(colour) == ["rgb(0, 151, 151)", "rgb(255, 56, 56)"]
    assert work.work.errors == []


def test_edits_of_a_data_file_are_taken_where_that_was_chosen(studio: Studio, page: Page, tmp_path: Path) -> None:
    """The page reads the file again after each choice: the choice to take its edits stays."""
    from rubrica.store.models import Judgement

    (tmp_path / "facts.yml").write_text(TEMPLATE)
    entry = {"source": CONTEXT, "target": SUMMARY, "metadata": {"annotator": "eva"}}
    edits = [{"category": "missing_info", "id": 1, "annotation": {"what": "the storm", "severity": "minor"}}]
    (tmp_path / "facts.json").write_text(json.dumps([{**entry, "edits": edits}]))
    sign_in(page, studio.url)
    page.goto(f"{studio.url}/studies/new/")
    page.get_by_label("Title").fill(f"facts {uuid4().hex[:8]}")
    page.locator("input[value=own]").check()
    page.locator("#file").set_input_files(tmp_path / "facts.yml")
    press_button(page, "Make the draft and add items")
    page.locator("#file").set_input_files(tmp_path / "facts.json")
    taken = page.locator("input[value=judgements]")
    with page.expect_response(lambda answer: answer.request.method == "GET" and "/setup/items/" in answer.url):
        taken.check()
    page.wait_for_load_state("networkidle")
    expect(taken).to_be_checked()
    press_button(page, "Use this 1 item")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review of the items")
    study = page.url.split("/s/")[1].split("/")[0]
    assert Judgement.objects.filter(stage__study__pid=study).count() == 1
