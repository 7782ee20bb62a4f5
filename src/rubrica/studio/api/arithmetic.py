"""The arithmetic of a study before it is launched: judgements, hours, cost, pay by the hour."""

from __future__ import annotations

from typing import Any

from ninja import Query, Router, Schema
from pydantic import Field

from rubrica.core.costs import Costs
from rubrica.store.money import costs
from rubrica.store.options import options_of
from rubrica.studio.api.access import VIEWER, ResearcherRequest, StudyId, study_of
from rubrica.studio.api.schemas import REFUSALS

router = Router(auth=VIEWER)


class StageCostsOut(Schema):
    """One stage: items x overlap = judgements; with planted items, tasks; hours; money."""

    id: str
    items: int
    overlap: int
    judgements: int
    planted: int
    tasks: int
    seconds: float
    hours: float
    paid: str
    hourly: str
    short_of_people: bool


class ShortfallOut(Schema):
    """A stage that pays less by the hour than a country's minimum wage, and the price per task that would not."""

    stage: str
    country: str
    minimum: str
    hourly: str
    per_task_needed: str


class CostsOut(Schema):
    """The arithmetic of a study. Money is decimal, as text."""

    currency: str
    annotators: int
    judgements: int
    tasks: int
    hours: float
    paid: str
    fee: str
    total: str
    stages: list[StageCostsOut]
    shortfalls: list[ShortfallOut]


class People(Schema):
    """For how many annotators; by default the fewest who can do the work."""

    annotators: int | None = Field(default=None, ge=1, le=100_000)


@router.get("/arithmetic", response={200: CostsOut, **REFUSALS})
def arithmetic(request: ResearcherRequest, study: StudyId, given: Query[People]) -> Any:
    """Items x overlap = judgements, hours at the median time, cost, and hourly pay against minimum wages."""
    here = study_of(request)
    return _costs(costs.costs_of(here, given.annotators), options_of(here).payment.currency)


def _costs(found: Costs, currency: str) -> CostsOut:
    return CostsOut(
        currency=currency,
        annotators=found.annotators,
        judgements=found.judgements,
        tasks=found.tasks,
        hours=float(found.hours),
        paid=str(found.paid),
        fee=str(found.fee),
        total=str(found.paid + found.fee),
        stages=[
            StageCostsOut(
                id=stage.id,
                items=stage.items,
                overlap=stage.overlap,
                judgements=stage.judgements,
                planted=stage.planted,
                tasks=stage.tasks,
                seconds=float(stage.seconds),
                hours=float(stage.hours),
                paid=str(stage.paid),
                hourly=str(stage.hourly),
                short_of_people=stage.short_of_people,
            )
            for stage in found.stages
        ],
        shortfalls=[
            ShortfallOut(
                stage=short.stage,
                country=short.country,
                minimum=str(short.minimum),
                hourly=str(short.hourly),
                per_task_needed=str(short.per_task_needed),
            )
            for short in found.shortfalls
        ],
    )
