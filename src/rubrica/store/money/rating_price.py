"""What one rating costs in a study, by its own terms of payment."""

from __future__ import annotations

from decimal import Decimal

from rubrica.core.costs import HOUR
from rubrica.report.crowd_reliability import Price
from rubrica.store import models
from rubrica.store.money.costs import stage_work
from rubrica.store.options import options_of


def rating_price(study: models.Study, stage_key: str) -> Price | None:
    """The price of a task and of the time it takes; None if nothing is paid, or the stage was replaced."""
    payment = options_of(study).payment
    for work in stage_work(study, payment):
        if work.id == stage_key:
            paid = work.per_task + (payment.per_hour or Decimal(0)) * work.seconds / HOUR
            fee = Decimal(str(payment.platform_fee))
            return Price(rating=paid, fee_percent=fee, currency=payment.currency) if paid else None
    return None
