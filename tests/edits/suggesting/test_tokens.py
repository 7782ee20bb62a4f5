"""Words with offsets: cut at white space, compared without punctuation, numbered by sentence."""

import pytest

from rubrica.edits.suggesting.tokens import words_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The mill, (sold)!", [("The", "the"), ("mill,", "mill"), ("(sold)!", "sold")]),
        ("It’s 80% – or “more”.", [("It’s", "it's"), ("80%", "80%"), ("or", "or"), ("“more”.", "more")]),
        ("a\u00a0b\n c", [("a", "a"), ("b", "b"), ("c", "c")]),
        ("One. || Two.", [("One.", "one"), ("Two.", "two")]),
        ("😀 𝔸𝔹, e\u0301", [("😀", "😀"), ("𝔸𝔹,", "ab"), ("e\u0301", "é")]),
        ("「駅」は近い。", [("「駅」", "駅"), ("は", "は"), ("近", "近"), ("い。", "い")]),
        ("... — ||", []),
        ("", []),
    ],
)
def test_words_keep_their_punctuation_and_are_compared_without(text: str, expected: list[tuple[str, str]]) -> None:
    """A word is what stands between white space; its key has no outer punctuation, case or typographic variants."""
    assert [(text[word.start : word.end], word.key) for word in words_of(text)] == expected


def test_sentences_are_numbered_by_stops_and_by_marks() -> None:
    """A stop, a mark, or both together end one sentence; *Dr.* ends none."""
    words = words_of("Dr. Ruiz came. || She sat || down. Then left.")
    assert [word.sentence for word in words] == [0, 0, 0, 1, 1, 2, 3, 3]


def test_punctuation_that_stands_alone_belongs_to_its_neighbours() -> None:
    """In texts cut by a tokeniser a bracket opens before the next word and a comma closes after the last."""
    words = words_of("the mill ( sold ) , they say")
    assert [(word.opens, word.closes) for word in words] == [
        (False, False),
        (False, False),
        (True, True),
        (False, False),
        (False, False),
    ]
