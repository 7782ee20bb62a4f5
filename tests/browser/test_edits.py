"""Marking edits in a real browser, by mouse and by keyboard alone: selecting, making, answering, submitting."""

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
    """Tab to the text, walk by words, select with Shift, first one word, then the next; press the letter."""
    marking.text("source").focus()
    marking.press("ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight")
    expect(marking.status).to_have_text("Selected: the")
    marking.press("Shift+ArrowRight", "d")
    assert marking.kept() == [{"id": "1", "operation": "deletion", "source": span(SOURCE, "the subsidy,")}]


def test_first_step_with_shift_to_the_left_selects_one_word_too(marking: Marking) -> None:
    """From the caret's word to the left: first that word, then the one before it."""
    marking.text("source").focus()
    marking.press("End", "Shift+ArrowLeft")
    expect(marking.status).to_have_text("Selected: Monday.")
    marking.press("Shift+ArrowLeft")
    expect(marking.status).to_have_text("Selected: on Monday.")


def test_letter_first_then_words_on_both_sides(marking: Marking) -> None:
    """A letter says what the next selection is for; a substitution waits for both sides."""
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


def test_both_sides_first_then_the_letter(marking: Marking) -> None:
    """What is selected on each side stays until the letter makes one edit of it."""
    marking.drag("source", "subsidy,")
    marking.drag("rewrite", "financial help.")
    marking.press("s", "2")
    (edit,) = marking.kept()
    assert (edit["source"], edit["rewrite"]) == (span(SOURCE, "subsidy,"), span(REWRITE, "financial help."))


def test_selection_snaps_to_words_and_with_alt_to_characters(marking: Marking) -> None:
    """Half a word selects it whole, with its punctuation; Alt and Shift with arrows go by character."""
    marking.drag("source", "umerous farm")
    marking.press("d")
    assert marking.value()[0]["source"] == span(SOURCE, "Numerous farmers")
    marking.text("source").focus()
    marking.press("Home", "Alt+Shift+ArrowRight", "Alt+Shift+ArrowRight", "d")
    # Two letters: the one at the caret and the next.
    assert marking.value()[1]["source"] == [[0, 2]]


def test_several_pieces_by_mouse_and_by_keyboard(marking: Marking) -> None:
    """Ctrl adds a piece with the mouse, Space keeps one with the keyboard; both make one edit where that is allowed."""
    marking.drag("source", "Numerous")
    marking.drag("source", "rejected", add=True)
    marking.text("rewrite").focus()
    marking.press("Home", "Space", "ArrowRight", "ArrowRight", "Space", "r")
    (edit,) = marking.value()
    assert (edit["source"], edit["rewrite"]) == (
        span(SOURCE, "Numerous", "rejected"),
        span(REWRITE, "Many", "rejected"),
    )


def test_pieces_of_an_operation_that_takes_one_become_several_edits(marking: Marking) -> None:
    """Two pieces and the letter of a deletion are two deletions."""
    marking.drag("source", "Numerous")
    marking.drag("source", "on Monday.", add=True)
    marking.press("d")
    marking.expect_count(2)
    assert [edit["source"] for edit in marking.kept()] == [span(SOURCE, "Numerous"), span(SOURCE, "on Monday.")]


def test_split_point_is_never_marked(marking: Marking) -> None:
    """A selection across a split point leaves it out: one edit on each side of it."""
    marking.drag("rewrite", "help. || They")
    marking.press("i")
    assert [edit["rewrite"] for edit in marking.value()] == [span(REWRITE, "help."), span(REWRITE, "They")]


def test_letter_for_words_on_the_wrong_side_says_so(marking: Marking) -> None:
    """A deletion of words of the rewrite is not made; the page says where deletions are marked."""
    marking.drag("rewrite", "Many")
    marking.press("d")
    marking.expect_count(0)
    expect(marking.status).to_have_text("Deletion takes words of “Original sentence”.")


