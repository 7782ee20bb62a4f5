"""The course of `salsa`: ten stages, every type with good and bad examples, every operation selected, two rounds."""

from __future__ import annotations

from collections import Counter

from rubrica.core.course import EXAMPLE, FACTS, SELECT, WHOLE, Step, all_steps, rounds, taught
from rubrica.core.course_grading import grade_step, types_of
from rubrica.core.protocol import EditScheme
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.protocols.catalog import load_shipped

SALSA = load_shipped("salsa").protocol
assert SALSA.edits is not None
EDITS: EditScheme = SALSA.edits
STAGES = taught(SALSA.course)
ROUNDS = rounds(SALSA.course)
STEPS = list(all_steps(STAGES))
TYPES = [kind.id for kind in EDITS.types if kind.id != "trivial_change_unhelpful"]
"""The 21 types of Table 1."""


def named(steps: list[Step], good: bool) -> set[str]:
    """The types that these examples are good (or bad) examples of."""
    return {step.of for step in steps if step.kind == EXAMPLE and step.of and step.good == good}


def test_there_are_ten_stages_and_two_rounds() -> None:
    """Ten stages to learn, then two rounds of whole sentences, the sentences of each its own."""
    assert len(STAGES) == 10
    assert [stage.round for stage in ROUNDS] == [1, 2]
    assert all(step.kind == WHOLE for step in all_steps(ROUNDS))
    assert min(len(stage.steps) for stage in ROUNDS) >= 5


def test_there_are_more_than_100_examples_and_exercises() -> None:
    """Readings aside, and the qualification not counted; more than half want an answer."""
    shown = [step for step in STEPS if not step.is_text]
    assert len(shown) > 100
    assert sum(step.is_exercise for step in shown) > 80
    assert all(stage.exercises for stage in STAGES)


def test_every_type_has_good_and_bad_examples() -> None:
    """Each of the 21 has an example that is of the type and one that could be taken for it."""
    assert len(TYPES) == 21
    assert named(STEPS, good=True) == set(TYPES)
    assert named(STEPS, good=False) == set(TYPES)


def test_every_type_is_also_asked_for() -> None:
    """The exercises need each of the 21 types as an answer somewhere."""
    asked = {kind for step in STEPS if step.is_exercise for edit in step.top_level() for kind in types_of(SALSA, edit)}
    assert set(TYPES) <= asked


def test_every_operation_is_selected() -> None:
    """Each of the six operations has several exercises on real selection."""
    counts = Counter(operation for step in STEPS if step.kind == SELECT for operation in step.operations())
    assert set(counts) == set(EDITS.by_id)
    assert min(counts.values()) >= 3


def test_facts_and_significance_are_there() -> None:
    """Facts can be pointed at, and the weight of words for the main idea is asked on a scale from 1 to 4."""
    assert sum(step.kind == FACTS for step in STEPS) >= 3
    weighed = [step.answer for step in STEPS if step.scale == SALSA.scales["significance4"]]
    assert len(weighed) >= 5
    assert {1, 2, 4} <= set(weighed)


def test_sentences_are_varied() -> None:
    """A sentence is used for a good and a bad example at most, never again."""
    sources = Counter(step.fields["source"] for step in all_steps(SALSA.course) if step.fields)
    assert max(sources.values()) <= 2
    assert len(sources) > 150


def test_the_gold_answers_every_exercise_fully() -> None:
    """Whoever answers as the gold does is right everywhere, with a share of 1."""
    for step in all_steps(SALSA.course):
        if step.kind in (SELECT, WHOLE):
            result = grade_step(SALSA, step, Judgement({}, step.edits))
            assert (step.id, result.share, result.right) == (step.id, 1, True)


def test_the_gold_of_the_qualification_is_what_the_last_stage_wants() -> None:
    """Everything is classified and rated: the gold would be accepted as a judgement."""
    validator = Validator(SALSA, SALSA.stage("classify"))
    for step in all_steps(ROUNDS):
        assert validator.problems(Item(step.id, step.fields), Judgement({}, step.edits)) == []
