"""Annotated pairs out of judgements: of a study, or of a file that `rubrica export` wrote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rubrica.core.edits import Edit
from rubrica.core.protocol import Protocol
from rubrica.core.study import ANSWERED
from rubrica.edits.annotated import AnnotatedPair
from rubrica.exchange.records import Record
from rubrica.exchange.thresh_edits import in_salsa_words


class Judged(NamedTuple):
    """Annotated pairs, and how many judgements are none: of planted items, or left by a way out."""

    pairs: list[AnnotatedPair]
    planted: int
    left: int


def judged_pairs(records: Iterable[Record], protocol: Protocol) -> Judged:
    """The pairs of these judgements; the texts are the fields that the protocol calls source and rewrite.

    A protocol that was made from a Thresh template has no types of its own: its edits are put into the words of
    `salsa`.
    """
    source, rewrite = (_field(protocol, role) for role in ("source", "rewrite"))
    found, planted, left = [], 0, 0
    for record in records:
        if record.planted:
            planted += 1
        elif record.judgement.outcome != ANSWERED:
            left += 1
        else:
            item = record.item
            found.append(
                AnnotatedPair(
                    key=item.key,
                    name=item.key,
                    source=item.fields.get(source, ""),
                    rewrite=item.fields.get(rewrite, ""),
                    annotator=record.annotator,
                    edits=tuple(_edit(edit, protocol) for edit in record.judgement.edits),
                    system=item.system,
                    stage=record.stage,
                )
            )
    return Judged(found, planted, left)


def has_types(protocol: Protocol) -> bool:
    """Whether the protocol says of what type its edits are."""
    return protocol.edits is not None and bool(protocol.edits.types)


def _edit(edit: Edit, protocol: Protocol) -> Edit:
    return edit if has_types(protocol) else in_salsa_words(edit, protocol)


def _field(protocol: Protocol, role: str) -> str:
    return next((field.id for field in protocol.fields if field.role == role), role)
