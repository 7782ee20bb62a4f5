"""Planted items: an answer beside the known one, or beside the annotator's own of the first time.

The studio's pages and ``rubrica check`` both judge planted items here, so that they say the same.
"""

from __future__ import annotations

from typing import NamedTuple

from rubrica.core.grading import FREE, NEAR, RIGHT, WRONG, Graded, consistent, grade, score
from rubrica.core.grading import MISSING as NOT_GIVEN
from rubrica.core.protocol import Protocol, Stage
from rubrica.core.study import Item, Judgement

GOLD, DUPLICATE = "gold", "duplicate"
ENOUGH_CHECKS = 4
"""Fewest answers to planted items from which a share says something."""


class Checked(NamedTuple):
    """One planted judgement: answers that were right (or the same again), of how many, and those that were not."""

    right: int
    graded: int
    missed: tuple[Graded, ...]
    every: tuple[Graded, ...]


def check_planted(
    kind: str, protocol: Protocol, stage: Stage | None, item: Item, given: Judgement, known: Judgement
) -> Checked:
    """Compare with what is known. Near is right on a scale, beside a known answer and beside one's own of before."""
    graded = grade(protocol, stage, item, given, known)
    counted = tuple(one for one in graded if one.verdict != FREE)
    if kind == GOLD:
        right, total, _ = score(graded)
        missed = tuple(one for one in counted if one.verdict in (WRONG, NOT_GIVEN))
    else:
        missed = tuple(one for one in counted if not _again(protocol, one))
        right, total = len(counted) - len(missed), len(counted)
    return Checked(right, total, missed, counted)


def _again(protocol: Protocol, one: Graded) -> bool:
    """Whether a question was answered as before; where there is none, how the item was left."""
    if one.verdict != NEAR or not one.question or one.given is None or one.expected is None:
        return one.verdict == RIGHT
    return consistent(protocol.scale_of(protocol.questions_by_id[one.question]), one.expected, one.given)
