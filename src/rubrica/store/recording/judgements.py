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

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

import attrs
from django.db import IntegrityError, transaction

from rubrica.core import answers as answer_values
from rubrica.core.edit_overlay import fixed_problems
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.study import ANSWERED, Judgement, Receipt, RefusedError, gathered, save_key_problems
from rubrica.core.validation import Validator
from rubrica.exchange.suggestions import Told, told_problems
from rubrica.store import models
from rubrica.store.adjudication.adjudication import given_edits
from rubrica.store.allocation.handing_on import after_writing
from rubrica.store.allocation.overlap import Arrived, lock_stage, place_judgements
from rubrica.store.people.identities import erased_problem
from rubrica.store.recording import suggestions
from rubrica.store.translate import ask, aware, insert, item_from, judgement_of, protocol_of, validator_of

CHUNK = 500
"""How many judgements are looked at and written together."""
TRIES = 5
Kept = TypeVar("Kept")


class Said(NamedTuple):
    """What somebody said. Who, about which item and at which stage is the lease's; of a file, of one never handed out.

    Of a page or the API are the ``key`` that makes a repeated save the same one, the active seconds of this ``visit``,
    the newest revision that the page knew (``base``) and what became of ``suggested`` edits. Of a file are the time,
    the ``number`` of the revision and the seconds on task, where it says them.
    """

    lease: models.Assignment
    key: str
    judgement: Judgement
    visit: str = ""
    visit_seconds: float = 0.0
    base: int = 0
    suggested: Told = Told()
    at: datetime | None = None
    number: int = 0
    seconds: float | None = None


def submit(said: Sequence[Said], now: datetime, origin: str = models.Revision.Origin.PAGE) -> list[Receipt]:
    """Submit the judgements of one page, all or none. Raises RefusedError with every problem."""
    settled, refused = [], {}
    for one in said:
        validator = validator_of(one.lease.stage)
        judgement, problems = validator.check(item_from(one.lease.item), one.judgement)
        problems = save_key_problems(one.key) + problems + _edit_problems(validator, one, judgement)
        if problems:
            refused[one.lease.pid] = problems
        settled.append(one._replace(judgement=judgement))
    if refused:
        raise RefusedError(refused)
    stages = {one.lease.stage_id: one.lease.stage for one in settled}
    placed = all(one.lease.state in models.Assignment.TAKES_PLACE and one.lease.stage.frozen_at for one in settled)

    def save(again: bool) -> list[Receipt]:
        kept: dict[str, Receipt] = {}
        for number, stage in sorted(stages.items()):
            here = [one for one in settled if one.lease.stage_id == number]
            kept |= {one.lease: one for one in record(stage, here, origin, now, alone=again or not placed)}
        return [kept[one.lease.pid] for one in settled]

    return retrying(settled, save)


def _edit_problems(validator: Validator, said: Said, judgement: Judgement) -> list[Problem]:
    """Where edits are fixed, every one that is not as it was given; and what is said of suggestions without any."""
    found = told_problems(validator, said.suggested, judgement) if said.suggested.became else []
    fixed = validator.stage is not None and validator.stage.edits == "fixed" and validator.edits is not None
    if fixed and judgement.outcome == ANSWERED:
        item = said.lease.item_id
        found += fixed_problems(given_edits(said.lease.stage, [item]).get(item, ()), judgement.edits)
    return found


def retrying(
    said: Sequence[Said], save: Callable[[bool], Kept], known: Callable[[], Kept | None] = lambda: None
) -> Kept:
    """Save in a transaction, and ``again`` if another save was faster, unless this one is known already.

    On PostgreSQL a query that waits for a lock does not see what was added meanwhile. So the second try first waits for
    every other save of these judgements, then looks.
    """
    for tries_left in reversed(range(TRIES)):
        again = tries_left < TRIES - 1
        try:
            with transaction.atomic():
                if again:
                    _lock_heads(said)
                return save(again)
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


def record(
    stage: models.Stage, said: Sequence[Said], origin: str, now: datetime, *, alone: bool = True
) -> list[Receipt]:
    """Keep judgements of one stage that are valid and settled, in this order. Must run inside a transaction.

    ``alone``: with the stage locked, as counting places needs; people who hold their leases need not wait for others.
    Raises InputError if one is by somebody who was erased: whatever way it came, it does not come back.
    """
    locked = lock_stage(stage.pk) if alone else stage
    _refuse_erased(stage, {one.lease.annotator_id for one in said})
    receipts: list[Receipt] = []
    for start in range(0, len(said), CHUNK):
        receipts += _record_chunk(locked, said[start : start + CHUNK], origin, now, alone)
    if said and ask("SELECT 1 FROM store_stage WHERE study_id = %s AND takes <> '' LIMIT 1", stage.study_id):
        after_writing(said[0].lease.stage, {one.lease.item_id for one in said}, now)
    if said and alone and locked.frozen_at is None:
        stage.frozen_at = locked.frozen_at = now
        locked.save(update_fields=["frozen_at"])
    return receipts


