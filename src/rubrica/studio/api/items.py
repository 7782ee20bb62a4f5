"""Items of a study: listed, added, looked at for sensitive material, taken out of the work and put back."""

from __future__ import annotations

from typing import Any

from django.db.models import Max
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import AwareDatetime, Field

from rubrica.core.errors import wrong
from rubrica.core.study import Item, with_fresh_keys
from rubrica.exchange.items import MAX_TEXT
from rubrica.prepare.word_review import WHY
from rubrica.store import models
from rubrica.store.models.studies import ItemQuerySet
from rubrica.store.setup import study_items, target_words
from rubrica.store.translate import protocol_of
from rubrica.studio.api.access import MANAGER, VIEWER, ResearcherRequest, StudyId, actor, one, study_of
from rubrica.studio.api.item_bodies import MOST, ItemIn, LeaveOut, items_from
from rubrica.studio.api.schemas import REFUSALS, Body, ChangedOut, ListOut, Paging, ReasonIn, Text, Words

router = Router(auth=VIEWER)


class ItemOut(Schema):
    """An item. ``planted`` says how it measures the annotator, if it does."""

    id: str
    key: str
    position: int
    group: str
    system: str
    author: str
    fields: dict[str, str]
    metadata: dict[str, str]
    planted: str
    reviewed_at: AwareDatetime | None
    closed_at: AwareDatetime | None
    closed_reason: str
    judgements: int


class WordCandidate(Schema):
    """A word that could be picked: where it begins, and what speaks for it."""

    word: str
    start: int
    why: str


class ItemsIn(Body):
    """Items to add. Those without ids get free numbers: all of them have one, or none has."""

    items: list[ItemIn] = Field(min_length=1, max_length=MOST)
    leave_out: LeaveOut = []


class AddedOut(Schema):
    """How many items were added, after which position; both undo it again."""

    added: int
    after: int


class TakeBackIn(Body):
    """What adding items answered."""

    added: int = Field(ge=1, le=MOST)
    after: int = Field(ge=0, le=2_147_483_647)


class TakenBackOut(Schema):
    """How many items were removed again."""

    removed: int


class ReplacedOut(Schema):
    """How many items there are, and the stages whose overlap is now that for comparing systems, or no longer is."""

    items: int
    overlap_changed: list[str]


class LeftOutIn(Body):
    """An item that is not to be judged, and why."""

    item: Text
    reason: Words = ""


class ItemReviewIn(Body):
    """The decision on items, by their ids: fine, or left out. Either can be undone by the other."""

    fine: list[Text] = Field(default=[], max_length=MOST)
    left_out: list[LeftOutIn] = Field(default=[], max_length=MOST)


class ItemReviewOut(Schema):
    """How far the review is."""

    items: int
    reviewed: int
    left_out: int
    waiting: int


class WordsOut(Schema):
    """Picked words: how many are accepted, wait, were replaced or dropped; those that would be asked about, by band.

    ``bands`` goes from the easiest to the rarest; ``reserve`` are contexts that may still be taken.
    """

    contexts: int
    instances: int
    wanted: int
    accepted: int
    waiting: int
    replaced: int
    dropped: int
    bands: list[int]
    reserve: int


class WordIn(Body):
    """The word to ask about instead: where it begins in the context, in code points."""

    start: int = Field(ge=0, le=1_000_000)


class ContextIn(Body):
    """A context as it shall read."""

    text: Text = Field(max_length=MAX_TEXT)


class ContextOut(Schema):
    """A context after the change: its text, its state, its words, and what else could be picked in it."""

    text: str
    state: str
    items: list[ItemOut]
    candidates: list[WordCandidate]


class ItemFilter(Paging):
    """Which items."""

    key: Text = Field(default="", description="The researcher's own id of the item.")
    group: Text = ""
    system: Text = ""
    closed: bool | None = Field(default=None, description="Only those that are closed, or only the others.")
    planted: bool | None = Field(default=None, description="Only those that measure the annotator, or only the others.")


@router.get("", response={200: ListOut[ItemOut], **REFUSALS})
def list_items(request: ResearcherRequest, study: StudyId, part: Query[ItemFilter]) -> Any:
    """Items in their order."""
    rows = study_of(request).items.select_related("planted").order_by("position", "pk")
    texts = {"key": part.key, "group": part.group, "system": part.system}
    rows = rows.filter(**{name: text for name, text in texts.items() if text})
    if part.closed is not None:
        rows = rows.filter(closed_at__isnull=not part.closed)
    if part.planted is not None:
        rows = rows.filter(planted__isnull=not part.planted)
    return {"count": rows.count(), "results": _counted(part.cut(rows))}


@router.post("/review", auth=MANAGER, response={200: ItemReviewOut, **REFUSALS})
def review_items(request: ResearcherRequest, study: StudyId, data: ItemReviewIn) -> Any:
    """Record the review for sensitive material."""
    here = study_of(request)
    left_out = {entry.item: entry.reason for entry in data.left_out}
    found = study_items.review(here, data.fine, left_out, timezone.now(), actor(request))
    return ItemReviewOut(**found._asdict(), waiting=found.waiting)


@router.post("", auth=MANAGER, response={201: AddedOut, **REFUSALS})
def add_items(request: ResearcherRequest, study: StudyId, data: ItemsIn) -> Any:
    """Add items to a draft or a running study, all or none."""
    here = study_of(request)
    items = _items(here, data)
    after = here.items.aggregate(last=Max("position"))["last"] or 0
    added = study_items.add(here, items, timezone.now(), actor(request))
    return Status(201, AddedOut(added=added, after=after))


