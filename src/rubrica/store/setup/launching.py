"""Launching a study: what still stands in the way, what should be looked at first, and the state a study is in."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction

from rubrica.core.errors import Problem, RubricaError, refuse
from rubrica.exchange import launch as launch_rules
from rubrica.exchange.launch import ATTESTED, Readiness, item_problems, not_reviewed, unsaid
from rubrica.store import audit, models
from rubrica.store.options import options_of
from rubrica.store.people.consent_readings import take_responsibility, unread
from rubrica.store.people.joining import authors_by_name_only
from rubrica.store.setup.study_items import review_count, reviewed_at_once, unreviewed
from rubrica.store.setup.word_review import is_of_picked_words, settle
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of

State = models.Stage.State
LAUNCHED = "study launched"
"""The action under which the audit has it."""


def state_of(stages: Iterable[models.Stage]) -> str:
    """``running`` with any stage open, else ``paused``, ``draft`` or ``closed``."""
    states = {stage.state for stage in stages}
    for state, word in ((State.OPEN, "running"), (State.PAUSED, "paused"), (State.DRAFT, "draft")):
        if state in states:
            return word
    return "closed"


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
        must_review = review_required(study) and state_of(stages) == "draft"
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
        first = len(drafts) == len(stages)
        missing = [name for name in ATTESTED if name not in attested] if first else []
        blocks += [one.problem for one in unread(study) if first and one.language not in consents_read]
        refuse(blocks if leave_open else [*blocks, *map(unsaid, missing)])
        take_responsibility(study, consents_read, now, actor)
        if len(drafts) == len(stages) and is_of_picked_words(study):
            settle(study, now)
        study.stages.filter(pk__in=drafts).update(state=State.OPEN)
        said = [name for name in ATTESTED if name in attested]
        left = [name for name in dict.fromkeys([*advice, *missing]) if name not in said]
        if "review" in said:
            reviewed_at_once(study, now, actor)
        audit.record(LAUNCHED, study, now, actor=actor, stages=len(drafts), attested=said, left_open=left)
