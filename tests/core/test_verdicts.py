"""Verdicts: of one judgement, of all judgements of an item, and when they are undefined."""

from typing import Any

import attrs
import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.conditions import AllOf, AnswerIs, AnyOf, Condition, FieldIs, Not, OutcomeIs
from rubrica.core.protocol import Verdict
from rubrica.core.study import Item, Judgement
from rubrica.core.verdicts import Derived, edit_types, of_item, of_judgement
from rubrica.protocols.catalog import load_shipped
from tests.core.sample import ITEM, PROTOCOL, WORDS

RATE = load_shipped("split_rate").protocol
REWRITE = load_shipped("split_rewrite").protocol.resolve({})
PAIR = Item("i", {"source": "A, who b, c.", "rewrite": "A c. A b."})
CORRECT = {
    "sensible": 5,
    "grammatical": 5,
    "missing_facts": "no",
    "new_facts": "no",
    "wrong_split": "no",
    "further_split": "no",
}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, True),
        ({"sensible": 4}, False),
        ({"grammatical": 4}, False),
        ({"missing_facts": "yes"}, False),
        ({"new_facts": "yes"}, False),
        ({"wrong_split": "yes"}, False),
        ({"further_split": "yes"}, False),
        ({"comment": "Nice."}, True),
    ],
)
def test_correct_needs_all_six(change: dict[str, Any], expected: bool) -> None:
    """A rating is *correct* with 5, 5, no, no, no, no, and with nothing less."""
    assert of_judgement(RATE, PAIR, Judgement({**CORRECT, **change})) == {"correct": expected}


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ([], Derived(None, "0 of at least 2 judgements")),
        ([CORRECT], Derived(None, "1 of at least 2 judgements")),
        ([CORRECT, CORRECT], Derived(True)),
        ([CORRECT, {**CORRECT, "sensible": 4}], Derived(False)),
        ([CORRECT, CORRECT, CORRECT], Derived(True)),
        ([CORRECT, CORRECT, {**CORRECT, "new_facts": "yes"}], Derived(True)),
        ([CORRECT, {**CORRECT, "new_facts": "yes"}, CORRECT], Derived(False)),
    ],
)
def test_perfect_needs_the_first_two_ratings(ratings: list[dict[str, Any]], expected: Derived) -> None:
    """Its first two ratings make a rewrite *perfect*, whatever a third says; with one rating that is undefined."""
    assert of_item(RATE, PAIR, [Judgement(rating) for rating in ratings]) == {"perfect": expected}


def test_passing_an_item_on_is_no_rating() -> None:
    """Who leaves an item to somebody else neither spoils *perfect* nor makes up the number."""
    out = Judgement(outcome="uncomfortable")
    assert of_item(RATE, PAIR, [Judgement(CORRECT), out])["perfect"].value is None
    assert of_item(RATE, PAIR, [Judgement(CORRECT), out, Judgement(CORRECT)])["perfect"].value is True


WROTE = Judgement({"rewrite": "A c. A b."})


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (["too_simple", "answered", "answered"], False),
        (["too_simple", "too_problematic", "answered"], True),
        (["too_simple", "too_simple", "too_simple"], True),
        (["too_simple", "answered"], False),
        (["too_simple", "too_simple", "answered", "answered"], False),
        (["too_simple", "skip", "skip"], None),
        (["too_simple", "too_simple", "skip"], True),
        (["answered", "answered", "uncomfortable"], False),
    ],
)
def test_a_majority_of_writers_discards_a_sentence(outcomes: list[str], expected: bool | None) -> None:
    """More than half of the writers who did not skip must have flagged it; one writer alone decides nothing."""
    judgements = [WROTE if outcome == "answered" else Judgement(outcome=outcome) for outcome in outcomes]
    assert of_item(REWRITE, PAIR, judgements)["discarded"].value is expected


@pytest.mark.parametrize(("share", "expected"), [("any", True), ("most", False), ("every", False)])
def test_shares_differ(share: str, expected: bool) -> None:
    """One yes of three is any, but neither most nor every."""
    verdicts = (Verdict("one", WORDS, AnswerIs("quality", (3,))), Verdict("all", WORDS, counts="one", share=share))
    judgements = [Judgement({"quality": value}) for value in (3, 2, 1)]
    assert of_item(attrs.evolve(PROTOCOL, verdicts=verdicts), ITEM, judgements) == {"all": Derived(expected)}