def _refuse_erased(stage: models.Stage, people: set[int]) -> None:
    """Look at the annotators as they are now, and let none be erased before this transaction ends."""
    wanted = sorted(people)
    for start in range(0, len(wanted), CHUNK):
        asked = "SELECT id, erased_at FROM store_annotator WHERE id IN %s ORDER BY id"
        for pk, erased_at in ask(asked, wanted[start : start + CHUNK], lock=True):
            if erased_at is not None:
                stone = models.Annotator.objects.get(pk=pk)
                raise InputError(erased_problem(stage.study, stone, "whoever said this"))


class _Submitted(NamedTuple):
    """What was submitted before, under which number, when."""

    number: int
    at: datetime
    judgement: Judgement


@attrs.define(eq=False)
class _Chain:
    """A judgement with what is known of its revisions: enough to say what becomes of the next one.

    ``keys`` are those of saves online, ``visits`` the longest active seconds of each, ``last`` what was submitted last,
    ``numbered`` what was submitted under each number, where a file may bring it again.
    """

    head: int
    state: str = models.Judgement.State.SUBMITTED
    newest: int = 0
    keys: dict[str, tuple[int, datetime]] = attrs.field(factory=dict)
    visits: dict[str, float] = attrs.field(factory=dict)
    last: _Submitted | None = None
    numbered: dict[int, _Submitted] = attrs.field(factory=dict)
    added: dict[int, Said] = attrs.field(factory=dict)

    def add(self, one: Said, now: datetime) -> Receipt:
        """Say what becomes of this; the revision is written later, with those of others."""
        pid = one.lease.pid
        if self.state == models.Judgement.State.ERASED:
            raise wrong("this judgement was erased at the annotator's request", "erased", "Nothing more can be saved.")
        if one.key in self.keys:
            return Receipt(pid, *self.keys[one.key], repeated=True)
        for same in (self.last, self.numbered.get(one.number)):
            if same is not None and same.judgement == one.judgement:
                if one.key:
                    # What was typed and taken back before submitting the same again is no longer pending.
                    drafts = models.Revision.objects.filter(judgement=self.head, draft=True)
                    drafts.filter(number__gt=same.number).update(late=True)
                return Receipt(pid, same.number, same.at, repeated=True)
        corrected = self.last is not None
        self.newest = max(self.newest + 1, one.number)
        self.last = _Submitted(self.newest, one.at or now, one.judgement)
        self.added[self.newest] = one
        return Receipt(pid, self.newest, self.last.at, corrected=corrected)

    def time_on_task(self, one: Said) -> float | None:
        """Active seconds over all visits, each counted once with its largest figure; None if no page measured any."""
        if one.seconds is not None:
            return one.seconds
        if one.visit:
            self.visits[one.visit] = max(self.visits.get(one.visit, 0.0), one.visit_seconds)
        return sum(self.visits.values()) if self.visits else None


def _record_chunk(stage: models.Stage, said: Sequence[Said], origin: str, now: datetime, alone: bool) -> list[Receipt]:
    chains = _chains(stage, said)
    receipts = [chains[one.lease.item_id, one.lease.annotator_id].add(one, now) for one in said]
    changed = [chain for chain in chains.values() if chain.added]
    if changed:
        rows = [
            revision_row(one, origin, one.at or now, seconds=chain.time_on_task(one))
            | {"judgement_id": chain.head, "number": number, "late": False}
            for chain in changed
            for number, one in chain.added.items()
        ]
        insert(models.Revision, rows)
        added = {(chain.head, number): one for chain in changed for number, one in chain.added.items()}
        save_edits(added, noting=origin in models.Revision.ONLINE and validator_of(said[0].lease.stage).suggests)
        ask(_MOVE_HEADS, models.Judgement.State.SUBMITTED, [chain.head for chain in changed])
        _end_leases(stage, [list(chain.added.values())[-1] for chain in changed], now, alone)
    return receipts


_MOVE_HEADS = """
UPDATE store_judgement SET state = %s, current_id = (
    SELECT id FROM store_revision WHERE judgement_id = store_judgement.id AND NOT draft ORDER BY number DESC LIMIT 1
) WHERE id IN %s
"""
"""Each judgement says what was submitted last."""


def revision_row(
    said: Said, origin: str, at: datetime, *, seconds: float | None = None, draft: bool = False
) -> dict[str, Any]:
    """A revision as it is written, but for its judgement, its number, and whether it is late."""
    return {
        "key": said.key,
        "outcome": said.judgement.outcome,
        "answers": answer_values.to_json(said.judgement.answers),
        "visit": said.visit,
        "visit_seconds": said.visit_seconds,
        "origin": origin,
        "created_at": at,
        "seconds": seconds,
        "draft": draft,
    }


