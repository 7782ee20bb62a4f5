"""Counts of edits, by hand."""

from __future__ import annotations

import pytest

from rubrica.core.edits import Edit
from rubrica.edits.summary import summarise, summarise_by
from tests.edits.pairs import annotated, edit, typology

PARAPHRASE = {"information": "same", "paraphrase_impact": "positive", "efficacy": 2}
SIMPLER = edit("1", "substitution", "ferry departed", "boat left", **PARAPHRASE, grammar_error="no")
EASIER = edit("2", "substitution", "noon", "noon.", **{**PARAPHRASE, "efficacy": 1}, grammar_error="yes")
SPLIT = (
    Edit("3", "split", answers={"impact": "negative", "severity": 3}),
    edit("4", "deletion", "and", parent="3"),
    edit("5", "substitution", "it", "It", parent="3"),
)
FILLER = edit("6", "insertion", (), "fast.", insertion_type="trivial_insertion", trivial_helps="no")
HELPER = edit("6", "insertion", (), "fast.", insertion_type="trivial_insertion", trivial_helps="yes", efficacy=1)
OPEN = edit("7", "deletion", "sank.")
PAIRS = [
    annotated("ana", SIMPLER, EASIER, *SPLIT, FILLER, system="a"),
    annotated("ben", SIMPLER, HELPER, OPEN, system="a"),
    annotated("ana", system="b", key="2"),
]


def test_types_operations_and_sides() -> None:
    """An edit has one type, Grammar comes on top, constituents are none, open edits have none."""
    found = summarise(PAIRS, typology())
    assert (found.annotations, found.pairs, found.edits, found.untyped, found.constituents) == (3, 2, 7, 1, 2)
    assert dict(found.types) == {"Paraphrase": 3, "Grammar": 1, "Bad Split": 1, "Trivial Change": 2}
    assert dict(found.operations) == {"substitution": 3, "split": 1, "insertion": 2, "deletion": 1}
    # Quality: three paraphrases and the helpful insertion. Error: the split, Grammar, the insertion that does not help.
    assert dict(found.sides) == {"quality": 4, "error": 3}
    lexical, syntax = (("Lexical", "quality"), ("Lexical", "error")), ("Syntax", "error")
    assert dict(found.families) == {lexical[0]: 4, lexical[1]: 2, syntax: 1}
    assert dict(found.trivial_insertions) == {"unhelpful": 1, "helpful": 1}
    assert found.share("Paraphrase") == pytest.approx(3 / 6)
    assert found.per_sentence(found.edits) == pytest.approx(7 / 3)


def test_ratings() -> None:
    """Means and distributions per type; what has no rating is counted apart."""
    found = summarise(PAIRS, typology())
    assert dict(found.ratings["Paraphrase"].points) == {2: 2, 1: 1}
    assert found.ratings["Paraphrase"].mean == pytest.approx(5 / 3)
    assert (found.ratings["Trivial Change"].mean, found.ratings["Trivial Change"].unrated) == (1.0, 1)
    assert found.ratings["Elaboration"].mean is None
    assert (found.side_ratings["error"].mean, found.side_ratings["error"].unrated) == (3.0, 1)


def test_coverage_counts_every_character_once() -> None:
    """Constituents cover too; each annotation of a pair counts."""
    found = summarise(PAIRS[:1], typology()).coverage
    # Source, 39 characters and 8 tokens: "ferry departed" 14, "noon" 4, "and" 3, "it" 2; tokens 2 + 1 + 1 + 1.
    source = found["source"]
    assert (source.characters, source.characters_covered, source.tokens, source.tokens_covered) == (39, 23, 8, 5)
    # Rewrite, 39 characters and 9 tokens: "boat left" 9, "noon." 5, "It" 2, "fast." 5; tokens 2 + 1 + 1 + 1.
    rewrite = found["rewrite"]
    assert (rewrite.characters, rewrite.characters_covered, rewrite.tokens, rewrite.tokens_covered) == (39, 21, 9, 5)
    assert rewrite.of_tokens == pytest.approx(5 / 9)


def test_groups_are_counted_apart() -> None:
    """By system: one has all the edits, the other an annotation without any."""
    found = summarise_by(PAIRS, typology(), lambda pair: pair.system)
    assert {name: (summary.annotations, summary.edits) for name, summary in found.items()} == {"a": (2, 7), "b": (1, 0)}
    assert found["b"].share("Paraphrase") is None
    assert found["b"].per_sentence(0) == 0
