"""Answers: what is stored is what was said, and *not applicable* is a value of its own."""

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.answers import NOT_APPLICABLE, NotApplicable, from_json, to_json

ANSWERS = st.dictionaries(
    st.text(min_size=1),
    st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.lists(st.text()).map(tuple)
    | st.just(NOT_APPLICABLE),
)


@given(ANSWERS)
def test_answers_survive_json(answers: dict[str, object]) -> None:
    """Any answers come back equal, with the same types, after being written as JSON text and read again."""
    back = from_json(json.loads(json.dumps(to_json(answers))))
    assert back == answers
    assert {name: type(value) for name, value in back.items()} == {name: type(value) for name, value in answers.items()}


def test_not_applicable_is_an_object_of_its_own_in_json() -> None:
    """The JSON form of *not applicable* cannot be mistaken for a text, a number or nothing."""
    assert to_json({"severity": NOT_APPLICABLE}) == {"severity": {"not_applicable": True}}


@pytest.mark.parametrize("other", [{}, {"not_applicable": False}, {"not_applicable": True, "x": 1}, {"x": 1}])
def test_only_its_own_object_is_not_applicable(other: dict[str, object]) -> None:
    """Another JSON object is not silently read as *not applicable*, but kept for the validator to refuse."""
    assert from_json({"severity": other}) == {"severity": other}


@pytest.mark.parametrize(
    "same",
    [
        NotApplicable(),
        copy.copy(NOT_APPLICABLE),
        copy.deepcopy(NOT_APPLICABLE),
        pickle.loads(pickle.dumps(NOT_APPLICABLE)),
        pickle.loads(pickle.dumps({"a": [NOT_APPLICABLE]}))["a"][0],
    ],
    ids=["made", "copied", "deep_copied", "pickled", "pickled_inside"],
)
def test_there_is_one_not_applicable(same: object) -> None:
    """Making, copying or pickling gives the very same object, so that ``is`` may be used everywhere."""
    assert same is NOT_APPLICABLE


@pytest.mark.parametrize("value", ["NOT_APPLICABLE", "not_applicable", "", 0, False, None, ()])
def test_nothing_else_equals_not_applicable(value: object) -> None:
    """It differs from missing, from zero, from an empty answer and from the word for it."""
    assert value != NOT_APPLICABLE


def test_its_name_is_shown() -> None:
    """A message that shows it says what it is."""
    assert repr(NOT_APPLICABLE) == "NOT_APPLICABLE"
