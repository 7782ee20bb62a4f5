"""Answers.

Answers: what is stored is what was said, and *not applicable* is a value of its own.

Short answers are compared in one form, and saying that none is simpler is an answer of its own.
"""

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.answers import (
    NO_SIMPLER_WORD,
    NOT_APPLICABLE,
    NotApplicable,
    compared,
    different,
    from_json,
    simpler_words,
    to_json,
    word_set,
)
from rubrica.core.ratings import MASI, WORDS, Criterion, Rating
from rubrica.stats.agreement.krippendorff_alpha import distances, krippendorff_alpha
from rubrica.stats.coded import coded

ANSWERS = st.dictionaries(
    st.text(min_size=1),
    st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.lists(st.text()).map(tuple)
    | st.just(NOT_APPLICABLE),
)


@given(ANSWERS)
def test_answers_survive_json(answers: dict[str, object]) -> None:
    """Any answers come back equal, with the same types, after being written as JSON text and read again."""
    back = from_json(json.loads(json.dumps(to_json(answers))))
    assert back == answers
    assert {name: type(value) for name, value in back.items()} == {name: type(value) for name, value in answers.items()}


def test_not_applicable_is_an_object_of_its_own_in_json() -> None:
    """The JSON form of *not applicable* cannot be mistaken for a text, a number or nothing."""
    assert to_json({"severity": NOT_APPLICABLE}) == {"severity": {"not_applicable": True}}


@pytest.mark.parametrize("other", [{}, {"not_applicable": False}, {"not_applicable": True, "x": 1}, {"x": 1}])
def test_only_its_own_object_is_not_applicable(other: dict[str, object]) -> None:
    """Another JSON object is not silently read as *not applicable*, but kept for the validator to refuse."""
    assert from_json({"severity": other}) == {"severity": other}


@pytest.mark.parametrize(
    "same",
    [
        NotApplicable(),
        copy.copy(NOT_APPLICABLE),
        copy.deepcopy(NOT_APPLICABLE),
        pickle.loads(pickle.dumps(NOT_APPLICABLE)),
        pickle.loads(pickle.dumps({"a": [NOT_APPLICABLE]}))["a"][0],
    ],
    ids=["made", "copied", "deep_copied", "pickled", "pickled_inside"],
)
def test_there_is_one_not_applicable(same: object) -> None:
    """Making, copying or pickling gives the very same object, so that ``is`` may be used everywhere."""
    assert same is NOT_APPLICABLE


@pytest.mark.parametrize("value", ["NOT_APPLICABLE", "not_applicable", "", 0, False, None, ()])
def test_nothing_else_equals_not_applicable(value: object) -> None:
    """It differs from missing, from zero, from an empty answer and from the word for it."""
    assert value != NOT_APPLICABLE


def test_its_name_is_shown() -> None:
    """A message that shows it says what it is."""
    assert repr(NOT_APPLICABLE) == "NOT_APPLICABLE"


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
        ("l’amic", "l'amic"),
        ("vis‑à‑vis", "vis-à-vis"),
    ],
)
def test_what_does_not_matter(one: str, other: str) -> None:
    """Capitals, spaces, the encoding of accents, width, ligatures, kinds of apostrophes, signs that nobody sees."""
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
