"""Metrics registered as annotators of a study: put in, taken out, and read for the pages that show them beside people.

A registration is never changed: other settings make another one, and numbers that differ under the same settings are
refused, so that nothing that somebody has looked at becomes something else under the same name (design/011).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain, count, islice
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Count, QuerySet

from rubrica.core.annotator_names import METRIC_PREFIX
from rubrica.core.errors import Problem, refuse, wrong
from rubrica.core.metric_values import MetricValues
from rubrica.exchange.judged_ratings import dataset_of
from rubrica.store import audit, models

if TYPE_CHECKING:
    from rubrica.exchange.system_scores import SystemScore
    from rubrica.metrics.counted_figures import Counts, Measured
    from rubrica.metrics.metric import Figure

REGISTERED, EXTENDED, UNCHANGED = "registered", "extended", "unchanged"
SAME = 1e-9
"""Numbers this close, relative or absolute, are the same: machines add up in different orders."""
CHUNK = 1000
MOST_NAMED = 5
"""How many items a message names."""


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
    known = {key: value for key, value in values.items() if value is not None and math.isfinite(value)}
    if not known:
        fix = "Score items that it is defined for, or leave the metric out."
        raise wrong(f"{figure.key} has no value for any item", "metric", fix, value=figure.key)
    with transaction.atomic():
        models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        items = dict(study.items.unplanted().values_list("key", "pk"))
        refuse(_no_item(study, key) for key in islice((key for key in known if key not in items), MOST_NAMED))
        same = _rows(study).filter(figure=figure.key, signature=signature).first()
        row = same or _new(study, figure, signature, now)
        had = dict(row.annotator.scores.values_list("item__key", "value"))
        _refuse_others(row, had, known)
        _complete(row, counts)
        fresh = [key for key in known if key not in had]
        models.MetricScore.objects.bulk_create(
            [_score(row, items[key], key, known[key], counts) for key in fresh], CHUNK
        )
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
    with transaction.atomic():
        models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        row = _one(study, wanted)
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
    from rubrica.exchange.system_scores import counted_scores
    from rubrica.metrics.counted_figures import figure_maker
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
    names = set(models.Annotator.everybody.filter(study=study, kind=kind).values_list("name", flat=True))
    first = METRIC_PREFIX + figure.key
    name = next(one for one in chain([first], (f"{first}-{number}" for number in count(2))) if one not in names)
    annotator = models.Annotator.everybody.create(study=study, name=name, kind=kind, created_at=now)
    return models.MetricRegistration.objects.create(
        annotator=annotator, figure=figure.key, title=figure.title, better=figure.better, signature=signature
    )


def _score(
    row: models.MetricRegistration, item: int, key: str, value: float, counts: Counts | None
) -> models.MetricScore:
    rows, left_out = (counts.rows, counts.left_out) if counts else ({}, {})
    return models.MetricScore(
        annotator=row.annotator, item_id=item, value=value, statistics=rows.get(key), left_out=left_out.get(key, 0)
    )


def _complete(row: models.MetricRegistration, counts: Counts | None) -> None:
    """Keep what figures of systems follow from, where a registration has not got it yet."""
    if counts is None:
        return
    if not row.metric:
        row.metric, row.options = counts.metric, dict(counts.options)
        row.save(update_fields=["metric", "options"])
    bare = list(row.annotator.scores.filter(statistics__isnull=True).select_related("item"))
    for score in bare:
        score.statistics, score.left_out = counts.rows.get(score.item.key), counts.left_out.get(score.item.key, 0)
    models.MetricScore.objects.bulk_update(bare, ["statistics", "left_out"], CHUNK)


def _no_item(study: models.Study, key: str) -> Problem:
    what = f"the study {study.name!r} has no item {key!r}, or it is a planted one"
    fix = "Give values of the study's own items: `rubrica score study:NAME` reads them."
    return Problem(what=what, rule="unknown_item", value=key, fix=fix)


def _refuse_others(row: models.MetricRegistration, had: Mapping[str, float], given: Mapping[str, float]) -> None:
    both = [key for key in given if key in had]
    other = [key for key in both if not math.isclose(given[key], had[key], rel_tol=SAME, abs_tol=SAME)]
    if other:
        name, first = row.name, other[0]
        what = f"{name} is registered with the same settings and other values for {len(other)} of {len(given)} items"
        fix = f"Remove it first if the new values are right: --unregister {name}."
        raise wrong(f"{what} ({first}: {had[first]:g}, now {given[first]:g})", "metric", fix, value=name)


def _one(study: models.Study, wanted: str) -> models.MetricRegistration:
    rows = list(_rows(study))
    named = [row for row in rows if row.name == wanted.removeprefix(METRIC_PREFIX)]
    same = named or [row for row in rows if row.figure == wanted]
    if len(same) == 1:
        return same[0]
    if same:
        listed = "; ".join(f"{row.name} ({row.signature})" for row in same)
        what = f"{wanted} is registered under {len(same)} settings"
        raise wrong(what, "metric", f"Name one of them: {listed}.", value=wanted)
    none = "No metric is registered: `rubrica score study:NAME --register`."
    fix = f"Registered: {', '.join(row.name for row in rows)}." if rows else none
    raise wrong(f"the study {study.name!r} has no metric {wanted!r}", "unknown_metric", fix, value=wanted)
