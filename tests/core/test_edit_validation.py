"""Edits against their scheme: spans, operations, constituents and question trees."""

from typing import Any

import attrs
import pytest

from rubrica.core.edit_validation import EditValidator
from rubrica.core.edits import Edit, Span
from rubrica.core.errors import Problem
from rubrica.core.protocol import Operation
from rubrica.protocols.catalog import load_shipped
from tests.core.sample import DELETION, ITEM, PROTOCOL, SELECT, WORDS

CHECK = EditValidator(PROTOCOL, None)
SWAP = Edit("2", "swap", (Span(2, 5),), (Span(2, 5),), {"change": "same"})
SPLIT = Edit("3", "split", answers={"helps": "yes"})
PART = Edit("4", "deletion", (Span(0, 1),), parent="3")


def rules(*edits: Edit, **options: Any) -> list[tuple[str, str]]:
    """Edit and rule of each problem with these edits."""
    return [(problem.edit, problem.rule) for problem in found(*edits, **options)]


def found(*edits: Edit, **options: Any) -> list[Problem]:
    """What is wrong with these edits."""
    return CHECK.problems(ITEM, edits, **options)


def test_good_edits_have_no_problem() -> None:
    """Simple edits and a composite with its constituents pass, in any order."""
    assert rules(DELETION, SWAP, SPLIT, PART) == rules(PART, SPLIT, SWAP, DELETION) == rules() == []


@pytest.mark.parametrize(
    "spans",
    [
        (Span(0, 100),),
        (Span(-1, 3),),
        (Span(3, 3),),
        (Span(5, 2),),
        (Span(18, 20),),
        (),
        (Span(0, 1), Span(2, 3)),
        (Span("0", "1"),),  # type: ignore[arg-type]
        (Span(0.0, 1.0),),  # type: ignore[arg-type]
        (Span(True, 2),),
        (Span(None, None),),  # type: ignore[arg-type]
    ],
    ids=str,
)
def test_spans_lie_in_their_text(spans: tuple[Span, ...]) -> None:
    """A span outside the text, empty, reversed, missing, one too many or not made of numbers is refused."""
    assert rules(attrs.evolve(DELETION, source=spans)) == [("1", "span")]


def test_a_span_may_reach_the_last_letter() -> None:
    """Offsets are half-open: the end may equal the length of the text."""
    assert rules(attrs.evolve(DELETION, source=(Span(0, len(ITEM.fields["source"])),))) == []


def test_spans_on_the_wrong_side_are_refused() -> None:
    """A deletion marks nothing in the rewrite, and a composite marks nothing at all."""
    assert rules(attrs.evolve(DELETION, rewrite=(Span(0, 1),))) == [("1", "span")]
    assert rules(attrs.evolve(SPLIT, source=(Span(0, 1),)), PART) == [("3", "span")]


def test_several_spans_may_not_overlap() -> None:
    """An operation that takes several spans takes neighbours, and no word twice."""
    assert rules(attrs.evolve(SWAP, source=(Span(6, 9), Span(2, 5), Span(5, 6)))) == []
    assert rules(attrs.evolve(SWAP, source=(Span(2, 5), Span(0, 3)))) == [("2", "span")]
    assert rules(attrs.evolve(SWAP, source=(Span(2, 5), Span(2, 5)))) == [("2", "span")]


def test_edits_may_cover_the_same_words() -> None:
    """Two edits may mark the same words: only within one edit is that a mistake."""
    assert rules(DELETION, attrs.evolve(DELETION, id="9")) == []


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ((SPLIT,), [("3", "constituents")]),
        ((SPLIT, attrs.evolve(PART, answers={"harm": 1})), [("4", "constituents")]),
        ((attrs.evolve(PART, parent="nobody"),), [("4", "parent")]),
        ((DELETION, attrs.evolve(PART, parent="1")), [("4", "parent")]),
        ((SPLIT, PART, attrs.evolve(SPLIT, id="5", parent="3")), [("5", "constituents"), ("5", "parent")]),
        ((attrs.evolve(SPLIT, parent="3"),), [("3", "parent")]),
        ((attrs.evolve(DELETION, operation="magic"),), [("1", "operation")]),
        ((DELETION, attrs.evolve(SWAP, id="1")), [("1", "duplicate_edit")]),
    ],
)
def test_composites_and_their_parts_fit(edits: tuple[Edit, ...], expected: list[tuple[str, str]]) -> None:
    """A composite has constituents of the right kinds, which have no answers and a parent that exists."""
    assert rules(*edits) == expected


