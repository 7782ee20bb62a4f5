"""Edits handed on by an earlier stage: laid together, answered, fixed."""

from __future__ import annotations

import attrs

from rubrica.core.edits import Edit, Span
from rubrica.core.given_edits import fixed_problems, laid_together, with_answers_of

GONE = Edit("1", "deletion", (Span(0, 3),), answers={"information": "less"})
WHOLE = Edit("2", "split")
PART = Edit("3", "insertion", rewrite=(Span(0, 3),), parent="2")


def test_edits_of_one_person_stay_as_they_are() -> None:
    """Nothing is numbered anew where there is nothing to lay together."""
    assert laid_together([(GONE, WHOLE, PART)]) == (GONE, WHOLE, PART)


def test_equal_edits_of_several_people_are_there_once() -> None:
    """The same edit of two people is one; another is added, with a number of its own and its parts after it."""
    other = attrs.evolve(GONE, id="9", source=(Span(4, 6),))
    found = laid_together([(GONE, WHOLE, PART), (attrs.evolve(GONE, id="7"), other)])
    assert [(edit.id, edit.operation, edit.parent) for edit in found] == [
        ("1", "deletion", ""),
        ("2", "split", ""),
        ("3", "insertion", "2"),
        ("4", "deletion", ""),
    ]


def test_own_answers_are_kept_for_the_same_edit_only() -> None:
    """An answer to an edit whose words have changed since is not an answer to the new one."""
    mine = attrs.evolve(GONE, answers={"deletion_type": "bad_deletion"})
    moved = attrs.evolve(GONE, source=(Span(0, 4),))
    assert with_answers_of([GONE], [mine]) == (mine,)
    assert with_answers_of([moved], [mine]) == (moved,)


def test_where_edits_are_fixed_only_answers_may_differ() -> None:
    """Added, removed and changed edits are named; other answers are not."""
    mine = attrs.evolve(GONE, answers={"deletion_type": "bad_deletion"})
    assert fixed_problems([GONE, WHOLE, PART], [mine, WHOLE, PART]) == []
    changed = attrs.evolve(GONE, operation="reorder")
    problems = fixed_problems([GONE, WHOLE], [changed, PART])
    assert [(problem.edit, problem.rule) for problem in problems] == [
        ("2", "fixed_edit"),
        ("1", "fixed_edit"),
        ("3", "fixed_edit"),
    ]
    assert [problem.what for problem in problems] == ["edit 2 is gone", "edit 1 was changed", "edit 3 was added"]
