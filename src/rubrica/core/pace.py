"""A first guess of how long one judgement takes, for the arithmetic before anybody has worked.

Reading at 200 words a minute (silent reading of prose in English has its mean at 238: Brysbaert, Journal of Memory and
Language 109, 2019; we read to judge, so slower), each text once, and some seconds for each question by its kind. It is
a guess, shown as one, and the researcher's own figure replaces it.
"""

from __future__ import annotations

from rubrica.core.protocol import Protocol, Question, Stage
from rubrica.core.scales import Choices, FreeText, RewrittenText, ShortAnswers

WORDS_A_MINUTE = 200
SECONDS = {RewrittenText: 60.0, FreeText: 20.0, ShortAnswers: 20.0, Choices: 8.0}
TO_CHOOSE = 6.0
EDITS = 120.0
"""Marking and answering the edits of one pair."""


def guessed_seconds(protocol: Protocol, stage: Stage, words: float) -> int:
    """Seconds for one judgement of an item with that many words, in steps of 5, at least 5."""
    asked = [question for question in protocol.questions if stage.asks is None or question.id in stage.asks]
    seconds = words * 60 / WORDS_A_MINUTE + sum(_seconds(protocol, question) for question in asked)
    if protocol.edits is not None and stage.edits != "none":
        seconds += EDITS
    return max(5, 5 * round(seconds / 5))


def _seconds(protocol: Protocol, question: Question) -> float:
    """A question that not everybody is asked, or may leave empty, counts a quarter."""
    usual = SECONDS.get(type(protocol.scale_of(question)), TO_CHOOSE)
    return usual if question.required and question.when is None else usual / 4
