"""Simulated people with an opinion: what a careful annotator would say of an item, said by somebody with a temperament.

Unlike :class:`rubrica.core.simulation.Simulator`, whose answers are valid and otherwise at random, these agree with
each other as far as they are careful, so that agreement, checks and comparisons have something to show, and the checks
somebody to find. Temperaments are made up, not estimated from anybody.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.answers import Answer, Answers
from rubrica.core.conditions import on_answers, reads_the_same
from rubrica.core.edits import Edit
from rubrica.core.protocol import Protocol, Question, Stage
from rubrica.core.scales import Choice, FreeText, Ordinal, RewrittenText, Scale, ShortAnswers, Slider, YesNo
from rubrica.core.simulation import Simulator
from rubrica.core.study import ANSWERED, Item, Judgement

MISSED, IMAGINED = 2.0, 0.4
"""How much likelier than other slips it is that a problem is overlooked, and that one is seen where there is none."""

CLEAR = 0.65
"""How much less people waver where a careful answer is an end of the scale."""


@attrs.frozen
class Temperament:
    """How one simulated annotator judges.

    On a scale, ``leniency`` moves every answer towards the good end (below 0: away from it) and ``noise`` is the
    standard deviation of the rest, both for a scale of two points; a scale with n points has sqrt(n - 1) times as much.
    The others are probabilities: ``slips`` that a yes becomes a no, ``habit`` that the favourite answer is given
    without a look, ``memory`` that an item seen before gets the same answers. ``pace`` multiplies the time for an item.
    """

    name: str
    leniency: float = 0.0
    noise: float = 0.0
    slips: float = 0.0
    habit: float = 0.0
    memory: float = 1.0
    pace: float = 1.0


CAREFUL = Temperament("careful", 0.0, 0.23, 0.02, 0.0, 0.95, 1.15)
LENIENT = Temperament("lenient", 0.16, 0.28, 0.04, 0.0, 0.85, 0.95)
SEVERE = Temperament("severe", -0.16, 0.28, 0.04, 0.0, 0.85, 1.1)
CARELESS = Temperament("careless", 0.0, 0.34, 0.09, 0.04, 0.6, 0.75)
HURRIED = Temperament("hurried", 0.1, 0.45, 0.15, 0.5, 0.3, 0.2)

TEAM = (CAREFUL, LENIENT, SEVERE, CARELESS, HURRIED, CAREFUL, LENIENT, CAREFUL, SEVERE, CAREFUL, CARELESS)
"""In a group of simulated people, who comes first, second and so on; a larger group begins again."""


def temperament_of(place: int, seed: str) -> Temperament:
    """That of the person at this place (from 0) of a group: its kind is fixed, its degree comes from the seed."""
    kind = TEAM[place % len(TEAM)]
    rng = random.Random(f"temperament:{seed}:{place}")
    return attrs.evolve(
        kind,
        leniency=kind.leniency * rng.uniform(0.7, 1.3) + rng.uniform(-0.03, 0.03),
        noise=kind.noise * rng.uniform(0.8, 1.2),
        slips=kind.slips * rng.uniform(0.7, 1.3),
        pace=kind.pace * rng.uniform(0.85, 1.15),
    )


@attrs.frozen
class Opinion:
    """What a careful annotator says of an item: complete answers, or one of the protocol's ways out.

    ``as_good`` are other complete answers that are as right. ``if_asked`` answers questions that only another decision
    would lead to. ``words`` gives by question the words that come to people's minds, with their weights; the empty word
    stands for none. ``edits`` gives by operation the answers about edits of the pair.
    """

    answers: Answers = attrs.field(factory=dict)
    outcome: str = ANSWERED
    as_good: tuple[Answers, ...] = ()
    if_asked: Answers = attrs.field(factory=dict)
    words: Mapping[str, Mapping[str, float]] = attrs.field(factory=dict)
    edits: Mapping[str, Answers] = attrs.field(factory=dict)


class _Mood(NamedTuple):
    """How one item strikes one person: ``factor`` multiplies noise, ``lift`` is that of all answers together."""

    factor: float
    lift: float


class OpinionatedPerson:
    """One simulated annotator with a temperament, of a protocol at a stage.

    ``good`` is the answer to each question that speaks for the rewrite, where there is one.
    """

    def __init__(
        self,
        protocol: Protocol,
        stage: Stage,
        temperament: Temperament,
        good: Mapping[str, Answer | None],
        seed: str,
    ) -> None:
        self.protocol = protocol
        self.temperament = temperament
        self.good = good
        self.seed = seed
        self.rng = random.Random(seed)
        self.simulator = Simulator(protocol, stage, seed)
        self._before: dict[str, list[Judgement]] = {}

    def judge(self, item: Item, opinion: Opinion) -> Judgement:
        """What this person says of the item; of one with the same texts as before, most often the same."""
        texts = "\n".join(f"{name}:{text}" for name, text in sorted(item.fields.items()))
        before = self._before.setdefault(texts, [])
        self._begin(f"{len(before)}:{texts}")
        if before and self.rng.random() < self.temperament.memory:
            said = before[-1]
        else:
            said = self._way_out(opinion) or self._answered(item, opinion, texts)
        before.append(said)
        return said

    def rate_edits(self, item: Item, edits: Sequence[Edit], opinion: Opinion) -> Judgement:
        """What this person says of edits that are given, as far as the stage asks; constituents are not asked about."""
        self._begin("\n".join(item.fields.values()))
        mood = self._mood("\n".join(item.fields.values()))
        rated = [
            edit if edit.parent else attrs.evolve(edit, answers=self._tree(edit, item, opinion, mood)) for edit in edits
        ]
        return self.simulator.validator.settle(item, Judgement({}, tuple(rated)))

    def _begin(self, cause: str) -> None:
        """Chance depends on the item and not on what was judged before, so that any order of work gives the same."""
        self.rng = self.simulator.rng = random.Random(f"opinion:{self.seed}:{cause}")

    def _tree(self, edit: Edit, item: Item, opinion: Opinion, mood: _Mood) -> dict[str, Answer]:
        assert self.protocol.edits is not None
        right = opinion.edits.get(edit.operation, {})
        answers: dict[str, Answer] = {**self.protocol.edits.by_id[edit.operation].preset, **edit.answers}
        for question in self.protocol.edits.questions_for(edit.operation):
            asked = self.simulator.validator.asks(question) and question.id not in answers
            if asked and (question.when is None or on_answers(question.when)(answers)):
                answer = self._answer(question, item, opinion, right, mood)
                if answer is not None:
                    answers[question.id] = answer
        return answers

    def _way_out(self, opinion: Opinion) -> Judgement | None:
        """The way out that is right; now and then it is overlooked, or somebody in a hurry takes one."""
        right = opinion.outcome if opinion.outcome != ANSWERED else ""
        if right:
            return Judgement({}, (), right) if self.rng.random() > self.temperament.slips * MISSED else None
        ways = [way.id for way in self.protocol.ways_out if not way.passes_on]
        hurry = ways and self.rng.random() < self.temperament.habit / 3
        return Judgement({}, (), ways[0]) if hurry else None

    def _answered(self, item: Item, opinion: Opinion, texts: str) -> Judgement:
        validator, mood = self.simulator.validator, self._mood(texts)
        right = self.rng.choice((opinion.answers, *opinion.as_good))
        answers: dict[str, Answer] = {}
        for question in self.protocol.questions:
            if question not in validator.shown(item, answers):
                continue
            answer = self._answer(question, item, opinion, right, mood)
            if answer is not None:
                answers[question.id] = answer
        return validator.settle(item, Judgement(answers))

    def _mood(self, texts: str) -> _Mood:
        """Some items are harder to judge than others, for everybody alike."""
        factor = random.Random(f"ambiguity:{texts}").choice((0.6, 0.8, 1.0, 1.0, 1.3, 1.9))
        return _Mood(factor, self.rng.gauss(0, 1))

    def _answer(self, question: Question, item: Item, opinion: Opinion, right: Answers, mood: _Mood) -> Answer | None:
        """The answer to one question; None leaves it out, which only one that is not required can be."""
        scale, known = self.protocol.scale_of(question), right.get(question.id, opinion.if_asked.get(question.id))
        habit = self.rng.random() < self.temperament.habit
        if isinstance(scale, ShortAnswers) and question.id in opinion.words:
            return self._short(scale, opinion.words[question.id], habit)
        if not question.required:
            return known if self.rng.random() < (0.4 if isinstance(scale, FreeText) else 0.85) else None
        written = scale if isinstance(scale, RewrittenText) else None
        if known is None or (habit and written and question.id in right) or _unchanged(written, known, item):
            return self.simulator.answer(question, item)
        if isinstance(scale, YesNo):
            return self._yes_no(question, str(known), habit)
        if isinstance(scale, Ordinal | Slider | Choice):
            return self._on_scale(question, scale, known, habit, mood)
        return known

    def _yes_no(self, question: Question, right: str, habit: bool) -> str:
        good, person = self.good.get(question.id), self.temperament
        if habit and good is not None:
            return str(good)
        chance = person.slips
        if good is not None:
            fine = right == good
            chance *= math.exp((-4 if fine else 4) * person.leniency) * (IMAGINED if fine else MISSED)
        wrong = self.rng.random() < chance
        return {"yes": "no", "no": "yes"}[right] if wrong else right

    def _on_scale(self, question: Question, scale: Scale, right: Answer, habit: bool, mood: _Mood) -> Answer:
        """The right point, moved by leniency and chance: neighbouring points are far likelier than distant ones."""
        points = _points(scale)
        towards = _towards(points, self.good.get(question.id), ordered=not isinstance(scale, Choice))
        if habit:
            best = len(points) - 1 if towards > 0 else 0
            return points[best - towards if len(points) > 3 else best]
        person, place = self.temperament, points.index(right)
        size = math.sqrt(len(points) - 1) * (CLEAR if place in (0, len(points) - 1) else 1)
        chance = 0.6 * mood.lift * towards + 0.8 * self.rng.gauss(0, 1)
        moved = place + size * (person.leniency * towards + person.noise * mood.factor * chance)
        return points[min(max(round(moved), 0), len(points) - 1)]

    def _short(self, scale: ShortAnswers, words: Mapping[str, float], habit: bool) -> Answer:
        """One or several of the words, the weightier ones more often; none if none comes first to mind."""
        if habit and scale.none:
            return ()
        left, found = dict(words), list[str]()
        count = self.rng.choices(range(scale.minimum, scale.maximum + 1), _descending(scale))[0]
        while left and len(found) < count:
            word = self.rng.choices([*left], [*left.values()])[0]
            del left[word]
            if not word and not found:
                return ()
            if word:
                found.append(word)
        return tuple(found)


def _points(scale: Scale) -> list[Answer]:
    """The answers in order, those of a long slider too."""
    if isinstance(scale, Slider):
        return [scale.at(index) for index in range(scale.steps + 1)]
    values: list[Answer] = sorted(scale.values()) if isinstance(scale, Ordinal) else scale.values()
    return values


def _towards(points: Sequence[Answer], good: Answer | None, *, ordered: bool) -> int:
    """In which direction the good end lies. Without one, that of higher points; options have no direction then."""
    if good is not None and good in points:
        return 1 if points.index(good) * 2 >= len(points) - 1 else -1
    return 1 if ordered else 0


def _descending(scale: ShortAnswers) -> list[float]:
    """Weights of how many words somebody gives: one more is always less likely."""
    return [0.6**index for index in range(scale.maximum - scale.minimum + 1)]


def _unchanged(scale: RewrittenText | None, text: Answer, item: Item) -> bool:
    """Whether a text that is right elsewhere would change nothing here, so that it cannot be given."""
    fields = scale.differs_from if scale is not None else ()
    return any(reads_the_same(str(text), item.fields.get(name, "")) for name in fields)
