"""What annotators earned, what was paid, and every decision about it in a ledger that only grows.

A correction is a further row with the opposite sign. Pay is withheld only by a row that says so, with its reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Sum

from rubrica.core.errors import wrong
from rubrica.core.numbers import Fault, with_point
from rubrica.core.typed_text import checked_text
from rubrica.store import audit, models
from rubrica.store.models import Payment
from rubrica.store.options import Options, options_of
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
    options = options_of(study)
    stages = {stage.pk: stage.key for stage in study.stages.all()}
    tasks = _tasks(study)
    hours = _hours(study)
    ledger = _ledger(study)
    countries = dict(models.Profile.objects.filter(annotator__study=study).values_list("annotator", "answers__country"))
    found = []
    for person in study.annotators.filter(kind=models.Annotator.Kind.PERSON):
        worked = tasks.get(person.pk, {})
        if not worked and person.pk not in ledger and not hours.get(person.pk):
            continue
        found.append(_account(person, {stages[pk]: n for pk, n in worked.items()}, hours, ledger, countries, options))
    return found


def _account(
    person: models.Annotator,
    tasks: dict[str, int],
    hours: dict[int, float],
    ledger: dict[int, dict[str, Decimal]],
    countries: dict[int, str | None],
    options: Options,
) -> Account:
    terms, rows = options.payment, ledger.get(person.pk, {})
    time = hours.get(person.pk, 0.0)
    country = countries.get(person.pk) or ""
    return Account(
        person,
        [TaskLine(stage, count, terms.per_task.get(stage, Decimal(0))) for stage, count in tasks.items()],
        time,
        (Decimal(time) * (terms.per_hour or Decimal(0))).quantize(CENT, ROUND_HALF_UP),
        rows.get("task", Decimal(0)) + rows.get("hour", Decimal(0)),
        rows.get("bonus", Decimal(0)),
        rows.get("withheld", Decimal(0)),
        country,
        terms.minimum_wages.get(country),
    )


def _tasks(study: models.Study) -> dict[int, dict[int, int]]:
    """By annotator and stage, the judgements made; what was passed on to somebody else is none."""
    rows = models.Assignment.objects.filter(stage__study=study, state__in=models.Assignment.JUDGED)
    found: dict[int, dict[int, int]] = {}
    for person, stage, count in rows.order_by().values_list("annotator", "stage").annotate(Count("pk")):
        found.setdefault(person, {})[stage] = count
    return found


def _hours(study: models.Study) -> dict[int, float]:
    """Measured time, that on skipped items included: skipping is at no loss."""
    rows = models.Judgement.objects.filter(stage__study=study).exclude(current__seconds=None)
    sums = rows.order_by().values_list("annotator").annotate(Sum("current__seconds"))
    return {person: seconds / 3600 for person, seconds in sums}


def _ledger(study: models.Study) -> dict[int, dict[str, Decimal]]:
    rows = models.Payment.objects.filter(annotator__study=study, currency=options_of(study).payment.currency)
    found: dict[int, dict[str, Decimal]] = {}
    for person, kind, amount in rows.order_by().values_list("annotator", "kind").annotate(Sum("amount")):
        found.setdefault(person, {})[kind] = Decimal(amount)
    return found


def totals(found: Iterable[Account], fee_percent: float) -> Totals:
    """The sums, and the platform's fee on what is paid and on what is due."""
    listed = list(found)
    fee = Decimal(str(fee_percent)) / 100
    zero = Decimal(0)
    paid = sum((one.paid for one in listed), zero)
    bonuses = sum((one.bonuses for one in listed), zero)
    due = sum((max(one.due, zero) for one in listed), zero)
    return Totals(
        sum((one.earned for one in listed), zero),
        paid,
        bonuses,
        sum((one.withheld for one in listed), zero),
        due,
        ((paid + bonuses) * fee).quantize(CENT, ROUND_HALF_UP),
        (due * fee).quantize(CENT, ROUND_HALF_UP),
    )


def record(
    annotator: models.Annotator, kind: str, amount: str, reason: str, now: datetime, *, actor: str = "", key: str = ""
) -> models.Payment:
    """Add a row to the ledger. The same ``key`` again is the same row. Bonuses and withholding need a reason."""
    if kind not in Payment.Kind.values:
        fix = f"Use one of {', '.join(Payment.Kind.values)}."
        raise wrong(f"there is no kind of payment {kind!r}", "kind", fix, value=kind)
    said = checked_text(reason, "the reason", required=kind in (Payment.Kind.BONUS, Payment.Kind.WITHHELD))
    money = _amount(amount)
    return _add(annotator, kind, money, said, now, actor, key)


def correct(payment: models.Payment, reason: str, now: datetime, *, actor: str = "") -> models.Payment:
    """Take a row back by a further one of the opposite amount. A row is corrected once, a correction never."""
    said = checked_text(reason, "the reason", required=False)
    if payment.reason.startswith(CORRECTS):
        raise wrong("this row is a correction", "correction", "Record a new payment instead.", value=payment.pid)
    key = _key(f"corrects:{payment.pid}")
    text = f"{CORRECTS}{payment.pid}" + (f": {said}" if said else "")
    return _add(payment.annotator, payment.kind, -payment.amount, text, now, actor, key)


def _add(
    annotator: models.Annotator, kind: str, amount: Decimal, reason: str, now: datetime, actor: str, key: str
) -> models.Payment:
    study = annotator.study
    with transaction.atomic():
        models.Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        known = models.Payment.objects.filter(pid=key).first() if key else None
        if known is not None and known.annotator_id == annotator.pk:
            return known
        made = create_once(
            models.Payment,
            key,
            annotator=annotator,
            kind=kind,
            amount=amount,
            currency=options_of(study).payment.currency,
            reason=reason,
            decided_by=actor,
            at=now,
        )
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
    known = set(models.Payment.objects.filter(pid__in=[one.key for one in found]).values_list("pid", flat=True))
    return [one for one in found if one.key not in known]
