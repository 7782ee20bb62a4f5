"""Judgements as statistics see them: who gave which answer to which unit, whatever they were collected with.

A *unit* is what was judged (an item, or a row of somebody's file), a *rater* is who judged it, a *criterion* is what
was asked: a question, or a verdict that follows from a judgement. Files and studies are both turned into this, so that
every figure is computed by the same functions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from rubrica.core.answers import NOT_APPLICABLE, Answer, Answers, word_set
from rubrica.core.errors import wrong
from rubrica.core.human_rewrites import HumanRewrites, human_systems
from rubrica.core.metric_values import MetricValues
from rubrica.core.signature import signature
from rubrica.core.study import ANSWERED

if TYPE_CHECKING:
    from rubrica.core.protocol import Protocol, Stage

NOMINAL, ORDINAL, INTERVAL, RATIO = "nominal", "ordinal", "interval", "ratio"
MASI, JACCARD = "masi", "jaccard"
"""Levels of answers that are sets: how far two sets are from each other."""
LEVELS = (NOMINAL, ORDINAL, INTERVAL, RATIO, MASI, JACCARD)
OPEN = "open"
"""The level of free texts, which cannot be compared."""

SCALE, YES_NO, CHOICE, CHOICES, VERDICT, WORDS, TEXT = (
    "scale",
    "yes_no",
    "choice",
    "choices",
    "verdict",
    "words",
    "text",
)
"""Kinds of criteria. Words are short answers in no order; a verdict is a yes or no that follows from a judgement."""
GOLD, DUPLICATE = "gold", "duplicate"
"""What a planted unit is: one with a known answer, or one that the rater has seen before."""
SEVERAL_POINTS = 3
"""Of fewer points (a yes or no), one may be rare, and who never gives it is nobody's case."""


