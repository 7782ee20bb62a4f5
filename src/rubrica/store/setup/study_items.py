"""Items of a study: added, replaced while it is a draft, planted with checks, reviewed, taken out of the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import attrs
from django.db import transaction
from django.db.models import Count, F, Max, Q, QuerySet

from rubrica.core.answers import Answers, to_json
from rubrica.core.assignment import FEWEST_GROUPS, drawn_groups, hidden_copy
from rubrica.core.errors import refuse, wrong
from rubrica.core.study import Item, key_problems, page_of, pages
from rubrica.core.typed import storable
from rubrica.exchange.launch import ReviewCount
from rubrica.prepare.word_review import in_reserve, told_of_texts
from rubrica.store import audit, models
from rubrica.store.allocation.overlap import give_back
from rubrica.store.models.studies import IN_RESERVE, ItemQuerySet
from rubrica.store.options import change, options_of
from rubrica.store.people.joining import author_identities
from rubrica.store.stages import fill_audience
from rubrica.store.translate import item_from, item_row, protocol_of, rules_of

CHUNK = 1000
LONGEST_REASON = 500
LEFT_OUT = "left out in the review"
"""The reason when the researcher gives none."""
GOLD, COPY = models.Planted.Kind.GOLD, models.Planted.Kind.DUPLICATE


def add_items(study: models.Study, items: Sequence[Item], now: datetime, actor: str = "") -> list[models.Item]:
    """Put new rows after those there are; picked words in reserve are closed until they are taken.

    Raises InputError for texts of people who were erased.
    """
    last = study.items.aggregate(last=Max("position"))["last"] or 0
    authors = author_identities(study, items, now, actor)
    rows = [item_row(study, item, place, authors) for place, item in enumerate(items, start=last + 1)]
    _keep_told(study, items, now, actor)
    for row in rows:
        if in_reserve(row.metadata):
            row.closed_at, row.closed_reason = now, IN_RESERVE
    return models.Item.objects.bulk_create(rows, batch_size=CHUNK)


def _keep_told(study: models.Study, items: Sequence[Item], now: datetime, actor: str) -> None:
    """Put what picked words say of their texts into the study's record, as far as the researcher has not said it."""
    told = told_of_texts([item.metadata for item in items])
    options = options_of(study)
    parts = {"about": options.about.model_dump(), "ethics": options.ethics.model_dump()}
    new = {name: said for name, said in told.items() if not any(part.get(name) for part in parts.values())}
    if not new:
        return
    for name, said in new.items():
        parts["about" if name in parts["about"] else "ethics"][name] = said
    change(study, **parts)
    fill_audience(study, options.about.audience, parts["about"]["audience"])
    audit.record("texts described by their table", study, now, actor=actor, settings=sorted(new))


def add(study: models.Study, items: Sequence[Item], now: datetime, actor: str) -> int:
    """Append items under new keys, all or none; how many. Raises InputError with every key that the study has."""
    if not items:
        raise wrong("there are no items to add", "items", "Use a file with at least one row.")
    with study.held():
        refuse(key_problems([item.key for item in items], keys_of(study)))
        add_items(study, items, now, actor)
        audit.record("items added", study, now, actor=actor, items=len(items))
    return len(items)


def keys_of(study: models.Study) -> list[str]:
    """The ids of its items."""
    return list(study.items.values_list("key", flat=True))


def take_back(study: models.Study, after: int, count: int, now: datetime, actor: str) -> int:
    """Remove this many items after a position again, as long as nobody was given one of them; how many."""
    with study.held():
        added = study.items.filter(position__gt=after, position__lte=after + count, planted=None)
        if models.Assignment.objects.filter(item__in=added).exists():
            fix = "Close those that should not be judged; what was said about them stays."
            raise wrong("some of these items have been handed out", "handed_out", fix)
        count = added.count()
        if count:
            added.delete()
            audit.record("items taken back", study, now, actor=actor, items=count)
    return count


