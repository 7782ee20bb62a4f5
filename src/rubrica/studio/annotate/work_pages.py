"""An annotator's own pages of work: what was said on each so far, which come before and after, how many there are."""

from __future__ import annotations

import math
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from rubrica.core import answers as answer_values
from rubrica.core.answers import NotApplicable
from rubrica.core.edit_overlay import Overlay, agreed_edits, with_answers_of
from rubrica.core.edits import Edit
from rubrica.core.errors import Problem
from rubrica.core.hints import LAST_ANSWERS, Overused, overused
from rubrica.core.study import ANSWERED, Judgement
from rubrica.home.database_trouble import now_or_later
from rubrica.protocols.criteria import criteria_of
from rubrica.store import models
from rubrica.store.adjudication.adjudication import given_edits, overlays
from rubrica.store.allocation.overlap import counted
from rubrica.store.allocation.wanted_items import PlantedItem, planted_items
from rubrica.store.options import options_of
from rubrica.store.recording.suggestions import suggestions_for, told_in
from rubrica.store.translate import item_from, judgement_from, protocol_of, rules_of, validator_of
from rubrica.studio.annotate.desk import Entry, Progress
from rubrica.studio.annotate.desk_edits import is_fixed
from rubrica.studio.annotate.desk_form import Posted
from rubrica.studio.annotate.remark_texts import language_of

OVERUSE = "overuse"
"""Under which name it is noted, as a step, that somebody was told of an answer that they give to everything."""
LOOKED_AT = 2 * LAST_ANSWERS
"""How many of somebody's last judgements are looked at for it: some have no answer of their own to a question."""


def entries_of(
    leases: Sequence[models.Assignment],
    posted: Sequence[Posted] = (),
    problems: Mapping[str, Sequence[Problem]] | None = None,
) -> list[Entry]:
    """The items of a page with what was said about them: as just posted, else the pending draft, else as submitted."""
    first = leases[0]
    heads = {
        head.item_id: head
        for head in models.Judgement.objects.filter(
            stage=first.stage_id, annotator=first.annotator_id, item__in=[lease.item_id for lease in leases]
        ).select_related("current")
    }
    typed = {said.lease: said for said in posted}
    rows = [lease.item_id for lease in leases]
    laid = overlays(first.stage, rows)
    given = {} if laid else given_edits(first.stage, rows)
    fixed = is_fixed(validator_of(first.stage))
    items, protocol = [lease.item for lease in leases], protocol_of(first.stage)
    languages = [language_of(item_from(item), protocol) for item in items]
    proposed = suggestions_for(first.stage, items, languages, timezone.now())
    return [
        _entry(
            lease,
            heads.get(lease.item_id),
            typed.get(lease.pid),
            (problems or {}).get(lease.pid, ()),
            _Given(given.get(lease.item_id, ()), fixed, proposed.get(lease.item_id, ()), laid.get(lease.item_id)),
        )
        for lease in leases
    ]


class _Given(NamedTuple):
    """The edits that an earlier stage hands on, if they are fixed or to be settled, and those that are suggested."""

    edits: tuple[Edit, ...]
    fixed: bool
    proposed: tuple[Edit, ...] = ()
    overlay: Overlay | None = None

    def with_own(self, own: Judgement | None) -> tuple[Edit, ...]:
        """What stands on the page: one's own edits, else those given; fixed ones always, with one's own answers."""
        if self.fixed:
            return with_answers_of(self.edits, own.edits if own else ())
        if own:
            return own.edits
        return agreed_edits(self.overlay) if self.overlay else self.edits


def _entry(
    lease: models.Assignment,
    head: models.Judgement | None,
    said: Posted | None,
    problems: Sequence[Problem],
    given: _Given,
) -> Entry:
    revision = (head.pending or head.current) if head is not None else None
    kept = judgement_from(revision) if revision is not None else None
    told = told_in(revision) if revision is not None and given.proposed else None
    answers = said.answers if said else kept.answers if kept else {}
    outcome = said.outcome if said else kept.outcome if kept else "answered"
    return Entry(
        lease=lease.pid,
        item=item_from(lease.item),
        answers={name: value for name, value in answers.items() if not isinstance(value, NotApplicable)},
        edits=given.with_own(kept),
        proposed=given.proposed,
        became=told.became if told else {},
        together=told.together if told else {},
        overlay=given.overlay,
        settled=head is not None and head.state == models.Judgement.State.SUBMITTED,
        outcome=outcome,
        base=head.last_number if head is not None else 0,
        key=(said.key if said else "") or uuid.uuid4().hex,
        problems=problems,
    )


