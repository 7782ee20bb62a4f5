"""Sentences of tokenised texts, as NLTK's Punkt finds them (each row was tried with NLTK 3.10)."""

from __future__ import annotations

import pytest

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
