"""Grading: each scale's right, near and wrong, what is free, and what is left out."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.grading import Graded, Score, grade, score
from rubrica.core.protocol import UNCOMFORTABLE, Field, Question
from rubrica.core.scales import Ordinal, Point, RewrittenText, Scale, ShortAnswers, Slider
from rubrica.core.study import Item, Judgement
from rubrica.protocols.catalog import load_shipped, shipped
from tests.core.sample import CLOSED, GOOD, ITEM, PROTOCOL, SAME, SCALES, WORDS

RATE = PROTOCOL.stage("rate")


def ordinal(*values: int) -> Ordinal:
    """An ordinal scale with these points."""
    return Ordinal(tuple(Point(value, WORDS) for value in values))


def verdict(scale: Scale, given: Any, expected: Any, target: str = "") -> str:
    """How one answer on a scale is graded."""
    protocol = attrs.evolve(
        PROTOCOL,
        fields=(Field("word", "target", WORDS),),
        scales={"only": scale},
        questions=(Question("q", "only", WORDS),),
        rules=(),
        edits=None,
    )
    graded = grade(protocol, None, Item("i", {"word": target}), Judgement({"q": given}), Judgement({"q": expected}))
    assert graded[0][:3] == ("q", given, expected)
    return graded[0].verdict


def verdicts(given: dict[str, Any], known: dict[str, Any], item: Item = ITEM) -> dict[str, str]:
    """How answers to the sample protocol are graded, by question."""
    return {entry.question: entry.verdict for entry in grade(PROTOCOL, RATE, item, Judgement(given), Judgement(known))}


@pytest.mark.parametrize(
    ("scale", "given", "expected", "result"),
    [
        (ordinal(1, 2, 3, 4, 5), 4, 4, "right"),
        (ordinal(1, 2, 3, 4, 5), 3, 4, "near"),
        (ordinal(1, 2, 3, 4, 5), 2, 4, "wrong"),
        (ordinal(5, 4, 3, 2, 1), 1, 2, "near"),
        (ordinal(0, 25, 50, 75, 100), 25, 50, "near"),
        (ordinal(1, 2, 3, 4, 5), True, 1, "wrong"),
        (ordinal(1, 2, 3, 4, 5), 6, 5, "wrong"),
        (ordinal(1, 2, 3, 4), 3, 4, "wrong"),
        (Slider(0, 100, 1), 50, 50, "right"),
        (Slider(0, 100, 1), 60, 50, "near"),
        (Slider(0, 100, 1), 39, 50, "wrong"),
        (Slider(0, 1, 0.1), 0.1 + 0.2, 0.3, "right"),
        (Slider(0, 1, 0.1), 0.4, 0.3, "near"),
        (Slider(0, 1, 0.5), 0.5, 0.0, "near"),
        (Slider(0, 100, 1), "50", 50, "wrong"),
        (SCALES["yes_no"], "yes", "yes", "right"),
        (SCALES["yes_no"], "no", "yes", "wrong"),
        (SCALES["decision"], "keep", "reject", "wrong"),
        (SCALES["kinds"], ("untrue", "rude"), ("rude", "untrue"), "right"),
        (SCALES["kinds"], ("rude",), ("rude", "untrue"), "near"),
        (SCALES["kinds"], ("rude",), ("untrue",), "wrong"),
        (SCALES["words"], "so", "so", "free"),
        (RewrittenText("source"), "One.", "Two.", "free"),
    ],
)
def test_grades_by_the_scale(scale: Scale, given: Any, expected: Any, result: str) -> None:
    """Neighbours on long ordinal scales and a tenth of a slider are near; texts are free."""
    assert verdict(scale, given, expected) == result


@pytest.mark.parametrize(
    ("given", "expected", "result"),
    [
        (("start", "Begin"), ("begin", "start"), "right"),
        (("start",), ("begin", "start"), "free"),
        ((), (), "right"),
        ((), ("Bread",), "right"),
        (("BREAD ",), (), "right"),
        (("loaf",), (), "free"),
    ],
)
def test_short_answers_are_right_or_free(given: Any, expected: Any, result: str) -> None:
    """Equal sets are right, other words may be as good, and the target itself says the same as blank."""
    assert verdict(ShortAnswers(1, 3, WORDS), given, expected, "bread") == result


def test_missing_answers() -> None:
    """A required answer that is missing is graded so; a text is free even then."""
    assert verdicts({"quality": 2, "decision": "keep"}, GOOD) == {
        "quality": "right",
        "concern": "missing",
        "decision": "right",
    }
    assert verdict(RewrittenText("source"), None, "Two.") == "free"
    assert verdict(ShortAnswers(1, 3, WORDS), None, ()) == "free"


def test_optional_questions_count_only_if_both_answered() -> None:
    """An optional answer in one of the two is left out; in both it is graded."""
    more = {**GOOD, "comment": "Fine.", "agree": "keep"}
    plain = dict.fromkeys(GOOD, "right")
    assert verdicts(GOOD, more) == verdicts(more, GOOD) == plain
    assert verdicts(more, more) == {**plain, "comment": "free", "agree": "right"}


def test_a_question_that_was_not_shown_is_not_graded() -> None:
    """The answer that hid a question is wrong once, not twice, whichever of the two it was."""
    rejected = {**GOOD, "decision": "reject", "severity": 2}
    expected = {"quality": "right", "concern": "right", "decision": "wrong"}
    assert verdicts(GOOD, rejected) == verdicts(rejected, GOOD) == expected


def test_what_rules_settle_is_not_graded() -> None:
    """Preset and not applicable answers say nothing about the annotator."""
    answers = {"quality": 3, "decision": NOT_APPLICABLE, "concern": "no", "missed": "yes"}
    assert verdicts(answers, {**answers, "concern": "yes"}, SAME) == {"concern": "wrong", "missed": "right"}
    assert verdicts({**GOOD, "concern": NOT_APPLICABLE}, GOOD) == {"quality": "right", "decision": "right"}


def test_a_stage_limits_what_is_graded() -> None:
    """Only questions of the stage count."""
    assert grade(PROTOCOL, CLOSED, ITEM, Judgement(GOOD), Judgement(GOOD)) == [Graded("quality", 2, 2, "right")]


@pytest.mark.parametrize(
    ("given", "known", "result"),
    [
        ("too_simple", "answered", "wrong"),
        ("answered", "too_simple", "wrong"),
        ("skip", "too_simple", "wrong"),
        ("too_simple", "too_simple", "right"),
        (UNCOMFORTABLE, "answered", "free"),
    ],
)
def test_outcomes_are_graded_as_one_entry(given: str, known: str, result: str) -> None:
    """Another outcome than the known one is wrong, and leaving an uncomfortable item is at no loss."""
    graded = grade(PROTOCOL, RATE, ITEM, Judgement(GOOD, outcome=given), Judgement(GOOD, outcome=known))
    assert graded == [Graded("", given, known, result)]


def test_scores() -> None:
    """Near counts as right, missing and wrong do not, free is left out: 2 of 4; nothing graded has no share."""
    named = [Graded("q", 1, 1, name) for name in ("right", "near", "wrong", "missing", "free")]
    assert score(named) == Score(2, 4, 0.5)
    assert score(named[4:]) == score([]) == Score(0, 0, None)


@pytest.mark.parametrize("name", shipped())
def test_known_answers_are_right_when_given(name: str) -> None:
    """Whoever answers a practice item of ours as we do makes no mistake."""
    protocol = load_shipped(name).protocol
    for practice in protocol.practice:
        known = Judgement(practice.answers, practice.edits, practice.outcome)
        graded = grade(protocol, protocol.stage(practice.stage), Item(practice.id, practice.fields), known, known)
        assert {entry.verdict for entry in graded} <= {"right", "free"}
        assert score(graded).share in {1.0, None}


@given(st.integers(1, 5), st.integers(1, 5))
def test_grading_is_symmetric(one: int, other: int) -> None:
    """Given and known may change places on an ordinal scale."""
    scale = ordinal(1, 2, 3, 4, 5)
    assert verdict(scale, one, other) == verdict(scale, other, one)
