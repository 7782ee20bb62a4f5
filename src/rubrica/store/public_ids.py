"""Random public ids: what links, sheets and exports show instead of row numbers; and rows that a form makes once.

The key that such a form was given becomes the public id of its row.
"""

from __future__ import annotations

import secrets
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Model

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_LENGTH = 16
_OF_BYTES = bytes(ord(_LETTERS[byte % len(_LETTERS)]) for byte in range(256))
Row = TypeVar("Row", bound=Model)


def new_public_id() -> str:
    """Sixteen letters and digits, without those that are easily confused: about 79 bits."""
    return secrets.token_bytes(_LENGTH).translate(_OF_BYTES).decode()


def create_once(model: type[Row], key: str, **values: Any) -> Row:
    """A new row with this public id; with one of its own if there is no key, or if something else has that id.

    The caller has looked for a row of its own with this key. What is found here was made for another purpose, perhaps
    a moment ago in another transaction: a savepoint keeps that from spoiling this one.
    """
    if key:
        try:
            with transaction.atomic():
                return model._default_manager.create(pid=key, **values)
        except IntegrityError:
            pass
    return model._default_manager.create(**values)
