"""Readings of 001: split and rephrase, writing and rating."""

from __future__ import annotations

from rubrica.core.conditions import AnswerIs, OutcomeIs, parts_of
from rubrica.core.scales import RewrittenText, Slider, YesNo
from rubrica.core.texts import shown
from rubrica.protocols.catalog import load_shipped

WRITE, RATE = load_shipped("split_rewrite").protocol, load_shipped("split_rate").protocol


def test_a_rewrite_has_at_least_two_sentences() -> None:
    """The rewrite starts from the source and has two sentences or more."""
    assert WRITE.scale_of(WRITE.questions_by_id["rewrite"]) == RewrittenText("source", 2, differs_from=("source",))


def test_the_ways_out() -> None:
    """Too simple (also by writing SIMPLE), too problematic and skip; only skip gives the sentence to others."""
    assert [(way.id, way.keyword, way.passes_on) for way in WRITE.ways_out] == [
        ("too_simple", "SIMPLE", False),
        ("too_problematic", "", False),
        ("skip", "", True),
    ]


def test_flagged_sentences_are_discarded_by_majority() -> None:
    """Too simple and too problematic both flag a sentence; most of at least two writers discard it."""
    flagged, discarded = WRITE.resolve({}).verdicts
    assert flagged.when == OutcomeIs(("too_simple", "too_problematic"))
    assert (discarded.counts, discarded.share, discarded.at_least) == ("flagged", "most", 2)


def test_three_write_and_two_or_three_rate() -> None:
    """Three rewrites a sentence, two ratings a rewrite, three when systems are compared, and no writer rates."""
    (write,), (rate,) = WRITE.stages, RATE.stages
    assert (write.overlap, write.role) == (3, "writer")
    assert (rate.overlap, rate.overlap_comparing, rate.not_authors, rate.role) == (2, 3, True, "rater")


def test_six_criteria_on_the_documents_scales() -> None:
    """Sensible and grammatical are whole numbers from 0 to 5, the other four yes or no."""
    scales = [RATE.scale_of(question) for question in RATE.questions if question.required]
    assert [scale.values() for scale in scales] == [[0, 1, 2, 3, 4, 5]] * 2 + [["yes", "no"]] * 4
    assert [type(scale) for scale in scales] == [Slider] * 2 + [YesNo] * 4


def test_wrong_split_includes_unnecessary() -> None:
    """The question about wrong places asks about unnecessary splits too."""
    assert "unnecessarily" in shown(RATE.questions_by_id["wrong_split"].prompt, "en")


def test_correct_is_of_a_rating_and_perfect_of_a_rewrite() -> None:
    """Correct is 5, 5, no, no, no, no; perfect is every rating correct, of at least two."""
    correct, perfect = RATE.verdicts
    assert parts_of(correct.when) == [
        AnswerIs("sensible", (5,)),
        AnswerIs("grammatical", (5,)),
        *(AnswerIs(name, ("no",)) for name in ("missing_facts", "new_facts", "wrong_split", "further_split")),
    ]
    assert (perfect.counts, perfect.share, perfect.at_least) == ("correct", "every", 2)
