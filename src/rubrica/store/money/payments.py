"""What annotators earned, what was paid, and every decision about it in a ledger that only grows.

A correction is a further row with the opposite sign. Pay is withheld only by a row that says so, with its reason.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from django.db import transaction
from django.db.models import Sum

from rubrica.core.errors import wrong
from rubrica.core.numbers import Fault, with_point
from rubrica.core.typed_text import checked_text
from rubrica.store import audit, models
from rubrica.store.counting.progress import at_stages
from rubrica.store.models import Payment
from rubrica.store.options import Payment as Terms
from rubrica.store.options import options_of
from rubrica.store.public_ids import create_once

CORRECTS = "Corrects "
"""Begins the reason of a correction, before the public id of the row it takes back."""
CENT = Decimal("0.01")
LARGEST = Decimal(1_000_000)
SHORTEST_HOURS = 1 / 6
"""Less measured time than this says nothing about pay by the hour."""


class TaskLine(NamedTuple):
    """Judgements of one stage that are paid by the piece, planted ones included."""

    stage: str
    tasks: int
    price: Decimal

    @property
    def amount(self) -> Decimal:
        """What they come to."""
        return self.tasks * self.price


class Account(NamedTuple):
    """One annotator's money. ``hours`` is measured active time; work on sheets is not measured."""

    annotator: models.Annotator
    tasks: list[TaskLine]
    hours: float
    for_hours: Decimal
    paid: Decimal
    bonuses: Decimal
    withheld: Decimal
    country: str = ""
    minimum: Decimal | None = None

    @property
    def earned(self) -> Decimal:
        """By tasks and hours, before bonuses and what was withheld."""
        return sum((line.amount for line in self.tasks), Decimal(0)) + self.for_hours

    @property
    def due(self) -> Decimal:
        """Still to pay; below zero, too much was paid."""
        return (self.earned - self.withheld - self.paid).quantize(CENT, ROUND_HALF_UP)

    @property
    def by_the_hour(self) -> Decimal | None:
        """What the work brings by the hour, bonuses included; None with too little measured time."""
        if self.hours < SHORTEST_HOURS:
            return None
        brought = self.earned + self.bonuses - self.withheld
        return (brought / Decimal(self.hours)).quantize(CENT, ROUND_HALF_UP)

    @property
    def below_minimum(self) -> bool:
        """Whether that is less than the minimum wage of the annotator's country."""
        hourly = self.by_the_hour
        return self.minimum is not None and hourly is not None and hourly < self.minimum


class Totals(NamedTuple):
    """Sums over annotators. The fee is the platform's percentage on everything that was paid, and on what is due."""

    earned: Decimal
    paid: Decimal
    bonuses: Decimal
    withheld: Decimal
    due: Decimal
    fee_paid: Decimal
    fee_due: Decimal


class Suggestion(NamedTuple):
    """A rewrite of a sentence that many skipped, which a researcher called good and that has no bonus yet."""

    judgement: models.Judgement
    skipped: int
    amount: Decimal
    key: str


def accounts(study: models.Study) -> list[Account]:
    """The account of every annotator who worked or was paid, by name."""
    terms = options_of(study).payment
    tasks, hours, ledger = _tasks(study, terms), _hours(study), _ledger(study, terms.currency)
    countries = dict(models.Profile.objects.filter(annotator__study=study).values_list("annotator", "answers__country"))
    found = []
    for person in study.annotators.filter(kind=models.Annotator.Kind.PERSON):
        pk, time, country = person.pk, hours.get(person.pk, 0.0), countries.get(person.pk) or ""
        if pk in tasks or pk in ledger or time:
            rows = ledger.get(pk, defaultdict(Decimal))
            account = Account(
                annotator=person,
                tasks=tasks.get(pk, []),
                hours=time,
                for_hours=(Decimal(time) * (terms.per_hour or Decimal(0))).quantize(CENT, ROUND_HALF_UP),
                paid=rows[Payment.Kind.TASK] + rows[Payment.Kind.HOUR],
                bonuses=rows[Payment.Kind.BONUS],
                withheld=rows[Payment.Kind.WITHHELD],
                country=country,
                minimum=terms.minimum_wages.get(country),
            )
            found.append(account)
    return found


def _tasks(study: models.Study, terms: Terms) -> dict[int, list[TaskLine]]:
    """By annotator, the judgements made at each stage; what was passed on to somebody else is none."""
    found: dict[int, list[TaskLine]] = defaultdict(list)
    work = at_stages(study)
    for pk, stage in study.stages.values_list("pk", "key"):
        price = terms.per_task.get(stage, Decimal(0))
        for person, did in work[pk].items():
            if did.judged:
                found[person].append(TaskLine(stage, did.judged, price))
    return found


