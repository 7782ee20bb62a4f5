"""Sentences of tokenised texts, as NLTK's Punkt finds them (each row was tried with NLTK 3.10).

Abbreviations that end no sentence, by language.
"""

from __future__ import annotations

import pytest

from rubrica.language.sentences import count_sentences_in, token_sentences


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


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("de", "Viele Tiere, z. B. Hunde, schlafen gern. Am 3. Mai kam Hr. Weber.", 2),
        ("de", "Er kaufte Brot, Milch usw. Dann ging er. Es waren 12. Niemand kam.", 4),
        ("fr", "M. Petit est venu. Mme. Roy est partie.", 2),
        ("it", "Il sig. Rossi vive qui, ad es. Vive con sua madre.", 1),
        ("pt", "O Sr. Lima chegou. A Dra. Reis saiu.", 2),
        ("ca", "La Sra. Puig viu al c. Nou. Plou.", 2),
        ("nl", "Dhr. Bakker woont hier, bijv. Vandaag niet.", 1),
        ("en", "Dr. Gray left. Nobody saw it.", 2),
        ("pl", "", 0),
    ],
)
def test_stops_of_abbreviations_end_nothing(language: str, text: str, sentences: int) -> None:
    """What something always follows is joined to it; *usw.* may end a sentence and then does."""
    assert count_sentences_in(text, language) == sentences