@router.put("", auth=MANAGER, response={200: ReplacedOut, **REFUSALS})
def replace_items(request: ResearcherRequest, study: StudyId, data: ItemsIn) -> Any:
    """Put these items in place of those of a draft; items with known answers stay."""
    here = study_of(request)
    protocol = protocol_of(here.stages.select_related("protocol_version")[0])
    items = items_from(data.items, protocol, data.leave_out)
    changed = study_items.replace_items(here, items, timezone.now(), actor(request))
    return ReplacedOut(items=len(items), overlap_changed=changed)


@router.post("/take-back", auth=MANAGER, response={200: TakenBackOut, **REFUSALS})
def take_back_items(request: ResearcherRequest, study: StudyId, data: TakeBackIn) -> Any:
    """Undo adding items, as long as nobody was given one of them."""
    here = study_of(request)
    removed = study_items.take_back(here, data.after, data.added, timezone.now(), actor(request))
    return TakenBackOut(removed=removed)


@router.get("/words", response={200: WordsOut, **REFUSALS})
def picked_words(request: ResearcherRequest, study: StudyId) -> Any:
    """How far the review of picked words is."""
    return _words(study_of(request))


@router.post("/{item}/word", auth=MANAGER, response={200: ContextOut, **REFUSALS})
def replace_word(request: ResearcherRequest, study: StudyId, item: str, data: WordIn) -> Any:
    """Ask about another word of the context instead, which is thereby accepted; before the launch."""
    found = one(_picked(request), item)
    return _context(target_words.replace_word(found, data.start, timezone.now(), actor(request)))


@router.post("/{item}/context", auth=MANAGER, response={200: ContextOut, **REFUSALS})
def edit_context(request: ResearcherRequest, study: StudyId, item: str, data: ContextIn) -> Any:
    """Change the context of a picked word; the places of all its words follow. Before the launch."""
    found = target_words.context_of(one(_picked(request), item))
    return _context(target_words.edit_context(found, data.text, timezone.now(), actor(request)))


@router.post("/{item}/another-context", auth=MANAGER, response={200: ContextOut, **REFUSALS})
def replace_context(request: ResearcherRequest, study: StudyId, item: str) -> Any:
    """Take a context of the reserve instead of that of a picked word; before the launch."""
    found = target_words.context_of(one(_picked(request), item))
    return _context(target_words.replace_context(found, timezone.now(), actor(request)))


@router.get("/{item}", response={200: ItemOut, **REFUSALS})
def get_item(request: ResearcherRequest, study: StudyId, item: str) -> Any:
    """One item."""
    return _counted([one(study_of(request).items.select_related("planted"), item)])[0]


@router.post("/{item}/close", auth=MANAGER, response={200: ChangedOut, **REFUSALS})
def close_item(request: ResearcherRequest, study: StudyId, item: str, data: ReasonIn) -> Any:
    """Hand the item out no more. What was said about it stays."""
    found = one(study_of(request).items.all(), item)
    return ChangedOut(changed=study_items.close(found, data.reason, timezone.now(), actor(request)))


@router.post("/{item}/reopen", auth=MANAGER, response={200: ChangedOut, **REFUSALS})
def reopen_item(request: ResearcherRequest, study: StudyId, item: str) -> Any:
    """Hand the item out again."""
    found = one(study_of(request).items.all(), item)
    return ChangedOut(changed=study_items.reopen(found, timezone.now(), actor(request)))


def _items(study: models.Study, data: ItemsIn) -> list[Item]:
    """Items to add, under ids of their own or under free numbers."""
    items = items_from(data.items, protocol_of(study.stages.select_related("protocol_version")[0]), data.leave_out)
    named, count = sum(bool(item.id) for item in data.items), len(data.items)
    if 0 < named < count:
        fix = "Give every item an id, or none."
        raise wrong(f"{count - named} items have no id", "duplicate_id", fix, value=count - named)
    return items if named else with_fresh_keys(items, study_items.keys_of(study))


def _picked(request: ResearcherRequest) -> ItemQuerySet:
    return study_of(request).items.given().unplanted().select_related("study")


def _words(study: models.Study) -> WordsOut:
    found = target_words.counted(study)
    return WordsOut(**{**found._asdict(), "bands": list(found.bands)}, instances=found.instances)


def _context(found: target_words.Context) -> ContextOut:
    listed = [WordCandidate(word=one.text, start=one.start, why=one.about.get(WHY, "")) for one in found.candidates]
    return ContextOut(text=found.text, state=found.state, items=_counted(list(found.items)), candidates=listed)


def _counted(rows: list[models.Item]) -> list[ItemOut]:
    said = models.Judgement.objects.filter(item__in=rows).submitted().values_list("item", flat=True)
    counts: dict[int, int] = {}
    for item in said:
        counts[item] = counts.get(item, 0) + 1
    return [_item(row, counts.get(row.pk, 0)) for row in rows]


def _item(row: models.Item, judgements: int) -> ItemOut:
    planted: models.Planted | None = getattr(row, "planted", None)
    return ItemOut(
        id=row.pid,
        key=row.key,
        position=row.position,
        group=row.group,
        system=row.system,
        author=row.author,
        fields=row.fields,
        metadata=row.metadata,
        planted=planted.kind if planted else "",
        reviewed_at=row.reviewed_at,
        closed_at=row.closed_at,
        closed_reason=row.closed_reason,
        judgements=judgements,
    )
