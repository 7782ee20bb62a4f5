"""Studies: listed, made, looked at, released, paused, closed, moved to the trash and back."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.db import transaction
from django.utils import timezone
from ninja import Query, Router, Schema, Status
from pydantic import AwareDatetime, Field

from rubrica.core.assignment import MAX_OVERLAP
from rubrica.core.errors import wrong
from rubrica.core.names import MAX_TITLE, name_from
from rubrica.exchange.study_options import About
from rubrica.exchange.study_plan import Plan
from rubrica.protocols.catalog import load_shipped, shipped
from rubrica.protocols.loader import Loaded
from rubrica.store import models, studies
from rubrica.store.counting import progress
from rubrica.store.counting.progress import Card, cards, collected
from rubrica.store.people import joining
from rubrica.store.setup import running, setting_up, study_items
from rubrica.store.studies import find_stage
from rubrica.store.translate import protocol_of, rules_of
from rubrica.studio.access import role_in, studies_of
from rubrica.studio.api.access import (
    MANAGER,
    OWNER,
    OWNER_OF_TRASH,
    RESEARCHER,
    VIEWER,
    Place,
    ResearcherRequest,
    StudyId,
    actor,
    managed_study,
    study_of,
)
from rubrica.studio.api.item_bodies import MOST, ItemIn, LeaveOut, items_from
from rubrica.studio.api.protocols import from_yaml
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Paging, Text

router = Router(auth=RESEARCHER)
Overlap = Annotated[int, Field(ge=1, le=MAX_OVERLAP)]
Action = Literal["launch", "pause", "resume", "close", "reopen"]


class StudyOut(Schema):
    """A study at a glance. ``done`` and ``wanted`` are judgements of plain items at all stages."""

    id: str
    name: str
    title: str
    state: str
    role: str
    protocol: str
    version: str
    hash: str
    items: int
    annotators: int
    done: int
    wanted: int
    created_at: AwareDatetime
    active_at: AwareDatetime


class StageOut(Schema):
    """A stage and how far it is. ``per_hour``, ``end`` and ``median_seconds`` are null where too little is known."""

    id: str
    role: str
    state: str
    overlap: int
    takes: str = Field(description="The stage whose written texts are its items, or nothing.")
    protocol: str
    version: str
    hash: str
    frozen_at: AwareDatetime | None
    items: int
    closed: int
    wanted: int
    done: int
    handed_out: int
    remaining: int
    extra: int
    per_hour: float | None
    end: AwareDatetime | None
    median_seconds: float | None
    hours: float


class CollectedOut(Schema):
    """How far the items of a study are in which people write and others judge what they wrote.

    ``short`` are ids of items that are settled and have fewer texts than the ``places`` that were asked for.
    """

    sentences: int
    waiting: int
    handed_on: int
    discarded: int
    left_out: int
    texts: int
    places: int
    skips: int
    short: list[str]


class WholeStudyOut(StudyOut):
    """A study with its stages; ``collected`` is null where nobody judges what is written in it."""

    seed: int
    parameters: dict[str, str]
    authors_from: str = Field(description="The id of the study that the authors of the texts come from, or nothing.")
    stages: list[StageOut]
    collected: CollectedOut | None


class StudyIn(Body):
    """A new study: a protocol by its id or as YAML text, and its items, which can also be added later.

    ``items_from`` is the id of a study whose texts become the items, or its items where nobody writes; ``authors_from``
    that of the study in which the texts of these items were written. Either joins the two. ``then`` is the id of a
    protocol by which other people judge what is written by the first, in a stage of its own; ``hand_on`` is when its
    texts get there: when an item has all of them, or as they come. It is a draft that its
    maker owns; `launch` starts it.
    """

    title: Text = Field(min_length=1, max_length=MAX_TITLE)
    name: Text = Field(default="", max_length=100, description="For files and commands; made from the title if empty.")
    protocol: Text = ""
    yaml: Text = ""
    parameters: dict[Text, Text] = {}
    about: About = About()
    items: list[ItemIn] = Field(default=[], max_length=MOST)
    leave_out: LeaveOut = []
    items_from: Text = ""
    authors_from: Text = ""
    then: Text = ""
    hand_on: Literal["settled", "as_they_come"] = "settled"
    overlap: dict[Text, Overlap] = {}
    duplicates: float = Field(default=0, ge=0, le=1)


class AuthorsFromIn(Body):
    """The id of the study that the authors come from; nothing if they come from none."""

    study: Text


class AuthorsFromOut(Schema):
    """The study that the authors come from, how many of them are people there, how many texts were erased because
    their author was erased there, and who has judged here already although they wrote there."""

    study: str
    authors: int
    erased: int
    already: list[str]


class TitleIn(Body):
    """Another title."""

    title: Text = Field(max_length=MAX_TITLE)


class StateIn(Body):
    """Which stage; all if it is empty.

    The first launch asks whoever launches to say that the items were reviewed for sensitive material (``review``) and
    that the ethics record was checked (``ethics``); with ``leave_open`` it goes on without, and that is recorded.
    ``consents_read`` names the languages in which they have read the consent beside the original and answer for it:
    without it no study is launched in a language in which nobody has reviewed our consent (see ``readiness``).
    """

    stage: Text = ""
    attested: list[Literal["review", "ethics"]] = []
    leave_open: bool = False
    consents_read: list[Text] = []


class Listing(Paging):
    """Which studies."""

    trash: bool = Field(default=False, description="Those in the trash, of which one is the owner.")


@router.get("", response={200: ListOut[StudyOut], **REFUSALS})
def list_studies(request: ResearcherRequest, part: Query[Listing]) -> Any:
    """One's studies, the one with the latest activity first."""
    rows = studies_of(request.auth)
    if part.trash:
        rows = models.Study.objects.trashed()
        if not request.auth.is_superuser:
            rows = rows.filter(members__user=request.auth, members__role=models.Member.Role.OWNER)
    found = cards(list(rows))
    shown = found[part.offset : part.offset + part.limit]
    return {"count": len(found), "results": [_glance(card, role_in(card.study, request.auth)) for card in shown]}


