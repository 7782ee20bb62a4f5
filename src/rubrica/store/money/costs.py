"""The cost arithmetic of a stored study: its rows and settings handed to ``core.costs``."""

from __future__ import annotations

from decimal import Decimal

from django.db.models import Count

from rubrica.core.costs import HOUR, Costs, StageWork, costs, fewest_annotators, guessed_seconds
from rubrica.exchange.judged_ratings import dataset_of
from rubrica.exchange.study_options import Payment
from rubrica.report.crowd_reliability import Price
from rubrica.store import models
from rubrica.store.counting.progress import collected
from rubrica.store.options import options_of
from rubrica.store.stages import current_stages
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
    paid = payment or options.payment
    work = stage_work(study, paid)
    return costs(work, paid.terms(annotators or fewest_annotators(work, options.limit_per_annotator)))


def stage_work(study: models.Study, payment: Payment) -> list[StageWork]:
    """What each current stage asks. Planted items belong to stages that take the study's items."""
    kinds = models.Planted.objects.filter(item__study=study, item__closed_at=None).order_by().values_list("kind")
    planted: dict[str, int] = dict(kinds.annotate(Count("pk")))
    seconds = seconds_expected(study, payment)
    found = []
    for stage in current_stages(study):
        own_items = not rules_of(stage, protocol_of(stage)).items_from and not stage.takes
        found.append(
            StageWork(
                id=stage.key,
                items=_items(stage),
                overlap=stage.overlap,
                seconds=Decimal(str(seconds[stage.key])),
                duplicates=planted.get("duplicate", 0) if own_items else 0,
                gold=planted.get("gold", 0) if own_items else 0,
                per_task=_price(stage, payment),
                bonus=payment.bonus.get(stage.key, Decimal(0)),
            )
        )
    return found


def _items(stage: models.Stage) -> int:
    """How many items the stage asks about: those there are, and texts that are still to be written, at most."""
    there = models.Item.objects.of_stage(stage).unplanted().open().count()
    if not stage.takes:
        return there
    found = collected(stage.study)
    assert found is not None
    return there + found.waiting * found.places


def _price(stage: models.Stage, payment: Payment) -> Decimal:
    """What a task of the stage brings on average over its items; those still to be written are as those there are."""
    if not payment.by_dataset(stage.key):
        return payment.price(stage.key)
    items = models.Item.objects.of_stage(stage).unplanted().open()
    if stage.takes and not items.exists():
        items = models.Item.objects.filter(study=stage.study_id).given().unplanted().open()
    found = [payment.price(stage.key, dataset_of(metadata)) for metadata in items.values_list("metadata", flat=True)]
    return sum(found, Decimal(0)) / len(found) if found else payment.price(stage.key)


def seconds_guessed(study: models.Study) -> dict[str, int]:
    """By stage, how long one judgement may take: guessed from the protocol and the length of the texts."""
    words, asked = mean_words(study), [(stage, protocol_of(stage)) for stage in current_stages(study)]
    return {stage.key: guessed_seconds(protocol, rules_of(stage, protocol), words) for stage, protocol in asked}


def seconds_expected(study: models.Study, payment: Payment) -> dict[str, float]:
    """By stage, how long one judgement takes: as the researcher has measured it, else as guessed."""
    return {**seconds_guessed(study), **payment.median_seconds}


def mean_words(study: models.Study) -> float:
    """Words of an item, all its texts together, by a sample of the first items."""
    rows = study.items.given().unplanted().open().values_list("fields", flat=True)[:SAMPLE]
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
