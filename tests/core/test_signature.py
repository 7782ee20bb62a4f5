"""Signatures: what made a table, in one line that does not depend on how it was written down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica import __version__
from rubrica.core.signature import protocol_parts, signature
from tests.core.sample import PROTOCOL


def test_keys_are_sorted_and_the_version_is_there() -> None:
    """The order of the parts does not matter."""
    assert signature({"seed": 0, "filters": "none"}) == f"filters:none|rubrica:{__version__}|seed:0"
    assert signature({"seed": 0, "filters": "none"}) == signature({"filters": "none", "seed": 0})


@pytest.mark.parametrize(("value", "kept"), [(None, False), ("", False), ({}, False), (0, True), (False, True)])
def test_empty_parts_are_left_out(value: object, kept: bool) -> None:
    """What was not set is not named; zero and no are settings."""
    assert ("part:" in signature({"part": value})) is kept


@given(st.dictionaries(st.sampled_from("abc"), st.text()))
def test_a_value_cannot_pretend_to_be_a_part(parts: dict[str, object]) -> None:
    """Bars and line breaks in a value never make a further part or line."""
    line = signature(parts)
    assert line.count("|") == sum(value != "" for value in parts.values())
    assert "\n" not in line


def test_names_the_protocol() -> None:
    """Id, version, the first twelve digits of the hash and the sorted parameters say what was asked."""
    assert protocol_parts(PROTOCOL, {"b": "2", "a": "1"}) == {
        "protocol": "sample",
        "version": "1",
        "hash": "0" * 12,
        "settings": "a=1,b=2",
    }
