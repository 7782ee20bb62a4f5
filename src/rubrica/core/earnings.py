"""What somebody earned and was paid: by tasks, by hours, what is still due, and what that is by the hour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_DOWN, Decimal
from typing import NamedTuple

import attrs

from rubrica.core.costs import CENT, rounded
from rubrica.core.errors import wrong
from rubrica.core.typed import Fault, with_point

SHORTEST_HOURS = 1 / 6
"""Less measured time than this says nothing about pay by the hour."""


LARGEST = Decimal(1_000_000)


class TaskLine(NamedTuple):
    """Judgements of one stage that are paid by the piece, planted ones included."""

    stage: str
    tasks: int
    price: Decimal

    @property
    def amount(self) -> Decimal:
        """What they come to."""
        return self.tasks * self.price


def typed_amount(text: str) -> Decimal:
    """An amount of money as somebody typed it. Raises InputError if it is none, or not above 0."""
    plain = with_point(text)
    money = Decimal("NaN" if isinstance(plain, Fault) else plain)
    if not money.is_finite() or not 0 < money <= LARGEST or money != money.quantize(CENT):
        fix = f"Use a number above 0 and up to {LARGEST:,}, with at most two decimals, like 12.50."
        raise wrong(f"{text[:40]!r} is not an amount", "amount", fix, value=text[:40], question="amount")
    return money


@attrs.frozen(kw_only=True)
class Earnings:
    """One annotator's money. ``hours`` is measured active time; work on sheets is not measured."""

    tasks: Sequence[TaskLine]
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
        return rounded(self.earned - self.withheld - self.paid)

    def check_withheld(self, amount: Decimal, who: str, currency: str) -> None:
        """Refuse the last row of the ledger, by which ``amount`` is withheld, if that is more than was earned."""
        before = self.withheld - amount
        left = (self.earned - before).quantize(CENT, ROUND_DOWN)
        if amount > left:
            already = f", of which {before:.2f} is withheld already" if before else ""
            what = f"{amount:.2f} {currency} cannot be withheld: {who} earned {self.earned:.2f}{already}"
            fix = f"Withhold at most {left:.2f}." if left > 0 else "There is nothing to withhold."
            raise wrong(what, "withheld", fix, value=f"{amount:.2f}", question="amount")

    @property
    def by_the_hour(self) -> Decimal | None:
        """What the work brings by the hour, bonuses included; None with too little measured time."""
        if self.hours < SHORTEST_HOURS:
            return None
        return rounded((self.earned + self.bonuses - self.withheld) / Decimal(self.hours))

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


def totals(found: Iterable[Earnings], fee_percent: float) -> Totals:
    """The sums, and the platform's fee on what is paid and on what is due."""
    listed, zero = list(found), Decimal(0)
    fee = Decimal(str(fee_percent)) / 100
    sums = {
        name: sum((getattr(one, name) for one in listed), zero) for name in ("earned", "paid", "bonuses", "withheld")
    }
    due = sum((max(one.due, zero) for one in listed), zero)
    fee_paid = rounded((sums["paid"] + sums["bonuses"]) * fee)
    return Totals(**sums, due=due, fee_paid=fee_paid, fee_due=rounded(due * fee))
