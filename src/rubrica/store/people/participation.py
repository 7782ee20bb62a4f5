"""Where an annotator stands on the way from welcome to thanks, and at which stage they work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple

from rubrica.core.study import ANSWERED
from rubrica.exchange.study_options import STEPS, Options
from rubrica.store import models
from rubrica.store.allocation.allocator import Share
from rubrica.store.allocation.eligibility import barred
from rubrica.store.allocation.leases import peek
from rubrica.store.allocation.wanted_items import free_for, wanted
from rubrica.store.course.attempts import exams, known_items, rounds_of
from rubrica.store.course.course import course_of
from rubrica.store.options import options_of
from rubrica.store.people.consents import holds, last_decisions
from rubrica.store.stages import current_stages
from rubrica.store.translate import ask, protocol_of, rules_of

OF_STAGE = ("guidelines", "practice", "qualification")
"""Steps that a further stage asks for again."""

ENDINGS = ("declined", "withdrawn", "not_qualified")
"""Where the way ends before the work."""

RAN_OUT = ("finished", "limit", "waiting", "closed")
"""Reasons for no work that mean that the annotator has done what there was to do."""


class Way(NamedTuple):
    """The way of one annotator: the steps of this study, those that are done, and what is due.

    ``due`` is one of the steps, ``work``, or one of the endings.
    """

    stage: models.Stage
    options: Options
    steps: tuple[str, ...]
    done: frozenset[str]
    due: str

    def reached(self, step: str) -> bool:
        """Whether the step is done or due: nobody can go further than that."""
        return step in self.done or step == self.due


class Standing(NamedTuple):
    """What an annotator has done in the study, and why there is no more to do, if so.

    ``skipped`` is what was passed on to others; any other way out (*already simple*) is a judgement.
    """

    done: int
    skipped: int
    reason: str

    @property
    def finished(self) -> bool:
        """Whether everything that there was for this person is done, and something was."""
        return self.reason in RAN_OUT and self.done + self.skipped > 0


def way(annotator: models.Annotator) -> Way:
    """Where the annotator stands."""
    return ways([annotator])[annotator.pk]


def ways(people: Sequence[models.Annotator]) -> dict[int, Way]:
    """Where several annotators of a study stand, by row number; queries do not grow with those who have not begun."""
    at: dict[int, list[models.Annotator]] = defaultdict(list)
    stages = {}
    for person, stage in zip(people, _stages_of(people), strict=True):
        at[stage.pk].append(person)
        stages[stage.pk] = stage
    return {pk: found for stage, here in at.items() for pk, found in _ways_at(stages[stage], here).items()}


def _ways_at(stage: models.Stage, people: Sequence[models.Annotator]) -> dict[int, Way]:
    options = options_of(stage.study)
    steps = steps_of(stage, options)
    names = {_name(step, stage): step for step in steps if step != "consent"}
    if stage.position and "guidelines" in steps:
        # Whoever read them for an earlier stage of the same protocol goes on at once.
        earlier = models.Stage.objects.filter(study=stage.study_id, protocol_version=stage.protocol_version_id)
        names |= {f"guidelines@{pk}": "guidelines" for pk in earlier.values_list("pk", flat=True)}
    done: dict[int, set[str]] = {person.pk: set() for person in people}
    noted = "SELECT annotator_id, step FROM store_stepdone WHERE annotator_id IN %s AND step IN %s"
    for person, name in ask(noted, done, names) if names else ():
        done[person].add(names[name])
    decisions = last_decisions(people)
    due = {}
    for pk, finished in done.items():
        decision = decisions.get(pk)
        if holds(decision, options):
            finished.add("consent")
        due[pk] = next((step for step in steps if step not in finished), "work")
        if decision is not None and decision.decision == models.Consent.Decision.WITHDRAWN:
            due[pk] = "withdrawn"
        elif due[pk] == "consent" and decision is not None and decision.decision == models.Consent.Decision.DECLINED:
            due[pk] = "declined"
    tested = [person for person in people if due[person.pk] == "qualification"]
    if tested:
        due |= {pk: "not_qualified" for pk, one in exams(tested, stage, options).items() if one.failed}
    return {pk: Way(stage, options, steps, frozenset(finished), due[pk]) for pk, finished in done.items()}


def steps_of(stage: models.Stage, options: Options) -> tuple[str, ...]:
    """The steps before the work: those switched on that have something to show."""
    known = known_items(stage, options)
    empty = {
        "profile": not options.profile.questions,
        "course": not course_of(stage),
        "practice": not known.practice,
        "qualification": not known.qualification and not rounds_of(stage),
    }
    return tuple(step for step in STEPS if options.takes(step) and not empty.get(step, False))


def finish(annotator: models.Annotator, step: str, now: datetime) -> None:
    """Note that a step is done; once is enough."""
    name = _name(step, current_stage(annotator))
    models.StepDone.objects.get_or_create(annotator=annotator, step=name, defaults={"at": now})


def _name(step: str, stage: models.Stage) -> str:
    """Under which name a step is noted. The rounds of a course are about the protocol, not about one of its stages."""
    of_course = step == "qualification" and bool(rounds_of(stage))
    return f"{step}@{stage.pk}" if step in OF_STAGE and not of_course else step


def current_stage(annotator: models.Annotator) -> models.Stage:
    """The stage at which the annotator works: where they hold work, else the first that has some for them.

    Before all comes a stage that waits for those who did an earlier one, with what is ready of it. Then stages begun
    before. With no work anywhere: where they worked last, else the first that they may join.
    """
    return _stages_of([annotator])[0]


def _stages_of(people: Sequence[models.Annotator]) -> list[models.Stage]:
    """The stage of each of these annotators of a study. What is free is the same for all who have had nothing."""
    stages = current_stages(people[0].study) if people else []
    if len(stages) <= 1:
        return stages * len(people)
    running = [stage for stage in stages if stage.state == models.Stage.State.OPEN]
    leases = models.Assignment.objects.filter(annotator__in=people, stage__in=stages).order_by()
    worked: dict[int, set[int]] = defaultdict(set)
    held: dict[int, set[int]] = defaultdict(set)
    for person, stage, state in leases.values_list("annotator", "stage", "state").distinct():
        worked[person].add(stage)
        if state == models.Assignment.State.OPEN:
            held[person].add(stage)
    free = cache(has_place_for)
    names = {person.name: person.identity for person in people if not held[person.pk] & {one.pk for one in running}}
    out = {one.pk: {who.name for who in barred(one, protocol_of(one), names)} for one in running} if names else {}

    returning = [stage for stage in running if rules_of(stage, protocol_of(stage)).same_people_as]

    def of_one(person: models.Annotator) -> models.Stage:
        pk = person.pk
        for stage in returning:
            if worked[pk] and (stage.pk in held[pk] or free(person, stage)):
                return stage
        for stage in running:
            if stage.pk in held[pk]:
                return stage
        eligible = [stage for stage in running if person.name not in out[stage.pk]]
        for stage in sorted(eligible, key=lambda stage: stage.pk not in worked[pk]):
            if free(person if worked[pk] else None, stage):
                return stage
        return next((stage for stage in reversed(stages) if stage.pk in worked[pk]), (eligible or running or stages)[0])

    return [of_one(person) for person in people]


def comes_back(annotator: models.Annotator) -> tuple[models.Stage, int] | None:
    """The stage at which this person will go on with items that they did at an earlier one, and how many those are."""
    stages = {stage.key: stage for stage in current_stages(annotator.study)}
    done = models.Judgement.objects.filter(annotator=annotator, current__outcome=ANSWERED).submitted()
    for stage in stages.values():
        first = stages.get(rules_of(stage, protocol_of(stage)).same_people_as)
        if first is None or stage.state != models.Stage.State.OPEN:
            continue
        there = models.Judgement.objects.filter(annotator=annotator, stage=stage).submitted().values("item")
        if count := done.filter(stage=first).exclude(item__in=there).count():
            return stage, count
    return None


def has_place_for(annotator: models.Annotator | None, stage: models.Stage) -> bool:
    """Whether some item of the stage is free for this annotator; None has had nothing yet.

    Leases that are over but not yet returned aside.
    """
    rules = rules_of(stage, protocol_of(stage))
    if annotator is None:
        return not rules.same_people_as and wanted(stage, rules).exists()
    again = Share(stage, annotator, options_of(stage.study)).again
    return free_for(annotator, stage, rules, again.values()).exists()


def standing(annotator: models.Annotator, stage: models.Stage, now: datetime) -> Standing:
    """What this annotator has done and whether this stage has more for them: looks without taking anything."""
    submitted = models.Judgement.objects.filter(annotator=annotator).submitted()
    left = submitted.exclude(current__outcome=ANSWERED).select_related("stage__protocol_version", "current")
    skipped = sum(protocol_of(one.stage).passes_on(one.current.outcome) for one in left if one.current)
    return Standing(submitted.count() - skipped, skipped, peek(annotator, stage, now))
