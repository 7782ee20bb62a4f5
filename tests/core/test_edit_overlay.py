"""Edits of several people.

Edits of several people laid over each other: what agrees is one, what differs stands together by place.

Edits handed on by an earlier stage: laid together, answered, fixed.
"""

from __future__ import annotations

import attrs

from rubrica.core.edit_overlay import (
    Group,
    agreed_edits,
    fixed_problems,
    laid_together,
    lay_over,
    majority,
    with_answers_of,
)
from rubrica.core.edits import Edit, Span


def gone(start: int, end: int, name: str = "1", parent: str = "") -> Edit:
    """A deletion of that stretch of the source."""
    return Edit(name, "deletion", source=(Span(start, end),), parent=parent)


def swap(source: tuple[int, int], rewrite: tuple[int, int], information: str = "same", name: str = "1") -> Edit:
    """A substitution of one stretch for another."""
    return Edit(name, "substitution", (Span(*source),), (Span(*rewrite),), {"information": information})


def _people(group: Group) -> list[tuple[int, ...]]:
    return [version.people for version in group.versions]


def test_what_all_marked_alike_is_one_group_whatever_its_number() -> None:
    """The number of an edit is everybody's own; three times the same deletion is one version of three people."""
    (group,) = lay_over([[gone(0, 3, "1")], [gone(0, 3, "4")], [gone(0, 3, "x")]]).groups
    assert (group.agreed, _people(group)) == (True, [(0, 1, 2)])


def test_two_of_three_differ_from_the_third_in_the_same_place() -> None:
    """Two delete words 4 to 9, one deletes 4 to 12: one difference with two versions."""
    (group,) = lay_over([[gone(4, 9)], [gone(4, 12)], [gone(4, 9)]]).groups
    # Of versions that begin together the longer one comes first.
    assert (group.agreed, _people(group)) == (False, [(1,), (0, 2)])
    assert [version.edits[0].source for version in group.versions] == [(Span(4, 12),), (Span(4, 9),)]


def test_what_one_alone_marked_is_a_difference_of_one_version() -> None:
    """The others marked nothing there, which is a disagreement as well."""
    (group,) = lay_over([[gone(0, 3)], [], []]).groups
    assert (group.agreed, _people(group)) == (False, [(0,)])


def test_other_operation_on_the_same_words_is_a_difference() -> None:
    """A deletion and a substitution of the same word meet in the source."""
    (group,) = lay_over([[gone(0, 3)], [swap((0, 3), (0, 4))]]).groups
    assert {version.edits[0].operation for version in group.versions} == {"deletion", "substitution"}


def test_other_answer_on_the_same_spans_is_a_difference() -> None:
    """Information change is compared too: agreement is measured on it."""
    (group,) = lay_over([[swap((0, 3), (0, 4))], [swap((0, 3), (0, 4), "less")]]).groups
    assert not group.agreed
    assert [version.edits[0].answers["information"] for version in group.versions] == ["same", "less"]


def test_constituents_are_compared() -> None:
    """Two splits agree if they have the same parts, in any order; a split with a further part differs."""
    split = Edit("1", "split")
    first, second = gone(0, 3, "2", "1"), gone(6, 9, "3", "1")
    (group,) = lay_over([[split, first, second], [split, second, first]]).groups
    assert group.agreed
    (group,) = lay_over([[split, first, second], [split, first]]).groups
    assert _people(group) == [(0,), (1,)]


def test_independent_edits_on_the_same_words_stand_apart() -> None:
    """A split, a substitution inside it and a reorder of its words are three differences; a deletion meets the last."""
    split = [Edit("1", "split"), gone(0, 3, "2", "1"), gone(6, 9, "3", "1")]
    moved = Edit("1", "reorder", (Span(0, 9),), (Span(3, 9),))
    overlay = lay_over([split, [swap((0, 3), (0, 4))], [moved], [gone(6, 9)]])
    found = [[version.edits[0].operation for version in group.versions] for group in overlay.groups]
    assert sorted(found) == [["reorder", "deletion"], ["split"], ["substitution"]]


def test_composites_of_one_kind_are_versions_of_each_other() -> None:
    """Two splits that share a part are one difference; a structure change with that part is another."""
    splits = [[Edit("1", "split"), gone(0, 3, "2", "1")], [Edit("1", "split"), gone(0, 5, "2", "1")]]
    structure = [Edit("1", "structure"), gone(0, 3, "2", "1")]
    assert [len(group.versions) for group in lay_over([*splits, structure]).groups] == [2, 1]


def test_differences_join_through_a_third_and_stand_apart_otherwise() -> None:
    """0–5 and 5–9 share nothing; 3–7 shares words with both, so that the three are one. 20–25 is another."""
    apart = lay_over([[gone(0, 5)], [gone(5, 9)]])
    assert len(apart.groups) == 2
    joined = lay_over([[gone(0, 5)], [gone(5, 9)], [gone(3, 7), gone(20, 25, "2")]])
    assert [_people(group) for group in joined.groups] == [[(0,), (2,), (1,)], [(2,)]]


def test_same_offsets_on_the_other_side_share_nothing() -> None:
    """Words 0 to 3 of the source are not words 0 to 3 of the rewrite."""
    new = Edit("1", "insertion", rewrite=(Span(0, 3),))
    assert len(lay_over([[gone(0, 3)], [new]]).groups) == 2


def test_groups_come_in_the_order_of_the_text() -> None:
    """Agreed and differing ones mixed as one meets them in the source, then those of the rewrite only."""
    new = Edit("9", "insertion", rewrite=(Span(0, 3),))
    overlay = lay_over([[new, gone(9, 12, "1"), gone(0, 3, "2")], [new, gone(0, 3, "1")]])
    assert [group.agreed for group in overlay.groups] == [True, False, True]


def test_settling_begins_with_what_all_agree_on() -> None:
    """Agreed edits are numbered anew, parts after their composite; what differs is left out."""
    split = [Edit("7", "split"), gone(5, 9, "8", "7")]
    overlay = lay_over([[gone(0, 3, "3"), *split], [*split, gone(0, 3, "1"), gone(20, 22, "2")]])
    assert agreed_edits(overlay) == (
        gone(0, 3, "1"),
        Edit("2", "split"),
        gone(5, 9, "3", "2"),
    )


def test_nobody_and_one_person() -> None:
    """Without edits there are no groups; one person agrees with themselves, also about an edit made twice."""
    assert lay_over([]).groups == ()
    assert lay_over([[], []]).groups == ()
    (group,) = lay_over([[gone(0, 3), attrs.evolve(gone(0, 3), id="2")]]).groups
    assert (group.agreed, _people(group)) == (True, [(0,)])


def test_the_majority_takes_one_version_of_each_difference() -> None:
    """What all marked stays, of two versions the one of more people is taken, and all are numbered anew."""
    mine = [gone(0, 3, "1"), gone(4, 9, "2")]
    edits = majority(lay_over([mine, mine, [gone(0, 3, "1"), gone(4, 12, "2")]]))
    assert [(edit.id, edit.source) for edit in edits] == [("1", (Span(0, 3),)), ("2", (Span(4, 9),))]


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
