"""The course in the store: tries kept one by one, progress, rounds with a mark, and where people stumble."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from rubrica.core.course import Step, all_steps, hardest, steps_of_round
from rubrica.core.course_grading import gold_answer
from rubrica.core.errors import InputError
from rubrica.core.study import Judgement
from tests.conftest import NOW
from tests.store.conftest import at_once, person

if TYPE_CHECKING:
    from rubrica.store.models import Annotator, Stage

ONLY_COURSE = {step: step in ("course", "qualification") for step in
               ("welcome", "consent", "profile", "guidelines", "course", "practice", "qualification")}  # fmt: skip


@pytest.fixture
def salsa(make_stage: Callable[..., Stage]) -> Stage:
    """A study of salsa with course and qualification before the work, and nothing else."""
    return make_stage("salsa", items=2, steps=ONLY_COURSE)


def step_called(stage: Stage, name: str) -> Step:
    """A step of the stage's course."""
    from rubrica.store.translate import protocol_of

    return next(step for step in all_steps(protocol_of(stage).course) if step.id == name)


def gold(stage: Stage, step: Step) -> Judgement:
    """The right answer to a step."""
    from rubrica.store.translate import protocol_of

    return gold_answer(protocol_of(stage), step)


def say(stage: Stage, who: Annotator, name: str, answers: dict[str, Any], later: int = 0) -> Any:
    """Answer a step so many minutes after the beginning."""
    from rubrica.store.course.course import answer

    return answer(who, stage, "goal", step_called(stage, name), Judgement(answers), NOW + timedelta(minutes=later))


def go_through(stage: Stage, who: Annotator) -> None:
    """Do every step of the course, all right."""
    from rubrica.store.course.course import answer, course_of, see

    for chapter in course_of(stage):
        for step in chapter.steps:
            if step.is_exercise:
                answer(who, stage, chapter.id, step, gold(stage, step), NOW)
            else:
                see(who, chapter.id, step, NOW)


def do_round(stage: Stage, who: Annotator, number: int, *, right: bool) -> None:
    """Annotate the pairs of a round, as the gold does or not at all."""
    from rubrica.store.course.attempts import answer_pair, rounds_of

    for step in steps_of_round(rounds_of(stage), number):
        answer_pair(who, stage, number, step, Judgement({}, step.edits if right else ()), NOW)


def test_every_try_is_kept_and_the_first_counts(salsa: Stage) -> None:
    """A wrong answer and then a right one are two tries; the same again is none."""
    from rubrica.store.course.course import course_of, progress

    ana = person(salsa, "ana")
    first = say(salsa, ana, "goal_matter_bats", {"chosen": 1})
    assert (first.tried.number, first.tried.right, first.tried.share) == (1, False, 0)
    assert say(salsa, ana, "goal_matter_bats", {"chosen": 1}, later=1).repeated
    second = say(salsa, ana, "goal_matter_bats", {"chosen": 4}, later=2)
    assert (second.tried.number, second.tried.right) == (2, True)
    chapter = progress(ana, course_of(salsa)).chapters[0]
    assert (chapter.done, chapter.answered, chapter.right) == (1, 1, 0)


@pytest.mark.parametrize("answers", [{}, {"chosen": 5}, {"chosen": "4"}, {"chosen": True}, {"lost": ("f1",)}])
def test_what_cannot_be_graded_is_refused(salsa: Stage, answers: dict[str, Any]) -> None:
    """Nothing chosen, or something that is not on the scale: nothing is kept."""
    from rubrica.store.models import CourseTry

    with pytest.raises(InputError):
        say(salsa, person(salsa, "ana"), "goal_matter_bats", answers)
    assert not CourseTry.objects.exists()


@pytest.mark.postgres
def test_two_answers_at_once_are_two_tries(salsa: Stage) -> None:
    """A double click in two tabs leaves tries one and two, never the same number twice."""
    from rubrica.store.models import CourseTry

    ana = person(salsa, "ana")
    found = at_once([lambda value=value: say(salsa, ana, "goal_matter_bats", {"chosen": value}) for value in (1, 2)])
    assert not [one for one in found if isinstance(one, Exception)], found
    assert sorted(CourseTry.objects.values_list("number", flat=True)) == [1, 2]


def test_the_way_leads_through_course_and_rounds_to_the_work(salsa: Stage) -> None:
    """The course comes first, then two rounds; the second decides, and both are once for all stages of the study."""
    from rubrica.store.course.attempts import exam
    from rubrica.store.course.course import course_of, progress
    from rubrica.store.options import options_of
    from rubrica.store.people.participation import finish, way

    ana = person(salsa, "ana")
    assert way(ana).steps == ("course", "qualification")
    assert way(ana).due == "course"
    assert progress(ana, course_of(salsa)).at == ("goal", 1)
    go_through(salsa, ana)
    assert progress(ana, course_of(salsa)).complete
    finish(ana, "course", NOW)
    assert way(ana).due == "qualification"
    do_round(salsa, ana, 1, right=True)
    assert not exam(ana, salsa, options_of(salsa.study)).passed
    do_round(salsa, ana, 2, right=True)
    assert exam(ana, salsa, options_of(salsa.study)).passed
    finish(ana, "qualification", NOW)
    assert way(ana).due == "work"
    classify = salsa.study.stages.get(key="classify")
    assert exam(ana, classify, options_of(salsa.study)).passed
    assert set(ana.steps.values_list("step", flat=True)) == {"course", "qualification"}


