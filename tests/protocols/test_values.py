"""Single values of a protocol file, and that two ways of writing the same thing are the same."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from rubrica.protocols import values
from rubrica.protocols.yaml_source import BooleanWord

KINDS: dict[str, TypeAdapter[Any]] = {
    name: TypeAdapter(getattr(values, name))
    for name in ("Id", "TextValue", "Guidelines", "Value", "Test", "Names", "Number")
}


@pytest.mark.parametrize(
    ("kind", "written", "meant"),
    [
        ("Id", "a_1", "a_1"),
        ("TextValue", "words", {"es": "words"}),
        ("TextValue", {"en": "words", "pt-BR": "palavras"}, {"en": "words", "pt-BR": "palavras"}),
        ("TextValue", BooleanWord("no"), {"es": "no"}),
        (
            "TextValue",
            {"wording_by": "w", "you": "a", "others": {"en": "b"}},
            {"wording_by": "w", "you": {"es": "a"}, "others": {"en": "b"}},
        ),
        ("Guidelines", "words", {"es": "words"}),
        ("Value", 3, 3),
        ("Value", 0.5, 0.5),
        ("Value", BooleanWord("yes"), "yes"),
        ("Value", [], []),
        ("Value", ["a", BooleanWord("no")], ["a", "no"]),
        ("Test", [1, 2.5, "a"], [1, 2.5, "a"]),
        ("Test", "a", "a"),
        ("Names", "a", "a"),
        ("Names", ["a", "b"], ["a", "b"]),
        ("Number", 1, 1),
        ("Number", 0.5, 0.5),
    ],
)
def test_takes_what_is_meant(kind: str, written: object, meant: object) -> None:
    """Values come out in one form: texts by language, words as plain strings."""
    read = KINDS[kind].validate_python(written, context={"fallback": "es"})
    assert read == meant
    assert "BooleanWord" not in repr(type(read))


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        *(("Id", value) for value in ("", "A", "1a", "a-b", "é", 5, True, BooleanWord("no"), None, [])),
        *(("TextValue", value) for value in ("", " ", 5, [], {}, {"en": ""}, {"en": 5}, {"English": "x"}, {1: "x"})),
        *(
            ("TextValue", value)
            for value in ({"wording_by": "w"}, {"wording_by": 5, "a": "x"}, {"wording_by": "w", "a": 5})
        ),
        ("Guidelines", {"wording_by": "w", "a": "x"}),
        *(("Value", value) for value in (True, None, {}, [1], [["a"]], [None])),
        *(("Test", value) for value in (True, None, {}, [["a"]], [True])),
        *(("Names", value) for value in (1, None, [], {}, [1], ["a", 1])),
        *(("Number", value) for value in ("1", True, None, [])),
    ],
)
def test_refuses_the_rest_with_one_message(kind: str, written: object) -> None:
    """A value of the wrong kind is one mistake and gets one message."""
    with pytest.raises(ValidationError) as caught:
        KINDS[kind].validate_python(written)
    assert len(caught.value.errors(include_context=False)) == 1


def test_every_mistake_in_a_text_is_kept() -> None:
    """Mistakes in several languages and wordings of one text are told together, each with its place."""
    text = {"wording_by": "w", "you": {"en": "", "es": 5}, "others": []}
    with pytest.raises(ValidationError) as caught:
        KINDS["TextValue"].validate_python(text)
    mistakes = caught.value.errors()[0]["ctx"]["mistakes"]
    assert [place for place, _ in mistakes] == [("you", "en"), ("you", "es"), ("others",)]
