"""What is counted in a text, by hand."""

from __future__ import annotations

from rubrica.metrics.readability_counts import Counts, counts_of
from tests.metrics.blocks import rewrites


def counted(text: str, language: str = "en") -> dict[str, float]:
    """The counts of one text by their names."""
    row = counts_of(rewrites(text), "new", language)[0]
    return dict(zip(Counts._fields, map(float, row), strict=True))


def test_counts_of_a_text() -> None:
    """Punctuation is no word; figures are words without syllables."""
    # The li-bra-ry o-pened in 1998. It's well-known!
    # letters: the 3, library 7, opened 6, in 2, 1998 4, it's 3, well-known 9; more than six: library, well-known
    # syllables: 1, 3, 2, 1, -, 1, 2
    assert counted("The library opened in 1998. It's well-known!") == {
        "sentences": 2,
        "words": 7,
        "letters": 34,
        "long": 2,
        "syllabic": 6,
        "syllables": 10,
        "one": 3,
        "three": 1,
        "hard": 1,
    }


def test_endings_make_no_hard_word() -> None:
    """Gunning does not count words that -ed or -es brings to three syllables."""
    found = counted("created, businesses, communities")
    assert (found["three"], found["hard"]) == (3, 1)


def test_dashes_and_slashes_divide_words_and_empty_texts_have_none() -> None:
    """Loose punctuation is nothing."""
    assert counted("red/blue — green…yes")["words"] == 4
    assert set(counted("").values()) == {0}
    assert counted("— … !")["words"] == 0


def test_other_scripts_are_words_without_syllables() -> None:
    """They count for letters and sentences only."""
    found = counted("Tea (茶) is served.")
    assert (found["words"], found["syllabic"]) == (4, 3)
