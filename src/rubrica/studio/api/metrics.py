"""Metrics that are registered as annotators of a study: what they are, and removing one.

They are registered with `rubrica score study:NAME --register`: computing them needs more than a web server should load.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import AwareDatetime

from rubrica.store import metric_annotators, models
from rubrica.studio.api.access import MANAGER, VIEWER, ResearcherRequest, StudyId, actor, study_of
from rubrica.studio.api.schemas import REFUSALS, ListOut, Paging

router = Router(auth=VIEWER)


class MetricOut(Schema):
    """A metric. ``better`` is higher, lower or neither, ``signature`` all its settings.

    ``items`` is how many items it has a value of.
    """

    name: str
    figure: str
    title: str
    better: str
    signature: str
    registered_at: AwareDatetime
    items: int

    @staticmethod
    def resolve_registered_at(row: models.MetricRegistration) -> datetime:
        """When the metric became an annotator."""
        return row.annotator.created_at


@router.get("/metrics", response={200: ListOut[MetricOut], **REFUSALS})
def list_metrics(request: ResearcherRequest, study: StudyId, part: Query[Paging]) -> Any:
    """Registered metrics in the order in which they came. How near each is to people is in the results."""
    found = metric_annotators.registered(study_of(request))
    return {"count": len(found), "results": found[part.offset : part.offset + part.limit]}


@router.delete("/metrics/{metric}", auth=MANAGER, response={204: None, **REFUSALS})
def remove_metric(request: ResearcherRequest, study: StudyId, metric: str) -> Any:
    """Remove a metric with its values. The same command registers it again."""
    here = study_of(request)
    if metric not in {one.name for one in metric_annotators.registered(here)}:
        raise Http404
    metric_annotators.unregister(here, metric, timezone.now(), actor=actor(request))
    return Status(204, None)
