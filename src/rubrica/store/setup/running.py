"""Running a study: pause, close, open again, ask for more judgements, give more time. Each is undone by another.

Releasing a study is launching it: see launching.py. What counts as a place: see allocation/overlap.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Max, Q

from rubrica.core.assignment import overlap_problems
from rubrica.core.errors import Problem, check_one_of, refuse, wrong
from rubrica.store import audit, models
from rubrica.store.allocation.handing_on import hand_on_all
from rubrica.store.allocation.overlap import counted, fill_places, give_back
from rubrica.store.studies import find_stage

MAX_HOURS = 24 * 60
"""Sixty days, the longest lease that a study can set."""


State = models.Stage.State
MOVES: Mapping[str, tuple[tuple[models.Stage.State, ...], models.Stage.State]] = {
    "pause": ((State.OPEN,), State.PAUSED),
    "resume": ((State.PAUSED,), State.OPEN),
    "close": ((State.OPEN, State.PAUSED), State.CLOSED),
    "reopen": ((State.CLOSED,), State.OPEN),
}
"""Each change of state: from which states, to which."""


def move(study: models.Study, action: str, now: datetime, *, actor: str = "", stage: str = "") -> list[str]:
    """Change the state of one stage, or of all; the ids of those that changed, none if it was done before."""
    check_one_of(MOVES, action, f"there is no action {action!r}", "action")
    before, after = MOVES[action]
    with transaction.atomic():
        stages = models.Stage.objects.select_for_update().filter(study=study, state__in=before)
        changed = [row.key for row in stages if stage in ("", row.key)]
        if changed:
            models.Stage.objects.filter(study=study, key__in=changed).update(state=after)
            audit.record(f"stage {action}", study, now, actor=actor, stages=changed)
            hand_on_all(study, now)
    return changed


def set_overlap(study: models.Study, overlap: Mapping[str, int], now: datetime, *, actor: str = "") -> dict[str, int]:
    """Ask for more judgements of every item, or for fewer as long as no item has more; what it was before.

    ``overlap`` is by the key of the stage. Raises InputError with every problem; then nothing is changed. Where more
    are asked for, judgements that were beyond the overlap take their places first.
    """
    refuse(overlap_problems(overlap))
    with transaction.atomic():
        stages = {stage.key: stage for stage in study.stages.select_for_update(no_key=True).filter(key__in=overlap)}
        for unknown in sorted(overlap.keys() - stages.keys()):
            find_stage(study, unknown)  # which says what there is
        refuse(problem for key, stage in stages.items() for problem in _too_few(stage, overlap[key]))
        before = {key: stage.overlap for key, stage in stages.items()}
        for key, stage in stages.items():
            if stage.overlap != overlap[key]:
                stage.update(overlap=overlap[key])
                fill_places(stage)
                told = {"stage": key, "before": before[key], "after": overlap[key]}
                audit.record("overlap set", study, now, actor=actor, **told)
        hand_on_all(study, now)
    return before


def _too_few(stage: models.Stage, overlap: int) -> list[Problem]:
    """Whether this is fewer than some item has already, planted ones aside: they have no overlap."""
    if overlap >= stage.overlap:
        return []
    rows = counted(stage).unplanted().order_by().values("item").annotate(places=Count("pk"))
    most = rows.aggregate(most=Max("places"))["most"] or 0
    return overlap_problems({stage.key: overlap}, least=most)


def give_time(
    study: models.Study, hours: int, now: datetime, *, actor: str = "", annotator: models.Annotator | None = None
) -> int:
    """Let no open lease end before ``hours`` from now; how many were put off. Said twice, it changes nothing more."""
    if not 1 <= hours <= MAX_HOURS:
        fix = f"Use a number from 1 to {MAX_HOURS:,}."
        raise wrong(f"leases cannot be put off by {hours} hours", "hours", fix, value=hours)
    end = now + timedelta(hours=hours)
    with transaction.atomic():
        leases = models.Assignment.objects.filter(stage__study=study, expires_at__lt=end).open()
        count = (leases.filter(annotator=annotator) if annotator else leases).update(expires_at=end)
        if count:
            who = {"annotator": annotator.pid} if annotator else {}
            audit.record("leases put off", study, now, actor=actor, count=count, hours=hours, **who)
    return count


def take_back(annotator: models.Annotator, now: datetime, *, actor: str = "", lease: str = "") -> int:
    """Return one open lease of this annotator to the pool, or all; their drafts are kept. How many there were."""
    with transaction.atomic():
        wanted = Q(annotator=annotator, pid=lease) if lease else Q(annotator=annotator)
        count = give_back(models.Assignment.objects.filter(wanted))
        if count:
            audit.record("leases taken back", annotator.study, now, actor=actor, annotator=annotator.pid, count=count)
    return count
