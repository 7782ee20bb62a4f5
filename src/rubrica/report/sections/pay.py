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
    earned = f"Annotators earned {money.earned:.2f} {money.currency} by these terms. " if terms else ""
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
    currency, prices = money.currency, set(money.per_task.values())
    if len(money.per_task) > 1 and len(prices) == 1:
        terms = [f"{prices.pop():f} {currency} per judgement at every stage"]
    else:
        terms = [f"{price:f} {currency} per judgement at the stage {stage}" for stage, price in money.per_task.items()]
    terms += [f"{money.per_hour:f} {currency} per hour"] if money.per_hour else []
    return terms + [f"a bonus of {price:f} {currency} at the stage {stage}" for stage, price in money.bonus.items()]


def _recorded(money: MoneyFacts) -> str:
    """What was recorded as paid and withheld; nothing about what did not happen."""
    currency = money.currency
    if money.paid or money.bonuses:
        bonuses = f", and {money.bonuses:.2f} {currency} in bonuses" if money.bonuses else ""
        text = f"Recorded as paid: {money.paid:.2f} {currency}{bonuses}."
    else:
        text = "No payment is recorded yet."
    return text + (f" Withheld by a recorded decision: {money.withheld:.2f} {currency}." if money.withheld else "")


def _by_the_hour(found: Pay, money: MoneyFacts) -> str:
    currency = money.currency
    text = f"An hour of measured work brought a median of {found.middle:.2f} {currency}"
    text += f" (lowest {found.lowest:.2f}, highest {found.highest:.2f})" if found.people >= FEWEST else ""
    text += f" over {counted(found.people, 'annotator')}."
    if not money.minimum_wages:
        return f"{text} No minimum wage was entered to compare it with."
    wages = _wages(list(money.minimum_wages.values()), currency)
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