def _hours(study: models.Study) -> dict[int, float]:
    """Measured time, that on skipped items included: skipping is at no loss."""
    rows = models.Judgement.objects.filter(stage__study=study).exclude(current__seconds=None)
    sums = rows.order_by().values_list("annotator").annotate(Sum("current__seconds"))
    return {person: seconds / 3600 for person, seconds in sums}


def _ledger(study: models.Study, currency: str) -> dict[int, defaultdict[str, Decimal]]:
    """By annotator, the sum of each kind of row."""
    rows = Payment.objects.filter(annotator__study=study, currency=currency)
    found: dict[int, defaultdict[str, Decimal]] = {}
    for person, kind, amount in rows.order_by().values_list("annotator", "kind").annotate(Sum("amount")):
        found.setdefault(person, defaultdict(Decimal))[kind] = Decimal(amount)
    return found


def totals(found: Iterable[Account], fee_percent: float) -> Totals:
    """The sums, and the platform's fee on what is paid and on what is due."""
    listed, zero = list(found), Decimal(0)
    fee = Decimal(str(fee_percent)) / 100
    sums = {
        name: sum((getattr(one, name) for one in listed), zero) for name in ("earned", "paid", "bonuses", "withheld")
    }
    due = sum((max(one.due, zero) for one in listed), zero)
    fee_paid = ((sums["paid"] + sums["bonuses"]) * fee).quantize(CENT, ROUND_HALF_UP)
    return Totals(**sums, due=due, fee_paid=fee_paid, fee_due=(due * fee).quantize(CENT, ROUND_HALF_UP))


def record(
    annotator: models.Annotator, kind: str, amount: str, reason: str, now: datetime, *, actor: str = "", key: str = ""
) -> Payment:
    """Add a row to the ledger. The same ``key`` again is the same row. Bonuses and withholding need a reason."""
    if kind not in Payment.Kind.values:
        fix = f"Use one of {', '.join(Payment.Kind.values)}."
        raise wrong(f"there is no kind of payment {kind!r}", "kind", fix, value=kind)
    said = checked_text(reason, "the reason", required=kind in (Payment.Kind.BONUS, Payment.Kind.WITHHELD))
    money = _amount(amount)
    return _add(annotator, kind, money, said, now, actor, key)


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
    with transaction.atomic():
        models.Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        known = Payment.objects.filter(pid=key).first() if key else None
        if known is not None and known.annotator_id == annotator.pk:
            return known
        currency = options_of(study).payment.currency
        row = {"annotator": annotator, "kind": kind, "amount": amount, "currency": currency, "reason": reason}
        made = create_once(Payment, key, **row, decided_by=actor, at=now)
        audit.record("payment recorded", study, now, actor=actor, payment=made.pid, kind=kind)
    return made


def _amount(text: str) -> Decimal:
    plain = with_point(text)
    money = Decimal("NaN" if isinstance(plain, Fault) else plain)
    if not money.is_finite() or not 0 < money <= LARGEST or money != money.quantize(CENT):
        fix = f"Use a number above 0 and up to {LARGEST:,}, with at most two decimals, like 12.50."
        raise wrong(f"{text[:40]!r} is not an amount", "amount", fix, value=text[:40], question="amount")
    return money


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
    outcomes: dict[tuple[int, int], list[int]] = {}
    for stage, item, outcome in said.values_list("stage", "item", "current__outcome"):
        counts = outcomes.setdefault((stage, item), [0, 0])
        counts[outcome == "answered"] += 1
    hard = {key: skipped for key, (skipped, answered) in outcomes.items() if skipped >= max(fewest, answered)}
    good = (
        said.filter(item__in={item for _, item in hard}, current__outcome="answered")
        .filter(current__reviews__decision=models.Review.Decision.GOOD)
        .exclude(current__reviews__decision__in=("bad", "doubtful"))
        .select_related("item", "annotator", "stage")
        .distinct()
    )
    found = [
        Suggestion(one, hard[one.stage_id, one.item_id], prices[one.stage.key], _key(f"bonus:{one.pid}"))
        for one in good
        if (one.stage_id, one.item_id) in hard
    ]
    known = set(Payment.objects.filter(pid__in=[one.key for one in found]).values_list("pid", flat=True))
    return [one for one in found if one.key not in known]
