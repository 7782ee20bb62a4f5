"""Overlap: how many judgements an item gets at a stage. Each takes a place, and places never pass the overlap.

Which leases take a place is said here and nowhere else; so is what becomes of a judgement that arrives, whatever way it
comes. The number is changed in setup/running.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError
from django.db.models import Q

from rubrica.store import models
from rubrica.store.models.work import AssignmentQuerySet
from rubrica.store.translate import ask, insert

State = models.Assignment.State
AT_ONCE = 1000
"""Most row numbers in one statement."""


class Arrived(NamedTuple):
    """A judgement that arrives: of which item, by whom (row numbers), whether it passes the item on, and when."""

    item: int
    annotator: int
    passed_on: bool
    at: datetime


def counted(stage: models.Stage) -> AssignmentQuerySet:
    """Leases that take a place at this stage."""
    return models.Assignment.objects.filter(stage=stage).counted()


def full_at(stages: Iterable[models.Stage], items: Collection[int] | None = None) -> Q:
    """Items (of these row numbers, if any are named) that have all their judgements at one of these stages."""
    found = Q(pk__in=[])
    for stage in stages:
        done = counted(stage).done()
        found |= Q(pk__in=(done if items is None else done.filter(item__in=items)).items_with(stage.overlap))
    return found


def give_back(leases: AssignmentQuerySet) -> int:
    """Return open leases to the pool, for instance when somebody withdraws."""
    return leases.open().update(state=State.RETURNED)


def lock_stage(stage: int) -> models.Stage:
    """The stage's row, ours until the transaction ends. Not its key: saving a draft refers to it and need not wait."""
    return models.Stage.objects.select_for_update(no_key=True).get(pk=stage)


def lock_stages(study: int) -> list[models.Stage]:
    """The rows of all stages of the study, likewise."""
    return list(models.Stage.objects.select_for_update(no_key=True).filter(study=study).order_by("pk"))


class StageNotHeldError(IntegrityError):
    """Places must be counted after all, which needs the stage locked: one begins again with it."""


def place_judgements(stage: models.Stage, arrived: Sequence[Arrived], *, alone: bool = True) -> None:
    """Give judgements that arrive by page, API, sheet or import their places.

    What passes an item on is ``returned``: its place is free. A lease that is open or done has its place and keeps it:
    ``done``. Whatever else comes (after its lease had ended, or without one) is ``done`` while a place is free, and
    ``extra`` beyond the overlap: kept, never lost. Planted items have no overlap. Who is first takes the last place.

    Inside the caller's transaction, at most some hundred judgements at a time, each item and annotator once. With the
    stage locked (:func:`lock_stage`, before all other rows), unless it is not ``alone``: a lease that has its place
    needs no counting. Raises StageNotHeldError if one has none.
    """
    wanted = {(one.item, one.annotator): one for one in arrived}
    known = {
        (item, person): (pk, state)
        for pk, item, person, state in ask(
            "SELECT id, item_id, annotator_id, state FROM store_assignment"
            " WHERE stage_id = %s AND item_id IN %s AND annotator_id IN %s ORDER BY id",
            *(stage.pk, {one.item for one in arrived}, {one.annotator for one in arrived}),
            lock=True,
        )
        if (item, person) in wanted
    }
    late = [
        one
        for key, one in wanted.items()
        if not one.passed_on and (key not in known or known[key][1] not in models.Assignment.TAKES_PLACE)
    ]
    if not alone and (late or len(known) < len(wanted)):
        raise StageNotHeldError
    states = dict.fromkeys(wanted, State.DONE)
    states |= {key: State.RETURNED for key, one in wanted.items() if one.passed_on}
    states |= _places_for(stage, late) if late else {}
    for state in set(states.values()):
        moved = [pk for key, (pk, before) in known.items() if states[key] == state != before]
        if moved:
            ask("UPDATE store_assignment SET state = %s WHERE id IN %s", state, moved)
    _make(stage, [one for key, one in wanted.items() if key not in known], states)


def _places_for(stage: models.Stage, late: Sequence[Arrived]) -> dict[tuple[int, int], State]:
    """Whether these judgements find a free place, one after the other. Those of excluded people take none."""
    items, people = {one.item for one in late}, {one.annotator for one in late}
    taken = _taken(stage, items)
    planted = set(models.Planted.objects.filter(item__in=items).values_list("item", flat=True))
    out = set(models.Annotator.objects.filter(pk__in=people).excluded().values_list("pk", flat=True))
    states = {}
    for one in late:
        free = one.item in planted or taken[one.item] < stage.overlap
        states[one.item, one.annotator] = State.DONE if free else State.EXTRA
        taken[one.item] += free and one.annotator not in out
    return states


def _taken(stage: models.Stage, items: Any) -> Counter[int]:
    """How many places of these items (row numbers, or a query for them) are taken."""
    return Counter(counted(stage).filter(item__in=items).order_by().values_list("item", flat=True))


def _make(stage: models.Stage, new: Sequence[Arrived], states: dict[tuple[int, int], State]) -> None:
    """Leases for judgements without one, as after an import."""
    items = {one.item for one in new}
    position = dict(models.Item.objects.filter(pk__in=items).values_list("pk", "position")) if new else {}
    rows = [
        {
            "stage_id": stage.pk,
            "item_id": one.item,
            "annotator_id": one.annotator,
            "position": position[one.item],
            "state": states[one.item, one.annotator],
            "leased_at": one.at,
        }
        for one in new
    ]
    insert(models.Assignment, rows)


def fill_places(stage: models.Stage) -> int:
    """Let judgements beyond the overlap take places that have become free, the oldest first; how many did.

    With the stage locked, after its overlap was raised or somebody was excluded.
    """
    extra = models.Assignment.objects.filter(stage=stage, state=State.EXTRA).included()
    waiting = list(extra.order_by("pk").values_list("pk", "item"))
    taken = _taken(stage, extra.order_by().values("item"))
    moved = []
    for pk, item in waiting:
        if taken[item] < stage.overlap:
            taken[item] += 1
            moved.append(pk)
    for start in range(0, len(moved), AT_ONCE):
        models.Assignment.objects.filter(pk__in=moved[start : start + AT_ONCE]).update(state=State.DONE)
    return len(moved)
