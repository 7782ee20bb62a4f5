"""Rows to the objects of ``core`` and back: the only place that knows both. And rows by plain statements.

What every save asks is asked in plain SQL, which SQLite and PostgreSQL understand alike: making Django's queries took
most of a save's time, and most of an import's (design/004, "Speed"). Everything else asks by Django's queries.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from typing import Any

import attrs
from django.db import connection
from django.db.models import DateTimeField, JSONField, Model

from rubrica.core import answers as answer_values
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import PLANTED, Protocol
from rubrica.core.protocol import Stage as Step
from rubrica.core.study import Item, Judgement
from rubrica.core.texts import PLANTED_MARK
from rubrica.core.validation import Validator
from rubrica.protocols.loader import Loaded, from_data
from rubrica.store import models
from rubrica.store.public_ids import new_public_id


def item_from(row: models.Item) -> Item:
    """An item as ``core`` knows it."""
    return Item(row.key, row.fields, row.system, row.author, row.group, row.metadata)


def item_row(study: models.Study, item: Item, position: int, authors: Mapping[str, str]) -> models.Item:
    """A new row for an item; ``authors`` are the identities of authors by name (``joining.author_identities``)."""
    return models.Item(
        study=study,
        key=item.key,
        position=position,
        group=item.group,
        system=item.system,
        author=item.author,
        author_identity=authors[item.author] if item.author else "",
        fields=dict(item.fields),
        metadata=dict(item.metadata),
        digest=text_digest(item.fields),
    )


def text_digest(fields: Any) -> str:
    """SHA-256 of the texts exactly as imported."""
    return hashlib.sha256(json.dumps(dict(fields), sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def version_row(loaded: Loaded) -> models.ProtocolVersion:
    """Keep a protocol version; the same content is the same row."""
    asked = loaded.protocol
    known = {"protocol_id": asked.id, "version": asked.version, "canonical": loaded.canonical}
    return models.ProtocolVersion.objects.get_or_create(hash=asked.hash, defaults=known)[0]


def version_known(pk: int, digest: str) -> models.ProtocolVersion:
    """A version of which only the hash was read; the rest is when it is asked for, which a known one never is."""
    return models.ProtocolVersion.from_db(connection.alias, ["id", "hash"], [pk, digest])


def loaded_from(row: models.ProtocolVersion) -> Loaded:
    """A version as it was frozen, with its stored hash: a later Rubrica may write the same form differently."""
    return Loaded(attrs.evolve(from_data(json.loads(row.canonical)).protocol, hash=row.hash), row.canonical)


@attrs.frozen
class _Version:
    """A stored protocol version, the same as another if its hash is: rows are read anew, caches are not."""

    hash: str
    row: models.ProtocolVersion = attrs.field(eq=False, repr=False)


Settings = tuple[tuple[str, str], ...]


@lru_cache(maxsize=64)
def _protocol(version: _Version) -> Protocol:
    return loaded_from(version.row).protocol


@lru_cache(maxsize=128)
def _resolved(version: _Version, settings: Settings) -> Protocol:
    return _protocol(version).resolve(dict(settings))


@lru_cache(maxsize=128)
def _validator(version: _Version, settings: Settings, part: str) -> Validator:
    protocol = _resolved(version, settings)
    return Validator(protocol, protocol.stage(part))


def protocol_of(stage: models.Stage) -> Protocol:
    """The stage's protocol, its texts as the annotators of this stage see them."""
    return _resolved(*_identity(stage))


def validator_of(stage: models.Stage) -> Validator:
    """The validator of the stage's judgements, built once per protocol version."""
    return _validator(*_identity(stage), stage.part or stage.key)


def _identity(stage: models.Stage) -> tuple[_Version, Settings]:
    version = _Version(stage.protocol_version.hash, stage.protocol_version)
    settings = dict(stage.settings)
    if _tells_of_tests(version) and models.Planted.objects.filter(item__study=stage.study_id).exists():
        settings[PLANTED] = "yes"
    return version, tuple(sorted(settings.items()))


@lru_cache(maxsize=64)
def _tells_of_tests(version: _Version) -> bool:
    """Whether its texts say something that holds only if items are planted."""
    return PLANTED_MARK in version.row.canonical


def rules_of(stage: models.Stage, protocol: Protocol) -> Step:
    """What the protocol says of this stage: its role, eligibility, the questions asked."""
    return protocol.stage(stage.part or stage.key)


def edit_from(row: models.Edit, keys: dict[int, str]) -> Edit:
    """An edit; ``keys`` gives the edit ids of the rows that may be its parent."""
    return Edit(
        id=row.key,
        operation=row.operation,
        source=tuple(Span(*span) for span in row.source_spans),
        rewrite=tuple(Span(*span) for span in row.rewrite_spans),
        answers=answer_values.from_json(row.answers),
        parent=keys.get(row.parent_id, "") if row.parent_id else "",
    )


