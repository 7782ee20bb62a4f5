"""The edits that an earlier stage hands on: several people's laid together, one person's as they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from django.db.models import Prefetch

from rubrica.core.edit_overlay import Overlay, lay_over
from rubrica.core.edits import Edit
from rubrica.core.given_edits import laid_together
from rubrica.core.protocol import Protocol
from rubrica.core.protocol import Stage as Step
from rubrica.core.study import ANSWERED
from rubrica.store import models
from rubrica.store.parts import stages_of_part
from rubrica.store.translate import judgement_from, protocol_of, rules_of


def given_edits(stage: models.Stage, items: Sequence[int]) -> dict[int, tuple[Edit, ...]]:
    """What annotators of this stage start from, by the row number of the item; nothing at a stage that begins anew."""
    return {item: laid_together([_edits(head) for head in heads]) for item, heads in _heads(stage, items).items()}


def overlays(stage: models.Stage, items: Sequence[int]) -> dict[int, Overlay]:
    """What an adjudicator of this stage settles, by the row number of the item; nothing at any other stage.

    Who is the first, second and third person is shuffled by item, so that nobody learns to trust one of them more.
    People who were excluded since, or who left the item without answering, are not among them.
    """
    protocol = protocol_of(stage)
    if not settles(rules_of(stage, protocol), protocol):
        return {}
    found = {}
    for item, heads in _heads(stage, items).items():
        counted = [head for head in heads if head.annotator.excluded_at is None and _answered(head)]
        found[item] = lay_over([_edits(head) for head in _shuffled(item, counted)])
    return found


def settles(rules: Step, protocol: Protocol) -> bool:
    """Whether people of this stage settle the edits that others marked."""
    return (
        protocol.edits is not None and rules.role == "adjudicator" and rules.edits == "free" and rules.items_from != ""
    )


def _heads(stage: models.Stage, items: Sequence[int]) -> dict[int, list[models.Judgement]]:
    """The judgements of the earlier stage by item, those of its newest version."""
    protocol = protocol_of(stage)
    earlier = rules_of(stage, protocol).items_from
    if protocol.edits is None or not earlier:
        return {}
    heads = (
        models.Judgement.objects.filter(stage__in=stages_of_part(stage.study, earlier), item__in=items)
        .submitted()
        .select_related("current", "stage", "annotator")
        .prefetch_related(Prefetch("current__edits", models.Edit.objects.order_by("position")))
        .order_by("annotator__name")
    )
    newest: dict[int, int] = {}
    for head in heads:
        newest[head.item_id] = max(newest.get(head.item_id, 0), head.stage.position)
    by_item: dict[int, list[models.Judgement]] = {}
    for head in heads:
        if head.current and head.stage.position == newest[head.item_id]:
            by_item.setdefault(head.item_id, []).append(head)
    return by_item


def _edits(head: models.Judgement) -> tuple[Edit, ...]:
    assert head.current is not None
    return judgement_from(head.current).edits


def _answered(head: models.Judgement) -> bool:
    return head.current is not None and head.current.outcome == ANSWERED


def _shuffled(item: int, heads: Iterable[models.Judgement]) -> list[models.Judgement]:
    """In an order that is the same whenever the page is opened, another for each item, and no secret of anybody."""
    return sorted(heads, key=lambda head: hashlib.sha256(f"{item}:{head.annotator.pid}".encode()).digest())
