"""Annotations of Thresh files and our answers, in every shape that real files have."""

from __future__ import annotations

from typing import Any

import pytest

from rubrica.core.thresh import ThreshCategory, ThreshOption, ThreshQuestion
from rubrica.exchange.thresh.answers import merged_answers, read_answers, write_answers

HELPS = ThreshQuestion(
    "helps",
    options=(ThreshOption("yes", "yes", ThreshQuestion("how_much", form="likert-3")), ThreshOption("no", "no")),
)
CATEGORY = ThreshCategory(
    "put in",
    "put_in",
    (
        ThreshQuestion(
            "kind",
            "put in type",
            options=(
                ThreshOption("facutal_error", "factual_error", ThreshQuestion("how_bad", form="likert-3")),
                ThreshOption("filler", "filler", HELPS),
                ThreshOption("plain", "plain"),
                ThreshOption("3", "third"),
            ),
        ),
        ThreshQuestion("grammar", "grammar_error", "binary"),
        ThreshQuestion("stars", "stars", "likert-5"),
        ThreshQuestion("why", "why", "textarea"),
    ),
)

BOTH_WAYS: list[tuple[Any, dict[str, Any]]] = [
    ({"grammar_error": "yes"}, {"grammar": "yes"}),
    ({"put in type": {"val": "plain"}}, {"kind": "plain"}),
    (
        {"put in type": {"val": "facutal_error", "facutal_error": "a lot"}},
        {"kind": "factual_error", "how_bad": 3},
    ),
    (
        {"put in type": {"val": "filler", "filler": {"val": "yes", "yes": "minor"}}, "why": "so"},
        {"kind": "filler", "helps": "yes", "how_much": 1, "why": "so"},
    ),
    ({"put in type": {"val": "filler", "filler": {"val": "no"}}}, {"kind": "filler", "helps": "no"}),
    ({"stars": "4"}, {"stars": 4}),
]


@pytest.mark.parametrize(("annotation", "answers"), BOTH_WAYS)
def test_both_ways(annotation: dict[str, Any], answers: dict[str, Any]) -> None:
    """What is read is written the same."""
    assert read_answers(CATEGORY, annotation) == (answers, [])
    assert write_answers(CATEGORY, answers) == annotation


@pytest.mark.parametrize(
    ("annotation", "answers"),
    [
        (None, {}),
        ({}, {}),
        ({"grammar_error": None, "put in type": None}, {}),
        ({"put in type": {"val": None, "filler": None}}, {}),
        ({"put in type": "plain"}, {"kind": "plain"}),
        ({"put in type": {"val": "filler", "filler": "no"}}, {"kind": "filler", "helps": "no"}),
        ({"put in type": {"val": "filler", "filler": False}}, {"kind": "filler", "helps": "no"}),
        ({"put in type": {"val": 3}}, {"kind": "third"}),
        ({"grammar_error": True}, {"grammar": "yes"}),
        ({"grammar_error": {"val": "no"}}, {"grammar": "no"}),
        ({"stars": 5}, {"stars": 5}),
        ({"put in type": {"val": "facutal_error", "facutal_error": 2}}, {"kind": "factual_error", "how_bad": 2}),
        ({"put in type": {"val": "plain", "filler": None}}, {"kind": "plain"}),
    ],
)
def test_lenient(annotation: Any, answers: dict[str, Any]) -> None:
    """Plain texts for nested options, booleans for words, numbers for points, empty branches."""
    assert read_answers(CATEGORY, annotation) == (answers, [])


@pytest.mark.parametrize(
    ("annotation", "answers", "odd"),
    [
        ("yes", {}, ["annotation"]),
        ({"mood": "sour"}, {}, ["mood"]),
        ({"grammar_error": "perhaps"}, {}, ["grammar_error"]),
        ({"grammar_error": 1}, {}, ["grammar_error"]),
        ({"stars": 6}, {}, ["stars"]),
        ({"stars": "many"}, {}, ["stars"]),
        ({"why": 3}, {}, ["why"]),
        ({"put in type": {"val": "else"}}, {}, ["put in type"]),
        ({"put in type": {"val": ["plain"]}}, {}, ["put in type"]),
        ({"put in type": {"filler": "no"}}, {}, ["put in type"]),
        ({"put in type": {"val": "plain", "filler": "no"}}, {"kind": "plain"}, ["put in type.filler"]),
        (
            {"put in type": {"val": "facutal_error", "facutal_error": "huge"}},
            {"kind": "factual_error"},
            ["put in type.facutal_error"],
        ),
    ],
)
def test_what_is_no_answer_is_told(annotation: Any, answers: dict[str, Any], odd: list[str]) -> None:
    """An answer that the template does not have is none, and its place is named."""
    read = read_answers(CATEGORY, annotation)
    assert read.answers == answers
    assert [place for place, _ in read.odd] == odd


def test_a_correction_changes_only_its_question() -> None:
    """Order, unknown keys and odd shapes stay; the corrected answer is written anew; a new one comes last."""
    raw = {"mood": "sour", "put in type": {"val": "filler", "filler": "no"}, "grammar_error": True}
    before = read_answers(CATEGORY, raw).answers
    now = {**before, "grammar": "no", "why": "a slip"}
    assert merged_answers(CATEGORY, raw, before, now) == {
        "mood": "sour",
        "put in type": {"val": "filler", "filler": "no"},
        "grammar_error": "no",
        "why": "a slip",
    }
    assert list(merged_answers(CATEGORY, raw, before, now) or ()) == ["mood", "put in type", "grammar_error", "why"]


def test_an_answer_that_was_taken_back_is_gone() -> None:
    """Without an answer there is no key; without any there is no annotation."""
    raw = {"grammar_error": "yes", "why": "so"}
    before = read_answers(CATEGORY, raw).answers
    assert merged_answers(CATEGORY, raw, before, {"why": "so"}) == {"why": "so"}
    assert merged_answers(CATEGORY, None, {}, {}) is None
