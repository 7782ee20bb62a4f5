"""Mistakes in scales and labels.

Scales: ends that can be reached, counts that are possible, points in order.

Labels: one label means one option or one way out.
"""

import pytest

from tests.protocols.sample import SAMPLE, Mistake, check_one, mistakes, problems_of, spoil
from tests.protocols.test_translations import BOTH


@mistakes(
    Mistake("minimum: 0, maximum: 5,", "minimum: 5, maximum: 0,", "range"),
    Mistake("minimum: 0, maximum: 5,", "minimum: 5, maximum: 5,", "range"),
    Mistake("step: 0.5}", "step: 0.4}", "range"),
    Mistake("step: 0.5}", "step: 10}", "range"),
    Mistake("minimum: 0, maximum: 5, step: 0.5", "minimum: -1.0e+308, maximum: 1.0e+308, step: 0.5", "range"),
    Mistake("    maximum: 2\n", "    maximum: 4\n", "range", "maximum: 4"),
    Mistake("    maximum: 2\n", "    maximum: 1\n    minimum: 2\n", "range", "minimum: 2"),
    Mistake("    maximum: 2\n", "    minimum: 4\n", "range", "minimum: 4"),
    Mistake("minimum: 1, maximum: 3, none", "minimum: 4, maximum: 3, none", "range"),
    Mistake("minimum: 1, maximum: 3, none", "minimum: 4, none", "range"),
    Mistake("{value: 1, label: Low}", "{value: 9, label: Low}", "order", "points:\n"),
)
def test_scales_can_be_answered(mistake: Mistake) -> None:
    """A slider without room, steps that miss the end, impossible counts and points out of order are refused."""
    assert check_one(mistake).value is not None


def test_a_rewrite_starts_from_a_field() -> None:
    """The text that a rewrite starts from must be one of the item's."""
    assert check_one(Mistake("starts_from: source", "starts_from: original", "unknown_field")).value == "original"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("minimum: 0, maximum: 5, step: 0.5", "minimum: 0, maximum: 0.3, step: 0.1"),
        ("minimum: 0, maximum: 5, step: 0.5", "minimum: -2.5, maximum: 2.5, step: 0.25"),
        ("minimum: 0, maximum: 5, step: 0.5", "minimum: 0, maximum: 100"),
        ("    maximum: 2\n", "    maximum: 3\n    minimum: 3\n"),
        ("    maximum: 2\n", "    minimum: 0\n"),
        ("minimum: 1, maximum: 3, none", "maximum: 10, none"),
    ],
)
def test_unusual_scales_are_fine(old: str, new: str) -> None:
    """Fractions, negative ends and counts at their limits load."""
    assert problems_of(spoil(SAMPLE, Mistake(old, new, ""))) == []


def test_a_keyword_needs_a_rewrite() -> None:
    """A keyword is written in place of a rewrite, so some question must ask for one."""
    text = spoil(SAMPLE, Mistake("    scale: rewriting\n", "    scale: words\n", ""))
    (found,) = problems_of(text)
    assert (found.rule, found.value) == ("keyword", "SIMPLE")


def test_sentences_have_a_limit() -> None:
    """A rewrite of more than fifty sentences is a slip."""
    assert "50 or less" in check_one(Mistake("minimum_sentences: 2", "minimum_sentences: 51", "type")).what


@mistakes(
    Mistake("{id: reject, label: Reject}", "{id: reject, label: Keep}", "duplicate_label"),
    Mistake("{id: other, label: Other}", "{id: other, label: ' rude'}", "duplicate_label"),
    Mistake("{id: false_claim, label: Untrue}", "{id: false_claim, label: other}", "duplicate_label"),
    Mistake("{id: skip, label: Skip,", "{id: skip, label: Too  simple,", "duplicate_label"),
    Mistake("{id: skip, label: Skip,", "{id: skip, label: too_simple,", "duplicate_label"),
    Mistake(
        "{id: reject, label: Reject}",
        "{id: reject, label: {wording_by: wording, you: Keep, others: Reject}}",
        "duplicate_label",
    ),
)
def test_labels_are_distinct(mistake: Mistake) -> None:
    """The label of one option or way out is neither the label nor the id of another, whatever its case."""
    assert "the label" in check_one(mistake).what


def test_labels_are_compared_in_each_language() -> None:
    """The same word in two languages is fine, twice in one language it is not."""
    assert problems_of(spoil(BOTH, Mistake("{en: Two, es: Dos}", "{en: Uno, es: Dos}", ""))) == []
    (found,) = problems_of(spoil(BOTH, Mistake("{en: Two, es: Dos}", "{en: Two, es: Uno}", "")))
    assert (found.rule, found.value) == ("duplicate_label", "Uno")


def test_a_label_may_be_its_own_id() -> None:
    """An option may be labelled with its own id, and labels of different scales may be the same."""
    assert problems_of(spoil(SAMPLE, Mistake("{id: less, label: Less}", "{id: less, label: keep}", ""))) == []
