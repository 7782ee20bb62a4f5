"""Answers, patterns and times in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.study import Judgement
from rubrica.protocols.catalog import load_shipped
from rubrica.report.checks_findings import Finding
from rubrica.stats.statistic import Statistic

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


def found(check: str, question: str, value: float, others: float | None, n: int, **more: Any) -> Finding:
    """A finding with these figures; ``more`` is its evidence, but for what it rests on and its probability."""
    basis, probability = more.pop("basis", "others"), Statistic(more.pop("probability", None))
    peers = Statistic(others) if others is not None else Statistic(None, "nobody to compare with")
    return Finding(
        "ana", check, question, Statistic(value), peers, n, more, probability=probability, basis=basis, unusual=True
    )


@pytest.mark.parametrize(
    ("finding", "words"),
    [
        (found("one_label", "meaning", 1.0, 0.4, 20, answer=3), "“3: The same” in 100 % of 20, others in 40 %."),
        (found("one_label", "meaning", 1.0, None, 260, answer=3), "“3: The same” in 100 % of 260."),
        (
            found("one_label", "", 0.95, None, 60, answer=[3, 3]),
            "Nearly always the same judgement: 3, 3 in 95 % of 60.",
        ),
        (found("long_run", "", 9, 2, 40, length=9, first=4), "9 times in a row, from the 4."),
        (
            found("fast", "", 4.0, 30.0, 12, too_fast=0, least_seconds=3.0),
            "4 s per item at the median of 12; others 30 s",
        ),
        (
            found("fast", "", 2.0, None, 20, too_fast=20, least_seconds=4.0, basis="alone"),
            "20 of 20 items, 2 s at the median where 4 s are the least",
        ),
        (found("with_others", "", 0.1, 0.7, 30, probability=0.97), "the probability is 97 %, on 30 items"),
        (found("gold", "", 0.4, 0.9, 10, right=4), "4 of 10 known answers are right."),
        (found("consistency", "", 0.4, 0.9, 10, consistent=4), "4 of 10 answers to hidden duplicates are as before"),
        (
            found("pasted", "comment", 0.3, 0.0, 10, texts=[{"text": "Same old words.", "times": 3}]),
            "3 of 10, such as “Same old words.”",
        ),
        (found("unchanged", "corrected", 0.5, 0.0, 10, times=5), "5 of 10."),
        (found("none_simpler", "", 0.9, 0.1, 40), "No simpler word in 90 % of 40, others in 10 %."),
    ],
)
def test_findings_come_with_their_figures(home: Path, finding: Finding, words: str) -> None:
    """Whoever reads one can check it."""
    from rubrica.studio.wording import pattern_in_words

    assert words in pattern_in_words(load_shipped("breve").protocol, "en", finding)
