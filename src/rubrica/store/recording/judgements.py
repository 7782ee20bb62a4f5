"""The recorder: what somebody said becomes a revision, by whatever entrance it comes.

The page, the API, sheets, imports and the demonstration all end in :func:`record`, inside one transaction. Here and
nowhere else is decided what becomes of it:

- *erased*: whoever was erased at their request says nothing more; it is refused.
- *repeated*: a save whose key is known, the same as what was submitted last, or a revision of a file that is there
  already. It changes nothing, so a doubled click, a sent-again request and a file read twice are one revision.
- *corrected*: anything else said after something was submitted is a further revision. Nothing is overwritten.
- *extra*: what comes after its place was taken is kept beyond the overlap (``allocation/overlap.py``).

Drafts, which never count, are in ``drafts.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

import attrs
from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery

from rubrica.core import answers as answer_values
from rubrica.core.errors import InputError, Problem, first_problems, wrong
from rubrica.core.given_edits import fixed_problems
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.validation import Validator
from rubrica.store import models
from rubrica.store.adjudication.given_edits import given_edits
from rubrica.store.allocation.overlap import Arrived, lock_stage, place_judgements
from rubrica.store.people.identities import Stone, erased_problem
from rubrica.store.recording import suggestions
from rubrica.store.translate import item_from, protocol_of, says, validator_of

CHUNK = 500
"""How many judgements are looked at and written together."""
TRIES = 5
Kept = TypeVar("Kept")


class Place(NamedTuple):
    """Where something is said by somebody who may never have held the item, as in a file: in place of a lease."""

    stage: models.Stage
    item: models.Item
    annotator: models.Annotator
    pid: str = ""

    @property
    def stage_id(self) -> int:
        """The row number of the stage."""
        return self.stage.pk

    @property
    def item_id(self) -> int:
        """The row number of the item."""
        return self.item.pk

    @property
    def annotator_id(self) -> int:
        """The row number of the annotator."""
        return self.annotator.pk


class Said(NamedTuple):
    """What somebody said. Who, about which item and at which stage is the lease's, or its stand-in's.

    Of a page or the API are the ``key`` that makes a repeated save the same one, the active seconds of this ``visit``,
    the newest revision that the page knew (``base``) and what ``became`` of suggested edits. Of a file are the time,
    the ``number`` of the revision and the seconds on task, where it says them.
    """

    lease: models.Assignment | Place
    key: str
    judgement: Judgement
    visit: str = ""
    visit_seconds: float = 0.0
    base: int = 0
    became: suggestions.Became = {}
    at: datetime | None = None
    number: int = 0
    seconds: float | None = None


class Receipt(NamedTuple):
    """What became of what was said. ``superseded``: a draft that is kept, but another device had gone on meanwhile."""

    lease: str
    revision: int
    at: datetime
    repeated: bool = False
    superseded: bool = False
    corrected: bool = False


class Saved(NamedTuple):
    """How many judgements are new, corrected, the same as before."""

    judgements: int = 0
    revisions: int = 0
    unchanged: int = 0

    @classmethod
    def of(cls, receipts: Sequence[Receipt]) -> Saved:
        """The receipts, counted."""
        corrected = sum(one.corrected for one in receipts)
        unchanged = sum(one.repeated for one in receipts)
        return cls(len(receipts) - corrected - unchanged, corrected, unchanged)

    def __add__(self, other: object) -> Saved:
        assert isinstance(other, Saved)
        return Saved(*(one + two for one, two in zip(self, other, strict=True)))


class RefusedError(InputError):
    """Judgements that cannot be submitted, with the problems of each by the lease's public id."""

    def __init__(self, by_lease: dict[str, list[Problem]]) -> None:
        self.by_lease = {lease: first_problems(problems) for lease, problems in by_lease.items()}
        super().__init__(*(problem for problems in by_lease.values() for problem in problems))