def test_composite_takes_new_parts_and_parts_that_are_there(marking: Marking) -> None:
    """A split begins empty; edits made while it is open become its parts, others are taken in, and out again."""
    marking.drag("source", "which")
    marking.press("d", "Escape", "p")
    expect(marking.entry(1)).to_contain_text("no parts yet")
    marking.drag("rewrite", "They were")
    marking.press("i")
    page = marking.page
    page.locator(".edit-take").select_option(label="D1 Deletion “which”")
    expect(page.locator(".edit-parts .edit-head", has_text="which")).to_be_visible()
    # The composite comes where its first part stands; parts follow it in reading order.
    made = marking.kept()
    assert [(edit["operation"], edit.get("parent")) for edit in made] == [
        ("split", None),
        ("deletion", made[0]["id"]),
        ("insertion", made[0]["id"]),
    ]
    page.locator(".edit-parts .edit-head", has_text="which").click()
    page.get_by_role("button", name="Take out").click()
    assert [edit.get("parent") for edit in marking.value()] == [None, None, made[0]["id"]]


@pytest.mark.parametrize("by", ["keyboard", "button"])
def test_enter_ends_a_composite_and_the_hint_stays_until_then(marking: Marking, by: str) -> None:
    """While edits become parts the page says so, whatever is selected; Enter ends that, and the next stands alone."""
    hint = "Sentence split: the edits that you make now become its parts."
    marking.drag("source", "which")
    if by == "keyboard":
        marking.press("p")
    else:
        marking.tool("Sentence split").click()
    expect(marking.status).to_contain_text(hint)
    marking.drag("rewrite", "They")
    expect(marking.status).to_contain_text(hint)
    expect(marking.status).to_contain_text("Selected: They")
    if by == "keyboard":
        marking.press("i")
    else:
        marking.tool("Insertion").click()
    expect(marking.status).to_contain_text(hint)
    marking.press("Enter")
    expect(marking.status).not_to_contain_text(hint)
    marking.drag("source", "Numerous")
    marking.press("d")
    parents = {edit["operation"]: edit.get("parent") for edit in marking.value() if edit["operation"] != "split"}
    assert parents["insertion"]
    alone = [edit for edit in marking.value() if edit.get("source") == span(SOURCE, "Numerous")]
    assert [edit.get("parent") for edit in alone] == [None]


def test_composite_is_ended_by_its_button_too(marking: Marking) -> None:
    """Where there is no key to press, the button under the texts does the same."""
    marking.drag("source", "which")
    marking.press("p")
    marking.page.get_by_role("button", name="It is complete").click()
    expect(marking.page.get_by_role("button", name="It is complete")).to_be_hidden()
    marking.drag("source", "Numerous")
    marking.press("d")
    assert next(edit.get("parent") for edit in marking.value() if edit["operation"] == "deletion") is None


def test_composite_of_a_selection_has_it_as_its_part(marking: Marking) -> None:
    """Words on both sides and the letter of a composite: its first part is the edit that they look like."""
    marking.drag("source", "rejected")
    marking.drag("rewrite", "rejected")
    marking.press("t")
    assert [edit["operation"] for edit in marking.kept()] == ["structure", "substitution"]


def test_another_kind_keeps_words_and_answers(marking: Marking) -> None:
    """A substitution made a reorder and back has lost neither its spans nor its answer."""
    marking.drag("source", "Numerous")
    marking.drag("rewrite", "Many")
    marking.press("s", "2")
    before = marking.value()
    marking.press("Shift+d")
    assert marking.value() == [{"id": "1", "operation": "deletion", "source": span(SOURCE, "Numerous")}]
    marking.page.locator(".edit-kind").select_option("reorder")
    expect(marking.entry(0)).to_contain_text("Reorder level")
    marking.page.locator(".edit-kind").select_option("substitution")
    assert marking.value() == before


def test_words_of_an_edit_can_be_changed_and_added(marking: Marking) -> None:
    """With an edit open, e takes the selection as its words and a adds a piece; the buttons do the same."""
    marking.drag("source", "Numerous")
    marking.drag("rewrite", "Many")
    marking.press("s")
    marking.drag("source", "Numerous farmers")
    marking.press("e")
    marking.drag("rewrite", "farmers")
    marking.press("a")
    (edit,) = marking.value()
    # Two pieces that touch would be one; between these stands a space.
    assert (edit["source"], edit["rewrite"]) == (span(SOURCE, "Numerous farmers"), span(REWRITE, "Many", "farmers"))
    marking.page.get_by_role("button", name="Leave out “farmers”").click()
    marking.page.get_by_role("button", name="Change", exact=True).first.click()
    marking.drag("source", "rejected")
    (edit,) = marking.kept()
    assert (edit["source"], edit["rewrite"]) == (span(SOURCE, "rejected"), span(REWRITE, "Many"))


