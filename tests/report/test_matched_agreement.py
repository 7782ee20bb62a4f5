"""Agreement on matched edits, by hand."""

from __future__ import annotations

import pytest

from rubrica.report.edit_agreement import (
    error_agreement,
    matched_edits,
    rating_agreement,
    span_agreement,
    type_agreement,
)
from tests.edits.pairs import annotated, edit, typology

GOOD = {"information": "same", "paraphrase_impact": "positive", "efficacy": 2}
BETTER = {**GOOD, "efficacy": 3}
HARDER = {"information": "same", "paraphrase_impact": "negative", "severity": 1}
LOST = {"deletion_type": "bad_deletion", "severity": 3}

ANA = annotated(
    "ana",
    edit("1", "substitution", "ferry", "boat", **GOOD),
    edit("2", "substitution", "departed", "left", **GOOD),
    edit("3", "deletion", "and", **LOST),
)
BEN = annotated(
    "ben",
    edit("1", "substitution", "ferry", "boat", **BETTER),
    edit("2", "substitution", "departed at", "left at", **HARDER),
    edit("3", "insertion", (), "fast.", insertion_type="elaboration", efficacy=1),
)


def test_span_f1() -> None:
    """Six edits of two people; one is the same to the character, another overlaps by 12 of 18 characters."""
    found = span_agreement([ANA, BEN], replicates=0)
    # "departed" + "left" are 12 characters, "departed at" + "left at" 18: 2/3 of them.
    assert found.exact.value == pytest.approx(2 * 1 / 6)
    assert found.overlapping.value == pytest.approx(2 * 2 / 6)
    assert span_agreement([ANA, BEN], least=0.7, replicates=0).overlapping.value == pytest.approx(2 / 6)
    assert found.by_annotators == {("ana", "ben"): (6, 2, 4)}


def test_every_two_annotators_are_compared() -> None:
    """Three annotators make three comparisons, and a pair that one annotated makes none."""
    eva = annotated("eva", *ANA.edits)
    found = span_agreement([ANA, BEN, eva, annotated("fay", key="2")], replicates=0)
    assert set(found.by_annotators) == {("ana", "ben"), ("ana", "eva"), ("ben", "eva")}
    # ana and eva agree on all three; each of them with ben on one of six exactly.
    assert found.exact.value == pytest.approx((2 + 6 + 2) / 18)
    assert found.pairs == 1


def test_types_and_ratings_of_matched_edits() -> None:
    """Of two matched edits one has the same type; its ratings are one apart."""
    matches = matched_edits([ANA, BEN])
    types = type_agreement(matches, typology())
    assert (types.matched, types.share.value) == (2, pytest.approx(1 / 2))
    # Paraphrase three times, Complex Wording once: differing pairs 2 of 4 values; by chance 2 x 3 x 1 / 3 = 2: alpha 0.
    assert types.alpha.value == pytest.approx(0)
    ratings = rating_agreement(matches, typology())
    assert (ratings.matched, ratings.share.value, ratings.difference.value) == (1, 0, 1)


def test_nothing_matched_has_a_reason() -> None:
    """Without matched edits there is nothing to agree on."""
    types = type_agreement([], typology())
    assert (types.share.value, types.alpha.value) == (None, None)
    assert span_agreement([annotated("ana"), annotated("ben")], replicates=0).exact.reason == "nobody marked an edit"


def test_errors_per_rewrite() -> None:
    """Whether a rewrite has the error at all: both see it in one of three rewrites, one alone in another."""
    lost = edit("1", "deletion", "and", **LOST)
    pairs = [
        annotated("ana", lost, key="1"),
        annotated("ben", edit("1", "deletion", "it", **LOST), key="1"),
        annotated("ana", lost, lost, key="2"),
        annotated("ben", key="2"),
        annotated("ana", key="3"),
        annotated("ben", key="3"),
    ]
    found = {row.name: row for row in error_agreement(pairs, typology(), 2)}
    # Observed 2/3; 3 of 6 say yes: expected 1/2; kappa = (2/3 - 1/2) / (1/2) = 1/3.
    assert found["Bad Deletion"].kappa.value == pytest.approx(1 / 3)
    assert found["Bad Deletion"].two_agree.value == pytest.approx(1 / 2)
    assert found["Bad Deletion"].frequency.value == pytest.approx(3 / 6)
    assert found["Irrelevant"].kappa.value is None
    assert len(found) == 13
