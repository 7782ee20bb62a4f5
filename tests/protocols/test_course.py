"""Courses: one file for each stage, every mistake at its file and line, gold answers valid under the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.core.course import KINDS, all_steps, rounds, taught
from rubrica.core.edits import Span
from rubrica.core.errors import InputError
from rubrica.protocols.loader import from_data, load
from tests.protocols.course_sample import FIRST, ROUND, SECOND, found, sample_course, write
from tests.protocols.sample import SAMPLE, Mistake, line_of, mistakes, spoil


def test_a_folder_with_a_course_loads(tmp_path: Path) -> None:
    """Files are stages in the order of their names; every kind of step is there."""
    course = sample_course(tmp_path).course
    assert [stage.id for stage in taught(course)] == ["first", "second"]
    assert [stage.id for stage in rounds(course)] == ["round_1"]
    assert {step.kind for step in all_steps(course)} == set(KINDS)


def test_quotes_become_offsets(tmp_path: Path) -> None:
    """`cat#2` is the second cat: of "A cat sat, a cat ran." the characters 13 to 16."""
    steps = {step.id: step for step in all_steps(sample_course(tmp_path).course)}
    assert steps["find_it"].edit.source == (Span(13, 16),)
    assert [edit.id for edit in steps["build_it"].edits] == ["1", "1.1", "1.2", "2"]
    assert {edit.parent for edit in steps["build_it"].parts("1")} == {"1"}
    assert steps["told"].facts[1].source == (Span(2, 5),)
    assert steps["how_much"].source == (Span(2, 5),)


def test_a_course_belongs_to_what_is_hashed_and_stored(tmp_path: Path) -> None:
    """Another course is another protocol version, and the stored form gives the same course again."""
    import json

    with_course = load(write(tmp_path))
    changed = load(write(tmp_path, first=FIRST.replace("One word is gone.", "A word is gone.")))
    assert with_course.protocol.hash != changed.protocol.hash
    assert from_data(json.loads(with_course.canonical)).protocol == with_course.protocol


def test_a_course_stands_in_one_place(tmp_path: Path) -> None:
    """A course both in the YAML and beside it is a contradiction, not a choice."""
    write(tmp_path)
    with (tmp_path / "protocol.yaml").open("a", encoding="utf-8") as file:
        file.write("course:\n  - {id: x, title: X, summary: X, steps: [{id: s, kind: text, text: Hello}]}\n")
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    assert [problem.rule for problem in caught.value.problems] == ["contradiction"]


def test_a_single_file_can_hold_a_course(tmp_path: Path) -> None:
    """Without a folder, the course is a key of the protocol."""
    file = tmp_path / "own.yaml"
    text = "course:\n  - {id: x, title: X, summary: X, steps: [{id: s, kind: text, text: Hello}]}\n"
    file.write_text(SAMPLE + text, encoding="utf-8")
    assert [stage.id for stage in load(file).protocol.course] == ["x"]


def one(folder: Path, name: str, text: str, mistake: Mistake) -> None:
    """Exactly one problem, in the right file, at the right line, by the right rule, with a fix."""
    spoilt = spoil(text, mistake)
    problems = found(folder, **{name: spoilt})
    expected = [(f"{name}.yaml", line_of(spoilt, mistake.at or mistake.new.strip("\n")), mistake.rule)]
    told = [(Path(one.file).name.split("_")[1], one.line, one.rule) for one in problems]
    assert told == expected, "\n".join(map(str, problems))
    assert problems[0].fix.endswith((".", "?"))


@mistakes(
    Mistake("kind: text", "kind: reading", "type", "- id: hello"),
    Mistake("    kind: text\n", "", "type", "- id: hello"),
    Mistake("    text: Read **both** texts.\n", "    text: Read.\n    colour: red\n", "unknown_key", "colour: red"),
    Mistake("    text: Read **both** texts.\n", "", "missing_key", "- id: hello"),
    Mistake("id: look_again", "id: look-again", "value"),
    Mistake("id: told", "id: look", "duplicate_id", "- id: look\n    kind: facts"),
    Mistake("stage: mark", "stage: marks", "unknown_stage"),
    Mistake('source: ["cat#2"]}', 'source: ["cat"]}', "quote"),
    Mistake('["cat#2"]', '["dog"]', "quote"),
    Mistake('["cat#2"]', '["at#3"]', "quote"),
    Mistake('source: ["big"]\n    prompt', 'source: ["bigger"]\n    prompt', "quote", "bigger"),
    Mistake("asks: [change]", "asks: [changes]", "unknown_question_on_edits"),
    Mistake("asks: [change]", "asks: [harm]", "required"),
    Mistake("also: {change: [same]}", "also: {change: [more]}", "scale"),
    Mistake("also: {change: [same]}", "also: {harm: [1]}", "required"),
    Mistake("scale: points3", "scale: points4", "unknown_scale"),
    Mistake("answer: 1\n", "answer: 4\n", "scale", "answer: 4"),
    Mistake("scale: points3\n    answer: 1\n    accepts: [2]", "scale: half\n    answer: 1\n    accepts: [2]", "scale",
            "scale: half"),
    Mistake("accepts: [2]", "accepts: [9]", "scale"),
    Mistake("answer: cat", "answer: dog", "unknown_option"),
    Mistake("    scale: points3\n", "", "scale", "- id: how_much"),
    Mistake("type: loss\n    good: false\n", "type: gain\n    good: false\n", "type", "type: gain"),
    Mistake("answers: {change: same}}", "answers: {change: less}}", "type", "type: loss\n    good"),
)  # fmt: skip
def test_mistakes_of_the_first_stage(tmp_path: Path, mistake: Mistake) -> None:
    """Each is found alone, in its file and at its line."""
    one(tmp_path, "first", FIRST, mistake)


@mistakes(
    Mistake("options: [loss, gain]", "options: [loss, gains]", "unknown_edit_type"),
    Mistake("options: [loss, gain]", "options: [loss]", "type"),
    Mistake("answers: {harm: 1}}\n", "answers: {harm: 7}}\n", "scale", "answers: {harm: 7}}"),
    Mistake("answers: {harm: 1}}\n", "answers: {change: less}}\n", "required", "answers: {change: less}}"),
    Mistake("answers: {harm: 3}}", "answers: {harm: 3, mood: 1}}", "unknown_question"),
    Mistake('"A big cat sat down."', '"A big cat sat down.", target: cat', "unknown_field"),
    Mistake('source: ["down."], answers', 'source: ["down"], answers', "quote"),
    Mistake("pass_mark: 0.6", "pass_mark: 1.6", "type"),
)  # fmt: skip
def test_mistakes_of_the_second_stage(tmp_path: Path, mistake: Mistake) -> None:
    """Gold edits are held to the protocol's validator: complete, valid, made of whole words."""
    one(tmp_path, "second", SECOND, mistake)


