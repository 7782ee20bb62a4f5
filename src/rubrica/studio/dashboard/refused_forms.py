"""A form that was not taken: its page is shown again, with what was typed and what is wrong beside the form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rubrica.core.errors import InputError


class Refused(NamedTuple):
    """Which form of the page it was (a name that its template knows), what was typed, and why it was not taken."""

    form: str
    typed: Mapping[str, str]
    problems: tuple[str, ...]

    @classmethod
    def by(cls, error: InputError, form: str, request: Any) -> Refused:
        """What the page needs to show the form again."""
        return cls(form, request.POST.dict(), tuple(in_words(error)))


def in_words(error: InputError) -> list[str]:
    """What is wrong, one sentence with its remedy for each problem."""
    return [f"{problem.what[:1].upper()}{problem.what[1:]}. {problem.fix}" for problem in error.problems]
