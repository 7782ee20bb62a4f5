"""The plain comparison that the diff baseline uses."""

from __future__ import annotations

from rubrica.edits.tagging.tags import Pair
from rubrica.edits.tagging.word_diff import changed_words, plain_words
from tests.edits.pairs import REWRITE, SOURCE


def test_words_are_compared_without_case_and_punctuation() -> None:
    """A sign that is nothing but punctuation stays a word of its own."""
    assert plain_words("“Noon.” || It") == ["noon", "||", "it"]


def test_what_has_no_equal_is_changed() -> None:
    """Source first: ferry, departed, and; then boat, left, || and fast."""
    # The ferry departed at noon and it sank.  /  The boat left at noon. || It sank fast.
    found = changed_words(Pair(name="1", source=SOURCE, rewrite=REWRITE))
    assert [index for index, changed in enumerate(found) if changed] == [1, 2, 5, 8 + 1, 8 + 2, 8 + 5, 8 + 8]
