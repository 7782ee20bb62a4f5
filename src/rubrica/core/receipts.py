"""What became of what somebody said: a receipt for each judgement, counted for a file; or why a page was refused."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem, first_problems


class Receipt(NamedTuple):
    """What became of what was said. ``superseded``: a draft that is kept, but another device had gone on meanwhile."""

    lease: str
    revision: int
    at: datetime
    repeated: bool = False
    superseded: bool = False
    corrected: bool = False


class Saved(NamedTuple):
    """How many judgements are new, corrected, the same as before."""

    judgements: int = 0
    revisions: int = 0
    unchanged: int = 0

    @classmethod
    def of(cls, receipts: Sequence[Receipt]) -> Saved:
        """The receipts, counted."""
        corrected = sum(one.corrected for one in receipts)
        unchanged = sum(one.repeated for one in receipts)
        return cls(len(receipts) - corrected - unchanged, corrected, unchanged)

    def __add__(self, other: object) -> Saved:
        assert isinstance(other, Saved)
        return Saved(*(one + two for one, two in zip(self, other, strict=True)))


class RefusedError(InputError):
    """Judgements that cannot be submitted, with the problems of each by the lease's public id."""

    def __init__(self, by_lease: dict[str, list[Problem]]) -> None:
        self.by_lease = {lease: first_problems(problems) for lease, problems in by_lease.items()}
        super().__init__(*(problem for problems in by_lease.values() for problem in problems))


def save_key_problems(key: str) -> list[Problem]:
    """Why the key of a page's save, which makes a repeated save the same one, is none."""
    if 8 <= len(key) <= 64 and key.isascii() and key.isprintable():
        return []
    return [Problem(what="the key of this save", rule="key", fix="Use 8 to 64 ASCII characters.", value=key[:80])]
