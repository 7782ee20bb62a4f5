"""What a save says, what becomes of it, and what no page could have said."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from rubrica.core import answers as answer_values
from rubrica.core.errors import InputError, Problem, first_problems
from rubrica.core.scales import MAX_TEXT, storable
from rubrica.core.study import ANSWERED, Judgement
from rubrica.store import models
from rubrica.store.recording import saving_edits, suggestions
from rubrica.store.translate import validator_of


class Said(NamedTuple):
    """One save: the page's key, the judgement so far, and the active time of this visit in seconds.

    ``base`` is the newest revision that the page knew; ``became`` says what became of suggested edits.
    """

    lease: models.Assignment
    key: str
    judgement: Judgement
    visit: str = ""
    visit_seconds: float = 0.0
    base: int = 0
    became: suggestions.Became = {}


class Receipt(NamedTuple):
    """What became of a save. ``superseded``: kept, but another device had gone on meanwhile."""

    lease: str
    revision: int
    at: datetime
    repeated: bool = False
    superseded: bool = False


class RefusedError(InputError):
    """Judgements that cannot be submitted, with the problems of each by the lease's public id."""

    def __init__(self, by_lease: dict[str, list[Problem]]) -> None:
        self.by_lease = {lease: first_problems(problems) for lease, problems in by_lease.items()}
        super().__init__(*(problem for problems in by_lease.values() for problem in problems))


def key_problems(said: Said) -> list[Problem]:
    """Why the key of this save is none."""
    if 8 <= len(said.key) <= 64 and said.key.isascii() and said.key.isprintable():
        return []
    return [Problem(what="the key of this save", rule="key", fix="Use 8 to 64 ASCII characters.", value=said.key[:80])]


def draft_problems(said: Said) -> list[Problem]:
    """What a page could never send: unknown questions, values that no answer can be, texts no database can hold."""
    validator = validator_of(said.lease.stage)
    found = key_problems(said)
    outcomes = (ANSWERED, *validator.protocol.all_ways_out())
    if said.judgement.outcome not in outcomes:
        fix = f"Use one of {', '.join(outcomes)}."
        what = f"there is no way out {said.judgement.outcome!r}"
        found.append(Problem(what=what, rule="way_out", fix=fix, value=said.judgement.outcome))
    known = {question.id for question in validator.protocol.questions if validator.asks(question)}
    for name, value in said.judgement.answers.items():
        if name not in known:
            fix = f"Questions here: {', '.join(sorted(known))}."
            found.append(
                Problem(what=f"there is no question {name!r}", rule="unknown_question", fix=fix, question=name)
            )
        elif not _can_be_kept(value):
            fix = f"Use a text of at most {MAX_TEXT:,} characters without NUL, a number, or a list of texts."
            found.append(Problem(what=f"{name} cannot be stored", rule="form", fix=fix, question=name))
    found += saving_edits.draft_problems(validator, said.lease, said.judgement.edits, _can_be_kept)
    return found + suggestions.became_problems(said.lease.stage, said.became)


def _can_be_kept(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_TEXT and storable(value)
    if isinstance(value, tuple):
        return all(isinstance(part, str) and _can_be_kept(part) for part in value)
    if isinstance(value, int | float):
        return not isinstance(value, bool) and abs(value) < 1e15
    return isinstance(value, answer_values.NotApplicable)
