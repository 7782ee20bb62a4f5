"""JSON of other programs: read without losing a digit, and written again byte for byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.exchange.thresh.json_layout import COMPACT, SPACED, BrokenError, Layout, parse, parse_one

DATA = [{"a": [1, -2.5, 'é\n\u2028🥖\\"/'], "b": {}, "c": [], "d": None, "e": [[True, False]]}, {"a": ""}]

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@pytest.mark.parametrize(
    ("options", "layout"),
    [
        ({"indent": 4}, Layout()),
        ({"indent": 4, "ensure_ascii": False}, Layout(ascii=False)),
        ({"indent": 2}, Layout(indent=2)),
        ({"indent": 0}, Layout(indent=0)),
        ({}, Layout(indent=SPACED)),
        ({"separators": (",", ":"), "ensure_ascii": False}, Layout(indent=COMPACT, ascii=False)),
    ],
)
@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("crlf", [False, True])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_layouts_are_recognised(options: dict[str, Any], layout: Layout, end: str, crlf: bool, mark: str) -> None:
    """Whatever json.dumps or JSON.stringify wrote is told by its text and written the same."""
    text = json.dumps(DATA, **options) + end
    text = mark + (text.replace("\n", "\r\n") if crlf else text)
    read = parse(text)
    assert read.entries == DATA
    assert read.exact
    assert (read.layout.indent, read.layout.ascii) == (layout.indent, layout.ascii)
    assert "".join(read.layout.pieces(read.entries)) == text


@given(
    st.lists(st.dictionaries(st.text(), VALUES, max_size=3), max_size=3),
    st.sampled_from([None, 0, 1, 4]),
    st.booleans(),
)
def test_any_data_comes_back(entries: list[Any], indent: int | None, escape: bool) -> None:
    """Any list of objects, in any of the usual layouts, is written byte for byte as it was."""
    text = json.dumps(entries, indent=indent, ensure_ascii=escape)
    read = parse(text)
    assert read.entries == entries
    assert "".join(read.layout.pieces(read.entries)) == text


def test_numbers_stay_as_they_are_written() -> None:
    """1.50 is not 1.5, and neither 1E5 nor -0 nor a number of JavaScript is written another way."""
    text = '[{"a":[1.50,1E5,-0,1e-7,10000000000000000.0,12345678901234567890]}]'
    read = parse(text)
    assert read.entries[0]["a"][0] == 1.5
    assert "".join(read.layout.pieces(read.entries)) == text
    assert Layout(indent=COMPACT).text(parse_one("1.10")) == "1.10"


def test_each_entry_has_its_line() -> None:
    """The line is where the entry begins, from 1."""
    # With an indent of 1: [ on line 1, {"a": 1} on lines 2 to 4, the next from line 5.
    assert parse(json.dumps([{"a": 1}, {"b": 2}], indent=1)).lines == [2, 5]
    assert parse('[{"a": 1}, {"b": 2}]').lines == [1, 1]


def test_another_layout_is_not_exact() -> None:
    """A layout that no option makes is read, but told to be another."""
    assert not parse('[ {"a" : 1} ]').exact
    assert parse("[]").exact
    assert parse("[]").entries == []


@pytest.mark.parametrize(
    "text",
    ["", "{}", "3", "[", "[1,]", "[1 2]", "[1] 2", '[{"a": NaN}]', "[1e999]", '[{"a": 1, "a": 2}]', "[" * 100_000],
)
def test_what_is_no_list_is_refused(text: str) -> None:
    """Broken JSON, constants that are no JSON, keys that stand twice."""
    with pytest.raises(BrokenError, match=r"\w"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n{}", 2),
        ('[\n{"a": 1},\n{"b" 2}]', 3),
        ('[\n{"a": 1}\n\n{"b": 2}]', 4),
        ('[\n{"a": 1,\n"a": 2}]', 2),
        ("[1]\n2", 2),
    ],
)
def test_what_is_broken_has_its_line(text: str, line: int) -> None:
    """The line of the mistake; of a key that stands twice, that of its entry."""
    with pytest.raises(BrokenError) as caught:
        parse(text)
    assert caught.value.line == line