def replace_items(study: models.Study, items: Sequence[Item], now: datetime, actor: str) -> list[str]:
    """Put these items in place of those of a draft; gold items stay, hidden duplicates are drawn anew.

    Returns the keys of stages whose overlap is now that for comparing systems, because the items have several.
    Raises InputError if the study was launched, anything has been handed out, or people's edits came with its file.
    """
    with study.held():
        launched = study.stages.launched().exists()
        if launched or models.Assignment.objects.filter(stage__study=study).exists():
            fix = "Add further items on the page Items."
            raise wrong("the items of a launched study cannot be replaced", "launched", fix)
        if models.Judgement.objects.filter(stage__study=study).exists():
            fix = "Make a new study for the other items."
            raise wrong("the items came with judgements, which stay", "judged", fix)
        study.items.exclude(planted__kind=GOLD).delete()
        add_items(study, items, now, actor)
        options = options_of(study)
        if options.duplicates and has_room(study):
            plant_duplicates(study, options.duplicates)
        if options.items_reviewed:
            change(study, items_reviewed=False)
        raised = _overlap_for_comparing(study, items)
        audit.record("items set", study, now, actor=actor, items=len(items))
    return raised


def _overlap_for_comparing(study: models.Study, items: Sequence[Item]) -> list[str]:
    """Stages that the protocol gives another overlap when systems are compared, unless the researcher set one."""
    several = len({item.system for item in items if item.system}) > 1
    changed = []
    for stage in study.stages.select_related("protocol_version"):
        rules = rules_of(stage, protocol_of(stage))
        before, after = rules.usual_overlap(comparing=not several), rules.usual_overlap(comparing=several)
        if stage.overlap == before and before != after:
            stage.update(overlap=after)
            changed.append(stage.key)
    return changed


def _groups(study: models.Study) -> dict[str, list[models.Item]]:
    """The items that are handed out, page by page."""
    return {page_of(page[0]): page for page in pages(study.items.unplanted().open())}


def has_room(study: models.Study) -> bool:
    """Whether something can stand between a hidden duplicate and its original."""
    return len(_groups(study)) >= FEWEST_GROUPS


def plant_duplicates(study: models.Study, share: float) -> None:
    """Copy a share of the groups; a copy looks like any other item."""
    if not share:
        return
    groups = _groups(study)
    originals = [original for name in drawn_groups(groups, share, study.seed) for original in groups[name]]
    last = study.items.aggregate(last=Max("position"))["last"]
    copies = [
        item_row(study, hidden_copy(item_from(row)), place, {row.author: row.author_identity})
        for place, row in enumerate(originals, start=last + 1)
    ]
    models.Item.objects.bulk_create(copies)
    models.Planted.objects.bulk_create(
        models.Planted(item=copy, kind=COPY, original=row) for copy, row in zip(copies, originals, strict=True)
    )


def plant_gold(study: models.Study, gold: Sequence[tuple[Item, Answers]], now: datetime, actor: str = "") -> None:
    """Append items with known answers."""
    rows = add_items(study, [attrs.evolve(item, key=f"gold-{item.key}") for item, _ in gold], now, actor)
    models.Planted.objects.bulk_create(
        models.Planted(item=row, kind=GOLD, answers=to_json(answers))
        for row, (_, answers) in zip(rows, gold, strict=True)
    )


def set_duplicates(study: models.Study, share: float, now: datetime, actor: str) -> None:
    """Hide duplicates of this share of the groups (0 to 1), in place of those there were."""
    with study.held():
        if options_of(study).duplicates == share:
            return
        _refuse_if_given(study, COPY, "hidden duplicates")
        study.items.filter(planted__kind=COPY).delete()
        if share and study.items.unplanted().exists():
            plant_duplicates(study, share)
        change(study, duplicates=share)
        audit.record("duplicates set", study, now, actor=actor, share=share)


def set_gold(study: models.Study, gold: Sequence[tuple[Item, Answers]], now: datetime, actor: str) -> None:
    """Put these items with known answers in place of those there were; an empty list removes them."""
    with study.held():
        _refuse_if_given(study, GOLD, "items with known answers")
        study.items.filter(planted__kind=GOLD).delete()
        refuse(key_problems([f"gold-{item.key}" for item, _ in gold], keys_of(study)))
        plant_gold(study, gold, now, actor)
        audit.record("gold items set", study, now, actor=actor, items=len(gold))


def _refuse_if_given(study: models.Study, kind: str, words: str) -> None:
    if models.Assignment.objects.filter(stage__study=study, item__planted__kind=kind).exists():
        fix = "They measure the work done so far and stay as they are."
        raise wrong(f"annotators have been given {words} already", "handed_out", fix)


def review_count(study: models.Study) -> ReviewCount:
    """How many items there are, were looked at, are left out."""
    closed = Q(closed_at__isnull=False)
    reviewed = Count("pk", filter=Q(reviewed_at__isnull=False) | closed)
    counted = {"items": Count("pk"), "reviewed": reviewed, "left_out": Count("pk", filter=closed)}
    return ReviewCount(**study.items.given().unplanted().aggregate(**counted))


