"""How fast people judge: a first guess of how long one judgement takes, and the pace of those at work.

The guess is for the arithmetic before anybody has worked. Reading at 200 words a minute (silent reading of prose in
English has its mean at 238: Brysbaert, Journal of Memory and Language 109, 2019; we read to judge, so slower), each
text once, and some seconds for each question by its kind. It is a guess, shown as one, and the researcher's own figure
replaces it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from rubrica.core.protocol import Protocol, Question, Stage
from rubrica.core.scales import Choices, FreeText, RewrittenText, ShortAnswers

WORDS_A_MINUTE = 200
SECONDS = {RewrittenText: 60.0, FreeText: 20.0, ShortAnswers: 20.0, Choices: 8.0}
TO_CHOOSE = 6.0
EDITS = 120.0
"""Marking and answering the edits of one pair."""
PROFILE_QUESTION = 10.0
"""Answering a question about oneself."""
COURSE_STEP = 60.0
"""Reading or answering one step of a course."""

FEWEST = 5
SHORTEST = timedelta(minutes=10)
"""Fewer judgements, or a shorter time, say nothing about the pace."""
WINDOWS = (timedelta(hours=24), timedelta(days=7))
"""The pace is that of the last day, or of the last week where a day says too little."""


def guessed_seconds(protocol: Protocol, stage: Stage, words: float) -> int:
    """Seconds for one judgement of an item with that many words, in steps of 5, at least 5."""
    asked = [question for question in protocol.questions if stage.asks is None or question.id in stage.asks]
    seconds = reading_seconds(words) + sum(_seconds(protocol, question) for question in asked)
    if protocol.edits is not None and stage.edits != "none":
        seconds += EDITS
    return max(5, 5 * round(seconds / 5))


def reading_seconds(words: float) -> float:
    """Seconds to read so many words."""
    return words * 60 / WORDS_A_MINUTE


def _seconds(protocol: Protocol, question: Question) -> float:
    """A question that not everybody is asked, or may leave empty, counts a quarter."""
    usual = SECONDS.get(type(protocol.scale_of(question)), TO_CHOOSE)
    return usual if question.required and question.when is None else usual / 4


class Pace(NamedTuple):
    """Judgements per hour over the time looked at. ``reason``: why there is none (``few``, ``short``, ``idle``)."""

    per_hour: float | None
    hours: float = 0.0
    judgements: int = 0
    reason: str = ""


def pace_of(made: int, first: datetime | None, recent: tuple[int, int], now: datetime) -> Pace:
    """Judgements per hour, nights and pauses included; ``recent`` are those of the last day and of the last week."""
    if made < FEWEST or first is None:
        return Pace(None, judgements=made, reason="few")
    if now - first < SHORTEST:
        return Pace(None, judgements=made, reason="short")
    for window, count in zip(WINDOWS, recent, strict=True):
        if count >= FEWEST:
            hours = min(window, now - first).total_seconds() / 3600
            return Pace(count / hours, hours, count)
    return Pace(None, judgements=0, reason="idle")
