"""The course in a real browser: reading, pointing, choosing, marking by mouse and keyboard, ours over the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from rubrica.core.course import MARKING, CourseStage, Step
from rubrica.core.edits import to_json
from tests.browser.conftest import NOW, Studio
from tests.browser.desks import Work
from tests.browser.looks import no_fault
from tests.browser.marking import Marking
from tests.length import some_of
from tests.studio.course_walk import ROUNDS, STAGES, gold_edits, gold_post, path, place

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study


class Learner:
    """An annotator in the course, in one tab."""

    def __init__(self, studio: Studio, page: Page, link: Invitation, study: Study) -> None:
        self.page, self.link, self.study = page, link, study
        self.door = studio.door(link)
        self.marking = Marking(Work(studio, study, page, self.door))

    def reach(self, name: str) -> None:
        """Mark everything before a step as done."""
        from rubrica.store.models import CourseTry

        for stage in STAGES:
            for step in stage.steps:
                if step.id == name:
                    return
                defaults = {"chapter": stage.id, "share": 1, "right": True, "at": NOW}
                CourseTry.objects.get_or_create(
                    annotator=self.link.annotator, step=step.id, number=1, defaults=defaults
                )

    def open(self, name: str, query: str = "") -> None:
        """Go to a step, everything before it done."""
        self.reach(name)
        self.page.goto(self.door + path(name) + query)

    def at_desk(self, name: str) -> None:
        """Go to an exercise on marking and wait for the editor."""
        self.open(name)
        expect(self.page.locator("rubrica-edits[data-ready]")).to_be_attached()

    def answer(self, step: Step) -> None:
        """Give our answer on the page. Edits are put into the editor; selecting has tests of its own."""
        if step.kind in MARKING:
            expect(self.page.locator("rubrica-edits[data-ready]")).to_be_attached()
            edits = [to_json(edit) for edit in gold_edits(step)]
            self.page.evaluate("edits => document.querySelector('rubrica-edits').editor.adopt(edits, {})", edits)
        for values in gold_post(step).values():
            for value in values if isinstance(values, list) else [values]:
                self.page.locator(f".course-form input[value='{value}']").check()

    def compare(self) -> None:
        """Ask for our answer."""
        self.page.get_by_role("button", name="Compare with our answer").click()
        expect(self.page.locator(".result")).to_be_visible()

    def go_on(self) -> None:
        """The main button or link at the foot of the page."""
        self.page.locator(".actions.end .primary").first.click()

    @property
    def tries(self) -> list[tuple[str, bool]]:
        """What was answered, in order."""
        from rubrica.store.models import CourseTry

        rows = CourseTry.objects.filter(annotator=self.link.annotator).exclude(at=NOW).order_by("pk")
        return list(rows.values_list("step", "right"))


@pytest.fixture
def learner(studio: Studio, page: Page) -> Learner:
    """A newcomer to a study of salsa whose only steps are the course and the qualification."""
    study = studio.study("salsa", items=2)
    study.options["steps"] |= {"course": True, "qualification": True}
    study.save()
    return Learner(studio, page, studio.invite(study), study)


@pytest.mark.parametrize("stage", some_of(STAGES, 0), ids=lambda stage: stage.id)
def test_a_newcomer_goes_through_a_stage(learner: Learner, stage: CourseStage) -> None:
    """Reading, examples, facts, choices, building and marking, each compared, to the stage after it or the rounds."""
    page = learner.page
    learner.reach(stage.steps[0].id)
    page.goto(learner.door)
    page.locator(".primary").first.click()
    for step in stage.steps:
        expect(page.locator("h1")).to_be_visible()
        if step.is_exercise:
            learner.answer(step)
            learner.compare()
            expect(page.locator(".result")).to_contain_text("Like our answer")
        learner.go_on()
    assert [right for _, right in learner.tries] == [True] * len(stage.steps)
    after = STAGES[STAGES.index(stage) + 1 :]
    expect(page).to_have_url(learner.door + (f"course/{after[0].id}/1/" if after else "course/"))
    if not after:
        page.locator(".actions .primary").click()
        expect(page).to_have_url(f"{learner.door}qualification/")


def test_a_newcomer_qualifies_in_two_rounds(learner: Learner) -> None:
    """With the course behind them, somebody who annotates like us passes both rounds and is let to the work."""
    from rubrica.store.people.participation import finish

    page = learner.page
    assert learner.link.annotator is not None
    finish(learner.link.annotator, "course", NOW)
    page.goto(learner.door)
    for each in ROUNDS:
        learner.go_on()
        for step in each.steps:
            learner.answer(step)
            page.get_by_role("button", name="Submit and next").click()
            expect(page.locator(".result")).to_contain_text("Agreement 100 %")
            learner.go_on()
    page.get_by_role("link", name="Start").click()
    learner.marking.work.ready()


def test_pointing_at_a_fact_shows_its_words(learner: Learner) -> None:
    """By mouse and by keyboard the words that carry a fact are shaded, and those of others are not."""
    page = learner.page
    learner.open("goal_facts_lighthouse")

    def shaded(fact: int) -> bool:
        found = page.locator(f".says-f{fact}").first.evaluate("one => getComputedStyle(one).textDecorationLine")
        return "underline" in str(found)

    page.locator(".fact-3").hover()
    assert shaded(3)
    assert not shaded(2)
    page.mouse.move(0, 0)
    page.locator(".fact-2 input").focus()
    assert shaded(2)


def test_a_selection_by_mouse_is_compared_word_by_word(learner: Learner) -> None:
    """Too many words are marked first: ours is laid over, and the second try is right."""
    page, marking = learner.page, learner.marking
    learner.at_desk("del_court")
    expect(page.get_by_text("Mark every edit of this kind: Deletion.")).to_be_visible()
    marking.drag("source", "heard the case on a rainy Monday in April.")
    marking.press("d")
    learner.compare()
    expect(page.locator(".result")).to_contain_text("Different from our answer")
    expect(page.locator(".pairings")).to_contain_text("You marked a part of it, or too much")
    expect(page.locator(".yours").first).to_be_visible()
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("rubrica-edits[data-ready]")).to_be_attached()
    marking.entry(0).locator("> .edit-head").click()
    page.get_by_role("button", name="Remove").first.click()
    marking.drag("source", "on a rainy Monday")
    marking.press("d")
    learner.compare()
    expect(page.locator(".result")).to_contain_text("Like our answer")
    assert learner.tries == [("del_court", False), ("del_court", True)]


def test_a_selection_by_keyboard_alone(learner: Learner) -> None:
    """Tab to the text, walk by words, extend with Shift, press the letter, send with Ctrl and Enter."""
    learner.at_desk("ins_utrecht")
    learner.marking.text("rewrite").focus()
    learner.marking.press("End", "Shift+ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft", "i", "Control+Enter")
    expect(learner.page.locator(".result")).to_contain_text("Like our answer")
    assert learner.tries == [("ins_utrecht", True)]


def test_a_whole_pair_with_questions(learner: Learner) -> None:
    """A substitution and a deletion are marked, answered in place, and compared edit by edit."""
    page, marking = learner.page, learner.marking
    learner.at_desk("mixed_hemorrhage")
    marking.drag("source", "In rare cases,")
    marking.press("d")
    marking.work.choose("deletion_type", "bad_deletion")
    marking.work.choose("severity", 3)
    marking.work.choose("coreference", "no")
    marking.work.choose("grammar_error", "no")
    marking.press("s")
    marking.drag("source", "hemorrhage")
    marking.drag("rewrite", "bleeding")
    for question, value in (
        ("information", "same"),
        ("paraphrase_impact", "positive"),
        ("efficacy", 2),
        ("grammar_error", "no"),
    ):
        marking.work.choose(question, value)
    learner.compare()
    expect(page.locator(".result")).to_contain_text("Like our answer")
    expect(page.locator(".pairings")).to_contain_text("Also accepted")
    no_fault(page)


KINDS = [
    ("goal_welcome", ""),
    ("goal_first_look", ""),
    ("structure_example_bridge", ""),
    ("goal_matter_bats", ""),
    ("split_build_saffron", ""),
    ("conc_rhine", ""),
    ("rate_text", ""),
    ("mixed_danube", "?form"),
    ("mixed_danube", ""),
]


@pytest.mark.parametrize("width", some_of([1280, 360], 1))
@pytest.mark.parametrize(("name", "query"), some_of(KINDS, 2, 4, 6, 7))
def test_every_kind_of_page_is_without_fault(learner: Learner, name: str, query: str, width: int) -> None:
    """axe-core finds nothing on any kind of step, wide or narrow, and nothing overflows."""
    learner.page.set_viewport_size({"width": width, "height": 800})
    learner.open(name, query)
    if place(name)[2].kind == "whole" and not query:
        expect(learner.page.locator("rubrica-edits[data-ready]")).to_be_attached()
    no_fault(learner.page)


def test_the_form_works_without_script(learner: Learner, studio: Studio) -> None:
    """Whoever has no script marks words by ticking them."""
    learner.reach("del_court")
    browser = learner.page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(learner.door + path("del_court"))
    page.get_by_role("link", name="Mark words in a form instead").click()
    page.locator("select[name='e1.operation']").select_option("deletion")
    for word in (5, 6, 7, 8):
        page.locator(f"input[name='e1.source'][value='{word}']").check(force=True)
    page.get_by_role("button", name="Compare with our answer").click()
    expect(page.locator(".result")).to_contain_text("Like our answer")
    context.close()


def test_the_qualification_compares_each_pair(learner: Learner) -> None:
    """A pair of the first round is annotated at the desk, compared at once, and the next one follows."""
    from rubrica.store.people.participation import finish

    page = learner.page
    assert learner.link.annotator is not None
    finish(learner.link.annotator, "course", NOW)
    page.goto(f"{learner.door}qualification/")
    no_fault(page)
    page.get_by_role("link", name="Begin").click()
    expect(page.locator("rubrica-edits[data-ready]")).to_be_attached()
    submit = page.get_by_role("button", name="Submit and next")
    submit.click()
    submit.click()
    expect(page.locator("h1")).to_have_text("Your annotation beside ours")
    expect(page.locator(".result")).to_contain_text("Agreement 0 %")
    expect(page.locator(".pairings")).to_contain_text("You did not mark this")
    no_fault(page)
    learner.go_on()
    expect(page).to_have_url(f"{learner.door}qualification/1/2/")
