"""Answers to steps of a course: each kind's right and wrong, what is accepted beside the gold, and the shares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rubrica.core.course import Step, all_steps
from rubrica.core.course_grading import Result, grade_step
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import Protocol
from rubrica.core.study import Judgement
from tests.protocols.course_sample import sample_course


@pytest.fixture(scope="module")
def protocol(tmp_path_factory: pytest.TempPathFactory) -> Protocol:
    """The sample protocol with its course."""
    return sample_course(Path(tmp_path_factory.mktemp("course")))


def step(protocol: Protocol, name: str) -> Step:
    """A step of the course."""
    return next(one for one in all_steps(protocol.course) if one.id == name)


def result(protocol: Protocol, name: str, answers: dict[str, Any] | None = None, *edits: Edit) -> Result:
    """How an answer to a step is graded."""
    return grade_step(protocol, step(protocol, name), Judgement(answers or {}, edits))


BIG = Span(2, 5)
DOWN = Span(14, 19)


@pytest.mark.parametrize("name", ["hello", "look"])
def test_what_asks_nothing_is_right(protocol: Protocol, name: str) -> None:
    """Reading and looking cannot be wrong."""
    assert result(protocol, name).right


@pytest.mark.parametrize(
    ("name", "answers", "share", "right"),
    [
        ("told", {"lost": ("f2",)}, 1, True),
        ("told", {"lost": ("f1", "f2")}, 2 / 3, False),
        ("told", {"lost": ()}, 0, False),
        ("told", {}, 0, False),
        ("what_change", {"change": "less"}, 1, True),
        ("what_change", {"change": "same"}, 1, True),
        ("what_change", {}, 0, False),
        ("how_much", {"chosen": 1}, 1, True),
        ("how_much", {"chosen": 2}, 1, True),
        ("how_much", {"chosen": 3}, 0, False),
        ("how_much", {"chosen": True}, 0, False),
        ("main_idea", {"chosen": "cat"}, 1, True),
        ("main_idea", {"chosen": "size"}, 0, False),
        ("name_it", {"chosen": "loss"}, 1, True),
        ("name_it", {"chosen": "gain"}, 0, False),
        ("build_it", {"parts": ("1.1", "1.2")}, 1, True),
        ("build_it", {"parts": ("1.2", "1.1")}, 1, True),
        ("build_it", {"parts": ("1.1", "2")}, 1 / 2, False),
    ],
)
def test_exercises_answered_by_choosing(
    protocol: Protocol, name: str, answers: dict[str, Any], share: float, right: bool
) -> None:
    """Right is the gold answer or what is accepted beside it; of several, the set must be the same."""
    found = result(protocol, name, answers)
    assert (found.share, found.right) == (pytest.approx(share), right)


def test_selection_is_right_from_its_mark_on(protocol: Protocol) -> None:
    """The gold is one word: it alone is 1; with a word too many 2 * 1 / (2 + 1), below the mark of 0.8."""
    exact = result(protocol, "find_it", None, Edit("x", "deletion", (Span(13, 16),)))
    assert (exact.share, exact.right) == (1, True)
    wide = result(protocol, "find_it", None, Edit("x", "deletion", (Span(13, 21),)))
    assert (wide.share, wide.right) == (pytest.approx(2 / 3), False)
    assert wide.compared.pairings[0].verdict == "overlap"


def test_a_whole_pair_is_half_selection_half_answers(protocol: Protocol) -> None:
    """Both edits marked, one answer accepted, one wrong: (1 + 1/2) / 2 = 0.75, above this step's mark of 0.6."""
    found = result(
        protocol,
        "all_of_it",
        None,
        Edit("a", "deletion", (BIG,), answers={"harm": 2}),
        Edit("b", "deletion", (DOWN,), answers={"harm": 1}),
    )
    assert [(one.edit, one.graded.verdict) for one in found.answers] == [("1", "near"), ("2", "wrong")]
    assert (found.share, found.right) == (pytest.approx(0.75), True)


def test_answers_count_only_where_the_edit_was_found(protocol: Protocol) -> None:
    """One of two marks: F1 = 2/3; its answer is right, the other's is not asked: (2/3 + 1) / 2."""
    found = result(protocol, "all_of_it", None, Edit("a", "deletion", (BIG,), answers={"harm": 1}))
    assert found.share == pytest.approx((2 / 3 + 1) / 2)
    nothing = result(protocol, "all_of_it")
    assert (nothing.share, nothing.right) == (0, False)


def test_a_question_that_the_answers_hide_is_not_graded_again(protocol: Protocol) -> None:
    """A wrong change hides the question on harm, so that only one answer is wrong."""
    from attrs import evolve

    gold = Edit("1", "swap", (BIG,), (Span(2, 5),), {"change": "less", "harm": 2})
    asked = evolve(step(protocol, "all_of_it"), edits=(gold,), also={})
    given = Judgement({}, (evolve(gold, answers={"change": "same"}),))
    found = grade_step(protocol, asked, given)
    assert [(one.graded.question, one.graded.verdict) for one in found.answers] == [("change", "wrong")]


def test_parts_to_choose_are_in_the_order_of_the_text(protocol: Protocol) -> None:
    """All simple edits are offered by where they stand, so that their order gives nothing away."""
    assert [edit.id for edit in step(protocol, "build_it").loose()] == ["1.1", "2", "1.2"]
