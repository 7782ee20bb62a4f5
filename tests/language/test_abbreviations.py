"""Abbreviations that end no sentence, by language."""

from __future__ import annotations

import pytest

from rubrica.language.abbreviations import count_sentences_in


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
