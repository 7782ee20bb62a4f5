"""The edits that an earlier stage hands on: several people's laid together, one person's as they are."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from rubrica.core.edit_overlay import Overlay, laid_together, lay_over, settles
from rubrica.core.edits import Edit
from rubrica.core.study import ANSWERED, Judgement
from rubrica.store import models
from rubrica.store.stages import stages_of_part
from rubrica.store.translate import current_of, protocol_of, rules_of


def given_edits(stage: models.Stage, items: Sequence[int]) -> dict[int, tuple[Edit, ...]]:
    """What annotators of this stage start from, by the row number of the item; nothing at a stage that begins anew."""
    return {item: laid_together([one.edits for _, one in said]) for item, said in _earlier(stage, items).items()}


def overlays(stage: models.Stage, items: Sequence[int]) -> dict[int, Overlay]:
    """What an adjudicator of this stage settles, by the row number of the item; nothing at any other stage.

    Who is the first, second and third person is shuffled by item, so that nobody learns to trust one of them more: in
    an order that is the same whenever the page is opened, and no secret of anybody. People who were excluded since, or
    who left the item without answering, are not among them.
    """
    protocol = protocol_of(stage)
    if not settles(rules_of(stage, protocol), protocol):
        return {}
    found = {}
    for item, said in _earlier(stage, items).items():
        counted = [(who.pid, one) for who, one in said if who.excluded_at is None and one.outcome == ANSWERED]
        counted.sort(key=lambda pair: hashlib.sha256(f"{item}:{pair[0]}".encode()).digest())
        found[item] = lay_over([one.edits for _, one in counted])
    return found


def _earlier(stage: models.Stage, items: Sequence[int]) -> dict[int, list[tuple[models.Annotator, Judgement]]]:
    """What people said at the earlier stage by item, at its newest version."""
    protocol = protocol_of(stage)
    earlier = rules_of(stage, protocol).items_from
    if protocol.edits is None or not earlier:
        return {}
    heads = models.Judgement.objects.filter(stage__in=stages_of_part(stage.study, earlier), item__in=items).submitted()
    said: dict[int, dict[int, list[tuple[models.Annotator, Judgement]]]] = defaultdict(lambda: defaultdict(list))
    for head in heads.with_edits().select_related("stage", "annotator").order_by("annotator__name"):
        said[head.item_id][head.stage.position].append((head.annotator, current_of(head)))
    return {item: versions[max(versions)] for item, versions in said.items()}
