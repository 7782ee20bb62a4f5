"""Answers, patterns and times in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.patterns import Pattern
from rubrica.core.study import Judgement
from rubrica.protocols.catalog import load_shipped

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, "–"), (5.42, "5.4 s"), (42.4, "42 s"), (180, "3 min"), (185, "3 min 5 s"), (7800, "2 h 10 min")],
)
def test_times_are_short_and_have_units(home: Path, seconds: float | None, words: str) -> None:
    """Nothing measured is a dash, never nought."""
    from rubrica.studio.wording import duration

    assert duration(seconds) == words


def test_answers_carry_the_labels_of_their_scales(home: Path) -> None:
    """Points, options, several options, texts and *not applicable* each read as the annotator read them."""
    from rubrica.studio.wording import answers_in_words

    protocol = load_shipped("breve").protocol
    answers = {"meaning": 2, "concern": "yes", "concern_kinds": ("hate", "other"), "severity": NOT_APPLICABLE}
    said = {one.question: one for one in answers_in_words(protocol, "es", Judgement({**answers, "comment": "Ay."}))}
    assert said["meaning"].answer == "2: En parte igual"
    assert said["concern_kinds"].answer.startswith("Discurso de odio, Otro contenido")
    assert said["severity"].kind == "not_applicable"
    assert (said["comment"].answer, said["comment"].kind) == ("Ay.", "text")


def test_a_way_out_is_told_first(home: Path) -> None:
    """What was left without answering says how, before a comment that came with it."""
    from rubrica.studio.wording import answers_in_words

    protocol = load_shipped("breve").protocol
    said = answers_in_words(protocol, "en", Judgement({"comment": "No."}, (), "uncomfortable"))
    assert [one.kind for one in said] == ["way_out", "text"]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (
            Pattern("one_label", "meaning", {"answer": 3, "share": 1.0, "peers_share": 0.4, "answers": 20}),
            "“3: The same” in 100 % of 20, others in 40 %",
        ),
        (Pattern("long_run", "", {"length": 9, "first": 4}), "9 times in a row, from the 4."),
        (
            Pattern("fast", "", {"median_seconds": 4.0, "peers_seconds": 30.0, "judgements": 12}),
            "4 s per item at the median of 12; others 30 s",
        ),
        (Pattern("pasted", "comment", {"text": "Same old words.", "judgements": 3}), "The same text in 3 judgements"),
    ],
)
def test_patterns_come_with_their_figures(home: Path, pattern: Pattern, words: str) -> None:
    """Whoever reads one can check it."""
    from rubrica.studio.wording import pattern_in_words

    assert words in pattern_in_words(load_shipped("breve").protocol, "en", pattern)
