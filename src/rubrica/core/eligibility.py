"""Who may not take part in a stage, as far as the protocol says it; and the words for whom the store finds barred."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from rubrica.core.errors import Problem
from rubrica.core.names import annotator_name_problems
from rubrica.core.protocol import Protocol, Stage
from rubrica.core.scales import RewrittenText
from rubrica.core.text_helpers import did_you_mean, first_of


class Barred(NamedTuple):
    """Somebody who may not take part in a stage. ``why`` is a code that pages word; ``where`` names stage or study.

    ``author`` wrote a text of this study; ``writer`` took part where its texts were written; ``rater`` took part
    where the texts that are written here are judged; ``step`` took part in another stage; ``kept`` is kept for
    adjudication, ``not_named`` is not among those who adjudicate; ``invited`` has a link for another stage;
    ``excluded``; ``own`` wrote the one text in question; ``team`` is part of a system that gave it.
    """

    name: str
    why: str
    where: str = ""


def writes(rules: Stage, protocol: Protocol) -> bool:
    """Whether people write texts at this stage that others may judge."""
    asked = [question for question in protocol.questions if rules.asks is None or question.id in rules.asks]
    return any(isinstance(protocol.scale_of(question), RewrittenText) for question in asked)


def kept_apart(rules: Stage, protocol: Protocol) -> tuple[str, ...]:
    """The steps whose people cannot work at this one: those that it names, and those that name it."""
    return (*rules.other_people_than, *(one.id for one in protocol.stages if rules.id in one.other_people_than))


def restricts(rules: Stage, protocol: Protocol) -> bool:
    """Whether the protocol keeps some people from this step."""
    adjudicated = any(other.role == "adjudicator" for other in protocol.stages)
    return bool(rules.not_authors or adjudicated or kept_apart(rules, protocol))


def team_problems(teams: Mapping[str, Collection[str]], systems: Collection[str]) -> list[Problem]:
    """What is wrong with a record of who is part of which system: unknown systems, names that nobody can have."""
    found = [
        Problem(
            what=f"no item is of a system {name!r}",
            rule="team",
            fix=did_you_mean(name, sorted(systems), f"There are: {first_of(sorted(systems), 20)}." if systems else ""),
            value=name,
        )
        for name in teams
        if name not in systems
    ]
    return found + [problem for names in teams.values() for problem in annotator_name_problems(list(names))]


def barred_problem(stage: str, one: Barred) -> Problem:
    """Why somebody may not take part in a stage (its key), for those who run the study."""
    why = {
        "author": "wrote rewrites of this study, and raters must be other people than the writers",
        "writer": f"took part in the study {one.where!r}, where the texts of this one were written, and raters must "
        "be other people than the writers",
        "rater": f"took part in the study {one.where!r}, which judges what is written here, and writers must be other "
        "people than the raters",
        "step": f"took part in the stage {one.where!r}, and {stage!r} is for other people",
        "not_named": f"is not among those who are to do {one.where!r} in this study",
        "invited": f"was invited for the stage {one.where!r} of this study",
        "kept": "is kept for adjudication in this study",
        "excluded": "was excluded from this study",
        "own": "wrote this text, and nobody judges their own",
        "team": "is part of a system that gave this text, and nobody judges their own",
    }[one.why]
    return Problem(
        what=f"{one.name!r} {why}",
        rule="eligibility",
        fix="Leave this annotator out, or name another.",
        value=one.name,
    )