@pytest.mark.parametrize("protocol_id", ["breve", "claro"])
def test_what_is_not_applicable_gives_no_verdict(protocol_id: str) -> None:
    """An identical pair is neither accepted nor not accepted, while its other verdicts stand."""
    protocol = load_shipped(protocol_id).protocol
    answers = {"acceptance": NOT_APPLICABLE, "concern": "yes", "needed": "no"}
    assert of_judgement(protocol, PAIR, Judgement(answers)) == {"concerning": True, "needs_rewriting_one": False}


HIGH, LAW, SKIP = AnswerIs("quality", (3,)), FieldIs("genre", ("law",)), OutcomeIs(("skip",))


@pytest.mark.parametrize(
    ("condition", "answers", "outcome", "expected"),
    [
        (HIGH, {"quality": 3}, "answered", True),
        (HIGH, {}, "answered", False),
        (HIGH, {"quality": NOT_APPLICABLE}, "answered", None),
        (HIGH, {}, "skip", None),
        (Not(HIGH), {"quality": NOT_APPLICABLE}, "answered", None),
        (Not(HIGH), {"quality": 1}, "answered", True),
        (AnyOf((HIGH, LAW)), {"quality": NOT_APPLICABLE}, "answered", True),
        (AllOf((HIGH, LAW)), {"quality": NOT_APPLICABLE}, "answered", None),
        (AllOf((HIGH, Not(LAW))), {"quality": NOT_APPLICABLE}, "answered", False),
        (AnyOf((HIGH, Not(LAW))), {"quality": NOT_APPLICABLE}, "answered", None),
        (AnyOf((HIGH, SKIP)), {}, "skip", True),
        (AllOf((HIGH, SKIP)), {}, "answered", False),
        (SKIP, {}, "skip", True),
    ],
)
def test_a_verdict_is_undefined_only_when_it_depends(
    condition: Condition, answers: dict[str, Any], outcome: str, expected: bool | None
) -> None:
    """An answer that does not exist leaves a verdict open unless the rest of its condition decides it."""
    protocol = attrs.evolve(PROTOCOL, verdicts=(Verdict("it", WORDS, condition),))
    item = Item("i", {"genre": "law"})
    assert of_judgement(protocol, item, Judgement(answers, outcome=outcome)).get("it") is expected


def test_judgements_that_leave_a_verdict_open_do_not_count() -> None:
    """The share is taken of the judgements that decide, and at least so many of those are needed."""
    verdicts = (Verdict("one", WORDS, HIGH), Verdict("all", WORDS, counts="one", at_least=2))
    protocol = attrs.evolve(PROTOCOL, verdicts=verdicts)
    yes, open_ = Judgement({"quality": 3}), Judgement({"quality": NOT_APPLICABLE})
    assert of_item(protocol, ITEM, [yes, open_])["all"] == Derived(None, "1 of at least 2 judgements")
    assert of_item(protocol, ITEM, [yes, open_, yes])["all"] == Derived(True)


def test_edits_without_answers_have_no_type() -> None:
    """The types of an edit come from its answers; a protocol without edits has none."""
    salsa = load_shipped("salsa").protocol
    assert edit_types(salsa, "deletion", {"information": "less"}) == []
    assert [kind.id for kind in edit_types(salsa, "deletion", {"deletion_type": "good_deletion"})] == ["generalization"]
    assert edit_types(RATE, "deletion", {}) == []


@pytest.mark.parametrize(("share", "discarded"), [("any", True), ("most", False), ("every", False)])
def test_a_study_sets_how_many_flags_discard(share: str, discarded: bool) -> None:
    """One flag of three discards a sentence only where the study says that any is enough."""
    protocol = load_shipped("split_rewrite").protocol.resolve({"discard_by": share})
    said = [Judgement({"rewrite": "One. Two."}), Judgement({"rewrite": "Two. One."}), Judgement(outcome="too_simple")]
    assert of_item(protocol, Item("1", {"source": "One and two."}), said)["discarded"].value is discarded
