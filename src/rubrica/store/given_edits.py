"""The edits that an earlier stage hands on: several people's laid together, one person's as they are."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Prefetch

from rubrica.core.edits import Edit
from rubrica.core.given_edits import laid_together
from rubrica.store import models
from rubrica.store.parts import stages_of_part
from rubrica.store.translate import judgement_from, protocol_of, rules_of


def given_edits(stage: models.Stage, items: Sequence[int]) -> dict[int, tuple[Edit, ...]]:
    """What annotators of this stage start from, by the row number of the item; nothing at a stage that begins anew."""
    protocol = protocol_of(stage)
    earlier = rules_of(stage, protocol).items_from
    if protocol.edits is None or not earlier:
        return {}
    heads = (
        models.Judgement.objects.filter(
            stage__in=stages_of_part(stage.study, earlier), item__in=items, state="submitted"
        )
        .select_related("current", "stage")
        .prefetch_related(Prefetch("current__edits", models.Edit.objects.order_by("position")))
        .order_by("annotator__name")
    )
    newest: dict[int, int] = {}
    for head in heads:
        newest[head.item_id] = max(newest.get(head.item_id, 0), head.stage.position)
    by_item: dict[int, list[tuple[Edit, ...]]] = {}
    for head in heads:
        if head.current and head.stage.position == newest[head.item_id]:
            by_item.setdefault(head.item_id, []).append(judgement_from(head.current).edits)
    return {item: laid_together(edits) for item, edits in by_item.items()}
