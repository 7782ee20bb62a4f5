"""Counting sentences: by a rule that people can foresee, and in doubt in their favour."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.sentences import count_sentences, sentence_ends


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        (" \n\t ", 0),
        ("...", 0),
        ("One", 1),
        ("One.", 1),
        ("He left. She stayed.", 2),
        ("He left! Did she? Yes… No.", 4),
        ("Really?! Yes!!! Well...", 3),
        ("He left.She stayed.", 2),
        ("The bird lives on the coast. it breeds in May.", 2),
        ("He was the minister.Okoye came to the town.", 2),
        ("Well... she stayed... and he left.", 1),
        ("See www.Example.com or mail.Server.org now.", 1),
    ],
)
def test_counts_english(text: str, expected: int) -> None:
    """A stop, a question or an exclamation closes a sentence, also where a space or a capital letter was forgotten."""
    assert count_sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("¿Vienes? ¡Claro! Vamos.", 3),
        ("Dijo: «Vengo.» Y vino.", 2),
        ("La Sra. García y el Dr. Ruiz vinieron.", 1),
        ("Véase la pág. 12 del libro.", 1),
        ("Hay frutas, p.ej. Manzanas.", 1),
    ],
)
def test_counts_spanish(text: str, expected: int) -> None:
    """Opening marks do not disturb, and Spanish titles end nothing."""
    assert count_sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("彼は来た。彼女は去った。", 2),
        ("本当？はい！", 2),
        ("「行け。」彼は言った。", 2),
        ("まだ", 1),
        ("半角｡半角｡", 2),
    ],
)
def test_counts_japanese(text: str, expected: int) -> None:
    """Full-width stops need no space after them, and a closing bracket belongs to the sentence before it."""
    assert count_sentences(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("ماذا؟ نعم.", 2), ("हाँ। नहीं।", 2), ("እሺ። አይ።", 2), ("نعم. لا.", 2)])
def test_counts_other_scripts(text: str, expected: int) -> None:
    """Scripts with a stop of their own are counted too."""
    assert count_sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith met Prof. Lee.", 1),
        ("See no. 5 and fig. 3.", 1),
        ("It opened on Jan. 5 in Rome.", 1),
        ("Use fruit, e.g. Apples.", 1),
        ("J. R. R. Tolkien wrote it.", 1),
        ("George W. Bush won.", 1),
        ("He ran! J. Smith did not.", 2),
        ("He waited approx. five minutes.", 1),
        ("Lind Bros. and Holm Inc. sold the U.S. branch to Mr. Ek Jr. and others, pens, paper, etc. included.", 1),
    ],
)
def test_abbreviations_and_initials_end_nothing(text: str, expected: int) -> None:
    """A title, an initial, a numbered thing or an abbreviation before a small letter goes on."""
    assert count_sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "He said no. The dog left.",
        "Take vitamin C. It helps.",
        "So do I. He left.",
        "It closes at 5 p.m. It opens at 9 a.m.",
        "They sell pens, paper, etc. The shop is old.",
        "She works for the U.S. He does not.",
    ],
)
def test_counts_more_in_doubt(text: str) -> None:
    """What may be an abbreviation or the last word of a sentence counts as the last word: nobody is refused for it."""
    assert count_sentences(text) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Pi is 3.14 or so.", 1), ("It costs $3.50. That is a lot.", 2), ("Version 1.2.3 is out.", 1)],
)
def test_numbers_go_on(text: str, expected: int) -> None:
    """A point inside a number ends nothing."""
    assert count_sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("“Go.” He left.", 2), ('"Go!" "No!"', 2), ("(He left.) She stayed.", 2), ("It is [sic]. So what?", 2)],
)
def test_quotes_and_brackets_belong_to_the_sentence(text: str, expected: int) -> None:
    """A closing quote or bracket after the stop does not hide it."""
    assert count_sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("one\ntwo", 2), ("one\r\ntwo\r\n", 2), ("one.\n\n\ntwo.", 2), ("\none\n", 1)]
)
def test_line_breaks_end_sentences(text: str, expected: int) -> None:
    """A line break ends a sentence with or without a stop, and empty lines count for nothing."""
    assert count_sentences(text) == expected


@given(st.text())
def test_never_fails(text: str) -> None:
    """Any text has a number of sentences, and none only if it has no letter or digit."""
    count = count_sentences(text)
    assert count >= 0
    assert (count == 0) == (not any(map(str.isalnum, text)))


@given(st.lists(st.sampled_from([".", "!", "A", "b", " ", "\n", '"', "。", "1", "Dr"]), max_size=60).map("".join))
def test_a_line_more_is_a_sentence_more(text: str) -> None:
    """Adding a line with a word adds exactly one sentence, whatever stands before it."""
    assert count_sentences(f"{text}\nDone") == count_sentences(text) + 1


@pytest.mark.parametrize("piece", [".", ". ", "a. ", "A. ", '."', "。", "\n", "!?", " "])
def test_long_texts_are_counted(piece: str) -> None:
    """The longest answer allowed is counted, however it is made up: at most a sentence for each piece."""
    pieces = 20_000 // len(piece)
    assert count_sentences(piece * pieces) <= pieces


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He left. She stayed.", [8, 20]),
        ('He said "no." She left', [13, 22]),
        ("Dr. Ruiz came.", [14]),
        ("One...", [6]),
        ("", []),
        ("?!", []),
    ],
)
def test_ends_include_what_closes_a_sentence(text: str, expected: list[int]) -> None:
    """A sentence ends after its stops and closing quotes; the last may end with the text."""
    assert list(sentence_ends(text)) == expected