def overuse_to_tell(stage: models.Stage, annotator: models.Annotator, now: datetime) -> Overused | None:
    """One answer that this person gives to nearly everything, if they are to be told now.

    They are told once at a stage: on the page after it was noticed, until they submit something.
    """
    validator = validator_of(stage)
    criteria = [one for one in criteria_of(validator.protocol) if one.of_several_points]
    if not criteria:
        return None
    mine = models.Judgement.objects.filter(stage=stage, annotator=annotator, current__outcome=ANSWERED).submitted()
    last = mine.select_related("current", "item").order_by("-current__created_at", "-pk")[:LOOKED_AT]
    said = []
    for head in reversed(last):
        given, fixed = (
            answer_values.from_json(head.current.answers if head.current else {}),
            validator.fixed(item_from(head.item)),
        )
        said.append({name: value for name, value in given.items() if name not in fixed})
    found = overused(criteria, said)
    if found is None:
        return None
    notes, step = models.StepDone.objects, f"{OVERUSE}@{stage.pk}"
    told = notes.filter(annotator=annotator, step=step).first()
    if told is None:
        now_or_later(lambda: notes.get_or_create(annotator=annotator, step=step, defaults={"at": now}))
        return found
    return None if mine.filter(current__created_at__gt=told.at).exists() else found


@dataclass(frozen=True)
class OwnPage:
    """One page: the lease it is opened by, all leases on it, and the keys of their items."""

    lease: str
    leases: tuple[str, ...]
    items: tuple[str, ...]


class Place(NamedTuple):
    """Where a page stands among the annotator's own."""

    progress: Progress
    previous: str
    next: str


def own_pages(stage: models.Stage, annotator: models.Annotator) -> list[OwnPage]:
    """Every page that this annotator holds or has done at the stage, in order. Those that ran out undone are not."""
    judged = models.Judgement.objects.filter(
        stage=OuterRef("stage"), annotator=OuterRef("annotator"), item=OuterRef("item")
    ).submitted()
    rows = (
        models.Assignment.objects.filter(stage=stage, annotator=annotator)
        .filter(~Q(state=models.Assignment.State.RETURNED) | Exists(judged))
        .order_by("position", "pk")
        .values_list("pid", "item__key", "item__group")
    )
    groups: dict[str, list[tuple[str, str]]] = {}
    for pid, key, group in rows:
        groups.setdefault(group or f"\0{pid}", []).append((pid, key))
    return [
        OwnPage(held[0][0], tuple(pid for pid, _ in held), tuple(key for _, key in held)) for held in groups.values()
    ]


def place_of(lease: models.Assignment) -> Place:
    """How far the annotator is on this page, and the leases of the pages before and after.

    From a page that is not submitted nothing leads forward: what comes next comes with submitting or skipping.
    """
    pages = own_pages(lease.stage, lease.annotator)
    here = next((index for index, page in enumerate(pages) if lease.pid in page.leases), len(pages))
    more = _to_come(lease.stage, pages).pages
    total = max(len(pages), here + 1) + more
    done = lease.state != models.Assignment.State.OPEN
    return Place(
        Progress(here + 1, total, about=more > 0),
        pages[here - 1].lease if 0 < here <= len(pages) else "",
        pages[here + 1].lease if done and here + 1 < len(pages) else "",
    )


class Share(NamedTuple):
    """How much work there is for somebody: items, and the pages that these are on."""

    items: int
    pages: int


def share_of(stage: models.Stage, annotator: models.Annotator | None = None) -> Share:
    """What there is for this person in all (for somebody new without one), as far as one can know.

    Every page that tells annotators a number tells this one: it counts planted items as any other, so that no two
    numbers give away that there are some.
    """
    pages = own_pages(stage, annotator) if annotator else []
    more = _to_come(stage, pages)
    return Share(sum(len(page.items) for page in pages) + more.items, len(pages) + more.pages)


def _to_come(stage: models.Stage, pages: Sequence[OwnPage]) -> Share:
    """An estimate of what may still be handed to this person: free places, items not had yet, the limit."""
    mine = {key for page in pages for key in page.items}
    planted = planted_items(stage, rules_of(stage, protocol_of(stage)))
    had = len(mine - {row.key for row in planted})
    open_items = models.Item.objects.of_stage(stage).unplanted().open()
    items = open_items.count()
    taken = counted(stage)
    if planted:
        taken = taken.exclude(item__in=[row.item for row in planted])
    plain = max(0, min(items * stage.overlap - taken.count(), items - had))
    left = plain + _planted_to_come(planted, mine, plain / (items - had) if items > had else 0)
    limit = options_of(stage.study).limit_per_annotator
    if limit is not None:
        left = min(left, limit - len(mine))
    left = max(0, left)
    if mine:
        return Share(left, math.ceil(left * len(pages) / len(mine)))
    alone = open_items.filter(group="").count()
    groups = open_items.exclude(group="").order_by().values("group").distinct().count()
    return Share(left, math.ceil(left * (alone + groups) / items) if items else left)


def _planted_to_come(planted: Sequence[PlantedItem], mine: Collection[str], share: float) -> int:
    """Planted items still to come: all with known answers; duplicates of what was had, and of a share of the rest."""
    fresh = [row for row in planted if row.key not in mine]
    sure = sum(row.kind == models.Planted.Kind.GOLD or row.original in mine for row in fresh)
    return sure + round((len(fresh) - sure) * share)
