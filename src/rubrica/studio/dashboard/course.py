"""The course as a researcher sees it: at which exercises people stumble, and who is how far."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from rubrica.core.course import ChapterReport, StepReport, hardest
from rubrica.core.texts import shown
from rubrica.store.course.course import PersonReport, course_report
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.wording import percent

ENOUGH_TO_TELL = 3
"""From how many people on an exercise is called hard."""

HARD = 0.5


class StepRow(NamedTuple):
    """An exercise, ready to print."""

    id: str
    about: str
    people: int
    share: float | None
    right: str
    agreement: str
    tries: str
    hard: bool


class PersonRow(NamedTuple):
    """An annotator, ready to print."""

    report: PersonReport
    stage: str
    right: str
    rounds: list[str]


@require_GET
@study_page()
def course(request: StudyRequest) -> HttpResponse:
    """Two tables: exercises by stage, and people."""
    report = course_report(request.study)
    if report is None:
        raise Http404
    language = get_language() or "en"
    chapters = [
        {
            "title": shown(chapter.stage.title, language),
            "chapter": chapter,
            "share": percent(chapter.share),
            "rows": [_step_row(step, language) for step in chapter.steps],
        }
        for chapter in report.chapters
    ]
    context: dict[str, Any] = {
        "study": request.study,
        "role": request.role,
        "section": "people",
        "report": report,
        "chapters": chapters,
        "hardest": [_step_row(step, language) for step in hardest(report.chapters)],
        "people": [_person_row(person, report.chapters, language) for person in report.people],
    }
    return render(request, "dashboard/course.html", context)


def _step_row(report: StepReport, language: str) -> StepRow:
    step = report.step
    share = report.share
    return StepRow(
        step.id,
        step.fields.get("source", "") or shown(step.prompt, language),
        report.people,
        share,
        percent(share),
        percent(report.agreement),
        f"{report.tries / report.people:.1f}" if report.people else "–",
        share is not None and report.people >= ENOUGH_TO_TELL and share < HARD,
    )


def _person_row(report: PersonReport, chapters: list[ChapterReport], language: str) -> PersonRow:
    at = report.progress.at
    titles = {chapter.stage.id: shown(chapter.stage.title, language) for chapter in chapters}
    right = f"{report.progress.right} / {report.progress.answered}" if report.progress.answered else "–"
    rounds = [percent(one.share) for one in report.exam.rounds if one.complete] if report.exam else []
    return PersonRow(report, titles[at[0]] if at else _("finished"), right, rounds)
