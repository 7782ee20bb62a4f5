"""Items of a study being set up: replaced while it is a draft, planted with checks, reviewed for sensitive material."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from rubrica.core.answers import Answers
from rubrica.core.errors import wrong
from rubrica.core.study import Item
from rubrica.store import audit, models, studies
from rubrica.store.options import checked, keep, options_of
from rubrica.store.translate import protocol_of, rules_of

MAX_REASON = 500
LEFT_OUT = "left out in the review"
"""The reason when the researcher gives none."""


class ReviewCount(NamedTuple):
    """How far the review of the items is."""

    items: int
    reviewed: int
    left_out: int

    @property
    def waiting(self) -> int:
        """Items that nobody has looked at."""
        return self.items - self.reviewed


def is_draft(study: models.Study) -> bool:
    """Whether no stage was ever opened."""
    return not study.stages.exclude(state=models.Stage.State.DRAFT).exists()


def replace_items(study: models.Study, items: Sequence[Item], now: datetime, actor: str) -> list[str]:
    """Put these items in place of those of a draft; gold items stay, hidden duplicates are drawn anew.

    Returns the keys of stages whose overlap is now that for comparing systems, because the items have several.
    Raises InputError if the study was launched or anything has been handed out.
    """
    with transaction.atomic():
        locked = models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if not is_draft(locked) or models.Assignment.objects.filter(stage__study=locked).exists():
            raise wrong(
                "the items of a launched study cannot be replaced",
                "launched",
                "Add further items on the page Items.",
            )
        locked.items.exclude(planted__kind=models.Planted.Kind.GOLD).delete()
        studies.add_items(locked, items, now, actor)
        options = options_of(locked)
        if options.duplicates and _groups(locked) >= 3:
            studies.plant_duplicates(locked, options.duplicates)
        if options.items_reviewed:
            keep(locked, options.model_copy(update={"items_reviewed": False}))
            locked.save(update_fields=["options"])
        raised = _overlap_for_comparing(locked, items)
        audit.record("items set", locked, now, actor=actor, items=len(items))
    study.options = locked.options
    return raised


def set_duplicates(study: models.Study, share: float, now: datetime, actor: str) -> None:
    """Hide duplicates of this share of the groups (0 to 1), in place of those there were."""
    with transaction.atomic():
        locked = models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        options = options_of(locked)
        if options.duplicates == share:
            return
        _refuse_if_given(locked, "duplicate", "hidden duplicates")
        locked.items.filter(planted__kind=models.Planted.Kind.DUPLICATE).delete()
        if share and locked.items.unplanted().exists():
            studies.plant_duplicates(locked, share)
        keep(locked, checked({**locked.options, "duplicates": share}))
        locked.save(update_fields=["options"])
        audit.record("duplicates set", locked, now, actor=actor, share=share)
    study.options = locked.options


def set_gold(study: models.Study, gold: Sequence[tuple[Item, Answers]], now: datetime, actor: str) -> None:
    """Put these items with known answers in place of those there were; an empty list removes them."""
    with transaction.atomic():
        locked = models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        _refuse_if_given(locked, "gold", "items with known answers")
        locked.items.filter(planted__kind=models.Planted.Kind.GOLD).delete()
        keys = {f"gold-{item.key}" for item, _ in gold}
        taken = set(locked.items.filter(key__in=keys).values_list("key", flat=True))
        if taken:
            raise wrong(
                f"the study has an item {sorted(taken)[0]!r} already",
                "duplicate_id",
                "Give the items with known answers other ids.",
                value=sorted(taken)[0],
            )
        studies.plant_gold(locked, gold, now, actor)
        audit.record("gold items set", locked, now, actor=actor, items=len(gold))


def _refuse_if_given(study: models.Study, kind: str, words: str) -> None:
    if models.Assignment.objects.filter(stage__study=study, item__planted__kind=kind).exists():
        raise wrong(
            f"annotators have been given {words} already",
            "handed_out",
            "They measure the work done so far and stay as they are.",
        )


def _groups(study: models.Study) -> int:
    plain = study.items.unplanted().open()
    return plain.filter(group="").count() + plain.exclude(group="").values("group").distinct().count()


def _overlap_for_comparing(study: models.Study, items: Sequence[Item]) -> list[str]:
    """Stages that the protocol gives another overlap when systems are compared, unless the researcher set one."""
    several = len({item.system for item in items if item.system}) > 1
    changed = []
    for stage in study.stages.select_related("protocol_version"):
        rules = rules_of(stage, protocol_of(stage))
        usual, comparing = rules.overlap, rules.overlap_comparing or rules.overlap
        before, after = (usual, comparing) if several else (comparing, usual)
        if stage.overlap == before and before != after:
            stage.overlap = after
            stage.save(update_fields=["overlap"])
            changed.append(stage.key)
    return changed


def review_count(study: models.Study) -> ReviewCount:
    """How many items there are, were looked at, are left out."""
    counted = study.items.unplanted().aggregate(
        items=Count("pk"),
        reviewed=Count("pk", filter=Q(reviewed_at__isnull=False) | Q(closed_at__isnull=False)),
        left_out=Count("pk", filter=Q(closed_at__isnull=False)),
    )
    return ReviewCount(**counted)


def review(
    study: models.Study, fine: Sequence[str], left_out: Mapping[str, str], now: datetime, actor: str
) -> ReviewCount:
    """Record the decision on these items, by public id: fine, or left out with a reason. Either can be undone.

    A hidden duplicate is left out with its original.
    """
    with transaction.atomic():
        plain = study.items.unplanted()
        plain.filter(pid__in=fine, reviewed_at=None).update(reviewed_at=now)
        opened = _with_copies(study, fine).exclude(closed_at=None)
        opened.update(closed_at=None, closed_reason="")
        for pid, reason in left_out.items():
            text = reason.strip()[:MAX_REASON] or LEFT_OUT
            plain.filter(pid=pid).update(reviewed_at=now)
            rows = _with_copies(study, [pid])
            rows.filter(closed_at=None).update(closed_at=now)
            rows.update(closed_reason=text)
        audit.record("items reviewed", study, now, actor=actor, fine=len(fine), left_out=len(left_out))
    return review_count(study)


def _with_copies(study: models.Study, pids: Sequence[str]) -> QuerySet[models.Item]:
    return study.items.filter(Q(pid__in=pids, planted=None) | Q(planted__original__pid__in=pids))


def attest(study: models.Study, attested: bool, now: datetime, actor: str) -> None:
    """Record that the researcher vouches for the items without a review of each, or takes that back."""
    action = "items attested without review" if attested else "attestation of items withdrawn"
    _decide(study, {"items_reviewed": attested}, action, now, actor)


def require_review(study: models.Study, required: bool, now: datetime, actor: str) -> None:
    """Decide whether every item must be reviewed before the launch. Who decided it stands in the audit."""
    action = "review of all items required" if required else "review of all items not required"
    _decide(study, {"review_required": required}, action, now, actor)


def _decide(study: models.Study, option: Mapping[str, bool], action: str, now: datetime, actor: str) -> None:
    with transaction.atomic():
        locked = models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        keep(locked, checked({**locked.options, **option}))
        locked.save(update_fields=["options"])
        audit.record(action, locked, now, actor=actor, items=locked.items.unplanted().count())
    study.options = locked.options
