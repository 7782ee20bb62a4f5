"""What every table of ours can do: a row is held for a transaction, and changed column by column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Self

from django.db import IntegrityError, models, transaction

from rubrica.store.public_ids import new_public_id


class Row(models.Model):
    """A row of ours."""

    class Meta:
        abstract = True

    @contextmanager
    def held(self) -> Iterator[Self]:
        """A transaction in which this row is ours, read anew. Not its key: what refers to it need not wait.

        If the transaction fails, the object is what it was before.
        """
        with ExitStack() as failed:
            failed.callback(self._state.fields_cache.clear)
            failed.callback(self.__dict__.update, dict(self.__dict__))
            with transaction.atomic():
                self.refresh_from_db(from_queryset=type(self)._base_manager.select_for_update(no_key=True))
                yield self
            failed.pop_all()

    def update(self, **columns: Any) -> None:
        """Set these columns, here and in the database, and no others."""
        for name, value in columns.items():
            setattr(self, name, value)
        self.save(update_fields=columns)


class PublicRow(Row):
    """A row that links, sheets or exports name, by a random id instead of its number."""

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)

    class Meta:
        abstract = True

    @classmethod
    def create_once(cls, key: str, of: Mapping[str, Any], **values: Any) -> tuple[Self, bool]:
        """The row that a form with this key made before ``of`` the same thing, else a new one; and whether it is new.

        The key becomes the row's public id. Without one, or if something else has that id, perhaps since a moment ago
        in another transaction, the new row has an id of its own; a savepoint keeps that from spoiling the caller's
        transaction, which has locked the thing.
        """
        known = cls._base_manager.filter(pid=key, **of).first() if key else None
        if known is not None:
            return known, False
        if key:
            with suppress(IntegrityError), transaction.atomic():
                return cls._base_manager.create(pid=key, **values), True
        return cls._base_manager.create(**values), True
