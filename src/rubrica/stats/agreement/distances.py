"""How far two answers are apart, by the level of the scale: the metrics of Krippendorff's alpha that never change.

Krippendorff, Content Analysis, 4th edition, 2018, chapter 12 (ratio); Passonneau, Measuring agreement on set-valued
items (MASI), LREC 2006; Jaccard, New Phytologist 11, 1912. NLTK's MASI rounds the factors 2/3 and 1/3 to 0.67 and 0.33.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubrica.core.answers import Answer
from rubrica.core.ratings import JACCARD, MASI, RATIO
from rubrica.stats.coded import Real


def distances(values: Sequence[Answer], level: str) -> Real:
    """The table of distances between values. Raises ValueError for a level whose distances are no fixed table."""
    if level == RATIO:
        return _ratio(np.array(values, dtype=float))
    if level in (MASI, JACCARD):
        return _sets([value if isinstance(value, tuple) else (str(value),) for value in values], level)
    raise ValueError(f"the level {level!r} has no table of distances")


def _ratio(numbers: Real) -> Real:
    """((a - b) / (a + b)) squared; two zeros are the same."""
    apart, both = numbers[:, None] - numbers, numbers[:, None] + numbers
    found: Real = (apart / np.where(apart == 0, 1, both)) ** 2
    return found


def _sets(values: Sequence[tuple[str, ...]], level: str) -> Real:
    """1 - Jaccard's index; for MASI, the index counts two thirds for a subset, a third for an overlap.

    Two empty sets are the same; an empty set and another are as far apart as can be.
    """
    parts = {part: index for index, part in enumerate(dict.fromkeys(part for value in values for part in value))}
    member = np.zeros((len(values), len(parts)))
    for row, value in enumerate(values):
        member[row, [parts[part] for part in value]] = 1
    shared = member @ member.T
    sizes = member.sum(axis=1)
    union = sizes[:, None] + sizes - shared
    index = np.where(union == 0, 1.0, shared / np.maximum(union, 1))
    if level == JACCARD:
        jaccard: Real = 1 - index
        return jaccard
    smaller = np.minimum(sizes[:, None], sizes)
    factor = np.where(shared == union, 1.0, np.where(shared == smaller, 2 / 3, 1 / 3))
    masi: Real = 1 - index * factor
    return masi
