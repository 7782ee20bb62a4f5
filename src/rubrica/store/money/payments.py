"""What annotators earned, what was paid, and every decision about it in a ledger that only grows.

A correction is a further row with the opposite sign. Pay is withheld only by a row that says so, with its reason.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

import attrs
from django.db.models import Count, Min, Q, QuerySet, Sum

from rubrica.core.costs import rounded
from rubrica.core.earnings import Earnings, TaskLine, typed_amount
from rubrica.core.errors import check_one_of, wrong
from rubrica.core.study import ANSWERED
from rubrica.core.typed import checked_text
from rubrica.core.verdicts import PERFECT, of_item
from rubrica.exchange.judged_ratings import dataset_of
from rubrica.exchange.study_options import Payment as Terms
from rubrica.store import audit, models
from rubrica.store.counting.progress import at_stages
from rubrica.store.models import Payment
from rubrica.store.options import options_of
from rubrica.store.translate import item_from, judgement_from, protocol_of

CORRECTS = "Corrects "
"""Begins the reason of a correction, before the public id of the row it takes back."""


@attrs.frozen(kw_only=True)
class Account(Earnings):
    """What one annotator earned and was paid."""

    annotator: models.Annotator


class Suggestion(NamedTuple):
    """A rewrite of a sentence that many skipped, which is good and has no bonus yet.

    It is ``perfect`` by its ratings, where others rate it in the study; else a researcher called it good.
    """

    judgement: models.Judgement
    skipped: int
    amount: Decimal
    key: str
    perfect: bool = False


def accounts(study: models.Study) -> list[Account]:
    """The account of every annotator who worked or was paid, by name."""
    terms = options_of(study).payment
    tasks, hours, ledger = _tasks(study, terms), _hours(study), _ledger(study, terms.currency)
    told = models.Profile.objects.filter(annotator__study=study).values_list("annotator", "answers__country")
    countries = defaultdict(str, {person: country or "" for person, country in told})
    involved = {*tasks, *hours, *(person for person, _ in ledger)}
    return [
        Account(
            annotator=person,
            tasks=tasks[person.pk],
            hours=hours[person.pk],
            for_hours=rounded(Decimal(hours[person.pk]) * (terms.per_hour or Decimal(0))),
            paid=ledger[person.pk, Payment.Kind.TASK] + ledger[person.pk, Payment.Kind.HOUR],
            bonuses=ledger[person.pk, Payment.Kind.BONUS],
            withheld=ledger[person.pk, Payment.Kind.WITHHELD],
            country=countries[person.pk],
            minimum=terms.minimum_wages.get(countries[person.pk]),
        )
        for person in study.annotators.people()
        if person.pk in involved
    ]


def _tasks(study: models.Study, terms: Terms) -> defaultdict[int, list[TaskLine]]:
    """By annotator, the judgements made at each stage; what was passed on to somebody else is none."""
    found: defaultdict[int, list[TaskLine]] = defaultdict(list)
    work = at_stages(study)
    for pk, stage in study.stages.values_list("pk", "key"):
        if terms.by_dataset(stage):
            for (person, dataset), tasks in _by_dataset(pk).items():
                name = f"{stage}/{dataset}" if dataset else stage
                found[person].append(TaskLine(name, tasks, terms.price(stage, dataset)))
            continue
        for person, did in work[pk].items():
            if did.judged:
                found[person].append(TaskLine(stage, did.judged, terms.price(stage)))
    return found


def _by_dataset(stage: int) -> dict[tuple[int, str], int]:
    """By annotator and data set, the judgements made at a stage."""
    judged = models.Assignment.objects.filter(stage=stage, state__in=models.Assignment.JUDGED)
    rows = judged.order_by("annotator").values_list("annotator", "item__metadata").iterator(chunk_size=2000)
    return dict(sorted(Counter((person, dataset_of(metadata)) for person, metadata in rows).items()))


def _hours(study: models.Study) -> defaultdict[int, float]:
    """Measured time, that on skipped items included: skipping is at no loss."""
    rows = models.Judgement.objects.filter(stage__study=study).exclude(current__seconds=None)
    sums = rows.order_by().values_list("annotator").annotate(Sum("current__seconds"))
    return defaultdict(float, {person: seconds / 3600 for person, seconds in sums})


def _ledger(study: models.Study, currency: str) -> defaultdict[tuple[int, str], Decimal]:
    """By annotator and kind, the sum of the rows."""
    rows = Payment.objects.filter(annotator__study=study, currency=currency).order_by()
    sums = rows.values_list("annotator", "kind").annotate(Sum("amount"))
    return defaultdict(Decimal, {(person, kind): amount for person, kind, amount in sums})


def record(
    annotator: models.Annotator, kind: str, amount: str, reason: str, now: datetime, *, actor: str = "", key: str = ""
) -> Payment:
    """Add a row to the ledger. The same ``key`` again is the same row. Bonuses and withholding need a reason.

    Nobody can withhold more than was earned, what is withheld already included.
    """
    check_one_of(Payment.Kind.values, kind, f"there is no kind of payment {kind!r}", "kind")
    said = checked_text(reason, "the reason", required=kind in (Payment.Kind.BONUS, Payment.Kind.WITHHELD))
    return _add(annotator, kind, typed_amount(amount), said, now, actor, key)


def correct(payment: Payment, reason: str, now: datetime, *, actor: str = "") -> Payment:
    """Take a row back by a further one of the opposite amount. A row is corrected once, a correction never."""
    said = checked_text(reason, "the reason", required=False)
    if payment.reason.startswith(CORRECTS):
        raise wrong("this row is a correction", "correction", "Record a new payment instead.", value=payment.pid)
    key = _key(f"corrects:{payment.pid}")
    text = f"{CORRECTS}{payment.pid}" + (f": {said}" if said else "")
    return _add(payment.annotator, payment.kind, -payment.amount, text, now, actor, key)


def _add(
    annotator: models.Annotator, kind: str, amount: Decimal, reason: str, now: datetime, actor: str, key: str
) -> Payment:
    study = annotator.study
    with annotator.held():
        currency = options_of(study).payment.currency
        row = {"kind": kind, "amount": amount, "currency": currency, "reason": reason, "decided_by": actor, "at": now}
        made, new = Payment.create_once(key, {"annotator": annotator}, annotator=annotator, **row)
        if new and kind == Payment.Kind.WITHHELD and amount > 0:
            account = next(one for one in accounts(study) if one.annotator.pk == annotator.pk)
            account.check_withheld(amount, annotator.name, currency)
        if new:
            audit.record("payment recorded", study, now, actor=actor, payment=made.pid, kind=kind)
    return made


def _key(text: str) -> str:
    """A public id that the same cause always gets, so that it is paid or taken back once."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def suggestions(study: models.Study, fewest: int = 2) -> list[Suggestion]:
    """Bonuses that are earned by the study's own terms and not recorded yet.

    A sentence that many skipped: at least ``fewest`` people, and no fewer than answered it, took a way out.
    """
    prices = {stage: price for stage, price in options_of(study).payment.bonus.items() if price}
    if not prices:
        return []
    said = models.Judgement.objects.filter(stage__study=study, stage__key__in=prices).submitted()
    answers = Count("pk", filter=Q(current__outcome=ANSWERED))
    items = said.order_by().values_list("stage", "item").annotate(skipped=Count("pk") - answers, answered=answers)
    hard = {(stage, item): skipped for stage, item, skipped, answered in items if skipped >= max(fewest, answered)}
    good = (
        said.filter(item__in={item for _, item in hard}, current__outcome=ANSWERED)
        .filter(current__reviews__decision=models.Review.Decision.GOOD)
        .exclude(current__reviews__decision__in=(models.Review.Decision.DOUBTFUL, models.Review.Decision.BAD))
        .select_related("item", "annotator", "stage")
        .distinct()
    )
    called_good = list(good)
    found = [
        Suggestion(one, hard[place], prices[one.stage.key], _key(f"bonus:{one.pid}"), perfect=one not in called_good)
        for one in dict.fromkeys([*called_good, *_perfect(said.filter(item__in={item for _, item in hard}))])
        if (place := (one.stage_id, one.item_id)) in hard
    ]
    known = set(Payment.objects.filter(pid__in=[one.key for one in found]).values_list("pid", flat=True))
    return [one for one in found if one.key not in known]


def _perfect(said: QuerySet[models.Judgement]) -> Iterator[models.Judgement]:
    """Those of these judgements whose text was rated in the same study and is perfect."""
    texts = models.Item.objects.filter(written__in=said).select_related("written__item", "written__annotator")
    for text in texts.select_related("written__stage").order_by("position"):
        rated = models.Judgement.objects.filter(item=text).counted().exclude(current=None)
        answered = Q(revisions__draft=False, revisions__outcome=ANSWERED)
        first = rated.annotate(first=Min("revisions__created_at", filter=answered)).order_by("first", "pk")
        heads = list(first.select_related("current", "stage__protocol_version", "stage__study"))
        if heads and text.written is not None:
            judgements = [judgement_from(head.current) for head in heads if head.current]
            verdict = of_item(protocol_of(heads[0].stage), item_from(text), judgements).get(PERFECT)
            if verdict is not None and verdict.value:
                yield text.written
