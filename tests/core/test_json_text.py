"""JSON from strangers: what two programs would read differently, or what brings a reader down, is refused."""

from __future__ import annotations

import pytest

from rubrica.core.json_text import MAX_DEPTH, NotJsonError, parse_json, too_deep

REFUSED = {
    "no JSON": ("hello", "Expecting value at character 1"),
    "bytes that are no text": (b'"\xff"', "it is not UTF-8"),
    "a number that is none": ('{"a": NaN}', "NaN is not a JSON number"),
    "a number without end": ("1e999", "the number 1e999 is too large"),
    "a number of many digits": ("1" * 5000, "a number has too many digits"),
    "a key that stands twice": ('{"a": 1, "b": 2, "a": 3}', "the key 'a' stands twice"),
    "nesting beyond the reader": ("[" * 100_000, "nested too deeply"),
    "nesting beyond the limit": ("[" * 200 + "]" * 200, "nested too deeply"),
    "nesting of objects": ('{"a":' * 101 + "1" + "}" * 101, "nested too deeply"),
}


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_json_for_everybody_is_refused(text: str | bytes, why: str) -> None:
    """The message says what is wrong; it is always the same error."""
    with pytest.raises(NotJsonError, match=why):
        parse_json(text)


def test_what_is_json_is_read() -> None:
    """Values come as Python has them, from text and from bytes, up to the deepest nesting."""
    assert parse_json('{"a": [1, 2.5, "é", null, true]}') == {"a": [1, 2.5, "é", None, True]}
    assert parse_json('"é"'.encode()) == "é"
    assert not too_deep(parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH))
    assert parse_json("[[]," * 3 + "[]" + "]" * 3) == [[], [[], [[], []]]]
    assert parse_json("1e999", float) == float("inf")


def test_a_doubled_key_among_very_many_is_found() -> None:
    """Keys are looked up, not counted one by one: a quarter of a million takes no time worth waiting for."""
    keys = ", ".join(f'"k{number}": 1' for number in [*range(250_000), 249_999])
    with pytest.raises(NotJsonError, match="'k249999' stands twice"):
        parse_json(f"{{{keys}}}")