@pytest.mark.parametrize(
    ("edit", "question", "rule", "value"),
    [
        (attrs.evolve(DELETION, answers={"harm": 1, "change": "same"}), "change", "operation", "same"),
        (attrs.evolve(DELETION, answers={"harm": 9}), "harm", "scale", 9),
        (attrs.evolve(DELETION, answers={"harm": [1]}), "harm", "scale", [1]),
        (attrs.evolve(DELETION, answers={}), "harm", "required", None),
        (attrs.evolve(SWAP, answers={}), "change", "required", None),
        (attrs.evolve(SWAP, answers={"change": "same", "harm": 1}), "harm", "not_shown", 1),
        (attrs.evolve(SWAP, answers={"change": "same", "helps": "yes"}), "helps", "unknown_question", "yes"),
        (attrs.evolve(SWAP, answers={"change": "same", "quality": 1}), "quality", "unknown_question", 1),
    ],
)
def test_answers_follow_the_tree(edit: Edit, question: str, rule: str, value: object) -> None:
    """One mistake in the answers gives one problem with edit, question, rule, value and fix."""
    (problem,) = found(edit)
    assert (problem.edit, problem.question, problem.rule, problem.value) == (edit.id, question, rule, value)
    assert question in problem.what
    assert problem.fix.endswith(".")


def test_a_draft_may_lack_answers_and_constituents() -> None:
    """Gaps are no problem before submitting, spans outside the text are."""
    assert rules(attrs.evolve(SWAP, answers={}), SPLIT, complete=False) == []
    assert rules(attrs.evolve(DELETION, source=(Span(0, 99),)), complete=False) == [("1", "span")]


def test_settling_fills_in_what_the_operation_implies() -> None:
    """Preset answers are added to edits, not to constituents, and never overwrite what was said."""
    bare, said = attrs.evolve(DELETION, answers={}), attrs.evolve(DELETION, answers={"change": "same"})
    settled = CHECK.settle((bare, said, PART, SWAP, attrs.evolve(SWAP, operation="magic")))
    assert [dict(edit.answers) for edit in settled] == [
        {"change": "less"}, {"change": "same"}, {}, {"change": "same"}, {"change": "same"},
    ]  # fmt: skip


def test_a_stage_asks_part_of_the_tree() -> None:
    """At a stage with ``asks``, other questions on edits are neither required nor taken; presets stay."""
    stage = EditValidator(PROTOCOL, SELECT)
    assert [question.id for question in stage.questions_for("deletion")] == ["change"]
    assert stage.problems(ITEM, (attrs.evolve(DELETION, answers={}),)) == []
    assert [problem.rule for problem in stage.problems(ITEM, (DELETION,))] == ["unknown_question"]


def test_true_is_not_the_preset_one() -> None:
    """A preset number is not met by a boolean that happens to equal it."""
    scheme = attrs.evolve(
        PROTOCOL.edits, operations=(Operation("deletion", WORDS, WORDS, "d", ("source",), preset={"harm": 1}),)
    )
    check = EditValidator(attrs.evolve(PROTOCOL, edits=scheme), None)
    edit = attrs.evolve(DELETION, answers={"change": "less", "harm": True})
    assert [problem.rule for problem in check.problems(ITEM, (edit,))] == ["operation"]


def test_salsa_questions_follow_the_preset_information() -> None:
    """An edit that contradicts its operation is told so once, and its tree is read by the operation."""
    protocol = load_shipped("salsa").protocol
    check = EditValidator(protocol, protocol.stage("classify"))
    answers = {"information": "more", "deletion_type": "good_deletion", "efficacy": 2, "grammar_error": "no"}
    edit = Edit("1", "deletion", (Span(0, 1),), answers=answers)
    assert [(problem.question, problem.rule) for problem in check.problems(ITEM, (edit,))] == [
        ("information", "operation")
    ]
