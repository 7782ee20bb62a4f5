"""The cost arithmetic of a stored study: its rows and settings handed to ``core.costs``."""

from __future__ import annotations

from decimal import Decimal

from django.db.models import Count

from rubrica.core.costs import HOUR, Costs, StageWork, Terms, costs, fewest_annotators
from rubrica.core.pace import guessed_seconds
from rubrica.exchange.study_options import Payment
from rubrica.report.crowd_reliability import Price
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.parts import current_stages
from rubrica.store.translate import protocol_of, rules_of

SAMPLE = 200
"""How many items are looked at to guess the length of a text."""
USUAL_WORDS = 40.0
"""The words of an item before there are any."""


def costs_of(study: models.Study, annotators: int | None = None, payment: Payment | None = None) -> Costs:
    """The arithmetic of the study with its own terms of payment, or with others that are being tried.

    Without ``annotators`` it is that of the fewest people who can do the work.
    """
    options = options_of(study)
    terms = payment or options.payment
    work = stage_work(study, terms)
    return costs(
        work,
        Terms(
            annotators=annotators or fewest_annotators(work, options.limit_per_annotator),
            per_hour=terms.per_hour or Decimal(0),
            bonus_share=Decimal(str(terms.bonus_share)),
            fee_percent=Decimal(str(terms.platform_fee)),
            minimum_wages=terms.minimum_wages,
        ),
    )


def stage_work(study: models.Study, payment: Payment) -> list[StageWork]:
    """What each current stage asks. Planted items belong to stages that take the study's items."""
    items = study.items.unplanted().open().count()
    planted: dict[str, int] = dict(
        models.Planted.objects.filter(item__study=study, item__closed_at=None)
        .values_list("kind")
        .annotate(Count("pk"))
        .order_by()
    )
    guesses = seconds_guessed(study)
    found = []
    for stage in current_stages(study):
        own_items = not rules_of(stage, protocol_of(stage)).items_from
        found.append(
            StageWork(
                id=stage.key,
                items=items,
                overlap=stage.overlap,
                seconds=Decimal(str(payment.median_seconds.get(stage.key, guesses[stage.key]))),
                duplicates=planted.get("duplicate", 0) if own_items else 0,
                gold=planted.get("gold", 0) if own_items else 0,
                per_task=payment.per_task.get(stage.key, Decimal(0)),
                bonus=payment.bonus.get(stage.key, Decimal(0)),
            )
        )
    return found


def seconds_guessed(study: models.Study) -> dict[str, int]:
    """By stage, how long one judgement may take: guessed from the protocol and the length of the texts."""
    words = mean_words(study)
    found = {}
    for stage in current_stages(study):
        protocol = protocol_of(stage)
        found[stage.key] = guessed_seconds(protocol, rules_of(stage, protocol), words)
    return found


def mean_words(study: models.Study) -> float:
    """Words of an item, all its texts together, by a sample of the first items."""
    rows = study.items.unplanted().open().values_list("fields", flat=True)[:SAMPLE]
    lengths = [sum(len(text.split()) for text in fields.values()) for fields in rows]
    return sum(lengths) / len(lengths) if lengths else USUAL_WORDS


def rating_price(study: models.Study, stage_key: str) -> Price | None:
    """The price of a task and of the time it takes; None if nothing is paid, or the stage was replaced."""
    payment = options_of(study).payment
    for work in stage_work(study, payment):
        if work.id == stage_key:
            paid = work.per_task + (payment.per_hour or Decimal(0)) * work.seconds / HOUR
            fee = Decimal(str(payment.platform_fee))
            return Price(rating=paid, fee_percent=fee, currency=payment.currency) if paid else None
    return None
