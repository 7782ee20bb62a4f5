"""Metrics registered as annotators of a study: put in, taken out, and read for the pages that show them beside people.

A registration is never changed: other settings make another one, and numbers that differ under the same settings are
refused, so that nothing that somebody has looked at becomes something else under the same name (design/011).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Count, QuerySet

from rubrica.core.errors import refuse, wrong
from rubrica.core.metric_values import MetricValues, defined, refuse_others, the_one, unknown_items
from rubrica.core.names import METRIC_PREFIX, free_name
from rubrica.exchange.judged_ratings import dataset_of
from rubrica.store import audit, models

if TYPE_CHECKING:
    from rubrica.exchange.scores import SystemScore
    from rubrica.metrics.catalog import Counts, Measured
    from rubrica.metrics.metric import Figure

REGISTERED, EXTENDED, UNCHANGED = "registered", "extended", "unchanged"
CHUNK = 1000


class Registered(NamedTuple):
    """What became of a metric: its name in the study, ``state``, and on how many items it has a number now."""

    name: str
    figure: str
    state: str
    items: int


def register(
    study: models.Study,
    figure: Figure,
    signature: str,
    values: Mapping[str, float | None],
    now: datetime,
    *,
    actor: str = "",
    counts: Counts | None = None,
) -> Registered:
    """Register a figure with its numbers by the keys of items; None and NaN are items for which it is undefined.

    The same signature again adds numbers of items that have none yet, and counts that are missing, and changes none.
    Raises InputError if an item is unknown or planted, if no number is left, or if numbers differ from those registered
    under the same signature.
    """
    known = defined(figure.key, values)
    with study.held():
        items = dict(study.items.unplanted().values_list("key", "pk"))
        refuse(unknown_items(study.name, [key for key in known if key not in items]))
        same = _rows(study).filter(figure=figure.key, signature=signature).first()
        row = same or _new(study, figure, signature, now)
        had = dict(row.annotator.scores.values_list("item__key", "value"))
        refuse_others(row.name, had, known)
        _complete(row, counts)
        fresh = [key for key in known if key not in had]
        kept = {key: counts.kept(key) if counts else {} for key in fresh}
        who, score = row.annotator, models.MetricScore
        scores = [score(annotator=who, item_id=items[key], value=known[key], **kept[key]) for key in fresh]
        score.objects.bulk_create(scores, CHUNK)
        state = (EXTENDED if fresh else UNCHANGED) if same else REGISTERED
        name = row.name
        if state != UNCHANGED:
            audit.record(f"metric {state}", study, now, actor=actor, metric=name, settings=signature, items=len(fresh))
    return Registered(name, figure.key, state, len(had) + len(fresh))


def register_all(
    study: models.Study, measured: Sequence[Measured], now: datetime, *, actor: str = ""
) -> list[Registered]:
    """Register several figures, all or none. Raises InputError as :func:`register` does.

    Rewrites that are answers of this study are not judged in it: no person could stand beside a metric.
    """
    known = set(study.items.values_list("key", flat=True))
    given = {key for one in measured for key in one.values}
    if given and not given & known:
        what = f"the rewrites of {study.name!r} are answers of its writers, not items that people judge"
        fix = "Register metrics in the study in which these rewrites are rated."
        raise wrong(what, "rewrite", fix, value=study.name)
    with transaction.atomic():
        return [
            register(study, one.figure, one.signature, one.values, now, actor=actor, counts=one.counts)
            for one in measured
        ]


def unregister(study: models.Study, wanted: str, now: datetime, *, actor: str = "") -> Registered:
    """Remove a registered metric with its numbers; ``wanted`` is its name, or a figure that was registered once.

    Raises InputError if there is none, or if the figure was registered under several settings.
    """
    with study.held():
        row = the_one(list(_rows(study)), wanted, study.name)
        name, items = row.name, row.annotator.scores.count()
        row.annotator.delete()
        audit.record("metric removed", study, now, actor=actor, metric=name, settings=row.signature, items=items)
    return Registered(name, row.figure, "removed", items)


def registered(study: models.Study) -> list[models.MetricRegistration]:
    """The metrics of a study, in the order in which they were registered; ``items`` are those with a number."""
    return list(_rows(study).annotate(items=Count("annotator__scores")))


def values_of_metrics(study: models.Study) -> tuple[MetricValues, ...]:
    """The numbers of every registered metric, by the keys of items."""
    metrics = list(_rows(study))
    found: dict[int, dict[str, float]] = {row.annotator_id: {} for row in metrics}
    scores = models.MetricScore.objects.filter(annotator__study=study) if metrics else models.MetricScore.objects.none()
    for annotator, key, value in scores.values_list("annotator", "item__key", "value").iterator(chunk_size=CHUNK):
        found[annotator][key] = value
    return tuple(
        MetricValues(row.name, row.title, row.better, row.signature, found[row.annotator_id]) for row in metrics
    )


def scores_of_systems(study: models.Study, dataset: str = "") -> list[SystemScore]:
    """What every registered metric gives each system on each data set, over all items that it has a number of.

    They are the figures that `rubrica score` prints of the same items, made of the same counts. ``dataset`` is the
    metadata that names the data set of an item. Undefined, with the reason, where a metric was registered without its
    counts or cannot be made here.
    """
    from rubrica.exchange.scores import counted_scores
    from rubrica.metrics.catalog import figure_maker
    from rubrica.report.comparison_measures import NO_SYSTEM
    from rubrica.store.people.erasure import OUTCOME as ERASED

    found = []
    plain = study.items.unplanted().exclude(closed_reason=ERASED).values_list("metadata", "system")
    sizes = Counter((dataset_of(metadata, dataset), system or NO_SYSTEM) for metadata, system in plain)
    for row in _rows(study):
        columns = ("item__metadata", "item__system", "statistics", "left_out")
        scores = row.annotator.scores.order_by("item__position").values_list(*columns).iterator(chunk_size=CHUNK)
        counts = [
            (dataset_of(metadata, dataset), system or NO_SYSTEM, statistics, left_out)
            for metadata, system, statistics, left_out in scores
        ]
        made = figure_maker(row.metric, row.options, row.figure)
        found += counted_scores(row.name, row.title, row.signature, made, counts, sizes)
    return found


def _rows(study: models.Study) -> QuerySet[models.MetricRegistration]:
    return models.MetricRegistration.objects.filter(annotator__study=study).select_related("annotator").order_by("pk")


def _new(study: models.Study, figure: Figure, signature: str, now: datetime) -> models.MetricRegistration:
    kind = models.Annotator.Kind.METRIC
    taken = models.Annotator.everybody.filter(study=study, kind=kind).values_list("name", flat=True)
    name = free_name(METRIC_PREFIX + figure.key, taken)
    annotator = models.Annotator.everybody.create(study=study, name=name, kind=kind, created_at=now)
    return models.MetricRegistration.objects.create(
        annotator=annotator, figure=figure.key, title=figure.title, better=figure.better, signature=signature
    )


def _complete(row: models.MetricRegistration, counts: Counts | None) -> None:
    """Keep what figures of systems follow from, where a registration has not got it yet."""
    if counts is None:
        return
    if not row.metric:
        row.update(metric=counts.metric, options=dict(counts.options))
    bare = list(row.annotator.scores.filter(statistics__isnull=True).select_related("item"))
    for score in bare:
        score.statistics, score.left_out = counts.kept(score.item.key).values()
    models.MetricScore.objects.bulk_update(bare, ["statistics", "left_out"], CHUNK)
