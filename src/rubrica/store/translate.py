"""Rows to the objects of ``core`` and back: the only place that knows both."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import attrs

from rubrica.core import answers as answer_values
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import Protocol
from rubrica.core.protocol import Stage as Step
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.protocols.loader import Loaded, from_data
from rubrica.store import models


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
    version = stage.protocol_version
    return _Version(version.hash, version), tuple(sorted(stage.settings.items()))


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
    rows = list(revision.edits.all())
    keys = {row.pk: row.key for row in rows}
    return Judgement(
        answer_values.from_json(revision.answers), tuple(edit_from(row, keys) for row in rows), revision.outcome
    )


def says(revision: models.Revision, judgement: Judgement) -> bool:
    """Whether the revision says just this: what tells a repetition from a correction, whatever way each came."""
    return judgement_from(revision) == judgement