@router.post("", response={201: WholeStudyOut, **REFUSALS})
def make_study(request: ResearcherRequest, data: StudyIn) -> Any:
    """Make a study, all of it or nothing."""
    loaded, now, who = _loaded(data), timezone.now(), actor(request)
    then = _shipped(data.then) if data.then else None
    items = items_from(data.items, loaded.protocol, data.leave_out)
    source = _source(request, data)
    if data.items_from and source:
        items = joining.items_from(source, loaded.protocol).items
    name = data.name or studies.free_name(name_from(data.title))
    with transaction.atomic():
        study = setting_up.begin(
            Plan(
                title=data.title,
                name=name,
                loaded=loaded,
                settings=data.parameters,
                about=data.about.model_dump(),
                then=then,
                hand_on=data.hand_on,
            ),
            request.auth,
            now,
        )
        if source:
            joining.join(study, source, now, who)
        if items:
            study_items.replace_items(study, items, now, who)
        if data.duplicates:
            study_items.set_duplicates(study, data.duplicates, now, who)
        if data.overlap:
            running.set_overlap(study, data.overlap, now, actor=who)
    return Status(201, _whole(Place(study, "owner")))


def _source(request: ResearcherRequest, data: StudyIn) -> models.Study | None:
    """The study that the new one is joined with, which must be one's own to manage."""
    if data.items_from and (data.items or data.authors_from):
        fix = "Give items_from alone: the authors come from there."
        raise wrong("items come from one place", "items_from", fix, value=data.items_from)
    pid = data.items_from or data.authors_from
    return managed_study(request, pid) if pid else None


@router.put("/{study}/authors-from", auth=MANAGER, response={200: AuthorsFromOut, **REFUSALS})
def set_authors_from(request: ResearcherRequest, study: StudyId, data: AuthorsFromIn) -> Any:
    """Name the study that the authors of the texts come from, which joins the two; an empty id takes it back."""
    here, now, who = study_of(request), timezone.now(), actor(request)
    if not data.study:
        joining.leave(here, now, who)
        return AuthorsFromOut(study="", authors=0, erased=0, already=[])
    source = managed_study(request, data.study)
    return AuthorsFromOut(study=source.pid, **joining.join(here, source, now, who)._asdict())


@router.get("/{study}", auth=VIEWER, response={200: WholeStudyOut, **REFUSALS})
def get_study(request: ResearcherRequest, study: StudyId) -> Any:
    """A study and how far it is."""
    return _whole(request.place)


