"""What annotators said that somebody should read: comments, concerns, skips.

Data-driven: a comment is an answer to an optional free-text question, a concern is a yes to the question ``concern``,
with its kinds in ``concern_kinds``, as the protocols of the concise and plain language family name them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rubrica.core.answers import Answers
from rubrica.core.errors import wrong
from rubrica.core.protocol import UNCOMFORTABLE, Protocol
from rubrica.core.scales import FreeText

CONCERN, CONCERN_KINDS = "concern", "concern_kinds"
KINDS = ("concern", "comment", "skip")
MOST = 1000
"""How many can be marked as read at once."""
_SUBJECT = re.compile(rf"({'|'.join(KINDS)}):[0-9a-z]{{16}}")


class Remark(NamedTuple):
    """One thing to read: its kind, the question it answers, the words or the kinds of concern."""

    kind: str
    question: str
    said: tuple[str, ...]


def remarks(protocol: Protocol, outcome: str, answers: Answers) -> Iterator[Remark]:
    """Everything to read in one judgement."""
    if outcome == UNCOMFORTABLE:
        yield Remark("skip", "", ())
    if answers.get(CONCERN) == "yes":
        kinds = answers.get(CONCERN_KINDS)
        yield Remark("concern", CONCERN, kinds if isinstance(kinds, tuple) else ())
    for question in protocol.questions:
        said = answers.get(question.id)
        takes_remarks = not question.required and isinstance(protocol.scale_of(question), FreeText)
        if takes_remarks and isinstance(said, str) and said.strip():
            yield Remark("comment", question.id, (said,))


def checked_subjects(subjects: Iterable[str]) -> list[str]:
    """What is to be marked as read, each a kind and a public id. Raises InputError if that is nothing, or too much."""
    wanted = list(dict.fromkeys(subjects))
    bad = [subject for subject in wanted if not _SUBJECT.fullmatch(subject)]
    if not wanted or bad or len(wanted) > MOST:
        fix = f"Choose 1 to {MOST:,} of the notes on the page."
        raise wrong("nothing that can be marked was chosen", "subject", fix, value=bad[:1] or len(wanted))
    return wanted
