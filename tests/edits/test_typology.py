"""The 21 types: every leaf of the question tree, in Thresh's words and in ours."""

from __future__ import annotations

from typing import Any

import pytest

from rubrica.core.answers import Answer
from rubrica.core.edits import Edit
from rubrica.exchange.annotated_pairs import salsa_names
from rubrica.exchange.thresh.answers import read_answers
from tests.edits.pairs import typology

NAMES = """Elaboration, Generalization, Word-level Reorder, Component-level Reorder, Sentence Split, Structure Change,
Paraphrase, Trivial Change, Bad Deletion, Coreference, Repetition, Contradiction, Factual Error, Irrelevant,
Bad Word-level Reorder, Bad Component Reorder, Bad Structure, Bad Split, Complex Wording, Information Rewrite,
Grammar"""


def chosen(option: str, below: Any = None) -> dict[str, Any]:
    """An option as Thresh writes it, with its follow-up."""
    return {"val": option} if below is None else {"val": option, option: below}


def substituted(change: str, below: Any) -> dict[str, Any]:
    """The answer to what a substitution did to the information."""
    return {"substitution_info_change": chosen(change, below)}


def flat_answers(operation: str, annotation: dict[str, Any]) -> dict[str, Answer]:
    """Answers as a Thresh file nests them, in the words of our protocol."""
    return read_answers(salsa_names().by_name[operation], annotation).answers


HELPS = chosen("trivial_insertion", chosen("yes", "somewhat"))
HELPS_NOT = chosen("trivial_insertion", chosen("no"))
DELETIONS = [
    (chosen("good_deletion", "minor"), "Generalization", "quality", 1),
    (chosen("trivial_deletion"), "Trivial Change", "quality", None),
    (chosen("bad_deletion", "a lot"), "Bad Deletion", "error", 3),
]
INSERTIONS = [
    (chosen("elaboration", "a lot"), "Elaboration", "quality", 3),
    (HELPS, "Trivial Change", "quality", 2),
    (HELPS_NOT, "Trivial Change", "error", None),
    (chosen("trivial_insertion", "no"), "Trivial Change", "error", None),
    (chosen("trivial_insertion"), "Trivial Change", "quality", None),
    (chosen("repetition", "minor"), "Repetition", "error", 1),
    (chosen("contradiction", "somewhat"), "Contradiction", "error", 2),
    (chosen("facutal_error", "a lot"), "Factual Error", "error", 3),
    (chosen("hallucination", "a lot"), "Factual Error", "error", 3),
    (chosen("irrelevant", "minor"), "Irrelevant", "error", 1),
]
EFFECTS = [(chosen("good", "somewhat"), 0, 2), (chosen("trivial"), 1, None), (chosen("bad", "minor"), 2, 1)]
BY_EFFECT = {
    "word_level": ("Word-level Reorder", "Trivial Change", "Bad Word-level Reorder"),
    "component_level": ("Component-level Reorder", "Trivial Change", "Bad Component Reorder"),
    "split": ("Sentence Split", "Trivial Change", "Bad Split"),
    "structure": ("Structure Change", "Trivial Change", "Bad Structure"),
    "same": ("Paraphrase", "Trivial Change", "Complex Wording"),
}
SIDES = ("quality", "quality", "error")
LEAVES = [
    *(("deletion", {"deletion_type": leaf}, *expected) for leaf, *expected in DELETIONS),
    *(("substitution", substituted("less", leaf), *expected) for leaf, *expected in DELETIONS),
    *(("insertion", {"insertion_type": leaf}, *expected) for leaf, *expected in INSERTIONS),
    *(("substitution", substituted("more", leaf), *expected) for leaf, *expected in INSERTIONS),
    *(
        ("reorder", {"reorder_level": chosen(level, leaf)}, BY_EFFECT[level][which], SIDES[which], rating)
        for level in ("word_level", "component_level")
        for leaf, which, rating in EFFECTS
    ),
    *(
        (operation, {"impact": leaf}, BY_EFFECT[operation][which], SIDES[which], rating)
        for operation in ("split", "structure")
        for leaf, which, rating in EFFECTS
    ),
    *(
        ("substitution", substituted("same", leaf), BY_EFFECT["same"][which], SIDES[which], rating)
        for leaf, which, rating in EFFECTS
    ),
    ("substitution", substituted("different", "a lot"), "Information Rewrite", "error", 3),
    ("deletion", {"deletion_type": DELETIONS[2][0], "coreference": "yes"}, "Coreference", "error", 3),
    ("deletion", {"deletion_type": DELETIONS[0][0], "coreference": "yes"}, "Generalization", "quality", 1),
]


@pytest.mark.parametrize(("operation", "annotation", "name", "side", "rating"), LEAVES)
def test_every_leaf_of_thresh_has_its_type(
    operation: str, annotation: dict[str, Any], name: str, side: str, rating: int | None
) -> None:
    """An answered edit is one type, on one side, with the rating of its branch; Grammar comes on top."""
    for grammar, added in (("no", []), ("yes", ["Grammar"])):
        answers = flat_answers(operation, {**annotation, "grammar_error": grammar})
        found = typology().classify(Edit("1", operation, answers=answers))
        assert [kind.name for kind in found.kinds] == [name, *added]
        assert (found.side, found.rating) == (side, rating)


def test_the_names_are_those_of_table_1() -> None:
    """Eight quality types, then thirteen error types, by the paper's names; all of them can be reached."""
    kinds = typology().kinds
    assert [kind.name for kind in kinds] == NAMES.replace("\n", " ").split(", ")
    assert [kind.side for kind in kinds] == ["quality"] * 8 + ["error"] * 13
    assert {name for _, _, name, *_ in LEAVES} | {"Grammar"} == {kind.name for kind in kinds}


def test_coreference_can_come_from_a_substitution_in_our_protocol() -> None:
    """Our protocol asks about coreference of every bad deletion."""
    answers = {"information": "less", "deletion_type": "bad_deletion", "severity": 2, "coreference": "yes"}
    found = typology().classify(Edit("1", "substitution", answers=answers))
    assert [kind.name for kind in found.kinds] == ["Coreference"]


def test_unanswered_edits_have_no_type() -> None:
    """An edit whose questions are open is not counted as anything; a grammar error still is."""
    empty = typology().classify(Edit("1", "deletion"))
    assert (empty.kind, empty.side, empty.rating) == (None, "", None)
    wrong = typology().classify(Edit("1", "deletion", answers={"grammar_error": "yes"}))
    assert [kind.name for kind in wrong.kinds] == ["Grammar"]


def test_whether_a_trivial_insertion_helps_is_kept() -> None:
    """Helpful, unhelpful, not said, and other edits are told apart."""
    found = [
        typology().classify(Edit("1", "insertion", answers=flat_answers("insertion", {"insertion_type": leaf}))).helps
        for leaf in (HELPS, HELPS_NOT, chosen("trivial_insertion"), chosen("elaboration", "minor"))
    ]
    assert found == [True, False, None, None]
