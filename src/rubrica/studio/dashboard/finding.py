"""Rows by the public id in an address or a form. What cannot be a public id is not found; no database sees it."""

from __future__ import annotations

import re
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

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
