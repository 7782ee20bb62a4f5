"""Conditions: each kind of test, nested, on answers, items, outcomes and operations."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.conditions import (
    AllOf,
    Answered,
    AnswerIncludes,
    AnswerIs,
    AnyOf,
    Case,
    Condition,
    FieldIs,
    FieldsSame,
    Not,
    OperationIs,
    OutcomeIs,
    holds,
    on_answers,
    parts_of,
    questions_in,
    reads_the_same,
)

YES = AnswerIs("concern", ("yes",))
HIGH = AnswerIs("quality", (2, 3))
RUDE = AnswerIncludes("kinds", ("rude", "untrue"))


@pytest.mark.parametrize(
    ("condition", "answers", "expected"),
    [
        (YES, {"concern": "yes"}, True),
        (YES, {"concern": "no"}, False),
        (YES, {}, False),
        (YES, {"concern": NOT_APPLICABLE}, False),
        (YES, {"concern": ["yes"]}, False),
        (HIGH, {"quality": 2}, True),
        (HIGH, {"quality": 1}, False),
        (HIGH, {"quality": {}}, False),
        (HIGH, {"quality": []}, False),
        (RUDE, {"kinds": ("other", "rude")}, True),
        (RUDE, {"kinds": ("other",)}, False),
        (RUDE, {"kinds": ()}, False),
        (RUDE, {}, False),
        (RUDE, {"kinds": "rude"}, False),
        (RUDE, {"kinds": ({}, ["rude"])}, False),
        (RUDE, {"kinds": NOT_APPLICABLE}, False),
        (Answered("comment"), {"comment": "x"}, True),
        (Answered("comment"), {"comment": 0}, True),
        (Answered("comment"), {}, False),
        (Answered("comment"), {"comment": NOT_APPLICABLE}, False),
        (Not(YES), {"concern": "no"}, True),
        (Not(YES), {"concern": "yes"}, False),
        (AllOf((YES, HIGH)), {"concern": "yes", "quality": 3}, True),
        (AllOf((YES, HIGH)), {"concern": "yes"}, False),
        (AnyOf((YES, HIGH)), {"quality": 3}, True),
        (AnyOf((YES, HIGH)), {}, False),
        (Not(AnyOf((YES, AllOf((HIGH, Not(RUDE)))))), {"quality": 3, "kinds": ("rude",)}, True),
        (Not(AnyOf((YES, AllOf((HIGH, Not(RUDE)))))), {"quality": 3, "kinds": ("other",)}, False),
    ],
)
def test_tests_answers(condition: Condition, answers: dict[str, Any], expected: bool) -> None:
    """A condition on answers holds or not, whatever the answers are, and compiled it says the same."""
    assert holds(condition, Case(answers)) is expected
    assert on_answers(condition)(answers) is expected


@pytest.mark.parametrize(
    ("condition", "case", "expected"),
    [
        (FieldsSame("source", "rewrite"), Case({}, {"source": "a", "rewrite": " a "}), True),
        (FieldsSame("source", "rewrite"), Case({}, {"source": "a", "rewrite": "b"}), False),
        (FieldsSame("source", "rewrite"), Case({}, {"source": "a"}), False),
        (FieldIs("genre", ("news", "law")), Case({}, {"genre": "law"}), True),
        (FieldIs("genre", ("news", "law")), Case({}, {"genre": "poem"}), False),
        (FieldIs("genre", ("news",)), Case({}), False),
        (OutcomeIs(("skip",)), Case({}, outcome="skip"), True),
        (OutcomeIs(("skip",)), Case({}), False),
        (OutcomeIs(("answered",)), Case({}), True),
        (OperationIs(("split",)), Case({}, operation="split"), True),
        (OperationIs(("split",)), Case({}, operation="swap"), False),
        (AllOf((FieldIs("genre", ("law",)), YES)), Case({"concern": "yes"}, {"genre": "law"}), True),
        (AnyOf((OutcomeIs(("skip",)), YES)), Case({"concern": "yes"}), True),
        (Not(OperationIs(("split",))), Case({}, operation="swap"), True),
    ],
)
def test_tests_items_outcomes_and_operations(condition: Condition, case: Case, expected: bool) -> None:
    """A condition may look at the item's texts, at how the judgement ended and at an edit's operation."""
    assert holds(condition, case) is expected


def test_no_condition_always_holds() -> None:
    """A question without a condition is always asked."""
    assert holds(None, Case({}))


@pytest.mark.parametrize(
    "condition", [FieldsSame("a", "b"), FieldIs("a", ("b",)), OutcomeIs(("a",)), OperationIs(("a",))]
)
def test_refuses_to_compile_what_needs_more_than_answers(condition: Condition) -> None:
    """Only tests of answers can be compiled to functions of answers."""
    with pytest.raises(TypeError, match=type(condition).__name__):
        on_answers(AllOf((condition,)))


def test_finds_its_parts_in_order() -> None:
    """The single tests of a nested condition, and the questions they ask about, come in order of mention."""
    condition = AllOf((YES, Not(AnyOf((HIGH, FieldIs("genre", ("law",)), RUDE))), Answered("comment")))
    assert parts_of(condition) == [YES, HIGH, FieldIs("genre", ("law",)), RUDE, Answered("comment")]
    assert questions_in(condition) == ["concern", "quality", "kinds", "comment"]
    assert parts_of(None) == []


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("a b", "a b", True),
        ("a b", " a \n\t b ", True),
        ("a b", "a\u00a0b", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("un caf\u00e9 m\u00e1s", " un  cafe\u0301\nma\u0301s", True),
        ("", " ", True),
        ("a b", "A b", False),
        ("a b", "ab", False),
        ("a b.", "a b", False),
        ("ﬁn", "fin", False),
        ("a b", "a b b", False),
        ("cafe", "café", False),
    ],
)
def test_texts_read_the_same(one: str, other: str, expected: bool) -> None:
    """White space and Unicode form do not make a text another one; letters, their case and points do."""
    assert reads_the_same(one, other) is expected
    assert reads_the_same(other, one) is expected


@given(st.text(), st.text())
def test_reading_the_same_is_fair(one: str, other: str) -> None:
    """Every text reads the same as itself, and the order of two texts does not matter."""
    assert reads_the_same(one, one)
    assert reads_the_same(one, other) == reads_the_same(other, one)
