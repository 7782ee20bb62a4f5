"""A study's judgements as statistics see them: the same shape that a file of ratings is read into."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q

from rubrica.core.ratings import Rater, Rating, Ratings
from rubrica.core.signature import protocol_parts
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.judged_ratings import answers_of, unit_of
from rubrica.protocols.criteria import criteria_of
from rubrica.store import models
from rubrica.store.counting.submitted import Entry, Picture, picture
from rubrica.store.metric_annotators import values_of_metrics
from rubrica.store.studies import find_stage
from rubrica.store.translate import item_from, validator_of


def ratings_of(study: models.Study, stage: str = "", dataset: str = "") -> Ratings:
    """What was said at one stage: the one wanted, else the last that has comparable answers.

    ``dataset`` is the metadata that names the data set of an item. Raises InputError if there is no such stage.
    """
    seen = picture(study)
    return ratings_at(seen, _stage(seen, stage), dataset)


def ratings_at(seen: Picture, chosen: models.Stage, dataset: str = "") -> Ratings:
    """What was said at this stage of a study as it stands."""
    study, protocol = seen.study, seen.protocols[chosen.pk]
    entries = [entry for entry in seen.every if entry.stage == chosen.pk]
    said = models.Judgement.objects.filter(stage=chosen).submitted().values("item")
    repeated = models.Planted.objects.filter(item__study=study).exclude(original=None).values("original")
    rows = models.Item.objects.filter(Q(pk__in=said) | Q(pk__in=repeated)).order_by("position") if entries else ()
    items = {row.pk: item_from(row) for row in rows}
    judged = {entry.item for entry in entries}
    people = [seen.people[pk] for pk in dict.fromkeys(entry.annotator for entry in entries)]
    traits = _traits(study)
    validator = validator_of(chosen)
    return Ratings(
        study.name,
        criteria_of(protocol),
        tuple(_rating(seen, validator, entry, items) for entry in entries),
        {item.key: unit_of(protocol, item, dataset) for pk, item in items.items() if pk in judged},
        {
            who.name: Rater(who.name, who.kind, traits.get(who.pk, {}), excluded=who.excluded_at is not None)
            for who in people
        },
        {
            **protocol_parts(protocol, chosen.settings),
            "study": study.name,
            "stage": chosen.key,
            "dataset": dataset,
            "excluded": "+".join(sorted(who.name for who in seen.people.values() if who.excluded_at is not None)),
        },
        protocol=protocol,
        step=validator.stage,
        metrics=values_of_metrics(study),
    )


def _stage(seen: Picture, wanted: str) -> models.Stage:
    if wanted:
        return find_stage(seen.study, wanted)
    stages = list(seen.stages.values())
    judged = {entry.stage for entry in seen.every}
    answered = [stage for stage in stages if stage.pk in judged]
    comparable = [stage for stage in answered if any(one.comparable for one in criteria_of(seen.protocols[stage.pk]))]
    return (comparable or answered or stages)[-1]


def _rating(seen: Picture, validator: Validator, entry: Entry, items: Mapping[int, Item]) -> Rating:
    item = items[entry.item]
    original = seen.duplicates.get(entry.item)
    return Rating(
        item.key,
        seen.people[entry.annotator].name,
        answers_of(validator, item, Judgement(entry.answers, (), entry.outcome)),
        entry.outcome,
        entry.seconds,
        entry.at,
        "gold" if entry.item in seen.gold else "duplicate" if original else "",
        items[original].key if original is not None and original in items else "",
        seen.gold.get(entry.item, {}),
        validator.fixed(item),
        pid=entry.pid,
        first_at=entry.first_at,
    )


def _traits(study: models.Study) -> dict[int, dict[str, str]]:
    """What people said of themselves; what they would rather not say is left out."""
    rows = models.Profile.objects.filter(annotator__study=study).values_list("annotator", "answers")
    return {
        annotator: {name: str(value) for name, value in answers.items() if value is not None}
        for annotator, answers in rows
    }
