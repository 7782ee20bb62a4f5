"""Practice and qualification: which of the protocol's known items serve for which, and how an answer to one is kept.

Both take from the stage's practice items. Qualification has the last ones and practice the rest, never the same; where
there are too few for that, each gets half.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from rubrica.core import answers as answer_values
from rubrica.core.grading import Graded, grade, score
from rubrica.core.protocol import PracticeItem
from rubrica.core.study import Item, Judgement
from rubrica.store import models
from rubrica.store.options import Options
from rubrica.store.recording.judgements import RefusedError
from rubrica.store.translate import protocol_of, rules_of, validator_of

Page = tuple[PracticeItem, ...]
"""Known items that are shown together."""


class Known(NamedTuple):
    """The known items of a stage, by what they serve for."""

    practice: tuple[PracticeItem, ...]
    qualification: tuple[PracticeItem, ...]


class Answered(NamedTuple):
    """An answer to a known item and how it compares. ``repeated``: it had been given before and changes nothing."""

    attempt: models.Attempt
    graded: list[Graded]
    repeated: bool = False


class Round(NamedTuple):
    """One try at the qualification so far. ``share`` is None while nothing in it could be graded."""

    number: int
    answered: int
    items: int
    right: int
    graded: int

    @classmethod
    def of(cls, number: int, items: int, said: Sequence[models.Attempt]) -> Round:
        """The round with this number, of so many items, in which this was said."""
        return cls(number, len(said), items, sum(one.right for one in said), sum(one.graded for one in said))

    @property
    def complete(self) -> bool:
        """Whether every item of the round is answered."""
        return self.answered >= self.items

    @property
    def share(self) -> float | None:
        """The share of right answers among those that have one."""
        return self.right / self.graded if self.graded else None


class Exam(NamedTuple):
    """Where an annotator stands in the qualification."""

    rounds: list[Round]
    tries: int
    pass_mark: float
    gradable: bool

    def passes(self, tried: Round) -> bool:
        """Whether this round is enough. Items without any right answer ask only to be done."""
        if not tried.complete:
            return False
        return not self.gradable if tried.share is None else tried.share >= self.pass_mark

    @property
    def passed(self) -> bool:
        """Whether any round was enough."""
        return any(map(self.passes, self.rounds))

    @property
    def failed(self) -> bool:
        """Whether every try is used up without passing."""
        return not self.passed and sum(tried.complete for tried in self.rounds) >= self.tries

    @property
    def tries_left(self) -> int:
        """How many rounds may still be begun or finished."""
        return max(0, self.tries - sum(tried.complete for tried in self.rounds))

    @property
    def open_round(self) -> int:
        """The number of the round that is under way, or that would begin now."""
        return sum(tried.complete for tried in self.rounds) + 1


def known_items(stage: models.Stage, options: Options) -> Known:
    """The stage's known items. None where edits are marked: answers about edits are not graded here."""
    protocol = protocol_of(stage)
    step = rules_of(stage, protocol)
    if protocol.edits is not None and step.edits != "none":
        return Known((), ())
    items = [item for item in protocol.practice if item.stage in ("", step.id) and not item.edits]
    steps = options.steps
    if not steps.qualification:
        return Known(tuple(items) if steps.practice else (), ())
    wanted = min(options.qualification.items, len(items))
    if steps.practice and wanted >= len(items):
        wanted = len(items) // 2
    cut = len(items) - wanted
    return Known(tuple(items[:cut]) if steps.practice else (), tuple(items[cut:]))


def item_of(known: PracticeItem) -> Item:
    """A known item as it is shown: like any other."""
    return Item(known.id, known.fields)


def judgement_of(known: PracticeItem) -> Judgement:
    """The known answer."""
    return Judgement(known.answers, known.edits, known.outcome)


def pages(stage: models.Stage, items: Sequence[PracticeItem]) -> list[Page]:
    """Known items as they are shown: neighbours of one group (three words of a context) on one page."""
    by = protocol_of(stage).group_by
    groups = itertools.groupby(enumerate(items), key=lambda pair: pair[1].fields.get(by) or pair[0])
    return [tuple(item for _, item in group) for _, group in groups]


