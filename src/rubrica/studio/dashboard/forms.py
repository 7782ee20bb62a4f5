"""Forms of the dashboard: rows by the public id in them, and a form that was not taken, shown again.

Rows by the public id in an address or a form. What cannot be a public id is not found; no database sees it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from rubrica.core.errors import InputError

_PUBLIC_ID = re.compile(r"[0-9a-z]{16}")
Row = TypeVar("Row", bound=Model)


def is_public_id(text: str) -> bool:
    """Whether one of our rows could have this id."""
    return _PUBLIC_ID.fullmatch(text) is not None


def one(rows: QuerySet[Row], pid: str) -> Row:
    """The row of this public id, or 404."""
    if not is_public_id(pid):
        raise Http404
    return get_object_or_404(rows, pid=pid)


def form_key(text: str) -> str:
    """The key that a form was given when its page was made; nothing if no page of ours could have sent it."""
    return text if is_public_id(text) else ""


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
