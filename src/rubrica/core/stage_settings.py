"""What a study sets for the stages of a protocol, values of its parameters and overlap, and what its versions share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol, Stage


def setting_problems(protocols: Sequence[Protocol], settings: Mapping[str, str]) -> list[Problem]:
    """What is wrong with these values of the parameters of a study's protocols."""
    known = {parameter.id: parameter for protocol in protocols for parameter in protocol.parameters}
    named = _named(protocols)
    found = []
    for name, value in settings.items():
        if name not in known:
            fix = f"It has: {', '.join(known)}." if known else "It has none."
            what = f"{named} no parameter {name!r}"
            found.append(Problem(what=what, rule="unknown_parameter", fix=fix, value=name))
        elif known[name].options and value not in known[name].options:
            fix = f"Use one of {', '.join(known[name].options)}."
            found.append(Problem(what=f"{name} cannot be {value!r}", rule="parameter", fix=fix, value=value))
        elif not value.strip():
            found.append(Problem(what=f"{name} is empty", rule="parameter", fix="Give it a text.", value=value))
    return found


AUDIENCE = "audience"
"""The parameter that is filled from what a study records of its readers."""


def with_audience(protocol: Protocol, settings: Mapping[str, str], audience: str, before: str = "") -> dict[str, str]:
    """The parameters with the study's audience where the protocol asks about one, unless it was set otherwise."""
    asks = any(parameter.id == AUDIENCE for parameter in protocol.parameters)
    if not asks or settings.get(AUDIENCE, before) != before:
        return dict(settings)
    rest = {name: value for name, value in settings.items() if name != AUDIENCE}
    return {**rest, AUDIENCE: audience} if audience else rest


def annotations_needed(protocol: Protocol, step: Stage) -> int:
    """How many annotations the lexical guideline asks for at least, for each word; 0 where nothing is asked."""
    return step.overlap if protocol.family == "lexical" and step.overlap >= 10 else 0


def _named(protocols: Sequence[Protocol]) -> str:
    return " and ".join(protocol.id for protocol in protocols) + (" has" if len(protocols) == 1 else " have")


def unknown_stages(protocols: Sequence[Protocol], stages: Iterable[str]) -> list[Problem]:
    """Stages that something is set for and that no protocol of a study has."""
    known = [stage.id for protocol in protocols for stage in protocol.stages]
    fix = f"Stages: {', '.join(known)}."
    return [
        Problem(what=f"{_named(protocols)} no stage {stage!r}", rule="unknown_stage", fix=fix, value=stage)
        for stage in stages
        if stage not in known
    ]


def fitting_settings(protocol: Protocol, settings: Mapping[str, str]) -> dict[str, str]:
    """Those settings of a stage that the protocol still takes."""
    known = {parameter.id: parameter for parameter in protocol.parameters}
    return {
        name: value
        for name, value in settings.items()
        if name in known and (not known[name].options or value in known[name].options)
    }


def all_questions(protocols: Sequence[Protocol]) -> Protocol:
    """The first protocol with the questions that only other versions have, to read files of any of them."""
    first, *others = protocols
    questions = {question.id: question for question in first.questions}
    scales = dict(first.scales)
    for other in others:
        for question in other.questions:
            if question.id not in questions:
                scale = f"{question.scale}@{other.hash}"
                scales[scale] = other.scale_of(question)
                questions[question.id] = attrs.evolve(question, scale=scale)
    return attrs.evolve(first, questions=tuple(questions.values()), scales=scales)
