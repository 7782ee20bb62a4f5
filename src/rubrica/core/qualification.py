"""Practice and qualification: which of a protocol's known items serve for which, and who has passed.

Both take from the stage's practice items. Qualification has the last ones and practice the rest, never the same; where
there are too few for that, each gets half. A protocol whose course has rounds of its own is asked these instead.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Sequence
from typing import NamedTuple

from rubrica.core.grading import Graded, grade
from rubrica.core.protocol import PracticeItem, Protocol, Stage
from rubrica.core.study import Item, Judgement

Page = tuple[PracticeItem, ...]
"""Known items that are shown together."""


class Known(NamedTuple):
    """The known items of a stage, by what they serve for."""

    practice: tuple[PracticeItem, ...] = ()
    qualification: tuple[PracticeItem, ...] = ()


def known_items(protocol: Protocol, step: Stage, language: str = "", *, practised: bool, asked: int) -> Known:
    """The step's known items: whether there is practice, and how many the qualification asks for (0: there is none).

    For texts in this ``language``, if the protocol has items in it. None where edits are marked: answers about edits
    are not graded here.
    """
    if protocol.edits is not None and step.edits != "none":
        return Known()
    items = [item for item in protocol.practice_at(step.id, language) if not item.edits]
    asked = min(asked, len(items))
    if practised and asked and asked == len(items):
        asked //= 2
    cut = len(items) - asked
    return Known(tuple(items[:cut]) if practised else (), tuple(items[cut:]))


def item_of(known: PracticeItem) -> Item:
    """A known item as it is shown: like any other."""
    return Item(known.id, known.fields)


def judgement_of(known: PracticeItem) -> Judgement:
    """The known answer."""
    return Judgement(known.answers, known.edits, known.outcome)


def grade_known(protocol: Protocol, step: Stage, known: PracticeItem, given: Judgement) -> list[Graded]:
    """An answer beside the known one, question by question."""
    return grade(protocol, step, item_of(known), given, judgement_of(known))


def pages(protocol: Protocol, items: Sequence[PracticeItem]) -> list[Page]:
    """Known items as they are shown: neighbours of one group (three words of a context) on one page."""
    by = protocol.group_by
    groups = itertools.groupby(enumerate(items), key=lambda pair: pair[1].fields.get(by) or pair[0])
    return [tuple(item for _, item in group) for _, group in groups]


def first_unanswered(shown: Sequence[Page], answered: Container[str]) -> int | None:
    """The first page, counted from 1, that lacks an answer; None if none does."""
    return next((at for at, page in enumerate(shown, start=1) if any(one.id not in answered for one in page)), None)


class Round(NamedTuple):
    """One try at the qualification so far. ``share`` is None while nothing in it could be graded."""

    number: int
    answered: int
    items: int
    right: int
    graded: int

    @property
    def complete(self) -> bool:
        """Whether every item of the round is answered."""
        return self.answered >= self.items

    @property
    def share(self) -> float | None:
        """The share of right answers among those that have one."""
        return self.right / self.graded if self.graded else None


class Exam(NamedTuple):
    """Where an annotator stands in the qualification.

    ``taught`` is how many rounds a course has: everybody does all of them, because each teaches something; the last one
    and those after it decide. Without a course every round decides. ``gradable``: whether its items have wrong answers.
    """

    rounds: list[Round]
    tries: int
    pass_mark: float
    gradable: bool = True
    taught: int = 1

    @property
    def complete(self) -> int:
        """How many rounds are done."""
        return sum(tried.complete for tried in self.rounds)

    @property
    def most(self) -> int:
        """How many rounds there may be: all of a course, and more if the study allows more tries."""
        return max(self.tries, self.taught)

    def passes(self, tried: Round) -> bool:
        """Whether this round is enough. Items that nobody can answer wrongly ask only to be done."""
        if not tried.complete or tried.number < self.taught:
            return False
        return not self.gradable if tried.share is None else tried.share >= self.pass_mark

    @property
    def passed(self) -> bool:
        """Whether any round was enough."""
        return any(map(self.passes, self.rounds))

    @property
    def failed(self) -> bool:
        """Whether every try is used up without passing."""
        return not self.passed and self.complete >= self.most

    @property
    def tries_left(self) -> int:
        """How many rounds may still be begun or finished."""
        return max(0, self.most - self.complete)

    @property
    def open_round(self) -> int:
        """The number of the round that is under way, or that would begin now."""
        return self.complete + 1