def unreviewed(study: models.Study) -> int:
    """How many items nobody has reviewed for sensitive material; none where a researcher vouches for all."""
    return 0 if options_of(study).items_reviewed else review_count(study).waiting


def review(
    study: models.Study, fine: Sequence[str], left_out: Mapping[str, str], now: datetime, actor: str
) -> ReviewCount:
    """Record the decision on these items, by public id: fine, or left out with a reason. Either can be undone.

    Who decided stands with each item: whoever first called it fine, or left it out last.
    """
    with transaction.atomic():
        plain = study.items.given().unplanted()
        plain.filter(pid__in=fine, reviewed_at=None).update(reviewed_at=now, reviewed_by=actor)
        _open(plain.filter(pid__in=fine))
        for pid, reason in left_out.items():
            text = reason.strip()[:LONGEST_REASON] or LEFT_OUT
            plain.filter(pid=pid).update(reviewed_at=now, reviewed_by=actor)
            take_out(plain.filter(pid=pid), text, now)
            _with_copies(plain.filter(pid=pid)).update(closed_reason=text)
        audit.record("items reviewed", study, now, actor=actor, fine=len(fine), left_out=len(left_out))
    return review_count(study)


def reviewed_at_once(study: models.Study, now: datetime, actor: str) -> None:
    """Record that this person says to have reviewed every item that still waits; items that come later wait again."""
    waiting = study.items.given().unplanted().open().filter(reviewed_at=None)
    waiting.update(reviewed_at=now, reviewed_by=actor)


def attest(study: models.Study, attested: bool, now: datetime, actor: str) -> None:
    """Record that the researcher vouches for the items without a review of each, or takes that back."""
    action = "items attested without review" if attested else "attestation of items withdrawn"
    _decide(study, action, now, actor, items_reviewed=attested)


def require_review(study: models.Study, required: bool, now: datetime, actor: str) -> None:
    """Decide whether every item must be reviewed before the launch. Who decided it stands in the audit."""
    action = "review of all items required" if required else "review of all items not required"
    _decide(study, action, now, actor, review_required=required)


def _decide(study: models.Study, action: str, now: datetime, actor: str, **option: bool) -> None:
    with study.held():
        change(study, **option)
        audit.record(action, study, now, actor=actor, items=study.items.unplanted().count())


def close(item: models.Item, reason: str, now: datetime, actor: str) -> bool:
    """Hand the item out no more. What was said about it stays. False if it was closed already."""
    reason = reason.strip()
    if not reason or len(reason) > LONGEST_REASON or not storable(reason):
        fix = f"Say why in 1 to {LONGEST_REASON} characters: others will wonder."
        raise wrong("an item is closed for a reason", "reason", fix, value=reason[:200])
    with transaction.atomic():
        closed = take_out(models.Item.objects.filter(pk=item.pk), reason, now)
        if closed:
            audit.record("item closed", item.study, now, actor=actor, item=item.key)
    return closed


def reopen(item: models.Item, now: datetime, actor: str) -> bool:
    """Hand the item out again. False if it was open."""
    with transaction.atomic():
        opened = _open(models.Item.objects.filter(pk=item.pk))
        if opened:
            audit.record("item reopened", item.study, now, actor=actor, item=item.key)
    return opened


def take_out(items: QuerySet[models.Item], reason: str, now: datetime) -> bool:
    """Close items with their hidden duplicates and what people wrote about them, and take all back from pages.

    Sheets cannot be taken back. Whether any was open.
    """
    closed = _with_copies(items).open().update(closed_at=now, closed_reason=reason)
    give_back(models.Assignment.objects.filter(item__in=_with_copies(items)).on_pages())
    return bool(closed)


def _open(items: QuerySet[models.Item]) -> bool:
    """Hand items out again, with their hidden duplicates and the texts closed with them. Whether any was closed."""
    with_it = Q(pk__in=items.values("pk")) | Q(written=None) | Q(closed_reason=F("written__item__closed_reason"))
    return bool(_with_copies(items).closed().filter(with_it).update(closed_at=None, closed_reason=""))


def _with_copies(items: QuerySet[models.Item]) -> ItemQuerySet:
    """The items, their hidden duplicates and what people wrote about them."""
    return models.Item.objects.with_belongings(items.values("pk"))
