"""Annotated pairs out of judgements: of a study, or of a file that `rubrica export` wrote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rubrica.core.protocol import Protocol
from rubrica.core.study import ANSWERED
from rubrica.edits.annotated import AnnotatedPair
from rubrica.exchange.records import Record


class Judged(NamedTuple):
    """Annotated pairs, and how many judgements are none: of planted items, or left by a way out."""

    pairs: list[AnnotatedPair]
    planted: int
    left: int


def judged_pairs(records: Iterable[Record], protocol: Protocol) -> Judged:
    """The pairs of these judgements; the texts are the fields that the protocol calls source and rewrite."""
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
                    edits=record.judgement.edits,
                    system=item.system,
                    stage=record.stage,
                )
            )
    return Judged(found, planted, left)


def _field(protocol: Protocol, role: str) -> str:
    return next((field.id for field in protocol.fields if field.role == role), role)
