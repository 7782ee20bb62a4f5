"""Sentences of tokenised texts are those that Punkt finds without a model, which is all that EASSE's run of it uses."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubrica.language.sentences import token_sentences


@pytest.mark.parametrize(
    ("tokens", "sentences"),
    [
        ("", 0),
        ("a walk", 1),
        ("a walk .", 1),
        ("rain fell . wind blew .", 2),
        ("who ? me ! yes", 3),
        ('he said : " stop . "', 1),
        ('" stop . " he left .', 2),
        ("the u . s . won .", 3),
        ("it cost 3.50 .", 1),
        ("well . . . no", 4),
        (". a", 2),
    ],
)
def test_every_lone_stop_before_another_token_ends_a_sentence(tokens: str, sentences: int) -> None:
    """One closing quote or bracket at the end belongs to the last; stops of abbreviations count."""
    assert token_sentences(tokens) == sentences


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["word", "mr", "3.5", ".", "?", "!", '"', ")", "'", "”", ",", "x"]), max_size=12))
def test_it_equals_punkt(tokens: list[str]) -> None:
    """NLTK's Punkt with no model gives the same number for any sequence of tokens."""
    punkt = pytest.importorskip("nltk.tokenize.punkt")
    text = " ".join(tokens)
    assert token_sentences(text) == len(punkt.PunktSentenceTokenizer().tokenize(text))
