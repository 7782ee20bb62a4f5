"""Random public ids: what links, sheets and exports show instead of row numbers; and rows that a form makes once.

The key that such a form was given becomes the public id of its row.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Model

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_LENGTH = 16
_OF_BYTES = bytes(ord(_LETTERS[byte % len(_LETTERS)]) for byte in range(256))
Row = TypeVar("Row", bound=Model)


def new_public_id() -> str:
    """Sixteen letters and digits, without those that are easily confused: about 79 bits."""
    return secrets.token_bytes(_LENGTH).translate(_OF_BYTES).decode()


class Made(NamedTuple, Generic[Row]):
    """A row, and whether it is new."""

    row: Row
    new: bool


def create_once(model: type[Row], key: str, of: Mapping[str, Any], **values: Any) -> Made[Row]:
    """A row with this public id: the one that was made with it before ``of`` the same thing, else a new one.

    Without a key, or if something else has that id, perhaps since a moment ago in another transaction, the new row has
    an id of its own; a savepoint keeps that from spoiling the caller's transaction, which has locked the thing.
    """
    known = model._default_manager.filter(pid=key, **of).first() if key else None
    if known is not None:
        return Made(known, new=False)
    if key:
        with suppress(IntegrityError), transaction.atomic():
            return Made(model._default_manager.create(pid=key, **values), new=True)
    return Made(model._default_manager.create(**values), new=True)
