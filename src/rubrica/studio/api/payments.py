"""What annotators earned and were paid, and the ledger of every decision about it. Money is decimal, as text."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import AwareDatetime, Field

from rubrica.core.earnings import totals
from rubrica.store import models
from rubrica.store.money import payments
from rubrica.store.options import options_of
from rubrica.studio.access import has
from rubrica.studio.api.access import MANAGER, VIEWER, ResearcherRequest, StudyId, actor, one, study_of
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Paging, ReasonIn, Text, Words

router = Router(auth=VIEWER)


class EarnedOut(Schema):
    """One annotator's money. ``by_the_hour`` is null with too little measured time.

    Country and minimum wage are personal data: only managers see them.
    """

    annotator: str
    name: str
    tasks: int
    hours: float
    earned: str
    paid: str
    bonuses: str
    withheld: str
    due: str
    by_the_hour: str | None
    country: str
    minimum: str | None
    below_minimum: bool | None


class AccountsOut(Schema):
    """Everybody who worked or was paid, and the sums. The fee is the platform's, on what is paid and what is due."""

    currency: str
    accounts: list[EarnedOut]
    earned: str
    paid: str
    bonuses: str
    withheld: str
    due: str
    fee_paid: str
    fee_due: str


class PaymentOut(Schema):
    """A row of the ledger. A correction is a further row of the opposite amount."""

    id: str
    annotator: str
    name: str
    kind: str
    amount: str
    currency: str
    reason: str
    decided_by: str
    at: AwareDatetime


class PaymentIn(Body):
    """A payment made, a bonus, or the decision to withhold pay; the last two need a reason.

    With a key of 16 letters and digits, sending it again changes nothing.
    """

    annotator: Text
    kind: Literal["task", "hour", "bonus", "withheld"]
    amount: Text = Field(max_length=20)
    reason: Words = ""
    key: str = Field(default="", pattern=r"^([0-9a-z]{16})?$")


class BonusOut(Schema):
    """A bonus that is earned by the study's own terms and not recorded yet. Recorded with this key it is paid once."""

    judgement: str
    annotator: str
    name: str
    item_key: str
    skipped: int
    amount: str
    key: str


@router.get("/payments/accounts", response={200: AccountsOut, **REFUSALS})
def list_accounts(request: ResearcherRequest, study: StudyId) -> Any:
    """What everybody earned, was paid, and is due."""
    here = request.place
    terms = options_of(here.study).payment
    found = payments.accounts(here.study)
    sums = totals(found, terms.platform_fee)._asdict()
    accounts = [_earned(account, has(here.role, "manager")) for account in found]
    return {"currency": terms.currency, "accounts": accounts, **{name: _money(sums[name]) for name in sums}}


@router.get("/payments", response={200: ListOut[PaymentOut], **REFUSALS})
def list_payments(request: ResearcherRequest, study: StudyId, part: Query[Paging]) -> Any:
    """The ledger, the newest row first."""
    rows = _ledger(study_of(request)).order_by("-at", "-pk")
    return {"count": rows.count(), "results": [_payment(row) for row in part.cut(rows)]}


@router.post("/payments", auth=MANAGER, response={201: PaymentOut, **REFUSALS})
def record_payment(request: ResearcherRequest, study: StudyId, data: PaymentIn) -> Any:
    """Add a row to the ledger."""
    person = one(study_of(request).annotators.select_related("study"), data.annotator)
    made = payments.record(
        person, data.kind, data.amount, data.reason, timezone.now(), actor=actor(request), key=data.key
    )
    return Status(201, _payment(made))


@router.post("/payments/{payment}/correct", auth=MANAGER, response={201: PaymentOut, **REFUSALS})
def correct_payment(request: ResearcherRequest, study: StudyId, payment: str, data: ReasonIn) -> Any:
    """Take a row back by a further one. Doing it again changes nothing."""
    row = one(_ledger(study_of(request)), payment)
    return Status(201, _payment(payments.correct(row, data.reason, timezone.now(), actor=actor(request))))


@router.get("/payments/bonuses", auth=MANAGER, response={200: ListOut[BonusOut], **REFUSALS})
def list_bonuses(request: ResearcherRequest, study: StudyId) -> Any:
    """Bonuses that should be paid by the study's own terms."""
    found = [
        BonusOut(
            judgement=one_of.judgement.pid,
            annotator=one_of.judgement.annotator.pid,
            name=one_of.judgement.annotator.name,
            item_key=one_of.judgement.item.key,
            skipped=one_of.skipped,
            amount=_money(one_of.amount),
            key=one_of.key,
        )
        for one_of in payments.suggestions(study_of(request))
    ]
    return {"count": len(found), "results": found}


def _ledger(study: models.Study) -> Any:
    return models.Payment.objects.filter(annotator__study=study).select_related("annotator__study")


def _earned(account: payments.Account, manages: bool) -> EarnedOut:
    hourly = account.by_the_hour
    return EarnedOut(
        annotator=account.annotator.pid,
        name=account.annotator.name,
        tasks=sum(line.tasks for line in account.tasks),
        hours=account.hours,
        earned=_money(account.earned),
        paid=_money(account.paid),
        bonuses=_money(account.bonuses),
        withheld=_money(account.withheld),
        due=_money(account.due),
        by_the_hour=None if hourly is None else _money(hourly),
        country=account.country if manages else "",
        minimum=_money(account.minimum) if manages and account.minimum is not None else None,
        below_minimum=account.below_minimum if manages else None,
    )


def _payment(row: models.Payment) -> PaymentOut:
    return PaymentOut(
        id=row.pid,
        annotator=row.annotator.pid,
        name=row.annotator.name,
        kind=row.kind,
        amount=_money(row.amount),
        currency=row.currency,
        reason=row.reason,
        decided_by=row.decided_by,
        at=row.at,
    )


def _money(amount: Decimal) -> str:
    return f"{amount:.2f}"
