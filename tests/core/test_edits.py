"""Edits: spans in code points, quotes that lead back to them, and their JSON form."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.edits import Edit, NotFound, Span, find_quote, from_json, nth_of, to_json

LETTERS = st.sampled_from(["a", "b", "ab", " ", "é", "e\u0301", "😀", "👩‍👧", "𝔸", "שלום", "\u202e", "字", "\n"])
TEXTS = st.lists(LETTERS, min_size=1, max_size=12).map("".join)


@given(TEXTS | st.text(min_size=1), st.data())
def test_a_quote_with_its_rank_leads_back_to_the_span(text: str, data: st.DataObject) -> None:
    """Quoting any span and saying which occurrence it is finds that very span again."""
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    assert find_quote(text, span.of(text), nth_of(text, span)) == span


@pytest.mark.parametrize(
    ("text", "quote", "nth", "expected"),
    [
        ("a cat ran", "cat", None, Span(2, 5)),
        ("a cat ran", "cat", 1, Span(2, 5)),
        ("cat and cat", "cat", 2, Span(8, 11)),
        ("aaa", "aa", 2, Span(1, 3)),
        ("👍🏽 good 👍🏽", "👍🏽", 2, Span(8, 10)),
        ("𝔸𝔹", "𝔹", None, Span(1, 2)),
        ("cafe\u0301", "e\u0301", None, Span(3, 5)),
        ("cat and cat", "cat", None, NotFound("cat", 2)),
        ("cat and cat", "cat", 3, NotFound("cat", 2)),
        ("cat and cat", "cat", 0, NotFound("cat", 2)),
        ("cat", "dog", None, NotFound("dog", 0)),
        ("cat", "", None, NotFound("", 0)),
        ("café", "cafe\u0301", None, NotFound("cafe\u0301", 0)),
    ],
)
def test_finds_quotes(text: str, quote: str, nth: int | None, expected: Span | NotFound) -> None:
    """A quote is found by code points; when it stands several times, its rank must be given and exist."""
    assert find_quote(text, quote, nth) == expected


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("cat and cat", Span(8, 11), 2),
        ("cat and cat", Span(0, 3), 1),
        ("cat", Span(0, 3), None),
        ("aaa", Span(1, 3), 2),
    ],
)
def test_ranks_only_what_is_repeated(text: str, span: Span, expected: int | None) -> None:
    """A span whose words stand once has no rank, so that people need not read one."""
    assert nth_of(text, span) == expected


def test_spans_are_counted_in_code_points() -> None:
    """An emoji outside the basic plane counts as one, where UTF-16 would count two."""
    assert Span(2, 6).of("😀 word") == "word"


def test_leaves_empty_parts_out_of_json() -> None:
    """An exported edit says only what there is to say."""
    assert to_json(Edit("1", "deletion", (Span(0, 3),))) == {"id": "1", "operation": "deletion", "source": [[0, 3]]}


SPANS = st.lists(st.tuples(st.integers(), st.integers()).map(lambda ends: Span(*ends)), max_size=3).map(tuple)
ANSWERS = st.dictionaries(st.text(), st.integers() | st.text() | st.just(NOT_APPLICABLE), max_size=3)


@given(
    st.builds(Edit, id=st.text(), operation=st.text(), source=SPANS, rewrite=SPANS, answers=ANSWERS, parent=st.text())
)
def test_edits_survive_json(edit: Edit) -> None:
    """Any edit comes back equal after being written as JSON text and read again."""
    assert from_json(json.loads(json.dumps(to_json(edit)))) == edit


def test_sides_are_told_apart() -> None:
    """The spans of one side are not those of the other."""
    edit = Edit("1", "swap", (Span(0, 1),), (Span(2, 3),))
    assert (edit.spans("source"), edit.spans("rewrite")) == ((Span(0, 1),), (Span(2, 3),))
