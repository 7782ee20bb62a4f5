"""Some raters against others: every two answers to one unit that are to be compared, as a unit of its own.

One rater against the rest, and one group against another, are then a question for any measure of two raters. Units
made of one unit are drawn together when they are resampled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rubrica.stats.agreement.rater_pairs import together
from rubrica.stats.coded import Coded, Whole


class Comparisons(NamedTuple):
    """Answers of one side and the other, comparison by comparison, and the unit that each comparison is about.

    ``different`` is how many answers were compared at all, each counted once.
    """

    answers: Coded
    unit: Whole
    different: int


def compared(answers: Coded, one: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_]) -> Comparisons:
    """Compare each rater of one side with each of the other, on the units that both answered.

    Sides are given by whether each rater is on them, and share no rater.
    """
    first, second = together(answers)
    swap = one[answers.rater[second]] & other[answers.rater[first]]
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    wanted = one[answers.rater[first]] & other[answers.rater[second]]
    first, second = first[wanted], second[wanted]
    many, unit = len(first), answers.unit[first]
    paired = Coded(
        range(many),
        range(2),
        answers.values,
        np.repeat(np.arange(many), 2),
        np.tile(np.arange(2), many),
        np.stack([answers.code[first], answers.code[second]], axis=1).ravel(),
        made_of=unit,
    )
    return Comparisons(paired, unit, len(np.unique(np.concatenate([first, second]))))
