"""What changes when raters are left out: results with and without them, side by side."""

from __future__ import annotations

from typing import NamedTuple

from rubrica.core.ratings import Criterion, Ratings, given
from rubrica.report.agreement import Asked, agreement
from rubrica.stats.statistic import Statistic


class Difference(NamedTuple):
    """One result with everybody and without some: of a system (empty: of all) and a question."""

    question: str
    system: str
    measure: str
    everybody: Statistic
    without: Statistic
    n_everybody: int
    n_without: int


def differences(everybody: Ratings, without: Ratings) -> list[Difference]:
    """Agreement on each question, then the mean of scales and the share of the good answer, system by system."""
    return [*_agreement(everybody, without), *_results(everybody, without)]


def _agreement(everybody: Ratings, without: Ratings) -> list[Difference]:
    asked = Asked(replicates=0)
    after = {(row.question, row.measure.name): row for row in agreement(without, asked)}
    found = []
    for row in agreement(everybody, asked):
        other = after[row.question, row.measure.name]
        found.append(
            Difference(row.question, "", row.measure.name, row.value, other.value, row.pairable, other.pairable)
        )
    return found


def _results(everybody: Ratings, without: Ratings) -> list[Difference]:
    found = []
    for criterion in everybody.criteria:
        measure = measure_of(criterion)
        for system in everybody.systems if measure else ():
            one, many = result(everybody, criterion, system)
            two, fewer = result(without, criterion, system)
            found.append(Difference(criterion.id, system, measure, one, two, many, fewer))
    return found


def measure_of(criterion: Criterion) -> str:
    """What a system's result on a question is: the mean of numbers, else the share of the good answer, if any."""
    if criterion.numeric:
        return "mean"
    return f"share of {criterion.good}" if criterion.good is not None and criterion.comparable else ""


def result(ratings: Ratings, criterion: Criterion, system: str) -> tuple[Statistic, int]:
    """The result of a system, and of how many answers."""
    answers = [
        answer
        for rating in ratings.counted_on(criterion.id)
        if system in ratings.units[rating.unit].credited and (answer := given(rating, criterion.id)) is not None
    ]
    if not answers:
        return Statistic(None, "no answers"), 0
    if measure_of(criterion) == "mean":
        numbers = [float(answer) for answer in answers if isinstance(answer, int | float)]
        return Statistic(sum(numbers) / len(numbers)), len(numbers)
    return Statistic(sum(answer == criterion.good for answer in answers) / len(answers)), len(answers)