@router.patch("/{study}", auth=MANAGER, response={200: WholeStudyOut, **REFUSALS})
def rename_study(request: ResearcherRequest, study: StudyId, data: TitleIn) -> Any:
    """Give a study another title; its name stays."""
    here = request.place
    setting_up.rename(here.study, data.title, timezone.now(), actor(request))
    return _whole(here)


@router.delete("/{study}", auth=OWNER, response={204: None, **REFUSALS})
def delete_study(request: ResearcherRequest, study: StudyId) -> Any:
    """Move a study to the trash; `restore` brings it back."""
    studies.delete(study_of(request).name, timezone.now(), actor(request))
    return Status(204, None)


@router.post("/{study}/restore", auth=OWNER_OF_TRASH, response={200: WholeStudyOut, **REFUSALS})
def restore_study(request: ResearcherRequest, study: StudyId) -> Any:
    """Bring a study back from the trash, under another name if its own was taken meanwhile."""
    here = request.place
    return _whole(here._replace(study=studies.bring_back(here.study, timezone.now(), actor(request))))


@router.post("/{study}/state/{action}", auth=MANAGER, response={200: WholeStudyOut, **REFUSALS})
def change_state(request: ResearcherRequest, study: StudyId, action: Action, data: StateIn) -> Any:
    """Launch a draft; pause, resume, close or reopen the study or one stage. Doing it again changes nothing."""
    here = request.place
    if data.stage:
        find_stage(here.study, data.stage)
    if action == "launch":
        if data.stage:
            raise wrong("a study is launched as a whole", "stage", "Leave the stage out.", value=data.stage)
        said, now = data.attested, timezone.now()
        open_, read = data.leave_open, data.consents_read
        running.launch(here.study, now, actor(request), attested=said, leave_open=open_, consents_read=read)
    else:
        running.move(here.study, action, timezone.now(), actor=actor(request), stage=data.stage)
    return _whole(here)


def _loaded(data: StudyIn) -> Loaded:
    if bool(data.protocol) == bool(data.yaml):
        fix = "Give the id of a protocol, or YAML text."
        raise wrong("a study has one protocol", "protocol", fix, value=data.protocol)
    if data.yaml:
        return from_yaml(data.yaml)
    return _shipped(data.protocol)


def _shipped(name: str) -> Loaded:
    if name not in shipped():
        fix = f"Use one of {', '.join(shipped())}."
        raise wrong(f"there is no protocol {name!r}", "unknown_protocol", fix, value=name)
    return load_shipped(name)


def _glance(card: Card, role: str) -> StudyOut:
    return StudyOut(**_card(card, role))


def _card(card: Card, role: str) -> dict[str, Any]:
    study, version = card.study, card.stage.protocol_version
    return {
        "id": study.pid,
        "name": study.name,
        "title": study.title,
        "state": card.state,
        "role": role,
        "protocol": version.protocol_id,
        "version": version.version,
        "hash": version.hash,
        "items": card.items,
        "annotators": card.annotators,
        "done": card.done,
        "wanted": card.wanted,
        "created_at": study.created_at,
        "active_at": card.active_at,
    }


def _whole(here: Place) -> WholeStudyOut:
    study = here.study
    stages = progress.of_study(study.stages.select_related("protocol_version", "study"), timezone.now())
    return WholeStudyOut(
        **_card(cards([study])[0], here.role),
        seed=study.seed,
        parameters=stages[0].counts.stage.settings,
        authors_from=study.authors_from.pid if study.authors_from else "",
        stages=[stage_out(stage) for stage in stages],
        collected=CollectedOut(**found._asdict()) if (found := collected(here.study)) else None,
    )


def stage_out(found: progress.StageProgress) -> StageOut:
    """A stage in numbers."""
    counted, stage, version = found.counts, found.counts.stage, found.counts.stage.protocol_version
    return StageOut(
        id=stage.key,
        role=rules_of(stage, protocol_of(stage)).role,
        state=stage.state,
        overlap=stage.overlap,
        takes=stage.takes,
        protocol=version.protocol_id,
        version=version.version,
        hash=version.hash,
        frozen_at=stage.frozen_at,
        items=counted.items,
        closed=counted.closed,
        wanted=counted.wanted,
        done=counted.done,
        handed_out=counted.out,
        remaining=counted.remaining,
        extra=counted.extra,
        per_hour=found.pace.per_hour,
        end=found.end,
        median_seconds=found.median_seconds,
        hours=found.hours,
    )
