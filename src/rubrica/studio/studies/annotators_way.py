"""What each annotator of a study goes through, step by step, with counts and guessed times: told before the launch.

Times are guesses: reading as in ``core.pace``, a practice item as long as an item of the work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.template.defaultfilters import floatformat
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from rubrica.core.costs import COURSE_STEP, HOUR, PROFILE_QUESTION, Costs, reading_seconds
from rubrica.core.texts import shown
from rubrica.exchange.study_options import Options
from rubrica.store import models
from rubrica.store.course.attempts import known_items, rounds_of
from rubrica.store.course.course import course_of
from rubrica.store.options import options_of
from rubrica.store.people.participation import steps_of
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.annotate.consent import in_own_language
from rubrica.studio.annotate.steps import LABELS
from rubrica.studio.annotate.welcome import words_shown
from rubrica.studio.guidelines import render_markdown, words_in

FOR_COLLEAGUES = {"profile": False, "practice": False}
"""Steps that people who know each other and the task can do without."""


class Leg(NamedTuple):
    """One step on the way: what there is in it, how long it may take, and where it is changed."""

    label: str
    what: str
    time: str
    address: str
    anchor: str = ""


class WayAhead(NamedTuple):
    """All steps, the whole time, and whether those that colleagues do without are among them."""

    legs: list[Leg]
    whole: str
    shortened: bool
    can_be_shorter: bool


def way_ahead(study: models.Study, found: Costs) -> WayAhead:
    """The way of one of so many annotators, by the study's settings as they are now."""
    options, stage = options_of(study), current_stages(study)[0]
    steps = steps_of(stage, options)
    legs, seconds = [], 0.0
    for step in steps:
        what, took = _TOLD[step](stage, options, float(found.stages[0].seconds))
        seconds += took
        legs.append(Leg(str(LABELS[step]), what, _time(took), "setup_annotators", f"id_step_{step}"))
    work = float(found.hours_each) * HOUR
    legs.append(Leg(str(LABELS["work"]), _work(found), _time(work), "setup_quality"))
    off = not any(getattr(options.steps, step) for step in FOR_COLLEAGUES)
    shorter = any(step in steps for step in FOR_COLLEAGUES)
    return WayAhead(legs, _time(seconds + work), off, shorter)


def colleagues(options: Options, short: bool) -> dict[str, Any]:
    """The settings that leave out what colleagues can do without, or bring it back."""
    return {"steps": options.steps.model_dump() | dict.fromkeys(FOR_COLLEAGUES, not short)}


def _work(found: Costs) -> str:
    """How much each person judges: all items where there are no more people than judgements per item."""
    if len(found.stages) == 1:
        (stage,) = found.stages
        said = {
            "people": found.annotators,
            "n": stage.items,
            "each": found.tasks_each,
            "seconds": floatformat(stage.seconds, "-1"),
        }
        if stage.overlap >= found.annotators and stage.items:
            return (
                ngettext(
                    "each of the %(people)s people judges the one item, about %(seconds)s s",
                    "each of the %(people)s people judges all %(n)s items, about %(seconds)s s each",
                    stage.items,
                )
                % said
            )
        return (
            _("each of the %(people)s people judges about %(each)s of the %(n)s items, about %(seconds)s s each") % said
        )
    return _("about %(each)s tasks for each of the %(people)s people, over %(stages)s stages") % {
        "each": found.tasks_each,
        "people": found.annotators,
        "stages": len(found.stages),
    }


Told = tuple[str, float]


def _read(words: int) -> Told:
    return ngettext("%(n)s word", "%(n)s words", words) % {"n": words}, reading_seconds(words)


def _welcome(stage: models.Stage, options: Options, _seconds: float) -> Told:
    return _read(words_shown(stage, options, _language()))


def _consent(_stage: models.Stage, options: Options, _seconds: float) -> Told:
    return _read(words_in(render_markdown(in_own_language(options.consent_wording(_language())), "", 2)))


def _profile(_stage: models.Stage, options: Options, _seconds: float) -> Told:
    asked = len(options.profile.questions)
    told = ngettext("%(n)s question about the person", "%(n)s questions about the person", asked)
    return told % {"n": asked}, asked * PROFILE_QUESTION


def _guidelines(stage: models.Stage, _options: Options, _seconds: float) -> Told:
    return _read(words_in(render_markdown(shown(protocol_of(stage).guidelines, _language()), "", 2)))


def _course(stage: models.Stage, _options: Options, _seconds: float) -> Told:
    steps = sum(len(one.steps) for one in course_of(stage))
    return ngettext("%(n)s exercise", "%(n)s exercises", steps) % {"n": steps}, steps * COURSE_STEP


def _practice(stage: models.Stage, options: Options, seconds: float) -> Told:
    items = len(known_items(stage, options).practice)
    told = ngettext("%(n)s item with the answer explained", "%(n)s items with the answer explained", items)
    return told % {"n": items}, items * seconds


def _qualification(stage: models.Stage, options: Options, seconds: float) -> Told:
    rounds = rounds_of(stage)
    items = sum(len(one.steps) for one in rounds) or len(known_items(stage, options).qualification)
    return ngettext("a test of %(n)s item", "a test of %(n)s items", items) % {"n": items}, items * seconds


_TOLD: Mapping[str, Callable[[models.Stage, Options, float], Told]] = {
    "welcome": _welcome,
    "consent": _consent,
    "profile": _profile,
    "guidelines": _guidelines,
    "course": _course,
    "practice": _practice,
    "qualification": _qualification,
}


def _time(seconds: float) -> str:
    if seconds < HOUR:
        return _("%(n)s min") % {"n": max(1, round(seconds / 60))}
    return _("%(hours)s h") % {"hours": floatformat(seconds / HOUR, "1g")}


def _language() -> str:
    return get_language() or "en"
