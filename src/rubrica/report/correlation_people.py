"""What people said of each unit as one number, by criterion: the side that metrics are held against.

A scale counts as it is; a yes or no and a verdict are 1 for the good answer and 0 for the other, so that a mean is the
share of raters who gave the good one; a choice counts like that where one of its options is the good one. Labels in an
order and sets have no mean and are left out, which is said; so are free texts, which nobody expects.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rubrica.core.answers import Answer
from rubrica.core.errors import wrong
from rubrica.core.ratings import CHOICE, VERDICT, YES_NO, Criterion, Ratings, given
from rubrica.report.comparison_measures import REPEATED
from rubrica.stats.aggregation import z_scores
from rubrica.stats.coded import from_triples
from rubrica.stats.correlation.coefficients import DIGITS

MEAN, MEDIAN, Z = "mean", "median", "z"
COMBINED = (MEAN, MEDIAN, Z)
"""How answers of several raters become one number: their mean, their median, or the mean of standardised answers."""


class PeopleScores(NamedTuple):
    """The score of every unit that has one, and the title of the column."""

    criterion: str
    title: str
    scores: Mapping[str, float]


class People(NamedTuple):
    """All criteria that are numbers, and in words what was left out."""

    criteria: tuple[PeopleScores, ...]
    remarks: tuple[str, ...]


def people_scores(ratings: Ratings, combine: str = MEAN, good: Mapping[str, str] | None = None) -> People:
    """The scores of all criteria. ``good`` names the answer that counts as 1, by question, where it is not known.

    Raises InputError if ``good`` names a question or an answer that there is not.
    """
    wanted = {name: known_answer(ratings.criterion(name), answer) for name, answer in (good or {}).items()}
    found, odd = [], []
    for criterion in ratings.criteria:
        if criterion.id in REPEATED or not criterion.comparable:
            continue
        counted = _numbers(criterion, ratings, wanted.get(criterion.id))
        if counted is None:
            odd.append(criterion.label)
        elif counted:
            found.append(PeopleScores(criterion.id, _title(criterion, wanted), _combined(counted, combine)))
    remarks = [f"no numbers, and left out: {', '.join(odd)}"] if odd else []
    return People(tuple(found), tuple(remarks))


def known_answer(criterion: Criterion, answer: str) -> Answer:
    """The answer of a question that is written so. Raises InputError if there is none."""
    for value in criterion.values:
        if str(value) == answer:
            return value
    known = ", ".join(map(str, criterion.values)) or "none is listed"
    raise wrong(f"{criterion.id} has no answer {answer!r}", "good", f"Answers: {known}.", value=answer)


def good_answer(criterion: Criterion) -> Answer | None:
    """The answer that counts as 1: the good one; yes, where nobody says which of yes and no is good."""
    if criterion.good is None and set(criterion.values) == {"no", "yes"}:
        return "yes"
    return criterion.good if criterion.kind in (YES_NO, VERDICT, CHOICE) else None


def _title(criterion: Criterion, wanted: Mapping[str, Answer]) -> str:
    """The label; with *no* before it where *no* is what counts, as in the tables of comparisons."""
    counts = wanted.get(criterion.id, good_answer(criterion))
    if counts == "no":
        return f"no {criterion.label.lower()}"
    return criterion.label if counts in (None, "yes") else f"{criterion.label}: {counts}"


def _numbers(criterion: Criterion, ratings: Ratings, wanted: Answer | None) -> list[tuple[str, str, float]] | None:
    """Unit, rater and number of every answer; None if answers are no numbers."""
    counts = wanted if wanted is not None else good_answer(criterion)
    if counts is None and not criterion.numeric:
        return None
    found = []
    for rating in ratings.counted_on(criterion.id):
        answer = given(rating, criterion.id)
        if answer is None:
            continue
        if counts is not None:
            found.append((rating.unit, rating.rater, float(answer == counts)))
        elif isinstance(answer, int | float):
            found.append((rating.unit, rating.rater, float(answer)))
    return found


def _combined(counted: Sequence[tuple[str, str, float]], combine: str) -> dict[str, float]:
    if combine == Z:
        coded = from_triples(counted, tuple(sorted({number for _, _, number in counted})))
        gold = z_scores(coded).gold
        return {
            str(unit): round(float(one.value), DIGITS)
            for unit, one in zip(coded.units, gold, strict=True)
            if isinstance(one.value, int | float)
        }
    by_unit: dict[str, list[float]] = defaultdict(list)
    for unit, _, number in counted:
        by_unit[unit].append(number)
    if combine == MEDIAN:
        return {unit: float(statistics.median(numbers)) for unit, numbers in by_unit.items()}
    # fsum: the same answers in another order are the same mean to the last digit, so that ties stay ties.
    return {unit: math.fsum(numbers) / len(numbers) for unit, numbers in by_unit.items()}