def judgement_from(revision: models.Revision) -> Judgement:
    """What a revision says. Edits are read from their rows, prefetched or not."""
    return judgement_of(revision.answers, revision.outcome, list(revision.edits.all()))


def judgement_of(answers: Mapping[str, Any], outcome: str, edits: Sequence[models.Edit]) -> Judgement:
    """What a revision with these values and edits says."""
    keys = {row.pk: row.key for row in edits}
    return Judgement(answer_values.from_json(answers), tuple(edit_from(row, keys) for row in edits), outcome)


def current_of(head: models.Judgement) -> Judgement:
    """What a submitted judgement says."""
    assert head.current is not None
    return judgement_from(head.current)


_SEVERAL = (list, tuple, set, dict)


def ask(statement: str, *values: Any, lock: bool = False) -> list[Any]:
    """What a plain statement answers; a collection among the values is a list in brackets. ``lock`` holds the rows."""
    marks, flat = [], list[Any]()
    for one in values:
        several = isinstance(one, _SEVERAL)
        marks.append(f"({', '.join(['%s'] * len(one))})" if several else "%s")
        flat += one if several else (one,)
    with connection.cursor() as cursor:
        cursor.execute(statement % tuple(marks) + (holding() if lock else ""), flat)
        return cursor.fetchall() if cursor.description else []


def holding() -> str:
    """What a plain statement ends with that holds the rows it finds until the transaction ends."""
    return " FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else ""


def aware(at: datetime) -> datetime:
    """A time that a plain statement answered: SQLite keeps them in UTC and does not say so."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def moment(at: datetime) -> Any:
    """A time as a plain statement takes it."""
    return connection.ops.adapt_datetimefield_value(at)


def joined(statement: str, *values: Any, **tables: type[Model]) -> Iterator[list[Any]]:
    """Objects of several tables, each under its name in a plain statement, which begins with FROM; None for no row.

    What else the statement asks for, after a comma before FROM, comes after them. The text of a protocol, which is in
    memory already, is left where it is.
    """
    wanted, readers = _selected(tuple(tables.items()))
    for row in ask(f"SELECT {wanted} {statement}", *values):
        found: list[Any] = []
        start = 0
        for model, names, ways in readers:
            read = row[start : start + len(names)]
            start += len(names)
            if read[0] is None:
                found.append(None)
                continue
            read = [said if way is None or said is None else way(said) for way, said in zip(ways, read, strict=True)]
            found.append(model.from_db(connection.alias, names, read))
        yield [*found, *row[start:]]


@cache
def _selected(
    tables: tuple[tuple[str, type[Model]], ...],
) -> tuple[str, list[tuple[type[Model], list[str], list[Any]]]]:
    """The columns of these tables; and of each its attributes, and what makes of the database's values Python's."""
    columns, readers = [], []
    for name, model in tables:
        fields = [one for one in model._meta.concrete_fields if one.name != "canonical"]
        columns += [f'{name}."{field.column}"' for field in fields]
        ways = {JSONField: json.loads, DateTimeField: aware}
        readers.append((model, [field.attname for field in fields], [ways.get(type(field)) for field in fields]))
    return ", ".join(columns), readers


def insert(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write new rows, all with the same columns, each with a public id of its own.

    As ``bulk_create``, but no objects are made for it and nothing is read back, which is most of what that takes.
    """
    if not rows:
        return
    columns, values = _to_write(model, rows)
    marks = ", ".join(["%s"] * len(values[0]))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({marks})", values)  # noqa: S608


def insert_found(model: type[Model], row: Mapping[str, Any], found: str, query: str, *asked: Any) -> list[Any]:
    """Write a row whose columns ``found`` a query finds, if it finds any, as one statement: what was found."""
    columns, (values,) = _to_write(model, [row])
    marks = ", ".join(["%s"] * len(values))
    into = f"INSERT INTO {model._meta.db_table} ({columns}, {found})"
    return ask(f"{into} SELECT {marks}, {query} RETURNING {found}", *values, *asked)


def _to_write(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[list[Any]]]:
    """The columns of new rows, and their values as the database takes them."""
    ops = connection.ops
    ways: dict[type, Callable[[Any], Any]] = {
        JSONField: partial(ops.adapt_json_value, encoder=None),
        DateTimeField: ops.adapt_datetimefield_value,
    }
    kinds = [(at, ways.get(type(model._meta.get_field(name)))) for at, name in enumerate(rows[0], start=1)]
    adapted = [(at, way) for at, way in kinds if way]
    written = []
    for row in rows:
        values = [new_public_id(), *row.values()]
        for at, way in adapted:
            values[at] = way(values[at])
        written.append(values)
    return ", ".join(("pid", *rows[0])), written