def submit(said: Sequence[Said], now: datetime, origin: str = models.Revision.Origin.PAGE) -> list[Receipt]:
    """Submit the judgements of one page, all or none. Raises RefusedError with every problem."""
    settled, refused = [], {}
    for one in said:
        validator = validator_of(one.lease.stage)
        judgement, problems = validator.check(item_from(one.lease.item), one.judgement)
        problems = key_problems(one) + problems + _edit_problems(validator, one, judgement)
        if problems:
            refused[one.lease.pid] = problems
        settled.append(one._replace(judgement=judgement))
    if refused:
        raise RefusedError(refused)
    stages = {one.lease.stage_id: one.lease.stage for one in settled}

    def save() -> list[Receipt]:
        kept: dict[str, Receipt] = {}
        for number, stage in sorted(stages.items()):
            kept |= {
                one.lease: one
                for one in record(stage, [one for one in settled if one.lease.stage_id == number], origin, now)
            }
        return [kept[one.lease.pid] for one in settled]

    return retrying(settled, save)


def key_problems(said: Said) -> list[Problem]:
    """Why the key of a page's save is none."""
    if 8 <= len(said.key) <= 64 and said.key.isascii() and said.key.isprintable():
        return []
    return [Problem(what="the key of this save", rule="key", fix="Use 8 to 64 ASCII characters.", value=said.key[:80])]


def _edit_problems(validator: Validator, said: Said, judgement: Judgement) -> list[Problem]:
    """Where edits are fixed, every one that is not as it was given; and what is said of suggestions without any."""
    found = suggestions.became_problems(validator, said.became) if said.became else []
    fixed = validator.stage is not None and validator.stage.edits == "fixed" and validator.edits is not None
    if fixed and judgement.outcome == ANSWERED:
        item = said.lease.item_id
        found += fixed_problems(given_edits(said.lease.stage, [item]).get(item, ()), judgement.edits)
    return found


def retrying(said: Sequence[Said], save: Callable[[], Kept], known: Callable[[], Kept | None] = lambda: None) -> Kept:
    """Save in a transaction, and again if another save was faster, unless this one is known already.

    On PostgreSQL a query that waits for a lock does not see what was added meanwhile. So the second try first waits for
    every other save of these judgements, then looks.
    """
    for tries_left in reversed(range(TRIES)):
        try:
            with transaction.atomic():
                if tries_left < TRIES - 1:
                    _lock_heads(said)
                return save()
        except IntegrityError:
            repeated = known()
            if repeated is not None:
                return repeated
            if not tries_left:
                raise
    raise AssertionError("the loop returns or raises")


def _lock_heads(said: Sequence[Said]) -> None:
    """Hold the stages as a submit does, then the judgements."""
    for stage in sorted({one.lease.stage_id for one in said}):
        lock_stage(stage)
        there = [one.lease for one in said if one.lease.stage_id == stage]
        people, items = {lease.annotator_id for lease in there}, {lease.item_id for lease in there}
        heads = models.Judgement.objects.select_for_update().filter(stage=stage, annotator__in=people, item__in=items)
        list(heads.order_by("pk").values_list("pk"))


def record(stage: models.Stage, said: Sequence[Said], origin: str, now: datetime) -> list[Receipt]:
    """Keep judgements of one stage that are valid and settled, in this order. Must run inside a transaction.

    Raises InputError if one is by somebody who was erased: whatever way it came, it does not come back.
    """
    locked = lock_stage(stage.pk)
    _refuse_erased(stage, {one.lease.annotator_id for one in said})
    receipts: list[Receipt] = []
    for start in range(0, len(said), CHUNK):
        receipts += _record_chunk(stage, locked, said[start : start + CHUNK], origin, now)
    if said and locked.frozen_at is None:
        stage.frozen_at = locked.frozen_at = now
        locked.save(update_fields=["frozen_at"])
    return receipts