def settled(stage: models.Stage, page: Page, given: Sequence[Judgement]) -> list[Judgement]:
    """What was answered to the items of a page, as work would keep it.

    Raises RefusedError with the problems of each item, by its place on the page (see ``place``).
    """
    validator = validator_of(stage)
    judgements, refused = [], {}
    for number, (known, said) in enumerate(zip(page, given, strict=True)):
        judgement, problems = validator.check(item_of(known), said)
        if problems:
            refused[place(number)] = problems
        judgements.append(judgement)
    if refused:
        raise RefusedError(refused)
    return judgements


def place(number: int) -> str:
    """The name of an item on its page, where a lease's public id would stand: nothing is leased here."""
    return f"i{number + 1}"


def grade_known(stage: models.Stage, known: PracticeItem, given: Judgement) -> list[Graded]:
    """An answer beside the known one, question by question."""
    protocol = protocol_of(stage)
    return grade(protocol, rules_of(stage, protocol), item_of(known), given, judgement_of(known))


def answer(
    annotator: models.Annotator,
    stage: models.Stage,
    kind: models.Attempt.Kind,
    number: int,
    page: Page,
    given: Sequence[Judgement],
    now: datetime,
) -> list[Answered]:
    """Keep the answers to a page in this round. Raises RefusedError as work does.

    In practice other answers to the same item are kept beside them; in the qualification the first answer counts,
    whatever comes after it.
    """
    judgements = settled(stage, page, given)
    answered = []
    with transaction.atomic():
        models.Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        for known, judgement in zip(page, judgements, strict=True):
            graded = grade_known(stage, known, judgement)
            points = score(graded)
            place = {"annotator": annotator, "stage": stage, "kind": kind, "round": number, "item": known.id}
            said = {"outcome": judgement.outcome, "answers": answer_values.to_json(judgement.answers)}
            before = models.Attempt.objects.filter(**place)
            if kind == models.Attempt.Kind.PRACTICE:
                last = before.order_by("-pk").first()
                same = last if last is not None and (last.outcome, last.answers) == tuple(said.values()) else None
            else:
                same = before.first()
            made = same or models.Attempt.objects.create(
                **place, **said, right=points.right, graded=points.graded, at=now
            )
            answered.append(Answered(made, graded, repeated=same is not None))
    return answered


def practised(annotator: models.Annotator, stage: models.Stage) -> dict[int, dict[str, models.Attempt]]:
    """By round, the last answer to each practice item."""
    rounds: dict[int, dict[str, models.Attempt]] = {}
    rows = models.Attempt.objects.filter(annotator=annotator, stage=stage, kind="practice").order_by("pk")
    for attempt in rows:
        rounds.setdefault(attempt.round, {})[attempt.item] = attempt
    return rounds


def exam(annotator: models.Annotator, stage: models.Stage, options: Options) -> Exam:
    """Where the annotator stands in the qualification of this stage."""
    return exams([annotator], stage, options)[annotator.pk]


def exams(people: Iterable[models.Annotator], stage: models.Stage, options: Options) -> dict[int, Exam]:
    """The same of several annotators at once, by row number."""
    items = known_items(stage, options).qualification
    names = {item.id for item in items}
    by_person: dict[int, dict[int, list[models.Attempt]]] = {person.pk: {} for person in people}
    rows = models.Attempt.objects.filter(annotator__in=by_person, stage=stage, item__in=names)
    for attempt in rows.filter(kind=models.Attempt.Kind.QUALIFICATION).order_by("round", "pk"):
        by_person[attempt.annotator_id].setdefault(attempt.round, []).append(attempt)
    gradable = any(score(grade_known(stage, item, judgement_of(item))).graded for item in items)
    rules = options.qualification
    found = {
        pk: [Round.of(number, len(names), said) for number, said in rounds.items()] for pk, rounds in by_person.items()
    }
    return {pk: Exam(rounds, rules.tries, rules.pass_mark, gradable) for pk, rounds in found.items()}


def unanswered_page(annotator: models.Annotator, stage: models.Stage, shown: Sequence[Page], number: int) -> int | None:
    """The first page of this qualification round, counted from 1, that lacks an answer; None if none does."""
    answered = set(
        models.Attempt.objects.filter(annotator=annotator, stage=stage, kind="qualification", round=number).values_list(
            "item", flat=True
        )
    )
    return next((at for at, page in enumerate(shown, start=1) if any(one.id not in answered for one in page)), None)
