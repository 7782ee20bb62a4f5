"""Metrics registered as annotators of a study: put in, taken out, and read for the pages that show them beside people.

A registration is never changed: other settings make another one, and numbers that differ under the same settings are
refused, so that nothing that somebody has looked at becomes something else under the same name (design/011).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Count, QuerySet

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.metric_values import MetricValues
from rubrica.store import audit, models
from rubrica.store.annotators import METRIC_PREFIX
from rubrica.store.models.people import METRIC

if TYPE_CHECKING:
    from rubrica.metrics.metric import Figure

REGISTERED, EXTENDED, UNCHANGED = "registered", "extended", "unchanged"
SAME = 1e-9
"""Numbers this close, relative or absolute, are the same: machines add up in different orders."""
CHUNK = 1000
MOST_NAMED = 5
"""How many items a message names."""


class Measured(NamedTuple):
    """A figure to be registered: under which settings, and its numbers by the keys of items; None is undefined."""

    figure: Figure
    signature: str
    values: Mapping[str, float | None]


class Registered(NamedTuple):
    """What became of a metric: its name in the study, ``state``, and on how many items it has a number now."""

    name: str
    figure: str
    state: str
    items: int


class RegisteredMetric(NamedTuple):
    """A metric of a study, for pages: ``items`` are those with a number."""

    name: str
    figure: str
    title: str
    better: str
    signature: str
    registered_at: datetime
    items: int

    @property
    def settings(self) -> str:
        """The signature as a list that can be broken into lines."""
        return self.signature.replace("|", ", ")


def register(
    study: models.Study,
    figure: Figure,
    signature: str,
    values: Mapping[str, float | None],
    now: datetime,
    *,
    actor: str = "",
) -> Registered:
    """Register a figure with its numbers by the keys of items; None and NaN are items for which it is undefined.

    The same signature again adds numbers of items that have none yet and changes none. Raises InputError if an item is
    unknown or planted, if no number is left, or if numbers differ from those registered under the same signature.
    """
    known = {key: value for key, value in values.items() if value is not None and math.isfinite(value)}
    if not known:
        fix = "Score items that it is defined for, or leave the metric out."
        raise wrong(f"{figure.key} has no value for any item", "metric", fix, value=figure.key)
    with transaction.atomic():
        models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        items = _items(study, known)
        same = _rows(study).filter(figure=figure.key, signature=signature).select_related("annotator").first()
        row = same or _new(study, figure, signature, now)
        had = _numbers(row)
        _refuse_others(row, had, known)
        fresh = [key for key in known if key not in had]
        models.MetricScore.objects.bulk_create(
            [models.MetricScore(annotator=row.annotator, item_id=items[key], value=known[key]) for key in fresh], CHUNK
        )
        state = (EXTENDED if fresh else UNCHANGED) if same else REGISTERED
        name = short_name(row.annotator.name)
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
        raise wrong(
            f"the rewrites of {study.name!r} are answers of its writers, not items that people judge",
            "rewrite",
            "Register metrics in the study in which these rewrites are rated.",
            value=study.name,
        )
    with transaction.atomic():
        return [register(study, one.figure, one.signature, one.values, now, actor=actor) for one in measured]


def unregister(study: models.Study, wanted: str, now: datetime, *, actor: str = "") -> Registered:
    """Remove a registered metric with its numbers; ``wanted`` is its name, or a figure that was registered once.

    Raises InputError if there is none, or if the figure was registered under several settings.
    """
    with transaction.atomic():
        models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        row = _one(study, wanted)
        name, count = short_name(row.annotator.name), row.annotator.scores.count()
        row.annotator.delete()
        audit.record("metric removed", study, now, actor=actor, metric=name, settings=row.signature, items=count)
    return Registered(name, row.figure, "removed", count)


def registered(study: models.Study) -> list[RegisteredMetric]:
    """The metrics of a study, in the order in which they were registered."""
    rows = _rows(study).annotate(items=Count("annotator__scores")).select_related("annotator")
    return [
        RegisteredMetric(
            short_name(row.annotator.name),
            row.figure,
            row.title,
            row.better,
            row.signature,
            row.annotator.created_at,
            row.items,
        )
        for row in rows
    ]


def values_of_metrics(study: models.Study) -> tuple[MetricValues, ...]:
    """The numbers of every registered metric, by the keys of items."""
    metrics = list(_rows(study).select_related("annotator"))
    found: dict[int, dict[str, float]] = {row.annotator_id: {} for row in metrics}
    scores = models.MetricScore.objects.filter(annotator__study=study) if metrics else models.MetricScore.objects.none()
    for annotator, key, value in scores.values_list("annotator", "item__key", "value").iterator(chunk_size=CHUNK):
        found[annotator][key] = value
    return tuple(
        MetricValues(short_name(row.annotator.name), row.title, row.better, row.signature, found[row.annotator_id])
        for row in metrics
    )


def short_name(name: str) -> str:
    """What a metric is called where it is clear that it is one: ``sari``, and ``sari-2`` under other settings."""
    return name.removeprefix(METRIC_PREFIX)


def _rows(study: models.Study) -> QuerySet[models.MetricRegistration]:
    return models.MetricRegistration.objects.filter(annotator__study=study).order_by("pk")


def _new(study: models.Study, figure: Figure, signature: str, now: datetime) -> models.MetricRegistration:
    names = set(models.Annotator.everybody.filter(study=study, kind=METRIC).values_list("name", flat=True))
    name, number = METRIC_PREFIX + figure.key, 1
    while name in names:
        number += 1
        name = f"{METRIC_PREFIX}{figure.key}-{number}"
    annotator = models.Annotator.everybody.create(study=study, name=name, kind=METRIC, created_at=now)
    return models.MetricRegistration.objects.create(
        annotator=annotator, figure=figure.key, title=figure.title, better=figure.better, signature=signature
    )


def _items(study: models.Study, wanted: Collection[str]) -> dict[str, int]:
    """Row numbers of items by their keys."""
    plain = dict(study.items.filter(planted=None).values_list("key", "pk"))
    unknown = [key for key in wanted if key not in plain]
    if unknown:
        raise InputError(*(_no_item(study, key) for key in unknown[:MOST_NAMED]))
    return plain


def _no_item(study: models.Study, key: str) -> Problem:
    return Problem(
        what=f"the study {study.name!r} has no item {key!r}, or it is a planted one",
        rule="unknown_item",
        value=key,
        fix="Give values of the study's own items: `rubrica score study:NAME` reads them.",
    )


def _numbers(row: models.MetricRegistration) -> dict[str, float]:
    return dict(row.annotator.scores.values_list("item__key", "value"))


def _refuse_others(row: models.MetricRegistration, had: Mapping[str, float], given: Mapping[str, float]) -> None:
    other = [
        key
        for key, value in given.items()
        if key in had and not math.isclose(value, had[key], rel_tol=SAME, abs_tol=SAME)
    ]
    if other:
        name = short_name(row.annotator.name)
        first = other[0]
        raise wrong(
            f"{name} is registered with the same settings and other values for {len(other)} of {len(given)} items "
            f"({first}: {had[first]:g}, now {given[first]:g})",
            "metric",
            f"Remove it first if the new values are right: --unregister {name}.",
            value=name,
        )


def _one(study: models.Study, wanted: str) -> models.MetricRegistration:
    rows = list(_rows(study).select_related("annotator"))
    names = [short_name(row.annotator.name) for row in rows]
    if short_name(wanted) in names:
        return rows[names.index(short_name(wanted))]
    same = [row for row in rows if row.figure == wanted]
    if len(same) == 1:
        return same[0]
    if same:
        listed = "; ".join(f"{short_name(row.annotator.name)} ({row.signature})" for row in same)
        raise wrong(
            f"{wanted} is registered under {len(same)} settings", "metric", f"Name one of them: {listed}.", value=wanted
        )
    fix = (
        f"Registered: {', '.join(names)}."
        if names
        else "No metric is registered: `rubrica score study:NAME --register`."
    )
    raise wrong(f"the study {study.name!r} has no metric {wanted!r}", "unknown_metric", fix, value=wanted)