def _refuse_erased(stage: models.Stage, people: set[int]) -> None:
    """Look at the annotators as they are now, and let none be erased before this transaction ends."""
    wanted = sorted(people)
    for start in range(0, len(wanted), CHUNK):
        rows = models.Annotator.everybody.select_for_update(no_key=True).filter(pk__in=wanted[start : start + CHUNK])
        for (erased_at,) in rows.order_by("pk").values_list("erased_at"):
            if erased_at is not None:
                raise InputError(erased_problem(stage.study, Stone(stage.study, erased_at), "whoever said this"))


@attrs.define(eq=False)
class _Chain:
    """A judgement with what is known of its revisions: enough to say what becomes of the next one.

    ``keys`` are those of saves online, ``visits`` the longest active seconds of each, ``last`` what was submitted last,
    ``numbered`` what was submitted under each number, where a file may bring it again.
    """

    head: models.Judgement
    newest: int = 0
    keys: dict[str, tuple[int, datetime]] = attrs.field(factory=dict)
    visits: dict[str, float] = attrs.field(factory=dict)
    last: models.Revision | None = None
    numbered: dict[int, models.Revision] = attrs.field(factory=dict)
    added: list[tuple[models.Revision, Said]] = attrs.field(factory=list)

    def add(self, one: Said, origin: str, now: datetime) -> Receipt:
        """Say what becomes of this; the revision is written later, with those of others."""
        pid = one.lease.pid
        if self.head.state == models.Judgement.State.ERASED:
            raise wrong("this judgement was erased at the annotator's request", "erased", "Nothing more can be saved.")
        if one.key in self.keys:
            return Receipt(pid, *self.keys[one.key], repeated=True)
        for same in (self.last, self.numbered.get(one.number)):
            if same is not None and self._says(same, one.judgement):
                if one.key and same.pk:
                    # What was typed and taken back before submitting the same again is no longer pending.
                    self.head.revisions.filter(draft=True, number__gt=same.number).update(late=True)
                return Receipt(pid, same.number, same.created_at, repeated=True)
        corrected = self.last is not None
        self.newest = max(self.newest + 1, one.number)
        self.last = models.Revision(
            judgement=self.head,
            number=self.newest,
            key=one.key,
            outcome=one.judgement.outcome,
            answers=answer_values.to_json(one.judgement.answers),
            visit=one.visit,
            visit_seconds=one.visit_seconds,
            seconds=one.seconds if one.seconds is not None else self._time_on_task(one),
            origin=origin,
            created_at=one.at or now,
        )
        self.added.append((self.last, one))
        return Receipt(pid, self.newest, self.last.created_at, corrected=corrected)

    def _says(self, revision: models.Revision, judgement: Judgement) -> bool:
        """Whether a revision says just this; one of this very batch has no rows of edits yet."""
        unwritten = next((one.judgement for added, one in self.added if added is revision), None)
        return unwritten == judgement if unwritten is not None else says(revision, judgement)

    def _time_on_task(self, one: Said) -> float | None:
        """Active seconds over all visits, each counted once with its largest figure; None if no page measured any."""
        if one.visit:
            self.visits[one.visit] = max(self.visits.get(one.visit, 0.0), one.visit_seconds)
        return sum(self.visits.values()) if self.visits else None


def _record_chunk(
    stage: models.Stage, locked: models.Stage, said: Sequence[Said], origin: str, now: datetime
) -> list[Receipt]:
    chains = _chains(stage, said)
    receipts = [chains[one.lease.item_id, one.lease.annotator_id].add(one, origin, now) for one in said]
    added = [pair for chain in chains.values() for pair in chain.added]
    if added:
        models.Revision.objects.bulk_create([revision for revision, _ in added])
        save_edits([(revision, one.judgement) for revision, one in added])
        if origin in models.Revision.ONLINE and validator_of(stage).suggests:
            for revision, one in added:
                suggestions.note(revision, stage.pk, one.lease.item_id, one.judgement, one.became, draft=False)
        _move_heads([chain.head.pk for chain in chains.values() if chain.added])
        _end_leases(stage, locked, [chain.added[-1][1] for chain in chains.values() if chain.added], now)
    return receipts


