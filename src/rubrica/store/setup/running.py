"""Launching and running a study: what stands in the way, pause, close, open again, more judgements, more time.

Each change of a running study is undone by another. What counts as a place: see allocation/overlap.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Max, Q

from rubrica.core.assignment import overlap_problems
from rubrica.core.errors import Problem, RubricaError, check_one_of, refuse, wrong
from rubrica.exchange import launch as launch_rules
from rubrica.exchange.launch import ATTESTED, Readiness, item_problems, not_reviewed, unsaid
from rubrica.store import audit, models
from rubrica.store.allocation.handing_on import hand_on_all
from rubrica.store.allocation.overlap import counted, fill_places, give_back
from rubrica.store.options import options_of
from rubrica.store.people.consents import take_responsibility, unread
from rubrica.store.people.joining import authors_by_name_only
from rubrica.store.setup.study_items import review_count, reviewed_at_once, unreviewed
from rubrica.store.setup.target_words import is_of_picked_words, settle
from rubrica.store.stages import current_stages
from rubrica.store.studies import find_stage
from rubrica.store.translate import protocol_of

State = models.Stage.State
LAUNCHED = "study launched"
"""The action under which the audit has it."""


def state_of(stages: Iterable[models.Stage]) -> models.Study.State:
    """Running with any stage open, else paused, a draft or closed."""
    states, whole = {stage.state for stage in stages}, models.Study.State
    order = ((State.OPEN, whole.RUNNING), (State.PAUSED, whole.PAUSED), (State.DRAFT, whole.DRAFT))
    return next((found for state, found in order if state in states), whole.CLOSED)


def is_draft(study: models.Study) -> bool:
    """Whether the study was not launched yet: a stage that a new version replaced before does not count."""
    return state_of(study.stages.all()) == models.Study.State.DRAFT


def review_required(study: models.Study) -> bool:
    """Whether every item must be reviewed for sensitive material before the launch."""
    protocols = map(protocol_of, current_stages(study))
    return launch_rules.review_required(protocols, options_of(study), picked_words=is_of_picked_words(study))


def missing_in_record(study: models.Study) -> list[str]:
    """What the record of ethics and sources lacks."""
    return launch_rules.missing_in_record([protocol_of(stage) for stage in current_stages(study)], options_of(study))


def record_checked(study: models.Study) -> models.AuditEvent | None:
    """The launch at which somebody said that they had checked the record of ethics and sources: by whom and when."""
    launches = models.AuditEvent.objects.filter(study=study.pid, action=LAUNCHED)
    return next((event for event in launches if "ethics" in event.detail.get("attested", ())), None)


def readiness(study: models.Study) -> Readiness:
    """What is missing before the study can be launched.

    Advice: ``review``, ``authors`` (who wrote the texts is known by name only), ``consent`` (the step is switched off),
    ``ethics``, ``payment``.
    """
    counted = review_count(study)
    blocks, advice = item_problems(counted), list[str]()
    stages = current_stages(study)
    must_review = False
    try:
        must_review = review_required(study) and is_draft(study)
        for stage in stages:
            protocol_of(stage)
    except (RubricaError, ValueError, KeyError) as error:
        fix = "Start a new study with a protocol that Rubrica can read."
        blocks.append(Problem(what=f"the protocol cannot be read: {error}", rule="protocol", fix=fix))
    if not stages:
        blocks.append(Problem(what="there is no stage", rule="protocol", fix="Start a new study."))
    options = options_of(study)
    if counted.waiting and must_review:
        blocks.append(not_reviewed(counted.waiting, picked_words=is_of_picked_words(study)))
    elif unreviewed(study):
        advice.append("review")
    if not blocks and authors_by_name_only(study):
        advice.append("authors")
    if not options.steps.consent:
        advice.append("consent")
    if not blocks and missing_in_record(study):
        advice.append("ethics")
    if not options.payment.per_task and options.payment.per_hour is None:
        advice.append("payment")
    return Readiness(blocks, advice)


def launch(
    study: models.Study,
    now: datetime,
    actor: str,
    *,
    attested: Collection[str] = (),
    leave_open: bool = False,
    consents_read: Collection[str] = (),
) -> None:
    """Open every draft stage: from now on work is handed out. A second launch changes nothing.

    The first launch of a study asks for ``attested``, both names of ATTESTED; ``leave_open`` goes on without. Who said
    what, and what was left open although it was advised, stands in the audit. Whoever says that the items were reviewed
    has thereby reviewed those that were still waiting. Of picked words only those that were accepted are handed out.
    ``consents_read`` are languages in which this person has read our consent beside the original: without it nothing is
    launched in a language in which nobody has reviewed it, not even with ``leave_open``.
    """
    with transaction.atomic():
        stages = list(study.stages.select_for_update(no_key=True))
        drafts = [stage.pk for stage in stages if stage.state == State.DRAFT]
        if not drafts:
            return
        blocks, advice = readiness(study)
        first = state_of(stages) == models.Study.State.DRAFT
        missing = [name for name in ATTESTED if name not in attested] if first else []
        blocks += [one.problem for one in unread(study) if first and one.language not in consents_read]
        refuse(blocks if leave_open else [*blocks, *map(unsaid, missing)])
        take_responsibility(study, consents_read, now, actor)
        if first and is_of_picked_words(study):
            settle(study, now)
        study.stages.filter(pk__in=drafts).update(state=State.OPEN)
        said = [name for name in ATTESTED if name in attested]
        left = [name for name in dict.fromkeys([*advice, *missing]) if name not in said]
        if "review" in said:
            reviewed_at_once(study, now, actor)
        audit.record(LAUNCHED, study, now, actor=actor, stages=len(drafts), attested=said, left_open=left)


MAX_HOURS = 24 * 60
"""Sixty days, the longest lease that a study can set."""


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
