"""Gaps between linked words are read as phrases: whole ones, within a sentence, around what moved."""

from __future__ import annotations

import pytest

from rubrica.edits.suggesting.suggest import suggest
from tests.edits.suggesting.reading import read


@pytest.mark.parametrize(
    ("source", "rewrite", "expected"),
    [
        (
            "The old bridge was torn down in spring, and nobody in the valley complained.",
            "The old bridge was removed in spring, and nobody in the valley minded.",
            ["substitution: torn down -> removed", "substitution: complained. -> minded."],
        ),
        (
            "The choir sings in Leeds, where it was founded by two teachers after the war of 1840.",
            "The choir sings in Leeds today.",
            ["deletion: where it was founded by two teachers after the war of 1840. ->", "insertion: -> today."],
        ),
    ],
)
def test_short_for_short_is_replaced_and_long_for_short_is_not(source: str, rewrite: str, expected: list[str]) -> None:
    """Phrases of about one length replace each other; a long one that left a word behind was deleted."""
    assert sorted(read(source, rewrite)) == sorted(expected)


def test_no_phrase_crosses_what_moved() -> None:
    """A phrase ends where words of its text moved elsewhere, so no word is in two edits."""
    source = "The bank had lent ten million crowns of its savings to Northern Rail in May."
    rewrite = "The bank had given Northern Rail ten million crowns."
    seen: set[int] = set()
    for edit in suggest(source, rewrite, "en"):
        for span in edit.source:
            assert seen.isdisjoint(range(span.start, span.end))
            seen |= set(range(span.start, span.end))


def test_texts_without_anything_in_common_are_read_in_reasonable_time() -> None:
    """A gap of thousands of words is cut into coarser chunks and still covers every word once."""
    source = " ".join(f"ba{number} of the ne{number}" for number in range(1500))
    rewrite = " ".join(f"tor{number} in a li{number}" for number in range(1500))
    found = suggest(source, rewrite, "en")
    assert {edit.operation for edit in found} <= {"deletion", "insertion", "substitution"}
    covered = sum(span.end - span.start for edit in found for span in edit.source)
    assert covered + len(found) >= len(source)
