"""The profile in a real browser: every kind of question, what is wrong with an answer, and what is kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.walking import press_button

OWN = [
    {"id": "dialect", "label": "Which dialect do you speak?", "kind": "choice", "options": ["North", "South"]},
    {"id": "paper", "label": "Which newspaper do you read?", "kind": "text"},
]


@pytest.fixture
def work(studio: Studio, page: Page) -> Work:
    """An annotator at the profile, which is the only step."""
    steps = {name: name == "profile" for name in ("welcome", "consent", "profile", "guidelines", "practice")}
    study = studio.study(steps=steps, profile={"asked": ["native_speaker", "age", "country"], "own": OWN})
    at = Work(studio, study, page)
    page.goto(at.door)
    expect(page.get_by_role("heading", level=1)).to_have_text("About you")
    return at


def fill(page: Page, age: str) -> None:
    """Answer by the controls that each kind has; one question is left unsaid."""
    page.get_by_role("group", name="Native speaker").or_(page.locator("#p-native_speaker")).get_by_label("Yes").check()
    page.locator("#p-age input.short").fill(age)
    page.locator("#p-country select").select_option("ES")
    page.locator("#p-dialect").get_by_label("South").check()
    page.locator("#p-paper").get_by_label("I would rather not say").check()
    press_button(page, "Save and go on")


def test_answers_of_every_kind_are_kept(work: Work) -> None:
    """Numbers as numbers, choices by their value, and what was not said as unsaid; then the work begins."""
    from rubrica.store.models import Profile

    fill(work.page, "41")
    work.page.wait_for_url("**/work/**")
    kept = Profile.objects.get(annotator__study=work.study)
    assert kept.answers == {"native_speaker": "yes", "age": 41, "country": "ES", "dialect": "South", "paper": None}


def test_a_wrong_answer_is_told_at_its_question_and_nothing_is_lost(work: Work) -> None:
    """The list leads there, the other answers stand, and nothing is stored before it is right."""
    from rubrica.store.models import Profile

    page = work.page
    fill(page, "many")
    expect(page.get_by_role("alert")).to_contain_text("One answer needs another look.")
    expect(page.locator("#p-age .error")).to_contain_text("Please write a")
    expect(page.locator("#p-age input.short")).to_have_value("many")
    expect(page.locator("#p-dialect").get_by_label("South")).to_be_checked()
    assert not Profile.objects.filter(annotator__study=work.study).exists()
    fill(page, "41")
    page.wait_for_url("**/work/**")
