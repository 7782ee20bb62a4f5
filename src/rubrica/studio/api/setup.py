"""How a study is set up: settings, parameters, overlap, time, checks, and whether it can be launched."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils import timezone
from ninja import Router, Schema, Status
from pydantic import Field, model_validator

from rubrica.core.assignment import MAX_OVERLAP
from rubrica.core.errors import refuse
from rubrica.exchange.study_options import (
    About,
    Ethics,
    Options,
    OwnTexts,
    Payment,
    ProfileAsked,
    Qualification,
    Share,
    Steps,
)
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.people.consents import unread
from rubrica.store.setup import running, setting_up, study_items
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.annotate.languages import language_problems
from rubrica.studio.api.access import MANAGER, VIEWER, ResearcherRequest, StudyId, actor, checked_key, study_of
from rubrica.studio.api.errors import ErrorOut
from rubrica.studio.api.item_bodies import MOST, GoldIn, gold_from
from rubrica.studio.api.schemas import REFUSALS, Body, Text, kept

router = Router(auth=VIEWER)


class SettingsIn(Schema):
    """Settings to change; those left out stay as they are, a part (such as ``payment``) is replaced whole."""

    model_config = {"extra": "forbid"}

    about: About = About()
    steps: Steps = Steps()
    welcome_text: Text = ""
    data_use: Text = ""
    consent_text: Text = ""
    consent_covers_profiles: bool = False
    profile: ProfileAsked = ProfileAsked()
    qualification: Qualification = Qualification()
    payment: Payment = Payment()
    ethics: Ethics = Ethics()
    languages: list[Text] = []
    layout: Text = "stacked"
    hand_on: Text = "settled"
    lease_minutes: int = 120
    ahead: int = 3
    limit_per_annotator: int | None = None
    adjudicators: list[Text] = []
    teams: dict[Text, list[Text]] = {}
    completion_code: Text = ""
    thanks_text: Text = ""
    texts: dict[Text, OwnTexts] = {}
    items_reviewed: bool = False
    review_required: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _storable(cls, data: Any) -> Any:
        """The parts are the store's own, which trusts its callers: look at their texts here."""
        return kept(data)


class ParametersIn(Body):
    """The protocol's parameters, all of them; those left out have their defaults."""

    parameters: dict[Text, Text]


class OverlapIn(Body):
    """How many judgements each item gets."""

    overlap: int = Field(ge=1, le=MAX_OVERLAP)


class TimeIn(Body):
    """How many hours nobody's lease may end before, from now."""

    hours: int = Field(ge=1, le=running.MAX_HOURS)


class LeasesOut(Schema):
    """How many leases were changed."""

    leases: int


class ChecksIn(Body):
    """Items that measure the annotator; what is left out stays."""

    duplicates: Share | None = None
    gold: list[GoldIn] | None = Field(default=None, max_length=MOST)


class ChecksOut(Schema):
    """How many items measure the annotator."""

    duplicates: float
    duplicate_items: int
    gold_items: int


class ConsentOut(Schema):
    """Our consent in a language in which nobody has reviewed it, to be read beside the original before a launch."""

    language: str
    original: str
    text: str


class ReadinessOut(Schema):
    """What must be mended before a launch, which steps deserve another look, and which consents must be read."""

    blocks: list[ErrorOut]
    advice: list[str]
    consents: list[ConsentOut]


@router.get("/settings", response={200: Options, **REFUSALS})
def get_settings(request: ResearcherRequest, study: StudyId) -> Any:
    """All settings of a study."""
    return options_of(study_of(request))


@router.patch("/settings", auth=MANAGER, response={200: Options, **REFUSALS})
def change_settings(request: ResearcherRequest, study: StudyId, data: SettingsIn) -> Any:
    """Change some settings."""
    here, changes = study_of(request), data.model_dump(mode="json", exclude_unset=True)
    refuse(language_problems(protocol_of(current_stages(here)[0]), changes.get("languages", [])))
    return setting_up.change_options(here, changes, timezone.now(), actor(request))


@router.put("/parameters", auth=MANAGER, response={204: None, **REFUSALS})
def set_parameters(request: ResearcherRequest, study: StudyId, data: ParametersIn) -> Any:
    """Set the protocol's parameters, as long as nothing was judged with the old ones."""
    here = study_of(request)
    setting_up.change_parameters(here, data.parameters, timezone.now(), actor(request))
    return Status(204, None)


@router.put("/stages/{stage}/overlap", auth=MANAGER, response={204: None, **REFUSALS})
def set_overlap(request: ResearcherRequest, study: StudyId, stage: str, data: OverlapIn) -> Any:
    """Ask for more judgements of every item, or for fewer as long as no item has more."""
    found = study_of(request).stages.filter(key=checked_key(stage)).first()
    if found is None:
        raise Http404
    running.set_overlap(found.study, {found.key: data.overlap}, timezone.now(), actor=actor(request))
    return Status(204, None)


@router.post("/time", auth=MANAGER, response={200: LeasesOut, **REFUSALS})
def give_time(request: ResearcherRequest, study: StudyId, data: TimeIn) -> Any:
    """Let no open lease end before that many hours from now."""
    here = study_of(request)
    return LeasesOut(leases=running.give_time(here, data.hours, timezone.now(), actor=actor(request)))


@router.get("/checks", response={200: ChecksOut, **REFUSALS})
def get_checks(request: ResearcherRequest, study: StudyId) -> Any:
    """How many items measure the annotator."""
    return _checks(study_of(request))


@router.patch("/checks", auth=MANAGER, response={200: ChecksOut, **REFUSALS})
def set_checks(request: ResearcherRequest, study: StudyId, data: ChecksIn) -> Any:
    """Plant hidden duplicates or items with known answers in place of those there were."""
    here, now, who = study_of(request), timezone.now(), actor(request)
    if data.gold is not None:
        stage = here.stages.select_related("protocol_version")[0]
        study_items.set_gold(here, gold_from(data.gold, protocol_of(stage)), now, who)
    if data.duplicates is not None:
        study_items.set_duplicates(here, data.duplicates, now, who)
    return _checks(here)


def _checks(study: models.Study) -> ChecksOut:
    return ChecksOut(
        duplicates=options_of(study).duplicates,
        duplicate_items=study.items.filter(planted__kind=models.Planted.Kind.DUPLICATE).count(),
        gold_items=study.items.filter(planted__kind=models.Planted.Kind.GOLD).count(),
    )


@router.get("/readiness", response={200: ReadinessOut, **REFUSALS})
def get_readiness(request: ResearcherRequest, study: StudyId) -> Any:
    """Whether the study can be launched."""
    here = study_of(request)
    found = running.readiness(here)
    consents = [one._asdict() for one in unread(here)]
    return {"blocks": [block.as_json() for block in found.blocks], "advice": found.advice, "consents": consents}
