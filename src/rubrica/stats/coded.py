"""The answers to one question as arrays: what statistics compute with.

Each answer is three whole numbers: which unit, which rater, which of the different values. Nothing is stored for an
answer that was not given, so gaps cost nothing, and many raters with few answers each are as cheap as few with many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.core.answers import Answer
from rubrica.core.ratings import ORDINAL, Criterion, Rating, given_to_compare

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
COUNTED = 10_000
"""Whole numbers within so many of each other are counted instead of sorted."""


@attrs.frozen(eq=False)
class Coded:
    """Answers sorted by unit. ``values`` are the different answers in order; ``code`` points into them.

    ``made_of``, where units were made of others, says of which each was made: they are kept one by one even if they
    look alike, because they are not drawn one by one.
    """

    units: Sequence[str] | range
    raters: Sequence[str] | range
    values: tuple[Answer, ...]
    unit: Whole
    rater: Whole
    code: Whole
    made_of: Whole | None = None

    @cached_property
    def numbers(self) -> Real:
        """The values as numbers. Raises TypeError if they are not."""
        if any(isinstance(value, str | tuple) for value in self.values):
            raise TypeError("these answers are not numbers")
        return np.array(self.values, dtype=float)

    @cached_property
    def per_unit(self) -> Whole:
        """How many answers each unit has."""
        return np.bincount(self.unit, minlength=len(self.units)).astype(np.int64)

    @property
    def present_raters(self) -> int:
        """How many raters gave an answer."""
        return int(np.count_nonzero(np.bincount(self.rater)))

    def keep(self, chosen: npt.NDArray[np.bool_]) -> Coded:
        """Only the chosen answers; units, raters and values keep their numbers."""
        return attrs.evolve(self, unit=self.unit[chosen], rater=self.rater[chosen], code=self.code[chosen])

    @cached_property
    def pairable(self) -> Coded:
        """Only answers to units that have at least two."""
        return self.keep(self.per_unit[self.unit] > 1)

    def widened(self, possible: Sequence[Answer]) -> Coded:
        """The same with values that nobody chose, where the possible ones are known and hold all that were."""
        if len(possible) <= len(self.values) or not set(self.values) <= set(possible):
            return self
        place = {value: index for index, value in enumerate(possible)}
        moved = np.array([place[value] for value in self.values], dtype=np.int64)
        return attrs.evolve(self, values=tuple(possible), code=moved[self.code] if len(moved) else self.code)

    def scores(self, level: str) -> Real:
        """Values as numbers: themselves, or their places on the scale where they are labels in an order."""
        labels = level == ORDINAL and any(isinstance(value, str | tuple) for value in self.values)
        return np.arange(len(self.values), dtype=float) if labels else self.numbers

    def matrix(self) -> Real:
        """Numbers by unit and rater, NaN where there is no answer: for measures that need a table."""
        table = np.full((len(self.units), len(self.raters)), np.nan)
        table[self.unit, self.rater] = self.numbers[self.code]
        return table


def coded(ratings: Iterable[Rating], criterion: Criterion) -> Coded:
    """Answers to a criterion; missing and not applicable ones are left out.

    The values of a scale are in its order, other numbers in theirs; labels are in alphabetical order.
    """
    found = [
        (rating.unit, rating.rater, answer)
        for rating in ratings
        if (answer := given_to_compare(rating, criterion)) is not None
    ]
    present = {answer for _, _, answer in found}
    listed = [value for value in criterion.values if value in present]
    rest = sorted(present.difference(listed), key=_order)
    values = (
        (*listed, *rest)
        if any(isinstance(value, str | tuple) for value in present)
        else tuple(sorted(present, key=_order))
    )
    return from_triples(found, values)


def from_triples(found: Sequence[tuple[str, str, Answer]], values: tuple[Answer, ...]) -> Coded:
    """Code (unit, rater, answer) with these values, units and raters in the order in which they come."""
    units = {unit: index for index, unit in enumerate(dict.fromkeys(unit for unit, _, _ in found))}
    raters = {rater: index for index, rater in enumerate(dict.fromkeys(rater for _, rater, _ in found))}
    codes = {value: index for index, value in enumerate(values)}
    rows = np.array(
        [(units[unit], raters[rater], codes[answer]) for unit, rater, answer in found], dtype=np.int64
    ).reshape(-1, 3)
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    return Coded(tuple(units), tuple(raters), values, rows[:, 0], rows[:, 1], rows[:, 2])


def from_matrix(table: npt.NDArray[Any]) -> Coded:
    """Code a table of numbers, a row for each unit and a column for each rater, NaN where there is no answer."""
    many, raters = table.shape
    flat = np.asarray(table, dtype=float).ravel()
    absent = np.isnan(flat)
    unit = np.repeat(np.arange(many, dtype=np.int64), raters)
    rater = np.tile(np.arange(raters, dtype=np.int64), many)
    if absent.any():
        flat, unit, rater = flat[~absent], unit[~absent], rater[~absent]
    values, code = _different(flat)
    return Coded(range(many), range(raters), tuple(values.tolist()), unit, rater, code)


def _different(numbers: Real) -> tuple[Real, Whole]:
    """The different numbers in order, and for each number which it is; counting is quicker than sorting."""
    if len(numbers) and (span := numbers.max() - (least := numbers.min())) < COUNTED:
        places = (numbers - least).astype(np.int64)
        if (places + least == numbers).all():
            used = np.flatnonzero(np.bincount(places, minlength=int(span) + 1))
            renumbered = np.zeros(int(span) + 1, dtype=np.int64)
            renumbered[used] = np.arange(len(used))
            return used + least, renumbered[places]
    values, code = np.unique(numbers, return_inverse=True)
    return values, code.astype(np.int64)


def _order(value: Answer) -> tuple[int, Any]:
    """Numbers before labels, each in its own order."""
    return (0, value) if isinstance(value, int | float) else (1, value if isinstance(value, tuple) else (str(value),))
