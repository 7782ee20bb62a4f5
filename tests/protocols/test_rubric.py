"""A rubric by a form: a real protocol, the same again from it, and every problem with its question."""

from __future__ import annotations

import re

import attrs
import pytest

from rubrica.core.errors import InputError
from rubrica.core.scales import Ordinal
from rubrica.protocols.catalog import load_shipped, shipped
from rubrica.protocols.loader import as_yaml, check_text
from rubrica.protocols.rubric import (
    Rubric,
    RubricQuestion,
    changed,
    editable,
    from_json,
    rubric_of,
    rubric_problems,
    rubric_protocol,
    rubric_yaml,
)

ENDS = RubricQuestion(name="Simplicity", prompt="How simple: on the whole?", points=7, labels=("not at all", "very"))
EVERY = Rubric(
    title="Mine: a trial",
    instructions="Take your time.\n\n- Judge the *rewrite*.",
    fields=("source", "rewrite", "reference"),
    questions=(
        RubricQuestion(name="Meaning", prompt="Kept?", points=3, labels=("no", "partly", "yes")),
        ENDS,
        RubricQuestion(name="Bare", prompt="A number", points=10, alone=True),
        RubricQuestion(name="Usable?", prompt="Would you use it?", kind="yes_no"),
        RubricQuestion(name="Best for", prompt="Who?", kind="choice", labels=("Children", "Adults: all", "#1")),
        RubricQuestion(name="Why", prompt="Why?", kind="text", required=False),
    ),
)


def test_a_form_makes_a_real_protocol() -> None:
    """Scales with all points, the ends or none labelled, yes or no, a choice, a text, dimmed texts, guidelines."""
    protocol = rubric_protocol(EVERY).protocol
    assert [question.id for question in protocol.questions] == [
        "meaning", "simplicity", "bare", "usable", "best_for", "why",
    ]  # fmt: skip
    scale = protocol.scale_of(protocol.questions_by_id["simplicity"])
    assert isinstance(scale, Ordinal)
    assert [point.value for point in scale.points if point.label] == [1, 7]
    assert protocol.questions_by_id["bare"].dims == ("source", "reference")
    assert "Take your time." in protocol.guidelines.get("en")
    assert not protocol.questions_by_id["why"].required


def test_what_a_form_made_can_be_edited_with_it_and_nothing_else_can() -> None:
    """The same rubric comes back from the protocol, also by way of its YAML; no shipped protocol is taken for one."""
    assert editable(rubric_protocol(EVERY).protocol) == EVERY
    assert editable(check_text(rubric_yaml(EVERY), "mine.yaml").protocol) == EVERY
    assert from_json(attrs.asdict(EVERY)) == EVERY
    assert [name for name in shipped() if editable(load_shipped(name).protocol)] == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_ready_protocol_can_be_copied(language: str) -> None:
    """Meaning, fluency and simplicity come with their five labelled points, in either language."""
    copied = rubric_of(load_shipped("quality").protocol.resolve({}), language)
    made = rubric_protocol(copied).protocol
    assert [question.id for question in made.questions][:3] == ["meaning", "fluency", "simplicity"]
    assert made.languages == (language,)
    assert all(len(question.labels) == 5 for question in copied.questions[:3])


def test_every_problem_is_said_with_its_question() -> None:
    """Nothing shown, no text, no or the same short name, a wrong number of labels, one option, headings."""
    rubric = Rubric(
        title="x",
        fields=(),
        instructions="# Heading",
        questions=(
            RubricQuestion(),
            attrs.evolve(ENDS, labels=("a", "b", "c")),
            attrs.evolve(ENDS, labels=("a", "A"), name="Other"),
            attrs.evolve(ENDS, points=12, name="Third"),
            attrs.evolve(ENDS, kind="choice", labels=("one",)),
        ),
    )
    said = [problem.what for problem in rubric_problems(rubric)]
    assert said == [
        "no text is shown",
        "a line of the instructions begins with #",
        "question 1 has no text",
        "question 1 has no short name",
        "question 2: 7 points have 3 labels",
        "question 3: 'a' stands twice",
        "question 4: a scale has 2 to 11 points",
        "question 5 has the short name of question 2",
        "question 5: a choice needs two options or more",
    ]
    with pytest.raises(InputError) as caught:
        rubric_protocol(rubric)
    assert [problem.what for problem in caught.value.problems] == said


def test_questions_are_added_removed_and_moved() -> None:
    """Buttons name their question; what names none changes nothing."""
    names = [question.name for question in changed(EVERY, "up.2").questions]
    assert names[:2] == ["Simplicity", "Meaning"]
    assert [question.name for question in changed(EVERY, "down.1").questions][:2] == ["Simplicity", "Meaning"]
    assert len(changed(EVERY, "remove.6").questions) == 5
    assert changed(EVERY, "add").questions[-1] == RubricQuestion()
    assert [changed(EVERY, step) for step in ("remove.7", "up.x", "look", "up.1", "down.6")] == [EVERY] * 5


@pytest.mark.parametrize("protocol_id", shipped())
def test_a_protocol_downloads_as_one_file_that_is_the_same(protocol_id: str) -> None:
    """Guidelines, practice and course within; it loads with the same hash."""
    loaded = load_shipped(protocol_id)
    assert check_text(as_yaml(loaded.canonical), "copy.yaml").protocol.hash == loaded.protocol.hash


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_one_starts_from_does_not_list_questions_that_may_change(language: str) -> None:
    """The guidelines of a changed start name its own questions only, and still say what is read."""
    start = rubric_of(load_shipped("quality").protocol, language)
    asked = RubricQuestion(name="Tone", prompt="Is it polite?", kind="yes_no")
    made = rubric_protocol(attrs.evolve(start, title="Tone", questions=(asked,))).protocol
    told = made.guidelines.get(language)
    assert "**original**" in told
    assert not {"Simplicity", "Sencillez", "three", "tres", "1 to 5", "1 al 5"} & set(re.findall(r"1 \w+ 5|\w+", told))
