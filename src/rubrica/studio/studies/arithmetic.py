"""The arithmetic of a study as pages show it: each product with its factors, in the reader's words."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import get_language

from rubrica.core.costs import CENT, StageCosts
from rubrica.core.texts import shown
from rubrica.core.typed import whole
from rubrica.exchange.study_options import Payment
from rubrica.store import models
from rubrica.store.money.costs import costs_of
from rubrica.store.options import options_of
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of, rules_of
from rubrica.studio.formats import country

MOST_PEOPLE = 1_000_000


class StageSum(NamedTuple):
    """One stage: its label, its numbers, its prices."""

    label: str
    costs: StageCosts
    per_task: Any
    bonus: Any


class CountryPay(NamedTuple):
    """One stage against one country's minimum wage. ``needed`` is the price per task that would do, if below."""

    country: str
    stage: str
    minimum: Any
    hourly: Any
    below: bool
    needed: Any


class People(NamedTuple):
    """How many annotators to reckon with, None for the fewest possible; and what was typed, if it is no such number."""

    number: int | None = None
    unreadable: str = ""


def people_from(query: QueryDict) -> People:
    """The number of annotators that was asked for."""
    text = query.get("annotators", "").strip()
    number = whole(text, 1, MOST_PEOPLE)
    return People(number) if number else People(unreadable=text[:40])


def arithmetic_context(study: models.Study, people: People, payment: Payment | None = None) -> dict[str, Any]:
    """What the partial ``studies/arithmetic.html`` shows."""
    terms = payment or options_of(study).payment
    found = costs_of(study, people.number, terms)
    labels = stage_labels(study)
    pays = [
        CountryPay(
            country(code),
            labels[stage.id],
            minimum,
            stage.hourly,
            stage.hourly < minimum,
            next(
                (one.per_task_needed for one in found.shortfalls if (one.stage, one.country) == (stage.id, code)),
                None,
            ),
        )
        for code, minimum in terms.minimum_wages.items()
        for stage in found.stages
    ]
    return {
        "costs": found,
        "no_number": people.unreadable,
        "most_people": MOST_PEOPLE,
        "sums": [
            StageSum(labels[stage.id], stage, price(terms.per_task.get(stage.id)), price(terms.bonus.get(stage.id)))
            for stage in found.stages
        ],
        "terms": terms,
        "per_hour": price(terms.per_hour),
        "bonus_percent": terms.bonus_share * 100,
        "pays": pays,
        "below": any(pay.below for pay in pays),
        "unpaid": not found.paid,
        "several_stages": len(found.stages) > 1,
    }


def price(amount: Decimal | None) -> Decimal | None:
    """A price as it is shown: two decimals, or as many as it has."""
    if not amount:
        return None
    short = amount.quantize(CENT)
    return short if short == amount else amount.normalize()


def stage_labels(study: models.Study) -> dict[str, str]:
    """The label of each current stage by its key."""
    language = get_language() or "en"
    return {stage.key: shown(rules_of(stage, protocol_of(stage)).label, language) for stage in current_stages(study)}
