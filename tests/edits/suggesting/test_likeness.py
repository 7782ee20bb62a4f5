"""What makes two words alike: numbers, stems, spelling, meaning."""

import pytest

from rubrica.edits.suggesting.grammar import grammar_of
from rubrica.edits.suggesting.meanings import Several, Synonyms, Vectors
from rubrica.edits.suggesting.numerals import number_in
from rubrica.edits.suggesting.similarity import matches, spelt_alike
from rubrica.edits.suggesting.stems import stem
from rubrica.edits.suggesting.tokens import words_of


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