def test_who_fails_the_last_round_does_not_qualify(salsa: Stage) -> None:
    """A first round that went wrong does no harm; a second one ends the way, unless there are more tries."""
    from rubrica.exchange.study_options import checked
    from rubrica.store.people.participation import finish, way

    ana, ben = person(salsa, "ana"), person(salsa, "ben")
    for who in (ana, ben):
        finish(who, "course", NOW)
        do_round(salsa, who, 1, right=False)
        assert way(who).due == "qualification"
    do_round(salsa, ana, 2, right=True)
    assert way(ana).due == "qualification"
    do_round(salsa, ben, 2, right=False)
    assert way(ben).due == "not_qualified"
    salsa.study.update(options=checked({**salsa.study.options, "qualification": {"tries": 3}}).stored())
    ben.refresh_from_db()
    assert way(ben).due == "qualification"


@pytest.mark.postgres
def test_a_pair_of_a_round_is_annotated_once(salsa: Stage) -> None:
    """The first annotation counts, whatever comes after it; a third try has the pairs of the first round."""
    from rubrica.store.course.attempts import answer_pair, rounds_of
    from rubrica.store.models import Attempt

    ana = person(salsa, "ana")
    sets = rounds_of(salsa)
    step = steps_of_round(sets, 1)[0]
    answer_pair(ana, salsa, 1, step, Judgement(), NOW)
    answer_pair(ana, salsa, 1, step, Judgement({}, step.edits), NOW)
    kept = Attempt.objects.get()
    assert (kept.right, kept.graded, kept.edits) == (0, 100, [])
    assert steps_of_round(sets, 3) == steps_of_round(sets, 1)


def test_an_unfinished_annotation_is_refused(salsa: Stage) -> None:
    """In a round every question of every edit wants an answer, as in the work."""
    from rubrica.store.course.attempts import answer_pair

    step = step_called(salsa, "q1_orchid")
    open_edits = tuple(attrs.evolve(edit, answers={}) for edit in step.edits)
    with pytest.raises(InputError):
        answer_pair(person(salsa, "ana"), salsa, 1, step, Judgement({}, open_edits), NOW)


def test_a_researcher_sees_who_stumbled_where(salsa: Stage) -> None:
    """Of two people one was right at the first try, the other at the second: half, with three tries."""
    from rubrica.store.course.course import course_report

    ana, ben = person(salsa, "ana"), person(salsa, "ben")
    say(salsa, ana, "goal_matter_bats", {"chosen": 4})
    say(salsa, ben, "goal_matter_bats", {"chosen": 1})
    say(salsa, ben, "goal_matter_bats", {"chosen": 4}, later=5)
    say(salsa, ben, "goal_matter_syrup", {"chosen": 4}, later=6)
    report = course_report(salsa.study)
    assert report is not None
    steps = {step.step.id: step for step in report.chapters[0].steps}
    bats = steps["goal_matter_bats"]
    assert (bats.people, bats.first, bats.share, bats.agreement, bats.tries) == (2, 1, 0.5, 0.5, 3)
    assert steps["goal_matter_museum"].share is None
    assert report.chapters[0].share == pytest.approx(2 / 3)
    assert [(one.annotator.name, one.progress.answered, one.progress.right) for one in report.people] == [
        ("ana", 1, 1),
        ("ben", 2, 1),
    ]
    assert [step.step.id for step in hardest(report.chapters)] == ["goal_matter_bats"]
    assert report.people[1].since == NOW + timedelta(minutes=6)


def test_a_study_without_a_course_has_no_report(stage: Stage) -> None:
    """Only protocols with a course have something to report, and no step for it on the way."""
    from rubrica.store.course.course import course_report
    from rubrica.store.options import options_of
    from rubrica.store.people.participation import steps_of

    assert course_report(stage.study) is None
    assert "course" not in steps_of(stage, options_of(stage.study))


@pytest.mark.postgres
def test_erasure_takes_the_tries_along(salsa: Stage) -> None:
    """Whoever has themselves erased leaves no trace of how they did in the course."""
    from rubrica.store.course.course import course_report
    from rubrica.store.models import CourseTry
    from rubrica.store.people.erasure import erase

    ana = person(salsa, "ana")
    say(salsa, ana, "goal_matter_bats", {"chosen": 4})
    erase(ana, NOW, actor="ana")
    assert not CourseTry.objects.exists()
    report = course_report(salsa.study)
    assert report is not None
    assert report.people == []
