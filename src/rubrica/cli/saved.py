"""What commands say about judgements that were read and saved."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from rubrica.cli.output import count, say
from rubrica.core.errors import Problem, first_problems

if TYPE_CHECKING:
    from rubrica.core.study import Saved
    from rubrica.store.models import Study


def say_beyond_overlap(study: Study) -> None:
    """A remark when items have more judgements than they wanted: none is thrown away, but somebody should know."""
    from rubrica.store.counting.progress import of_stages

    beyond = sum(stage.extra for stage in of_stages(study.stages.all()))
    if beyond:
        say(f"{count(beyond, 'judgement is', 'judgements are')} beyond the overlap; none is thrown away.")


def say_questions(questions: Sequence[Problem]) -> None:
    """Answers that were taken and may not be meant so, with their places."""
    for one in first_problems(questions):
        say(f"look at {one.place}: {one.what}. {one.fix}")


def say_unusual(study: Study, stage: str, people: Collection[str]) -> dict[str, list[Any]]:
    """What `rubrica check` finds unusual of these people at a stage; returned with what cannot be told of them."""
    from rubrica.report.checks import check
    from rubrica.report.checks_tables import evidence_text, finding_as_json
    from rubrica.store.ratings import ratings_of

    found = check(ratings_of(study, stage))
    unusual = [finding for finding in found.unusual if finding.rater in people]
    for finding in unusual:
        asked = f" ({finding.question})" if finding.question else ""
        say(f"look at {finding.rater}: {finding.title}{asked}: {evidence_text(finding)}")
    untold = [one.only(people) for one in found.untold if set(one.raters) & set(people)]
    return {"unusual": [finding_as_json(finding) for finding in unusual], "untold": [one.text for one in untold]}


def saved_text(saved: Saved) -> str:
    """What was saved, in words."""
    return (
        f"{count(saved.judgements, 'judgement')}, {count(saved.revisions, 'correction')}, {saved.unchanged} unchanged"
    )
