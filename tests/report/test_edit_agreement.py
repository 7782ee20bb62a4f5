"""Table 2 of SALSA, derived by hand from small annotations."""

from __future__ import annotations

import pytest

from rubrica.edits.annotated import AnnotatedPair
from rubrica.report.edit_agreement import LabelAgreement, selection_agreement
from tests.edits.pairs import annotated, edit
from tests.edits.test_selection import ANA, BEN, EVA


def rows(pairs: list[AnnotatedPair], **options: int) -> dict[str, LabelAgreement]:
    """The rows of the table by label."""
    return {row.label.name: row for row in selection_agreement(pairs, **options).rows}


def test_one_pair_of_three_annotators() -> None:
    """Kappa, alpha and percentages of the pair of seventeen tokens that the tests of selection lay out."""
    found = rows([ANA, BEN, EVA], replicates=0)
    # Substitution-same: 11 tokens by nobody, 2 by one, 2 by two, 2 by three. Pairs of annotators that agree, of three:
    # 3, 1, 1, 3. Observed (33 + 2 + 2 + 6) / 51 = 43/51. Of 51 choices 12 are marks: expected (12² + 39²) / 51².
    observed, expected = 43 / 51, 1665 / 2601
    kappa = (observed - expected) / (1 - expected)
    same = found["Substitution-same"]
    assert same.kappa.value == pytest.approx(kappa)
    assert same.alpha.value == pytest.approx(kappa + (1 - kappa) / 51)
    # Marks: two tokens have two, two have four, two have one: of six, none has exactly three, a third exactly two.
    assert (same.tokens, same.three_agree.value, same.two_agree.value) == (6, 0, 33)
    assert same.two_share.value == pytest.approx(2 / 6)
    # Insertion: one token by all, one by ben alone: 50 % three agree, and two or more the same.
    assert (found["Insertion"].three_agree.value, found["Insertion"].two_agree.value) == (50, 50)


def test_parts_are_cut_before_they_are_added() -> None:
    """The paper cuts the share of exactly three and that of exactly two apart, then adds."""
    # Seven tokens deleted: three by all, two by two, two by one. 100 x 3 / 7 = 42.9 and 100 x 2 / 7 = 28.6:
    # 42 and 42 + 28 = 70, although 5 / 7 is 71.4.
    texts = ("a b c d e f g h", "h")
    pairs = [
        annotated("ana", edit("1", "deletion", "a b c d e f", texts=texts), texts=texts),
        annotated("ben", edit("1", "deletion", "a b c d e", texts=texts), texts=texts),
        annotated("eva", edit("1", "deletion", ("a b c", "g"), texts=texts), texts=texts),
    ]
    deletion = rows(pairs)["Deletion"]
    assert (deletion.three_agree.value, deletion.two_agree.value) == (42, 70)
    assert deletion.two_share.value == pytest.approx(5 / 7)


def test_only_pairs_of_three_count() -> None:
    """Pairs with two or four annotators are left out and counted; with a number asked for, that number counts."""
    two = [annotated(name, edit("1", "deletion", "and"), key="2") for name in ("ana", "ben")]
    found = selection_agreement([ANA, BEN, EVA, *two])
    assert (found.annotators, found.pairs, found.tokens, found.left_out) == (3, 1, 17, 1)
    other = selection_agreement([ANA, BEN, EVA, *two], annotators=2)
    deletion = next(row for row in other.rows if row.label.name == "Deletion")
    # One of seventeen tokens, by both: perfect agreement; three cannot agree where there are two.
    assert (deletion.kappa.value, deletion.two_agree.value) == (pytest.approx(1), 100)
    assert "only 2 annotators" in deletion.three_agree.reason


def test_four_annotators() -> None:
    """With four, three agree means three or more."""
    everyone = [annotated(name, edit("1", "deletion", "and")) for name in ("ana", "ben", "eva", "fay")]
    three = [annotated(name, edit("1", "deletion", "it"), key="2") for name in ("ana", "ben", "eva")]
    found = rows([*everyone, *three, annotated("fay", key="2")])["Deletion"]
    # Two tokens have the label: one by four, one by three.
    assert (found.three_agree.value, found.two_agree.value, found.tokens) == (100, 100, 2)


def test_nobody_to_agree_with() -> None:
    """Without a pair of two annotators every figure says why it is missing."""
    found = selection_agreement([ANA, annotated("ben", key="2")])
    assert (found.annotators, found.pairs, found.left_out) == (None, 0, 2)
    assert found.rows[0].kappa.as_json() == {"value": None, "reason": "no pair has two annotators"}
    assert "so many annotators" in rows([ANA, BEN], annotators=5)["Split"].kappa.reason


def test_labels_that_nobody_used_have_a_reason() -> None:
    """A label without a mark has no kappa and no percentage."""
    split = rows([annotated(name, edit("1", "deletion", "and")) for name in ("ana", "ben", "eva")])["Split"]
    assert split.kappa.value is None
    assert (split.two_agree.value, split.tokens) == (None, 0)


def test_intervals_are_over_pairs_and_repeatable() -> None:
    """Ten pairs with the label that differ have an interval, the same with the same seed."""
    people = (ANA, BEN, EVA)
    pairs = [
        annotated(person.annotator, *(person.edits if (number + place) % 4 else ()), key=str(number))
        for number in range(14)
        for place, person in enumerate(people)
    ]
    first, again = (rows(pairs, replicates=80, seed=1)["Substitution-same"] for _ in range(2))
    assert first.interval == again.interval
    low, high = first.interval.low.value, first.interval.high.value
    assert None not in (low, high)
    assert low < first.kappa.value < high


def test_pairs_that_cannot_tell_have_no_interval() -> None:
    """Full agreement on a few tokens is no certainty, nor are pairs that are all alike; both say why."""
    same = [edit("1", "deletion", "and")]
    unanimous = [annotated(name, *same, key=str(number)) for number in range(3) for name in ("ana", "ben", "eva")]
    few = rows(unanimous, replicates=50)["Deletion"]
    assert few.kappa.value == 1
    assert few.interval.low == (None, "an interval needs at least 10 pairs with the label")
    alike = [
        annotated(person.annotator, *person.edits, key=str(number))
        for number in range(12)
        for person in (ANA, BEN, EVA)
    ]
    found = rows(alike, replicates=50)["Substitution-same"]
    assert found.interval.low.value is None
    assert "are alike" in found.interval.low.reason
