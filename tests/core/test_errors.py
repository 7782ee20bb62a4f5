"""Problems: what people and scripts read when something is wrong."""

import json
import pickle

import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.errors import InputError, Problem, RubricaError, wrong

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