@mistakes(
    Mistake("kind: whole", "kind: example", "round"),
    Mistake("round: 1", "round: 0", "type"),
)
def test_mistakes_of_a_round(tmp_path: Path, mistake: Mistake) -> None:
    """A round of the qualification asks for whole pairs and has a number."""
    one(tmp_path, "round", ROUND, mistake)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """Three files with a mistake each give three problems, sorted by file."""
    problems = found(
        tmp_path,
        first=FIRST.replace("asks: [change]", "asks: [changes]"),
        second=SECOND.replace("[loss, gain]", "[loss, gains]"),
        round=ROUND.replace("stage: mark", "stage: marks"),
    )
    assert [problem.rule for problem in problems] == ["unknown_question_on_edits", "unknown_edit_type", "unknown_stage"]


@pytest.mark.parametrize("text", ["", "- a list\n", "id: [", "just words\n"])
def test_a_file_that_is_no_stage_is_named(tmp_path: Path, text: str) -> None:
    """A file that is empty, a list or no YAML is reported by its name."""
    problems = found(tmp_path, second=text)
    assert problems
    assert all(problem.file.endswith("2_second.yaml") for problem in problems)


def test_a_part_cannot_be_a_composite(tmp_path: Path) -> None:
    """A split inside a split takes no words and belongs to nothing: three rules of the protocol at once."""
    text = SECOND.replace('{operation: deletion, source: ["which"]}', '{operation: split, source: ["which"]}')
    assert {problem.rule for problem in found(tmp_path, second=text)} == {"span", "constituents", "parent"}


def test_a_composite_exercise_needs_something_beside_its_parts(tmp_path: Path) -> None:
    """Choosing among the right parts only would be no exercise."""
    loose = '{operation: swap, source: ["big,"], rewrite: ["large."], answers: {change: same}}'
    assert SECOND.count(loose) == 1
    text = SECOND.replace(loose, '{operation: split, parts: [{operation: deletion, source: ["big,"]}]}')
    assert [problem.rule for problem in found(tmp_path, second=text)] == ["constituents"]


def test_a_protocol_without_edits_has_no_exercises_on_edits(tmp_path: Path) -> None:
    """Texts, examples, facts and questions of the course suit any protocol; marking needs edits."""
    step = "{id: s, kind: select, fields: {source: A b., rewrite: A.}, edits: [{operation: d, source: [b.]}], why: W}"
    text = SAMPLE[: SAMPLE.index("edits:\n")] + "stages:\n  - {id: mark, label: Mark}\nguidelines: Read.\n"
    file = tmp_path / "own.yaml"
    file.write_text(f"{text}course:\n  - {{id: x, title: X, summary: X, steps: [{step}]}}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(file)
    assert "edits" in [problem.rule for problem in caught.value.problems]
