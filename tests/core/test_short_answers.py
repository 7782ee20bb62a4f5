"""Short answers are compared in one form, and saying that none is simpler is an answer of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.ratings import MASI, WORDS, Criterion, Rating
from rubrica.core.short_answers import NO_SIMPLER_WORD, compared, different, simpler_words, word_set
from rubrica.stats.agreement.krippendorff_alpha import distances, krippendorff_alpha
from rubrica.stats.coded import coded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("big", " BIG  "),
        ("straße", "Straße"),
        ("café", "cafe\u0301"),
        ("ヒト", "\uff8b\uff84"),
        ("co\u00adoperate", "cooperate"),
        ("a\u00a0lot", "a lot"),
        ("ﬁnd", "find"),
    ],
)
def test_what_does_not_matter(one: str, other: str) -> None:
    """Capitals, spaces, the encoding of accents, width and ligatures, and signs that nobody sees do not matter."""
    assert compared(one) == compared(other)
    assert different([one, other]) == (one,)


def test_words_of_other_letters_are_other_words() -> None:
    """German measures are not mass, and a dot or an accent makes another word."""
    for one, other in (("Maße", "Masse"), ("pôle", "pole"), ("සුළු", "සුලු")):
        assert compared(one) != compared(other)


def test_accents_do_matter() -> None:
    """*sólo* and *solo* are two words; so are *resume* and *résumé*."""
    assert compared("sólo") != compared("solo")


@given(st.text(max_size=20))
def test_a_compared_text_stays_as_it_is(text: str) -> None:
    """Comparing twice is comparing once, whatever the text."""
    assert compared(compared(text)) == compared(text)


def test_blank_and_the_word_itself_are_one_answer() -> None:
    """Nothing, blanks and the word itself, alone or beside each other, leave no word; a word beside it stays."""
    for said in ((), ("",), (" ", "\u200b"), ("Vast ",), ("vast", "VAST"), None):
        assert simpler_words(said, "vast") == NO_SIMPLER_WORD
    assert simpler_words(("Vast", " big", "BIG"), "vast ") == ("big",)


def test_the_set_of_words_has_no_order() -> None:
    """{big, large} and {Large, big} are equal; none simpler is as far from both as can be, and equal to itself."""
    sets = [word_set(simpler_words(words, "vast")) for words in (("big", "large"), ("Large", "big"), (), ("vast",))]
    assert sets[0] == sets[1]
    assert sets[2] == sets[3] == ()
    assert distances(sets, MASI).tolist() == [[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]]


def test_full_agreement_has_an_alpha_of_one() -> None:
    """Two raters who mean the same of every unit agree, however they write it."""
    words = Criterion("substitutes", "substitutes", WORDS, MASI, blank=True)
    said = {"ana": [("big", "large"), (), ("start",)], "bob": [("LARGE", "Big"), (), ("Start",)]}
    ratings = [
        Rating(str(unit), who, {"substitutes": answer}) for who, row in said.items() for unit, answer in enumerate(row)
    ]
    assert krippendorff_alpha(coded(ratings, words), MASI).value == pytest.approx(1)