def _chains(stage: models.Stage, said: Sequence[Said]) -> dict[tuple[int, int], _Chain]:
    """The judgements of these items and people, locked, made if need be."""
    wanted = dict.fromkeys((one.lease.item_id, one.lease.annotator_id) for one in said)
    found = _heads(stage.pk, wanted)
    chains = {place: _Chain(head, state) for place, (head, state, _) in found.items()}
    if found:
        current = {pk for _, _, pk in found.values() if pk is not None}
        _read_history({chain.head: chain for chain in chains.values()}, current, files=any(one.number for one in said))
    fresh = [place for place in wanted if place not in chains]
    if fresh:
        shared = {"stage_id": stage.pk, "state": models.Judgement.State.SUBMITTED}
        insert(models.Judgement, [{**shared, "item_id": item, "annotator_id": person} for item, person in fresh])
        chains |= {place: _Chain(head) for place, (head, _, _) in _heads(stage.pk, fresh).items()}
    return chains


def _heads(stage: int, places: Collection[tuple[int, int]]) -> dict[tuple[int, int], tuple[int, str, int | None]]:
    """Row number, state and current revision of the judgements there are of these items and people, locked."""
    rows = ask(
        "SELECT id, item_id, annotator_id, state, current_id FROM store_judgement"
        " WHERE stage_id = %s AND item_id IN %s AND annotator_id IN %s ORDER BY id",
        *(stage, {item for item, _ in places}, {person for _, person in places}),
        lock=True,
    )
    return {(item, person): (pk, state, now) for pk, item, person, state, now in rows if (item, person) in places}


def _read_history(chains: dict[int, _Chain], current: Collection[int], *, files: bool) -> None:
    """What the revisions of these judgements are called, how long they took, and what they say, where that matters."""
    asked = "SELECT judgement_id, number, key, created_at, visit, visit_seconds FROM store_revision"
    for head, number, key, at, visit, seconds in ask(f"{asked} WHERE judgement_id IN %s", chains):
        chain = chains[head]
        chain.newest = max(chain.newest, number)
        if key:
            chain.keys[key] = (number, aware(at))
        if visit:
            chain.visits[visit] = max(chain.visits.get(visit, 0.0), seconds)
    if current:
        said = models.Revision.objects.filter(judgement__in=chains).submitted()
        said = (said if files else said.filter(pk__in=current)).order_by()
        rows = said.values_list("pk", "judgement", "number", "created_at", "answers", "outcome")
        edits = gathered(models.Edit.objects.filter(revision__in=said.values("pk")), lambda edit: edit.revision_id)
        for pk, head, number, at, answers, outcome in rows:
            chain, before = chains[head], _Submitted(number, at, judgement_of(answers, outcome, edits.get(pk, ())))
            chain.numbered[number] = before
            chain.last = before if pk in current else chain.last


def _end_leases(stage: models.Stage, said: Sequence[Said], now: datetime, alone: bool) -> None:
    protocol = protocol_of(said[0].lease.stage)
    arrived = [
        Arrived(one.lease.item_id, one.lease.annotator_id, protocol.passes_on(one.judgement.outcome), one.at or now)
        for one in said
    ]
    place_judgements(stage, arrived, alone=alone)


def save_edits(said: Mapping[tuple[int, int], Said], *, noting: bool, draft: bool = False) -> None:
    """Write the edits of new revisions, by judgement and number, as rows; ``noting`` what became of suggested ones."""
    marked = {place: one for place, one in said.items() if noting or one.judgement.edits}
    if not marked:
        return
    heads, numbers = ({place[side] for place in marked} for side in (0, 1))
    revisions = models.Revision.objects.filter(judgement__in=heads, number__in=numbers)
    pks = {(head, number): pk for head, number, pk in revisions.values_list("judgement", "number", "pk")}
    rows = {
        (place, edit.id): models.Edit(
            revision_id=pks[place],
            position=position,
            key=edit.id,
            operation=edit.operation,
            source_spans=[[span.start, span.end] for span in edit.source],
            rewrite_spans=[[span.start, span.end] for span in edit.rewrite],
            answers=answer_values.to_json(edit.answers),
        )
        for place, one in marked.items()
        for position, edit in enumerate(one.judgement.edits)
    }
    models.Edit.objects.bulk_create(rows.values())
    parts = []
    for place, one in marked.items():
        for edit in one.judgement.edits:
            if edit.parent:
                rows[place, edit.id].parent = rows[place, edit.parent]
                parts.append(rows[place, edit.id])
        if noting:
            at = (one.lease.stage_id, one.lease.item_id)
            suggestions.note(pks[place], *at, one.judgement, one.suggested, draft=draft)
    models.Edit.objects.bulk_update(parts, ["parent"])
