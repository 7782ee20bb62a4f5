"""The first guess of the time for one judgement."""

from __future__ import annotations

from rubrica.core.pace import guessed_seconds
from rubrica.protocols.catalog import load_shipped


def test_reading_and_questions_add_up() -> None:
    """Content and fluency: 40 words are 12 s, two ratings 12 s, the optional comment 5 s: 29, in steps of 5: 30."""
    protocol = load_shipped("adequacy_fluency").protocol
    assert guessed_seconds(protocol, protocol.stages[0], 40) == 30


def test_writing_takes_longer_than_rating() -> None:
    """A rewrite is guessed to take more time than a rating of one."""
    write, rate = load_shipped("split_rewrite").protocol, load_shipped("split_rate").protocol
    assert guessed_seconds(write, write.stages[0], 30) > guessed_seconds(rate, rate.stages[0], 30)


def test_edits_take_their_time() -> None:
    """Marking edits is more than two minutes."""
    protocol = load_shipped("salsa").protocol
    assert guessed_seconds(protocol, protocol.stage("select"), 40) > 120
