"""What is known of words.

Words with offsets: cut at white space, compared without punctuation, numbered by sentence.

What makes two words alike: numbers, stems, spelling, meaning.
"""

import pytest

from rubrica.edits.suggesting.similarity import Several, Synonyms, Vectors, matches, spelt_alike
from rubrica.edits.suggesting.words import grammar_of, number_in, stem, words_of


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


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("two", "2", "en"),
        ("1,000", "1000", "en"),
        ("second", "2nd", "en"),
        ("veinte", "20", "es"),
        ("primera", "1º", "es"),
        ("1.000", "1000", "es"),
    ],
)
def test_numbers_are_alike_in_words_and_figures(one: str, other: str, language: str) -> None:
    """A number is the same however it is written."""
    assert number_in(one, language) == number_in(other, language) != ""


@pytest.mark.parametrize("key", ["once", "house", "10-year", "a1", "²", ""])
def test_other_words_say_no_number(key: str) -> None:
    """Words of another language, and figures inside words, are no numbers."""
    assert number_in(key, "en") == ""


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["criticism", "criticized", "criticize", "criticizing"]),
        ("en", ["develop", "development", "developed", "developer's"]),
        ("en", ["tell", "told", "telling"]),
        ("en", ["stop", "stopped", "stopping", "stops"]),
        ("en", ["city", "cities"]),
        ("es", ["presentado", "presentó", "presentar", "presentación"]),
        ("es", ["hacer", "hizo", "hecho"]),
    ],
)
def test_forms_of_a_word_have_one_stem(language: str, words: list[str]) -> None:
    """Endings come off and irregular forms are known."""
    assert len({stem(word, language) for word in words}) == 1


def test_other_languages_have_no_stems() -> None:
    """Where no rules are known, a word is its own stem."""
    assert stem("häuser", "de") == "häuser"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("november", "novermber", True),
        ("historic", "historical", True),
        ("gouvernement", "gouvernements", True),
        ("house", "mouse", False),
        ("1990", "1991", False),
        ("car", "cars", False),
        ("contract", "contrast", True),
        ("reducing", "rebuilding", False),
    ],
)
def test_spelling_is_alike_at_the_beginning_or_but_for_a_slip(one: str, other: str, expected: bool) -> None:
    """Most of the letters from the first on, or all but one; never for short words and numbers."""
    assert spelt_alike(one, other) is spelt_alike(other, one) is expected


def test_matches_say_by_what_words_are_alike() -> None:
    """Each likeness has its name, and a small word is worth less."""
    source = words_of("the film was made by two doctors")
    meanings = Several(
        [Synonyms([("Film", "movie")], "list"), Vectors([("doctors", [1.0, 0.1]), ("surgeons", [1.0, 0.0])], "v")]
    )
    found = matches(source, words_of("the movies movie is 2 surgeons"), grammar_of("en"), meanings)
    assert [[(match.place, match.kind) for match in alike] for alike in found] == [
        [(0, "same")],
        [],
        [(1, "meaning")],
        [(2, "form")],
        [(5, "number")],
        [(6, "meaning")],
    ]
    assert found[0][0].strength < found[5][0].strength


def test_frequent_words_are_compared_near_their_place_only() -> None:
    """A word that stands very often is not compared with every occurrence, only with the likeliest."""
    text = words_of("house " * 500)
    found = matches(text, text, grammar_of("en"))
    assert {len(alike) for alike in found} == {64}
    assert all(any(match.place == place for match in alike) for place, alike in enumerate(found))
