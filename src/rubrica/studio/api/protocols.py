"""The protocols that a study can run, and checking one's own."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404
from ninja import Router, Schema

from rubrica.core.protocol import Protocol
from rubrica.core.texts import shown
from rubrica.protocols.catalog import load_shipped, shipped
from rubrica.protocols.loader import Loaded, check_text
from rubrica.studio.api.access import RESEARCHER, ResearcherRequest
from rubrica.studio.api.schemas import REFUSALS, Body, ListOut, Text, Values
from rubrica.studio.studies.uploads import read_apart

router = Router(auth=RESEARCHER)


class FieldOut(Schema):
    """A text of an item."""

    id: str
    role: str
    label: str
    required: bool


class QuestionOut(Schema):
    """A question of a judgement."""

    id: str
    prompt: str
    scale: str
    required: bool


class StepOut(Schema):
    """A stage as the protocol has it."""

    id: str
    role: str
    overlap: int


class ParameterOut(Schema):
    """Something that a study sets."""

    id: str
    label: str
    default: str
    options: list[str]


class ProtocolOut(Schema):
    """A protocol in short, its texts in its own first language."""

    id: str
    version: str
    hash: str
    title: str
    summary: str
    family: str
    languages: list[str]
    fields: list[FieldOut]
    questions: list[QuestionOut]
    stages: list[StepOut]
    parameters: list[ParameterOut]
    edits: bool


class WholeProtocolOut(ProtocolOut):
    """A protocol with its whole canonical form."""

    canonical: Values


class YamlIn(Body):
    """A protocol as YAML text."""

    yaml: Text


@router.get("", response={200: ListOut[ProtocolOut], **REFUSALS})
def list_protocols(request: ResearcherRequest) -> Any:
    """The protocols that ship with Rubrica."""
    found = [protocol_out(load_shipped(name).protocol) for name in shipped()]
    return {"count": len(found), "results": found}


@router.post("/check", response={200: WholeProtocolOut, **REFUSALS})
def check_protocol(request: ResearcherRequest, data: YamlIn) -> Any:
    """Check a protocol of one's own: the protocol, or every problem with its line. Nothing is stored."""
    return _whole(from_yaml(data.yaml))


@router.get("/{protocol}", response={200: WholeProtocolOut, **REFUSALS})
def get_protocol(request: ResearcherRequest, protocol: str) -> Any:
    """One protocol, whole."""
    if protocol not in shipped():
        raise Http404
    return _whole(load_shipped(protocol))


def from_yaml(text: str) -> Loaded:
    """A protocol from YAML text. Raises InputError with every problem and its line."""
    return read_apart(check_text, "", text, "")


def protocol_out(protocol: Protocol) -> ProtocolOut:
    """A protocol in short."""
    return ProtocolOut(**_short(protocol))


def _whole(loaded: Loaded) -> WholeProtocolOut:
    return WholeProtocolOut(**_short(loaded.protocol), canonical=json.loads(loaded.canonical))


def _short(given: Protocol) -> dict[str, Any]:
    protocol = given.resolve({})
    language = protocol.fallback
    return {
        "id": protocol.id,
        "version": protocol.version,
        "hash": protocol.hash,
        "title": shown(protocol.title, language),
        "summary": shown(protocol.summary, language),
        "family": protocol.family,
        "languages": list(protocol.languages),
        "fields": [
            FieldOut(id=field.id, role=field.role, label=shown(field.label, language), required=field.required)
            for field in protocol.fields
        ],
        "questions": [
            QuestionOut(
                id=question.id,
                prompt=shown(question.prompt, language),
                scale=question.scale,
                required=question.required,
            )
            for question in protocol.questions
        ],
        "stages": [StepOut(id=stage.id, role=stage.role, overlap=stage.overlap) for stage in protocol.stages],
        "parameters": [
            ParameterOut(
                id=parameter.id,
                label=shown(parameter.label, language),
                default=parameter.default.get(language),
                options=list(parameter.options),
            )
            for parameter in protocol.parameters
        ],
        "edits": protocol.edits is not None,
    }
