"""Word frequencies come from the language asked for, or not at all."""

from __future__ import annotations

import pytest

from rubrica.core.errors import InputError
from rubrica.language.frequency import cut, known_language, list_version, ranks, zipf

wordfreq = pytest.importorskip("wordfreq")


def test_ranks_are_those_of_the_list() -> None:
    """The most frequent word has rank 0."""
    listed = wordfreq.top_n_list("es", 50_000)
    assert [ranks("es")[word] for word in listed[:5]] == [0, 1, 2, 3, 4]
    assert len(ranks("es")) == 50_000


def test_zipf_is_the_frequency_in_a_thousand_million() -> None:
    """Against the list's plain frequency; 0 for a word that is not there."""
    assert 10 ** (zipf("mesa", "es") - 9) == pytest.approx(wordfreq.word_frequency("mesa", "es"), rel=0.02)
    assert zipf("qxzvwk", "es") == 0


@pytest.mark.parametrize(("asked", "found"), [("en", "en"), ("pt-BR", "pt"), ("HR", "sh"), ("no", "nb")])
def test_codes_with_regions_and_close_relatives_are_known(asked: str, found: str) -> None:
    """A region does not matter; wordfreq keeps some languages under another code."""
    assert known_language(asked) == found


@pytest.mark.parametrize("language", ["si", "xx", "eu"])
def test_a_language_without_a_list_is_refused(language: str) -> None:
    """Never the nearest language instead; the error names those that are there."""
    with pytest.raises(InputError, match=r"There are some for ar, bg, .*vi\."):
        known_language(language)


def test_languages_that_need_a_segmenter_are_refused() -> None:
    """Their words cannot be looked up one by one."""
    with pytest.raises(InputError, match="told apart at spaces"):
        known_language("ja")


def test_words_are_cut_as_the_list_has_them() -> None:
    """Small letters, no punctuation, apostrophes kept."""
    assert cut("Don't go, Zoë!", "en") == ["don't", "go", "zoë"]


def test_the_list_is_named_with_its_version() -> None:
    """Ranks differ between versions."""
    assert list_version().startswith("wordfreq-3.")
