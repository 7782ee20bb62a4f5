"""Adjudication: the edits to settle, and what researchers say of one judgement.

Edits come from an earlier stage, several people's laid together, one person's as they are. Researchers review a sample
of each annotator's work and write words for its annotator.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db.models import QuerySet

from rubrica.core.edit_overlay import Overlay, laid_together, lay_over, settles
from rubrica.core.edits import Edit
from rubrica.core.errors import check_one_of, wrong
from rubrica.core.study import ANSWERED, Judgement
from rubrica.core.typed import checked_text
from rubrica.store import audit, models
from rubrica.store.models.work import FeedbackQuerySet
from rubrica.store.stages import stages_of_part
from rubrica.store.translate import current_of, protocol_of, rules_of


def given_edits(stage: models.Stage, items: Sequence[int]) -> dict[int, tuple[Edit, ...]]:
    """What annotators of this stage start from, by the row number of the item; nothing at a stage that begins anew."""
    return {item: laid_together([one.edits for _, one in said]) for item, said in _earlier(stage, items).items()}


def overlays(stage: models.Stage, items: Sequence[int]) -> dict[int, Overlay]:
    """What an adjudicator of this stage settles, by the row number of the item; nothing at any other stage.

    Who is the first, second and third person is shuffled by item, so that nobody learns to trust one of them more: in
    an order that is the same whenever the page is opened, and no secret of anybody. People who were excluded since, or
    who left the item without answering, are not among them.
    """
    protocol = protocol_of(stage)
    if not settles(rules_of(stage, protocol), protocol):
        return {}
    found = {}
    for item, said in _earlier(stage, items).items():
        counted = [(who.pid, one) for who, one in said if who.excluded_at is None and one.outcome == ANSWERED]
        counted.sort(key=lambda pair: hashlib.sha256(f"{item}:{pair[0]}".encode()).digest())
        found[item] = lay_over([one.edits for _, one in counted])
    return found


def _earlier(stage: models.Stage, items: Sequence[int]) -> dict[int, list[tuple[models.Annotator, Judgement]]]:
    """What people said at the earlier stage by item, at its newest version."""
    protocol = protocol_of(stage)
    earlier = rules_of(stage, protocol).items_from
    if protocol.edits is None or not earlier:
        return {}
    heads = models.Judgement.objects.filter(stage__in=stages_of_part(stage.study, earlier), item__in=items).submitted()
    said: dict[int, dict[int, list[tuple[models.Annotator, Judgement]]]] = defaultdict(lambda: defaultdict(list))
    for head in heads.with_edits().select_related("stage", "annotator").order_by("annotator__name"):
        said[head.item_id][head.stage.position].append((head.annotator, current_of(head)))
    return {item: versions[max(versions)] for item, versions in said.items()}


SAMPLE = 10


def review(
    judgement: models.Judgement, decision: str, note: str, now: datetime, *, actor: str = "", key: str = ""
) -> models.Review:
    """Record what a researcher thinks of a judgement. The same ``key`` again is the same review."""
    known = models.Review.Decision.values
    check_one_of(known, decision, "no decision was chosen", "decision", question="decision")
    said = checked_text(note, "the note", required=False)
    revision = submitted_revision(judgement)
    with judgement.held():
        row = {"revision": revision, "author": actor, "decision": decision, "note": said, "at": now}
        made, new = models.Review.create_once(key, {"revision__judgement": judgement}, **row)
        if new:
            told = {"judgement": judgement.pid, "decision": decision}
            audit.record("judgement reviewed", judgement.stage.study, now, actor=actor, **told)
    return made


def submitted_revision(judgement: models.Judgement) -> models.Revision:
    """The revision that a researcher's words are about. Raises InputError for drafts and erased judgements."""
    if judgement.state != models.Judgement.State.SUBMITTED or judgement.current is None:
        state = "erased" if judgement.state == models.Judgement.State.ERASED else "a draft"
        fix = "Only submitted judgements can be looked at."
        raise wrong(f"this judgement is {state}", "not_submitted", fix, value=judgement.state)
    return judgement.current


def sample(annotator: models.Annotator, count: int = SAMPLE) -> list[models.Judgement]:
    """Judgements of this annotator to look at, in the order of a hash over the study's seed.

    The same for everybody who looks, and nearly the same as more arrive: those that were reviewed come first, so that
    nothing recorded disappears from the page, and the rest is filled up.
    """
    seed = annotator.study.seed
    found = models.Judgement.objects.filter(annotator=annotator).submitted().values_list("pk", "pid")
    reviews = models.Review.objects.filter(revision__judgement__annotator=annotator)
    reviewed = set(reviews.values_list("revision__judgement", flat=True))
    order = {pk: (pk not in reviewed, hashlib.sha256(f"review:{seed}:{pid}".encode()).digest()) for pk, pid in found}
    chosen = sorted(order, key=order.__getitem__)[: max(count, sum(not fresh for fresh, _ in order.values()))]
    rows = with_everything(models.Judgement.objects.filter(pk__in=chosen))
    return sorted(rows, key=lambda judgement: order[judgement.pk])


def with_everything(judgements: QuerySet[models.Judgement]) -> QuerySet[models.Judgement]:
    """Judgements with all that a page shows of them, in a handful of queries."""
    return judgements.select_related(
        "item__planted__original", "annotator__study", "stage__study", "stage__protocol_version", "current"
    ).prefetch_related("current__edits", "revisions__reviews", "revisions__feedback")


def last_review(judgement: models.Judgement) -> models.Review | None:
    """The newest review of any revision of this judgement."""
    found = [review for revision in judgement.revisions.all() for review in revision.reviews.all()]
    return max(found, key=lambda review: (review.at, review.pk), default=None)


def give_feedback(
    judgement: models.Judgement, text: str, now: datetime, *, actor: str = "", key: str = ""
) -> models.Feedback:
    """Tell the annotator something about this judgement. The same ``key`` again is the same words."""
    said = checked_text(text, "the feedback")
    revision = submitted_revision(judgement)
    with judgement.held():
        row = {"revision": revision, "author": actor, "text": said, "at": now}
        made, new = models.Feedback.create_once(key, {"revision__judgement": judgement}, **row)
        if new:
            audit.record("feedback given", judgement.stage.study, now, actor=actor, judgement=judgement.pid)
    return made


def take_back_feedback(feedback: models.Feedback, now: datetime, *, actor: str = "") -> None:
    """Remove words that the annotator has not read yet; after that they stand."""
    with feedback.held():
        if feedback.read_at is not None:
            raise wrong("the annotator has read this", "read", "Give further feedback instead.", value=feedback.pid)
        judgement = feedback.revision.judgement
        audit.record("feedback taken back", judgement.stage.study, now, actor=actor, judgement=judgement.pid)
        feedback.delete()


def unread_feedback(annotator: models.Annotator) -> int:
    """How many words of a researcher on this annotator's judgements wait to be read."""
    return _feedback(annotator).unread().count()


def read_feedback(annotator: models.Annotator, pid: str, now: datetime) -> bool:
    """Note that a feedback was read; whether there is such a one for this annotator."""
    found = _feedback(annotator).filter(pid=pid)
    found.unread().update(read_at=now)
    return found.exists()


def _feedback(annotator: models.Annotator) -> FeedbackQuerySet:
    return models.Feedback.objects.filter(revision__judgement__annotator=annotator, revision__erased_at=None)
