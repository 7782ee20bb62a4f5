"""A lexical study in the browser: three words of a context on one page, changed later, and erased in the end."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Studio
from tests.browser.desks import Work
from tests.browser.saved import submitted, words
from tests.browser.walking import withdraw_and_erase

CONTEXT = words()[:3]
GIVEN = {"obstinate": ["stubborn"], "gatekeeper": [], "relinquished": ["gave", "left"]}


def test_words_of_a_context_from_first_answer_to_erasure(studio: Studio, page: Page) -> None:
    """Three words on a page are kept over reload, back and a second tab, changed as a revision, erased on request."""
    work = Work(studio, studio.study("lexical_simplification", rows=CONTEXT), page).open()
    here = page.url
    expect(page.locator(".item")).to_have_count(3)
    for word, substitutes in GIVEN.items():
        for place, substitute in enumerate(substitutes):
            _boxes(page, word).nth(place).fill(substitute)
        if not substitutes:
            _none(page, word).check()
    work.saved()
    page.reload()
    work.ready()
    _shows(page, GIVEN)
    _submit_in_two_tabs(work)
    assert _said(work) == GIVEN
    page.go_back()
    page.wait_for_url(here)
    work.ready()
    _shows(page, GIVEN)
    _change_through_history(work)
    withdraw_and_erase(work)
    revisions = studio.revisions(work.study)
    assert revisions
    assert all(one.answers == {} and one.erased_at for one in revisions)
    answer = page.goto(work.door)
    assert answer is not None
    assert answer.status in (404, 410)


def _submit_in_two_tabs(work: Work) -> None:
    """Submitting the same page in two tabs makes one judgement of each word."""
    page = work.page
    other = Work(work.studio, work.study, page.context.new_page(), work.door)
    other.page.goto(page.url)
    other.ready()
    _shows(other.page, GIVEN)
    work.submit()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    other.submit()
    expect(other.page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    other.page.close()
    assert {word: len(ids) for word, ids in _judgements(work).items()} == dict.fromkeys(GIVEN, 1)


def _change_through_history(work: Work) -> None:
    """The history shows what was said; changing one word there is one further revision of that judgement."""
    page = work.page
    before = _times(work, "obstinate")
    page.goto(work.door + "history/")
    article = page.get_by_role("article").filter(has_text="obstinate").filter(has_text="stubborn")
    expect(article).to_have_count(1)
    expect(page.get_by_role("article").filter(has_text="No simpler word")).to_have_count(1)
    article.get_by_role("link", name="Open and change").click()
    work.ready()
    _boxes(page, "obstinate").first.fill("firm")
    work.submit()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    page.get_by_role("link", name="Look at my judgements").click()
    changed = page.get_by_role("article").filter(has_text="firm")
    changed.get_by_text("earlier version").first.click()
    expect(changed.get_by_text("stubborn").first).to_be_visible()
    assert _said(work) == {**GIVEN, "obstinate": ["firm"]}
    assert {word: len(ids) for word, ids in _judgements(work).items()} == dict.fromkeys(GIVEN, 1)
    assert _times(work, "obstinate") == before + 1


def _boxes(page: Page, word: str) -> Locator:
    """Where the substitutes of a word are written."""
    item = page.locator(".item").filter(has=page.get_by_role("heading", name=word))
    return item.locator("[data-question=substitutes]").get_by_role("textbox")


def _none(page: Page, word: str) -> Locator:
    """The choice that no word is simpler."""
    item = page.locator(".item").filter(has=page.get_by_role("heading", name=word))
    return item.get_by_role("checkbox", name="No simpler word")


def _shows(page: Page, given: dict[str, list[str]]) -> None:
    for word, substitutes in given.items():
        for place in range(3):
            expected = substitutes[place] if place < len(substitutes) else ""
            expect(_boxes(page, word).nth(place)).to_have_value(expected)
        expect(_none(page, word)).to_be_checked(checked=not substitutes)


def _said(work: Work) -> dict[str, list[str]]:
    """The last word on each target."""
    return {one.judgement.item.fields["target"]: one.answers["substitutes"] for one in submitted(work)}


def _judgements(work: Work) -> dict[str, set[int]]:
    """Every judgement that exists of each target, drafts included."""
    found: dict[str, set[int]] = {}
    for one in work.studio.revisions(work.study):
        found.setdefault(one.judgement.item.fields["target"], set()).add(one.judgement_id)
    return found


def _times(work: Work, word: str) -> int:
    """How often a word was submitted."""
    return sum(one.judgement.item.fields["target"] == word for one in submitted(work))