@attrs.frozen
class Criterion:
    """One thing that was judged. ``values`` are its possible answers in order (of a scale, from the lowest).

    ``values`` is empty where answers cannot be listed. ``good`` is the answer whose share a table shows: the highest
    point of a scale, the answer without a problem of a yes or no; None where no answer is better than the others.
    ``blank`` says that leaving words blank is an answer: that none is simpler.
    """

    id: str
    label: str
    kind: str
    level: str
    values: tuple[Answer, ...] = ()
    good: Answer | None = None
    blank: bool = False

    @property
    def numeric(self) -> bool:
        """Whether answers are numbers that have a mean; labels in an order are not."""
        return self.ordered and all(isinstance(value, int | float) for value in self.values)

    @property
    def ordered(self) -> bool:
        """Whether answers are points of a scale, numbers or labels, that can be nearer and farther."""
        return self.kind == SCALE and self.level in (ORDINAL, INTERVAL, RATIO)

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lowest and the highest number that can be answered; None where answers are no numbers, or not listed."""
        numbers = [value for value in self.values if isinstance(value, int | float)]
        return (min(numbers), max(numbers)) if numbers and self.numeric else None

    @property
    def comparable(self) -> bool:
        """Whether two answers can agree."""
        return self.level != OPEN

    @property
    def of_several_points(self) -> bool:
        """Whether one answer to everything says something by itself: a scale or a choice of three points or more.

        A file need not have every point of its scale: who only says 5 has left out others.
        """
        highest = max((value for value in self.values if isinstance(value, int)), default=0)
        few = bool(self.values) and max(len(self.values), highest) < SEVERAL_POINTS
        return self.comparable and self.kind in (SCALE, CHOICE) and not few


@attrs.frozen
class Unit:
    """What was judged. ``source`` is the same for rewrites of one text, so that systems can be compared in pairs.

    ``target`` is the word that is to be made simpler, where one is; ``written`` says that a person is named as author.
    ``systems`` are those that it is credited to, where several made the same; ``left_out`` those that have nothing of
    this source to be judged.
    """

    key: str
    system: str = ""
    source: str = ""
    dataset: str = ""
    texts: Mapping[str, str] = attrs.field(factory=dict)
    target: str = ""
    written: bool = False
    systems: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def credited(self) -> tuple[str, ...]:
        """The systems that what is said of it counts for; ``""`` where none is named."""
        return self.systems or (self.system,)


@attrs.frozen
class Rater:
    """Who judged: a person, a model or a metric. ``traits`` are what they said of themselves, such as native or not."""

    name: str
    kind: str = "person"
    traits: Mapping[str, str] = attrs.field(factory=dict)
    excluded: bool = False


@attrs.frozen
class Rating:
    """One judgement: the answers of one rater to one unit, verdicts included, by criterion.

    A planted unit has a known answer (``gold``) or repeats an ``original`` (``duplicate``). ``fixed`` are the criteria
    that a rule of the protocol decided, not the rater. ``line`` is the line of a file, ``pid`` the public id of a
    judgement in the studio. ``at`` is when this was said; ``first_at`` when the rater first said anything of it, where
    it was corrected since: a correction does not make an early rating a late one.
    """

    unit: str
    rater: str
    answers: Answers
    outcome: str = ANSWERED
    seconds: float | None = None
    at: datetime | None = None
    planted: str = ""
    original: str = ""
    known: Answers = attrs.field(factory=dict)
    fixed: frozenset[str] = frozenset()
    line: int = 0
    pid: str = ""
    first_at: datetime | None = None

    @property
    def came(self) -> datetime | None:
        """When it came, by which the first ratings of a unit are told from later ones."""
        return self.first_at or self.at


@attrs.frozen(eq=False)
class Ratings:
    """Everything that was said, of all raters. ``origin`` is what a signature says of where it comes from.

    ``protocol`` and its ``step`` are what was asked, where that is known: verdicts of items and known answers need it.
    ``metrics`` are numbers that stand beside the ratings; no figure about raters is made of them.
    """

    name: str
    criteria: tuple[Criterion, ...]
    every: tuple[Rating, ...]
    units: Mapping[str, Unit]
    raters: Mapping[str, Rater]
    origin: Mapping[str, object] = attrs.field(factory=dict)
    remarks: tuple[str, ...] = ()
    protocol: Protocol | None = None
    step: Stage | None = None
    metrics: tuple[MetricValues, ...] = ()

    @cached_property
    def standing(self) -> tuple[Rating, ...]:
        """Judgements that are not planted, of raters who are not excluded, however they ended."""
        return tuple(one for one in self.every if not one.planted and not self.raters[one.rater].excluded)

    @cached_property
    def counted(self) -> tuple[Rating, ...]:
        """What results are made of: answered, not planted, of raters who are not excluded."""
        return tuple(rating for rating in self.standing if rating.outcome == ANSWERED)

    @cached_property
    def not_counted(self) -> dict[str, int]:
        """Why judgements that an export has are in no result. Those of excluded raters are in neither."""
        exported = [one for one in self.every if not self.raters[one.rater].excluded]
        planted = sum(bool(one.planted) for one in exported)
        left = len(exported) - planted - len(self.counted)
        return {why: n for why, n in (("of planted items", planted), ("left without an answer", left)) if n}

    def counted_on(self, criterion: str) -> tuple[Rating, ...]:
        """What results on a criterion are made of. Verdicts rest on ways out, too: leaving an item may decide one."""
        return self.standing if criterion in self._verdicts else self.counted

    def chosen_on(self, criterion: str) -> tuple[Rating, ...]:
        """What agreement and checks are made of: without answers that a rule fixed, which nobody had to agree on."""
        return tuple(rating for rating in self.counted_on(criterion) if criterion not in rating.fixed)

    @cached_property
    def fixed_answers(self) -> dict[str, int]:
        """By criterion, how many of the answers that count a rule fixed; nothing where it fixed none."""
        found = {one.id: sum(one.id in rating.fixed for rating in self.counted_on(one.id)) for one in self.criteria}
        return {name: number for name, number in found.items() if number}

    def with_fixed(self) -> Ratings:
        """The same with answers that a rule fixed taken for the raters' own; the signature says so if there are any."""
        if not any(rating.fixed for rating in self.every):
            return self
        every = tuple(attrs.evolve(rating, fixed=frozenset()) for rating in self.every)
        return attrs.evolve(self, every=every, origin={**self.origin, "fixed": "counted"})

    @cached_property
    def _verdicts(self) -> frozenset[str]:
        return frozenset(criterion.id for criterion in self.criteria if criterion.kind == VERDICT)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Systems in the order of the units, so that it stays while judgements come in.

        A unit without one belongs to the system ``""``.
        """
        return tuple(dict.fromkeys(name for unit in self._judged for name in unit.credited))

    @cached_property
    def credited(self) -> Ratings:
        """The same with a unit for each system where several made the same: for what is said of systems.

        Elsewhere a judgement counts once, however many systems it is credited to.
        """
        shared = {key: unit for key, unit in self.units.items() if len(unit.systems) > 1}
        if not shared:
            return self
        units, every = dict(self.units), []
        for key, unit in shared.items():
            apart = {f"{key} ({name})": name for name in unit.systems}
            units |= {one: attrs.evolve(unit, key=one, system=name, systems=()) for one, name in apart.items()}
        for rating in self.every:
            names = shared[rating.unit].systems if rating.unit in shared and not rating.planted else ()
            every += [attrs.evolve(rating, unit=f"{rating.unit} ({name})") for name in names] or [rating]
        return attrs.evolve(self, units=units, every=tuple(every))

    @cached_property
    def datasets(self) -> tuple[str, ...]:
        """Data sets in the order of the units."""
        return tuple(dict.fromkeys(unit.dataset for unit in self._judged))

    @cached_property
    def _judged(self) -> tuple[Unit, ...]:
        """Units that have a judgement that counts."""
        judged = {rating.unit for rating in self.counted}
        return tuple(unit for key, unit in self.units.items() if key in judged)

    def human(self, named: Sequence[str] = ()) -> HumanRewrites:
        """The systems whose rewrites are people's, as :func:`human_systems` decides it."""
        written: dict[str, bool] = {}
        for name in dict.fromkeys(rating.unit for rating in self.every if not rating.planted):
            unit = self.units[name]
            written[unit.system] = unit.written and written.get(unit.system, True)
        return human_systems(written, named)

    def criterion(self, wanted: str) -> Criterion:
        """The criterion with this id. Raises InputError if there is none."""
        for criterion in self.criteria:
            if criterion.id == wanted:
                return criterion
        known = ", ".join(criterion.id for criterion in self.criteria)
        raise wrong(f"there is no question {wanted!r}", "question", f"Questions: {known}.", value=wanted)

    def without(self, excluded: Collection[str]) -> Ratings:
        """The same with these raters excluded as well. Raises InputError if one of them rated nothing."""
        unknown = [name for name in excluded if name not in self.raters]
        if unknown:
            known = ", ".join(self.raters)
            raise wrong(f"nobody is called {unknown[0]!r}", "rater", f"Raters: {known}.", value=unknown[0])
        raters = {
            name: attrs.evolve(rater, excluded=True) if name in excluded else rater
            for name, rater in self.raters.items()
        }
        out = "+".join(sorted(name for name, rater in raters.items() if rater.excluded))
        return attrs.evolve(self, raters=raters, origin={**self.origin, "excluded": out})

    def of(self, ratings: Iterable[Rating]) -> Ratings:
        """The same with only these judgements."""
        return attrs.evolve(self, every=tuple(ratings))

    def sign(self, **parts: object) -> str:
        """The signature of whatever is computed from them."""
        return signature({**self.origin, **parts})

    def sign_chosen(self, **parts: object) -> str:
        """The same for what leaves out answers that a rule fixed: with how many these are, if there are any."""
        return self.sign(**parts, fixed_left_out=sum(self.fixed_answers.values()) or "")


def given(rating: Rating, criterion: str) -> Answer | None:
    """The answer to a criterion as it was given; None if there is none or it was not applicable."""
    answer = rating.answers.get(criterion)
    return None if answer is NOT_APPLICABLE else answer


def given_to_compare(rating: Rating, criterion: Criterion) -> Answer | None:
    """The same so that equal answers are equal: words have no order and no capitals, sets no order."""
    answer = rating.answers.get(criterion.id)
    if answer is None or answer is NOT_APPLICABLE:
        return None
    if criterion.kind == WORDS:
        return word_set(answer)
    return tuple(sorted(answer)) if criterion.kind == CHOICES and isinstance(answer, tuple) else answer