def _chains(stage: models.Stage, said: Sequence[Said]) -> dict[tuple[int, int], _Chain]:
    """The judgements of these items and people, locked, made if need be."""
    wanted = dict.fromkeys((one.lease.item_id, one.lease.annotator_id) for one in said)
    rows = models.Judgement.objects.select_for_update(no_key=True, of=("self",)).filter(
        stage=stage, item__in={item for item, _ in wanted}, annotator__in={person for _, person in wanted}
    )
    rows = rows.select_related("current").prefetch_related("current__edits").order_by("pk")
    heads = [head for head in rows if (head.item_id, head.annotator_id) in wanted]
    chains = {(head.item_id, head.annotator_id): _Chain(head, last=head.current) for head in heads}
    if heads:
        _read_history({chain.head.pk: chain for chain in chains.values()}, numbered=any(one.number for one in said))
    fresh = [
        models.Judgement(stage=stage, item_id=item, annotator_id=person, state=models.Judgement.State.SUBMITTED)
        for item, person in wanted
        if (item, person) not in chains
    ]
    if fresh:
        models.Judgement.objects.bulk_create(fresh)
        chains |= {(head.item_id, head.annotator_id): _Chain(head) for head in fresh}
    return chains


def _read_history(chains: dict[int, _Chain], *, numbered: bool) -> None:
    """What the revisions of these judgements are called, how long they took, and, if asked for, what they say."""
    revisions = models.Revision.objects.filter(judgement__in=chains)
    columns = ("judgement", "number", "key", "created_at", "visit", "visit_seconds")
    for head, number, key, at, visit, seconds in revisions.order_by().values_list(*columns):
        chain = chains[head]
        chain.newest = max(chain.newest, number)
        if key:
            chain.keys[key] = (number, at)
        if visit:
            chain.visits[visit] = max(chain.visits.get(visit, 0.0), seconds)
    if numbered:
        for revision in revisions.submitted().prefetch_related("edits"):
            chains[revision.judgement_id].numbered[revision.number] = revision


def _move_heads(heads: Sequence[int]) -> None:
    """Let each judgement say what was submitted last."""
    submitted = models.Revision.objects.filter(judgement=OuterRef("pk"), draft=False).order_by("-number")
    models.Judgement.objects.filter(pk__in=heads).update(
        state=models.Judgement.State.SUBMITTED, current=Subquery(submitted.values("pk")[:1])
    )


def _end_leases(stage: models.Stage, locked: models.Stage, said: Iterable[Said], now: datetime) -> None:
    protocol = protocol_of(stage)
    arrived = [
        Arrived(one.lease.item_id, one.lease.annotator_id, protocol.passes_on(one.judgement.outcome), one.at or now)
        for one in said
    ]
    place_judgements(locked, arrived)


def save_edits(pairs: Sequence[tuple[models.Revision, Judgement]]) -> None:
    """Write the edits of new revisions as rows."""
    rows: dict[tuple[int, str], models.Edit] = {}
    for revision, judgement in pairs:
        for position, edit in enumerate(judgement.edits):
            rows[revision.pk, edit.id] = models.Edit(
                revision=revision,
                position=position,
                key=edit.id,
                operation=edit.operation,
                source_spans=[[span.start, span.end] for span in edit.source],
                rewrite_spans=[[span.start, span.end] for span in edit.rewrite],
                answers=answer_values.to_json(edit.answers),
            )
    if not rows:
        return
    models.Edit.objects.bulk_create(rows.values())
    parts = []
    for revision, judgement in pairs:
        for edit in judgement.edits:
            if edit.parent:
                row = rows[revision.pk, edit.id]
                row.parent = rows[revision.pk, edit.parent]
                parts.append(row)
    models.Edit.objects.bulk_update(parts, ["parent"])
