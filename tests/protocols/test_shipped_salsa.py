"""Readings of 003: SALSA, edit by edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rubrica.core.conditions import Case, holds
from rubrica.core.edit_validation import EditValidator
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import EditScheme
from rubrica.core.scales import Ordinal
from rubrica.core.study import Item
from rubrica.core.texts import shown
from rubrica.core.verdicts import edit_types
from rubrica.protocols.catalog import load_shipped

SALSA = load_shipped("salsa").protocol
assert SALSA.edits is not None
EDITS: EditScheme = SALSA.edits
ITEM = Item("i", {"source": "A cat sat.", "rewrite": "A dog sat."})

QUALITY = ["Elaboration", "Generalization", "Word-level Reorder", "Component-level Reorder", "Sentence Split",
           "Structure Change", "Paraphrase", "Trivial Change"]  # fmt: skip
ERROR = ["Bad Deletion", "Coreference", "Repetition", "Contradiction", "Factual Error", "Irrelevant",
         "Bad Word-level Reorder", "Bad Component Reorder", "Bad Structure", "Bad Split", "Complex Wording",
         "Information Rewrite", "Grammar"]  # fmt: skip


def complete_answers(operation: str) -> Iterator[dict[str, Any]]:
    """Every way to answer the whole question tree of an operation."""
    preset = dict(EDITS.by_id[operation].preset)

    def extend(answers: dict[str, Any], position: int) -> Iterator[dict[str, Any]]:
        if position == len(questions):
            yield answers
            return
        question = questions[position]
        if question.id in preset or not holds(question.when, Case(answers)):
            yield from extend(answers, position + 1)
            return
        for value in SALSA.scale_of(question).values():
            yield from extend({**answers, question.id: value}, position + 1)

    questions = EDITS.questions_for(operation)
    yield from extend(preset, 0)


COMPLETE = [(operation.id, answers) for operation in EDITS.operations for answers in complete_answers(operation.id)]


def kinds(operation: str, answers: dict[str, Any]) -> list[str]:
    """The types that an edit reaches, grammar on top left out."""
    return [kind.id for kind in edit_types(SALSA, operation, answers) if not kind.added]


def test_the_types_are_those_of_table_1() -> None:
    """Eight quality and thirteen error types have the names of Table 1; unhelpful trivial changes have a cell apart."""
    named = {
        side: [shown(kind.label, "en") for kind in EDITS.types if kind.side == side] for side in ("quality", "error")
    }
    assert named["quality"] == QUALITY
    assert named["error"] == [*ERROR, "Trivial Change (not helpful)"]


def test_every_complete_edit_is_exactly_one_type() -> None:
    """However the tree is answered to its end, one type follows, and grammar on top when there is a grammar error."""
    assert len(COMPLETE) > 200
    for operation, answers in COMPLETE:
        assert len(kinds(operation, answers)) == 1, (operation, answers, kinds(operation, answers))
        added = [kind.id for kind in edit_types(SALSA, operation, answers) if kind.added]
        assert added == (["grammar"] if answers["grammar_error"] == "yes" else [])


def test_every_type_is_reached() -> None:
    """No type of the table is out of reach."""
    reached = {kind.id for operation, answers in COMPLETE for kind in edit_types(SALSA, operation, answers)}
    assert reached == {kind.id for kind in EDITS.types}


def test_every_enumerated_edit_is_valid() -> None:
    """What the enumeration calls complete is what the validator takes at the last stage."""
    check = EditValidator(SALSA, SALSA.stage("classify"))
    for operation, answers in COMPLETE:
        sides = EDITS.by_id[operation].sides
        spans = {side: (Span(2, 5),) if side in sides else () for side in ("source", "rewrite")}
        edit = Edit("1", operation, spans["source"], spans["rewrite"], answers)
        parts = () if sides else (Edit("2", "deletion", (Span(0, 1),), parent="1"),)
        assert check.problems(ITEM, (edit, *parts)) == []


@pytest.mark.parametrize("operation", ["deletion", "substitution"])
def test_coreference_is_reached_from_deletions_and_substitutions(operation: str) -> None:
    """A lost reference counts as coreference wherever information got lost, and takes the place of bad deletion."""
    answers = {"information": "less", "deletion_type": "bad_deletion", "severity": 2, "grammar_error": "no"}
    assert kinds(operation, {**answers, "coreference": "yes"}) == ["coreference"]
    assert kinds(operation, {**answers, "coreference": "no"}) == ["bad_deletion"]


@pytest.mark.parametrize("operation", ["insertion", "substitution"])
@pytest.mark.parametrize(("helps", "expected"), [("yes", "trivial_change"), ("no", "trivial_change_unhelpful")])
def test_an_unhelpful_trivial_insertion_has_its_own_cell(operation: str, helps: str, expected: str) -> None:
    """A trivial insertion is on the quality side if it helps and in a cell on the error side if not."""
    answers = {"information": "more", "insertion_type": "trivial_insertion", "trivial_helps": helps}
    assert kinds(operation, answers) == [expected]


def test_only_substitutions_are_asked_about_information() -> None:
    """The operation itself says what a deletion, an insertion and a syntax edit do to the information."""
    assert {operation.id: operation.preset.get("information") for operation in EDITS.operations} == {
        "deletion": "less", "insertion": "more", "substitution": None, "reorder": "same", "split": "same",
        "structure": "same",
    }  # fmt: skip


def test_ratings_have_three_points() -> None:
    """Efficacy and severity are minor, somewhat, a lot; syntax edits are positive, without impact or negative."""
    for name in ("efficacy", "severity"):
        scale = SALSA.scale_of(SALSA.questions_by_id[name])
        assert isinstance(scale, Ordinal)
        assert [(point.value, shown(point.label, "en")) for point in scale.points] == [
            (1, "Minor"), (2, "Somewhat"), (3, "A lot"),
        ]  # fmt: skip
    assert SALSA.scale_of(SALSA.questions_by_id["impact"]).values() == ["positive", "no_impact", "negative"]


def test_structure_edits_name_what_changed() -> None:
    """Voice, part of speech, tense, number, clauses and transitions; only structure edits are asked."""
    question = SALSA.questions_by_id["structure_type"]
    assert question.operations == ("structure",)
    assert SALSA.scale_of(question).values() == [
        "voice", "part_of_speech", "tense", "grammatical_number", "clausal", "transition",
    ]  # fmt: skip


def test_composites_are_made_of_simple_edits() -> None:
    """Splits and structure edits have constituents, the four simple operations have sides."""
    assert {operation.id: (operation.sides, operation.constituents) for operation in EDITS.operations} == {
        "deletion": (("source",), ()),
        "insertion": (("rewrite",), ()),
        "substitution": (("source", "rewrite"), ()),
        "reorder": (("source", "rewrite"), ()),
        "split": ((), ("deletion", "insertion", "substitution", "reorder")),
        "structure": ((), ("deletion", "insertion", "substitution", "reorder")),
    }


def test_four_people_take_a_pair_through() -> None:
    """Three select, another one settles, and the same three classify the settled edits."""
    select, adjudicate, classify = SALSA.stages
    assert [stage.overlap for stage in SALSA.stages] == [3, 1, 3]
    assert (adjudicate.items_from, adjudicate.other_people_than, adjudicate.role) == (
        "select",
        ("select",),
        "adjudicator",
    )
    assert (classify.items_from, classify.same_people_as, classify.edits) == ("adjudicate", "select", "fixed")
    assert select.items_from == ""


def test_selection_records_what_agreement_needs() -> None:
    """Selecting and settling ask about information and the level of a reorder; classifying asks everything."""
    select, adjudicate, classify = SALSA.stages
    assert select.asks == adjudicate.asks == ("information", "reorder_level", "comment")
    assert classify.asks is None


@pytest.mark.parametrize("language", ["en", "es"])
def test_guidelines_tell_the_rounds_from_the_exercises(language: str) -> None:
    """Exercises explain and count for nothing; rounds are annotated alone and decide. There is no practice besides."""
    section = shown(SALSA.guidelines, language).split("{#onboarding}")[1].split("\n## ")[0].lower()
    assert "practice" not in section
    assert "práctica" not in section
    exercises, rounds = section.strip().split("\n\n")[:2]
    assert {"en": "exercise", "es": "ejercicio"}[language] in exercises
    assert {"en": "two onboarding rounds", "es": "dos rondas de iniciación"}[language] in rounds
    assert {"en": "not like the exercises", "es": "no son como los ejercicios"}[language] in rounds
