"""Launching a study: what still stands in the way, what should be looked at first, and the state a study is in."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from rubrica.core.errors import Problem, RubricaError, refuse
from rubrica.core.stage_settings import AUDIENCE
from rubrica.store import audit, models
from rubrica.store.options import options_of
from rubrica.store.people.consent_readings import take_responsibility, unread
from rubrica.store.people.joining import authors_by_name_only
from rubrica.store.setup.study_items import review_count, reviewed_at_once, unreviewed
from rubrica.store.setup.word_review import is_of_picked_words, settle
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of

ATTESTED = {
    "review": "nobody says that the items were reviewed for sensitive material",
    "ethics": "nobody says that the ethics record was checked",
}
"""What whoever launches a study is asked to say, and what is wrong while it is not said."""
LAUNCHED = "study launched"
"""The action under which the audit has it."""


class Readiness(NamedTuple):
    """``blocks`` must be mended before the launch; ``advice`` names setup steps that deserve another look."""

    blocks: list[Problem]
    advice: list[str]


def state_of(stages: Iterable[models.Stage]) -> str:
    """``running`` with any stage open, else ``paused``, ``draft`` or ``closed``."""
    states = {stage.state for stage in stages}
    for state, word in (("open", "running"), ("paused", "paused"), ("draft", "draft")):
        if state in states:
            return word
    return "closed"


def review_required(study: models.Study) -> bool:
    """Whether every item must be reviewed for sensitive material before the launch.

    As the researcher has set it; else for protocols that mark edits, because SALSA was run like that: everything was
    read beforehand and what might trouble a reader was left out (Heineman and others 2023, ethics statement). And for
    words that a program picked: no rule knows whether one has a simpler substitute.
    """
    wanted = options_of(study).review_required
    if wanted is not None:
        return wanted
    return any(protocol_of(stage).edits for stage in current_stages(study)) or is_of_picked_words(study)


def missing_in_record(study: models.Study) -> list[str]:
    """What the record of ethics and sources lacks; where a protocol asks about an audience, that and the genre, too."""
    options = options_of(study)
    asks = any(one.id == AUDIENCE for stage in current_stages(study) for one in protocol_of(stage).parameters)
    about = [name for name in ("audience", "genre") if asks and not getattr(options.about, name)]
    return [*options.ethics.missing, *about]


def record_checked(study: models.Study) -> models.AuditEvent | None:
    """The launch at which somebody said that they had checked the record of ethics and sources: by whom and when."""
    launches = models.AuditEvent.objects.filter(study=study.pid, action=LAUNCHED)
    return next((event for event in launches if "ethics" in event.detail.get("attested", ())), None)


def readiness(study: models.Study) -> Readiness:
    """What is missing before the study can be launched.

    Advice: ``review``, ``authors`` (who wrote the texts is known by name only), ``consent`` (the step is switched off),
    ``ethics``, ``payment``.
    """
    blocks: list[Problem] = []
    advice: list[str] = []
    counted = review_count(study)
    if counted.items == 0:
        blocks.append(Problem(what="there are no items", rule="no_items", fix="Upload a file with the items."))
    elif counted.items == counted.left_out:
        blocks.append(Problem(what="every item is left out", rule="no_items", fix="Take some back in the review."))
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
        blocks.append(_not_accepted(counted.waiting) if is_of_picked_words(study) else _not_reviewed(counted.waiting))
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
        drafts = [stage.pk for stage in stages if stage.state == models.Stage.State.DRAFT]
        if not drafts:
            return
        blocks, advice = readiness(study)
        first = len(drafts) == len(stages)
        unsaid = [name for name in ATTESTED if name not in attested] if first else []
        blocks += [one.problem for one in unread(study) if first and one.language not in consents_read]
        refuse(blocks if leave_open else [*blocks, *map(_unsaid, unsaid)])
        take_responsibility(study, consents_read, now, actor)
        if len(drafts) == len(stages) and is_of_picked_words(study):
            settle(study, now)
        study.stages.filter(pk__in=drafts).update(state=models.Stage.State.OPEN)
        said = [name for name in ATTESTED if name in attested]
        left = [name for name in dict.fromkeys([*advice, *unsaid]) if name not in said]
        if "review" in said:
            reviewed_at_once(study, now, actor)
        audit.record(LAUNCHED, study, now, actor=actor, stages=len(drafts), attested=said, left_open=left)


def _not_reviewed(waiting: int) -> Problem:
    what = f"{waiting} item was not" if waiting == 1 else f"{waiting} items were not"
    fix = "Review every item, or decide in the review that this study does not need it, which is recorded."
    return Problem(what=f"{what} reviewed for sensitive material", rule="review", fix=fix, value=waiting)


def _not_accepted(waiting: int) -> Problem:
    what = f"{waiting} picked word waits" if waiting == 1 else f"{waiting} picked words wait"
    fix = "Accept, replace or drop each in the review of the items, or decide there that what waits is left out."
    return Problem(what=f"{what} for somebody to accept", rule="words", fix=fix, value=waiting)


def _unsaid(name: str) -> Problem:
    fix = f"Say so ({name}), or launch with it left open, which is recorded."
    return Problem(what=ATTESTED[name], rule="attest", fix=fix, value=name)
