"""Pay: the terms, what was paid, and what an hour of work brought beside the minimum wages entered."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rubrica.report.facts import MoneyFacts, StudyFacts
from rubrica.report.people import FEWEST, Pay, pay_by_the_hour
from rubrica.report.prose import counted, listed
from rubrica.report.sections.section import Paragraph, Part


def pay(facts: StudyFacts) -> list[Part]:
    """What the study pays and paid; that it pays nothing, if so."""
    money = facts.money
    if not money.paying:
        return [Paragraph("The study sets no pay and records no payment.", "empty")]
    terms = _terms(money)
    earned = f"Annotators earned {money.sums.earned:.2f} {money.terms.currency} by these terms. " if terms else ""
    parts: list[Part] = [Paragraph(f"Pay was set at {listed(terms)}.")] if terms else []
    parts.append(Paragraph(f"{earned}{_recorded(money)}"))
    found = pay_by_the_hour(facts.people)
    if found is None:
        parts.append(Paragraph("Too little time was measured to say what an hour of work brought.", "empty"))
    else:
        parts.append(Paragraph(_by_the_hour(found, money)))
    return parts


def _terms(money: MoneyFacts) -> list[str]:
    """What was promised; the price of a judgement once where all stages pay the same."""
    currency = money.terms.currency
    per_task = {stage: price for stage, price in money.terms.per_task.items() if price}
    bonus = {stage: price for stage, price in money.terms.bonus.items() if price}
    prices = set(per_task.values())
    if len(per_task) > 1 and len(prices) == 1:
        terms = [f"{prices.pop():f} {currency} per judgement at every stage"]
    else:
        terms = [f"{price:f} {currency} per judgement at the stage {stage}" for stage, price in per_task.items()]
    terms += [f"{money.terms.per_hour:f} {currency} per hour"] if money.terms.per_hour else []
    return terms + [f"a bonus of {price:f} {currency} at the stage {stage}" for stage, price in bonus.items()]


def _recorded(money: MoneyFacts) -> str:
    """What was recorded as paid and withheld; nothing about what did not happen."""
    currency, sums = money.terms.currency, money.sums
    if sums.paid or sums.bonuses:
        bonuses = f", and {sums.bonuses:.2f} {currency} in bonuses" if sums.bonuses else ""
        text = f"Recorded as paid: {sums.paid:.2f} {currency}{bonuses}."
    else:
        text = "No payment is recorded yet."
    return text + (f" Withheld by a recorded decision: {sums.withheld:.2f} {currency}." if sums.withheld else "")


def _by_the_hour(found: Pay, money: MoneyFacts) -> str:
    currency = money.terms.currency
    text = f"An hour of measured work brought a median of {found.middle:.2f} {currency}"
    text += f" (lowest {found.lowest:.2f}, highest {found.highest:.2f})" if found.people >= FEWEST else ""
    text += f" over {counted(found.people, 'annotator')}."
    if not money.terms.minimum_wages:
        return f"{text} No minimum wage was entered to compare it with."
    wages = _wages(list(money.terms.minimum_wages.values()), currency)
    if not found.compared:
        return f"{text} No annotator lives in a country whose minimum wage was entered, so it is not compared. {wages}"
    if found.compared == 1:
        whom, below = "the one", f"is {'' if found.below else 'not '}below it"
        return f"{text} For {whom} whose country's minimum wage was entered, that {below}. {wages}"
    whom = f"{found.below} of the {found.compared}" if found.below else f"none of the {found.compared}"
    verb = ", that is" if found.below else " is that"
    return f"{text} For {whom} whose country's minimum wage was entered{verb} below it. {wages}"


def _wages(wages: Sequence[Decimal], currency: str) -> str:
    """The minimum wages entered, without the countries: a short list of them would tell where people live."""
    if len(wages) == 1:
        return f"The minimum wage entered is {wages[0]:f} {currency} per hour."
    return (
        f"Minimum wages were entered for {counted(len(wages), 'country', 'countries')}, from {min(wages):f} to "
        f"{max(wages):f} {currency} per hour."
    )
