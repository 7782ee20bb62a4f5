"""A demo study of edits: three simulated people mark, a fourth settles, the three rate, and each leaves work to do.

What they mark starts from our suggestions; each overlooks or shortens something, so that there is something to settle.
They have been through the course before, and stumbled here and there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import attrs

from rubrica.core.course import MARKING, Step
from rubrica.core.course_grading import gold_answer
from rubrica.core.edit_overlay import majority, settles
from rubrica.core.edits import Edit, Span
from rubrica.core.simulation import Simulator
from rubrica.core.study import Judgement
from rubrica.demo.items import opinions_of
from rubrica.demo.simulated_people import OpinionatedPerson, Temperament, temperament_of
from rubrica.demo.simulated_work import PEOPLE, Pace, arrive, do_share, lead_to_work
from rubrica.demo.teams import Team
from rubrica.edits.suggesting.suggest import fitted, suggest
from rubrica.store import models, options
from rubrica.store.adjudication.adjudication import given_edits, overlays
from rubrica.store.course import course
from rubrica.store.translate import item_from, protocol_of, rules_of

SETTLES, VISITOR = "simulated_4", "visitor"
WAYS_IN = {"to mark edits": VISITOR, "to settle them": SETTLES, "to rate them": PEOPLE[0]}
"""Whose link leads at once to what there is to do."""

MARKED = dict(zip(PEOPLE, (1.0, 1.0, 0.75), strict=True))
SETTLED = {SETTLES: 0.5}
RATED = dict(zip(PEOPLE, (0.33, 0.5, 0.5), strict=True))
"""Which share of the pairs each has done."""

GOOD = {
    "deletion_type": "good_deletion",
    "impact": "positive",
    "paraphrase_impact": "positive",
    "grammar_error": "no",
    "coreference": "no",
}
"""Answers about an edit that speak for it."""


def work(study: models.Study, team: Team, now: datetime) -> None:
    """Let the simulated people take the pairs through the stages, and lead everybody to where there is work left."""
    options.change(study, adjudicators=[SETTLES])
    names = (*PEOPLE, SETTLES, VISITOR)
    people = {person.name: person for person in arrive(study, names, team, now - timedelta(days=3))}
    stages = list(study.stages.select_related("protocol_version", "study"))
    for name in PEOPLE:
        _learn(people[name], stages[0], now - timedelta(days=2, hours=4))
    for place, stage in enumerate(stages):
        start = now - timedelta(days=2) + timedelta(hours=16 * place)
        for name, share in _shares(stage).items():
            temperament = temperament_of(names.index(name), study.name)
            hand = _Hand(stage, people[name], temperament)
            do_share(stage, people[name], share, start, now, hand.judge, Pace(team.seconds * temperament.pace))
    for person in people.values():
        lead_to_work(person, now)


def ways_in(study: models.Study) -> Iterator[tuple[str, models.Invitation]]:
    """What one can do in a study that was made here, each with a link that leads there at once."""
    personal = study.invitations.personal().valid()
    links = personal.select_related("study", "annotator")
    by_name = {link.annotator.name: link for link in links if link.annotator}
    if by_name.keys() >= set(WAYS_IN.values()):
        yield from ((what, by_name[name]) for what, name in WAYS_IN.items())


def _shares(stage: models.Stage) -> dict[str, float]:
    protocol = protocol_of(stage)
    rules = rules_of(stage, protocol)
    if settles(rules, protocol):
        return SETTLED
    return RATED if rules.items_from else MARKED


class _Hand:
    """One simulated person at one stage."""

    def __init__(self, stage: models.Stage, person: models.Annotator, temperament: Temperament) -> None:
        self.stage = stage
        self.protocol = protocol_of(stage)
        rules, seed = rules_of(stage, self.protocol), f"{stage.key}:{person.name}"
        self.simulator = Simulator(self.protocol, rules, seed)
        self.person = OpinionatedPerson(self.protocol, rules, temperament, GOOD, seed)
        self.opinions = opinions_of(self.protocol)
        self.rng = random.Random(f"demo:{stage.key}:{person.name}")

    def judge(self, lease: models.Assignment) -> Judgement:
        """What this person says of the pair."""
        item = item_from(lease.item)
        laid = overlays(self.stage, [lease.item_id]).get(lease.item_id)
        if laid is not None:
            return Judgement({}, majority(laid))
        given = given_edits(self.stage, [lease.item_id]).get(lease.item_id)
        if given is None:
            return self.simulator.judge(item, None, self._seen(item.fields["source"], item.fields["rewrite"]))
        opinion = self.opinions.get(item.key)
        return self.person.rate_edits(item, given, opinion) if opinion else self.simulator.judge(item, None, given)

    def _seen(self, source: str, rewrite: str) -> tuple[Edit, ...]:
        """What this person sees of what is suggested."""
        assert self.protocol.edits is not None
        edits = fitted(suggest(source, rewrite, self.protocol.fallback), self.protocol.edits).edits
        whole = {edit.id for edit in edits if not edit.parent and self.rng.random() > 0.12}
        seen = [edit for edit in edits if edit.id in whole or edit.parent in whole]
        return tuple(self._with_information(self._shortened(edit, source)) for edit in seen)

    def _shortened(self, edit: Edit, source: str) -> Edit:
        """One word less at the end of what is gone, now and then."""
        if len(edit.source) != 1 or edit.rewrite or edit.parent or self.rng.random() > 0.4:
            return edit
        (span,) = edit.source
        words = source[span.start : span.end].rsplit(" ", 1)
        return attrs.evolve(edit, source=(Span(span.start, span.start + len(words[0])),))

    def _with_information(self, edit: Edit) -> Edit:
        if edit.operation != "substitution" or edit.parent:
            return edit
        return attrs.evolve(edit, answers={"information": "less" if self.rng.random() < 0.1 else "same"})


def _learn(person: models.Annotator, stage: models.Stage, at: datetime) -> None:
    """Go through the course; every sixth exercise in marking is wrong at first."""
    rng = random.Random(f"course:{person.name}")
    for chapter in course.course_of(stage):
        for step in chapter.steps:
            at += timedelta(seconds=20)
            if not step.is_exercise:
                course.see(person, chapter.id, step, at)
                continue
            for given in _tries(stage, step, rng):
                course.answer(person, stage, chapter.id, step, given, at)


def _tries(stage: models.Stage, step: Step, rng: random.Random) -> Sequence[Judgement]:
    gold = gold_answer(protocol_of(stage), step)
    return [Judgement(), gold] if step.kind in MARKING and rng.random() < 1 / 6 else [gold]