def test_everything_can_be_undone_and_done_again(marking: Marking) -> None:
    """Making, answering, changing the kind, removing: undone one by one, and done again."""
    marking.drag("source", "Numerous")
    marking.drag("rewrite", "Many")
    marking.press("s", "2", "Shift+r")
    seen = [marking.value()]
    marking.entry(0).locator(".edit-head").focus()
    marking.press("Delete")
    marking.expect_count(0)
    for _ in range(4):
        marking.press("Control+z")
        seen.append(marking.value())
    assert seen[1] == seen[0]
    kinds = [[edit["operation"] for edit in one] for one in seen[1:]]
    assert kinds == [["reorder"], ["substitution"], ["substitution"], []]
    assert [one[0].get("answers") for one in seen[2:4]] == [{"information": "same"}, None]
    for _ in range(4):
        marking.press("Control+Shift+z")
    marking.expect_count(0)
    marking.press("u")
    assert marking.kept() == seen[0]


def test_tab_walks_edits_enter_opens_digits_answer_enter_goes_on(marking: Marking) -> None:
    """A whole judgement by keyboard alone, from the list."""
    marking.text("source").focus()
    marking.press("Home", "d", "End", "d")
    marking.drag("source", "rejected")
    marking.drag("rewrite", "rejected")
    marking.press("r", "Escape")
    page = marking.page
    marking.text("rewrite").focus()
    marking.press("Tab", "Tab")
    expect(marking.entry(0).locator(".edit-head")).to_be_focused()
    marking.press("ArrowDown", "Enter")
    marking.expect_open(1)
    expect(page.locator(".edit-questions .question.focused")).to_have_attribute("data-question", "reorder_level")
    marking.press("1")
    expect(marking.entry(1)).to_contain_text("Word level")
    marking.press("Enter")
    expect(page.locator("[data-question=comment] textarea")).to_be_focused()
    before = page.url
    marking.press("Control+Enter")
    page.wait_for_url(lambda url: url != before)


def test_unfinished_edits_are_named_and_gone_to(marking: Marking) -> None:
    """Submitting with something open says which edit and what, and opens it."""
    marking.drag("source", "Numerous")
    marking.press("s", "Escape")
    marking.drag("source", "on Monday.")
    marking.drag("rewrite", "angry.")
    marking.press("s", "Escape")
    marking.work.submit()
    links = marking.page.locator(".summary-problems a")
    expect(links).to_have_text(
        [
            "S1 Substitution “Numerous”: no words marked in “Simplified sentence”",
            "S2 Substitution “on Monday. → angry.”: Information",
        ]
    )
    links.last.click()
    marking.expect_open(1)
    marking.press("1")
    expect(links).to_have_count(1)


def test_no_edits_although_texts_differ_is_asked_once(marking: Marking) -> None:
    """A page without edits is submitted only when it is submitted again."""
    marking.work.submit()
    expect(marking.page.locator(".summary-problems")).to_contain_text("no edits")
    assert marking.submit() == []


def test_enter_at_a_word_opens_its_edits_in_turn(marking: Marking) -> None:
    """The caret on words with two edits opens one, then the other; a mark that is clicked opens its own."""
    marking.drag("source", "Numerous farmers")
    marking.press("d")
    marking.drag("source", "Numerous")
    marking.press("d", "Escape")
    marking.text("source").focus()
    marking.press("Home", "Enter")
    marking.expect_open(0)
    marking.text("source").focus()
    marking.press("Enter")
    marking.expect_open(1)
    marking.page.mouse.click(*marking.place("source", "farmers").under)
    marking.expect_open(0)


def test_edits_of_the_page_are_refused_by_name_when_the_server_finds_more(marking: Marking) -> None:
    """What only the server sees is told at the edit too."""
    marking.drag("source", "Numerous")
    marking.press("d")
    marking.work.saved()
    marking.page.evaluate("""() => {
      const { editor } = document.querySelector('rubrica-edits');
      editor.edits.put('1', { operation: 'substitution', rewrite: [[0, 4], [2, 6]], answers: { information: 'same' } });
      editor.edited();
    }""")
    marking.work.submit()
    expect(marking.page.locator(".summary-problems a")).to_contain_text("marks the same words of the rewrite twice")
