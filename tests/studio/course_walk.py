"""An annotator who goes through the course as a form or the page's script would."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.test import Client

from rubrica.core.course import COMPOSE, CourseStage, Step, rounds, taught
from rubrica.core.course_grading import gold_answer, gold_several
from rubrica.core.edits import Edit, to_json
from rubrica.protocols.catalog import load_shipped

SALSA = load_shipped("salsa").protocol
STAGES = taught(SALSA.course)
ROUNDS = rounds(SALSA.course)


def place(name: str) -> tuple[CourseStage, int, Step]:
    """The stage, the place from 1 and the step of that id."""
    for stage in SALSA.course:
        for at, step in enumerate(stage.steps, start=1):
            if step.id == name:
                return stage, at, step
    raise KeyError(name)


def path(name: str) -> str:
    """Where a step stands below the annotator's door."""
    stage, at, _ = place(name)
    return f"course/{stage.id}/{at}/"


def gold_post(step: Step) -> dict[str, Any]:
    """The fields of a form with the right answer to an exercise without marking."""
    if step.kind == COMPOSE:
        right = gold_several(step)
        return {"parts": [str(at) for at, edit in enumerate(step.loose(), start=1) if edit.id in right]}
    answers = gold_answer(SALSA, step).answers
    return {name: list(value) if isinstance(value, tuple) else str(value) for name, value in answers.items()}


def gold_edits(step: Step) -> tuple[Edit, ...]:
    """The edits that a page sends: an exercise on selection asks no questions."""
    return gold_answer(SALSA, step).edits


def send_edits(client: Client, url: str, edits: Sequence[Edit]) -> Any:
    """Submit edits as the desk's script does."""
    said = {"lease": "i1", "key": "", "answers": {}, "outcome": "answered", "edits": [to_json(edit) for edit in edits]}
    return client.post(url, json.dumps({"judgements": [said]}), content_type="application/json")


def do(client: Client, door: str, step: Step) -> Any:
    """Do a step of the course, right."""
    url = door + path(step.id)
    if step.kind in ("select", "whole"):
        return send_edits(client, url, gold_edits(step))
    return client.post(url, gold_post(step))
