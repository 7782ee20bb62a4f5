"""Rows that a form makes once: the key that the form was given becomes the row's public id."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Model

Row = TypeVar("Row", bound=Model)


def create(model: type[Row], key: str, **values: Any) -> Row:
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
