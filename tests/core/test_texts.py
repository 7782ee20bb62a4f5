"""Texts: the language that was asked for, else a wider one, else the fallback."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.texts import Text, Wordings, is_right_to_left, plain, shown

TEXT = Text({"en": "word", "es": "palabra", "zh-Hant": "詞", "pt-BR": "palavra"}, "en")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("es", "palabra"),
        ("es-MX", "palabra"),
        ("es-419", "palabra"),
        ("zh-Hant-TW", "詞"),
        ("zh-Hant", "詞"),
        ("zh", "word"),
        ("pt-BR", "palavra"),
        ("pt", "word"),
        ("de", "word"),
        ("", "word"),
    ],
)
def test_gets_the_nearest_language(language: str, expected: str) -> None:
    """A region or script falls back to the wider language, and an unknown language to the fallback."""
    assert TEXT.get(language) == expected


def test_is_empty_when_even_the_fallback_is_missing() -> None:
    """A text without the language and without its fallback reads as nothing rather than as another language."""
    assert Text({"es": "palabra"}, "en").get("de") == ""


@pytest.mark.parametrize(("languages", "expected"), [({}, False), ({"en": ""}, False), ({"en": "", "es": "a"}, True)])
def test_is_true_when_some_language_has_words(languages: dict[str, str], expected: bool) -> None:
    """A text counts as there when at least one language has words."""
    assert bool(Text(languages, "en")) is expected


def test_names_its_placeholders_over_all_languages() -> None:
    """Placeholders are collected from every language; braces that hold no name are words."""
    text = Text({"en": "for {reader} in {place}", "es": "para {lector} {} {Two} {#anchor}"}, "en")
    assert text.placeholders() == {"reader", "place", "lector"}


def test_fills_placeholders_in_each_language() -> None:
    """Each language gets the parameter's text in that language, and a parameter that lacks it gives its fallback."""
    text = Text({"en": "good {language}", "es": "buen {language}", "de": "gutes {language}"}, "en")
    filled = text.fill({"language": Text({"en": "English", "es": "inglés"}, "en")})
    assert dict(filled.languages) == {"en": "good English", "es": "buen inglés", "de": "gutes English"}


def test_leaves_unknown_placeholders_as_they_are() -> None:
    """A name that is no parameter stays visible instead of vanishing."""
    assert plain("for {nobody}").fill({"reader": plain("a child")}).get("en") == "for {nobody}"


def test_does_not_fill_what_was_filled_in() -> None:
    """Braces inside a parameter's text are words: nothing is expanded twice."""
    filled = plain("{a}").fill({"a": plain("{b}"), "b": plain("no")})
    assert filled.get("en") == "{b}"


@given(st.text(st.characters(exclude_characters="{}")))
def test_filling_changes_nothing_without_placeholders(words: str) -> None:
    """A text without placeholders is the same object after filling."""
    text = plain(words)
    assert text.fill({"reader": plain("a child")}) is text


def test_a_parameter_chooses_the_wording() -> None:
    """Each value of the parameter gives its own text."""
    wordings = Wordings("wording", {"you": plain("for you"), "audience": plain("for them")})
    assert [wordings.choose(value).get("en") for value in ("you", "audience")] == ["for you", "for them"]


def test_shows_nothing_for_no_text() -> None:
    """A missing text reads as an empty string."""
    assert shown(None, "en") == ""


def test_refuses_to_show_an_unchosen_wording() -> None:
    """Showing a text whose wording nobody chose is a mistake of the program and says which parameter is open."""
    with pytest.raises(TypeError, match="wording"):
        shown(Wordings("wording", {"you": plain("for you")}), "en")


@pytest.mark.parametrize(("language", "expected"), [("ar", True), ("he-IL", True), ("fa", True), ("en", False)])
def test_knows_which_languages_run_from_right_to_left(language: str, expected: bool) -> None:
    """Direction comes with the language, whatever its region."""
    assert is_right_to_left(language) is expected
