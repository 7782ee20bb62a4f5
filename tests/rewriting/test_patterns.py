"""The seven patterns, counted and marked."""

from __future__ import annotations

import pytest

from rubrica.rewriting.split.patterns import counted, marked, marks

SENTENCES = {
    "rc": "Ana, who is a doctor, moved to Paris.",
    "conj": "She wrote two novels and taught at a school.",
    "part": "Voiced by Mia Berg, Tilda is a small robot.",
    "prep": "The mill was rebuilt in stone, with the help of many families.",
    "adv": "The town lost its mine, although many families stayed there.",
    "appos": "Tom Reed, an engineer from Leeds, designed the tower.",
    "inf": "They met the mayor in the town hall, to speak about the new school for their children.",
}


@pytest.mark.parametrize("pattern", SENTENCES)
def test_a_pattern_is_found(pattern: str) -> None:
    """Each in a sentence that has it and no other."""
    assert {key for key, number in counted(marks([SENTENCES[pattern]])).items() if number} == {pattern}


def test_an_infinitive_counts_where_it_is_long_or_set_off() -> None:
    """Also one that says what a noun is for, as in the example of Zhang et al. (2020); *a plan to leave* is none."""
    texts = ["They were made to join a plan to rob the two oldest families.", "They made a plan to leave."]
    assert counted(marks(texts))["inf"] == 1
    assert marked(texts[0], next(marks(texts[:1]))).endswith("[inf to rob the two oldest families].")


def test_a_pattern_counts_once_a_sentence() -> None:
    """As in the paper's table."""
    twice = "Ana, who sings, met Tom, who plays."
    assert counted(marks([twice, twice]))["rc"] == 2


def test_marks_stand_around_what_a_pattern_covers() -> None:
    """The text between them is the source's."""
    text = SENTENCES["rc"]
    assert marked(text, next(marks([text]))) == "Ana, [rc who is a doctor], moved to Paris."
