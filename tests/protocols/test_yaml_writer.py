"""Writing YAML: whatever is written reads back the same, and nothing that a tool could misread stands unquoted."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rubrica.protocols.yaml_source import BooleanWord, read_yaml
from rubrica.protocols.yaml_writer import write_yaml

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
SCALARS = TEXTS | st.integers(-(10**9), 10**9) | st.booleans()
KEYS = TEXTS.filter(lambda key: key not in ("", "<<"))
"""A merge key is refused wherever it stands."""
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4)
)


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
def test_what_is_written_reads_back(data: dict[str, Any]) -> None:
    """Any data of texts, numbers, booleans, lists and mappings comes back as it was."""
    read = read_yaml(write_yaml(data))
    assert read.problems == []
    assert read.data == data


def test_words_that_are_booleans_elsewhere_are_quoted() -> None:
    """An id called yes is never taken for true."""
    text = write_yaml({"options": [{"id": "yes"}, {"id": "No"}, {"id": "null"}], "long": "one\ntwo\n"})
    assert text == 'options:\n  - {id: "yes"}\n  - {id: "No"}\n  - {id: "null"}\nlong: |\n  one\n  two\n'
    assert not isinstance(read_yaml(text).data["options"][0]["id"], BooleanWord)
