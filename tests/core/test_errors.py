"""Problems: what people and scripts read when something is wrong."""

import json
import pickle

import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.errors import (
    MORE_PROBLEMS,
    InputError,
    Problem,
    RubricaError,
    first_problems,
    number_of,
    refuse,
    wrong,
)

PROBLEM = Problem(what="quality is 9", rule="scale", fix="Use 1.", value=9, question="quality")


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ({}, ""),
        ({"file": "a.yaml"}, "a.yaml"),
        ({"file": "a.yaml", "line": 3}, "a.yaml:3"),
        ({"file": "a.xlsx", "sheet": "Items"}, "a.xlsx:Items"),
        ({"file": "a.xlsx", "sheet": "Items", "cell": "B2", "line": 2}, "a.xlsx:Items!B2"),
    ],
)
def test_says_where(place: dict[str, object], expected: str) -> None:
    """A place is a file with a line, or a sheet with a cell, as far as it is known."""
    assert PROBLEM.at(**place).place == expected


def test_reads_as_one_line() -> None:
    """The message gives place, what is wrong, the rule and the fix."""
    assert str(PROBLEM.at(file="a.csv", line=2)) == "a.csv:2: quality is 9 [scale] Use 1."
    assert str(PROBLEM) == "quality is 9 [scale] Use 1."


def test_is_told_in_json() -> None:
    """The keys promised for ``--json`` are always there, further ones only when they say something."""
    assert PROBLEM.as_json() == {
        "file": "", "line": None, "rule": "scale", "value": 9, "fix": "Use 1.", "what": "quality is 9",
        "question": "quality",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, None), (("a", 1), ["a", 1]), ({1: {"x": ()}}, {"1": {"x": []}}), (NOT_APPLICABLE, "NOT_APPLICABLE")],
)
def test_any_value_can_be_told_in_json(value: object, expected: object) -> None:
    """Values that JSON does not know are turned into ones that it does."""
    told = PROBLEM.at(value=value).as_json()["value"]
    assert told == expected
    assert json.loads(json.dumps(told)) == expected


def test_an_input_error_tells_every_problem() -> None:
    """The error carries all problems and reads as one line for each."""
    error = InputError(PROBLEM, PROBLEM.at(line=2))
    assert error.problems == (PROBLEM, PROBLEM.at(line=2))
    assert str(error).count("\n") == 1
    assert isinstance(error, RubricaError)


def test_an_input_error_without_a_problem_is_a_mistake() -> None:
    """Nobody can be told that something is wrong without being told what."""
    with pytest.raises(ValueError, match="at least one"):
        InputError()


def test_a_single_problem_is_raised_in_one_line() -> None:
    """``wrong`` makes the error and its problem at once."""
    assert wrong("quality is 9", "scale", "Use 1.", value=9, question="quality").problems == (PROBLEM,)


def test_errors_cross_processes() -> None:
    """A worker's error arrives with its problems."""
    assert pickle.loads(pickle.dumps(InputError(PROBLEM))).problems == (PROBLEM,)


def many(count: int, file: str = "a.csv") -> list[Problem]:
    """So many problems of a file."""
    return [PROBLEM.at(file=file, line=number) for number in range(1, count + 1)]


def test_a_hundred_problems_of_a_file_are_all_told() -> None:
    """As many as can be listed are."""
    assert InputError(*many(100)).problems == tuple(many(100))


def test_of_more_problems_the_first_are_told_and_how_many_more() -> None:
    """At most a hundred entries for a file: the last one counts those that are not listed, in its value too."""
    error = InputError(*many(60_000))
    *first, last = error.problems
    assert first == many(99)
    assert (last.rule, last.value, last.file, last.line) == (MORE_PROBLEMS, 59_901, "a.csv", None)
    assert str(last).startswith("a.csv: 59,901 more problems are not listed")
    assert number_of(error.problems) == 60_000


def test_each_file_has_its_hundred() -> None:
    """What is wrong with one file does not hide what is wrong with another."""
    error = InputError(*many(150, "a.csv"), *many(2, "b.csv"), *many(101, "c.csv"))
    listed = [problem.file for problem in error.problems if problem.rule != MORE_PROBLEMS]
    assert (listed.count("a.csv"), listed.count("b.csv"), listed.count("c.csv")) == (99, 2, 99)
    assert [(problem.file, problem.value) for problem in error.problems[-2:]] == [("a.csv", 51), ("c.csv", 2)]


def test_cutting_again_changes_nothing() -> None:
    """Problems pass several hands on their way; also under another name they are counted once."""
    once = InputError(*many(1_000)).problems
    assert first_problems(once) == once
    renamed = InputError(*(problem.at(file="b.csv") for problem in once)).problems
    assert number_of(renamed) == 1_000
    assert len(renamed) == 100
    assert number_of(first_problems([*once, *once])) == 2_000


def test_a_message_without_end_is_cut() -> None:
    """A name of a megabyte is told by its beginning, as are values of any kind."""
    found = InputError(PROBLEM.at(what="x" * 1_000_000, value={"k": "y" * 1_000_000}, fix="short")).problems[0]
    assert len(found.what) < 2_100
    assert len(str(found.value)) < 2_100
    assert found.fix == "short"


def test_a_refusal_carries_every_problem_and_none_is_none() -> None:
    """What is wrong is raised all at once, also where it is found one by one; nothing wrong raises nothing."""
    refuse([])
    with pytest.raises(InputError) as told:
        refuse(PROBLEM.at(line=line) for line in (1, 2))
    assert [problem.line for problem in told.value.problems] == [1, 2]
