"""Scores of systems: figures with intervals, tests between systems, figures of single sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from rubrica.metrics.block import Block
from rubrica.metrics.metric import Figure, Floats
from rubrica.stats.statistic import Statistic


@attrs.frozen
class Score:
    """A figure of a system with the ends of its bootstrap interval over sentences."""

    value: Statistic
    low: Statistic
    high: Statistic


@attrs.frozen
class Difference:
    """Two systems on one figure: ``one`` minus ``other``, its interval, and how sure its sign is.

    ``p_bootstrap`` and ``p_permutation`` are those of the paired tests; ``p_holm`` is the permutation's, corrected for
    all pairs of systems on this figure.
    """

    figure: str
    one: str
    other: str
    difference: Score
    p_bootstrap: Statistic
    p_permutation: Statistic
    p_holm: Statistic


@attrs.frozen
class SystemScores:
    """What one system reached: on how many sentences, and every figure by its key.

    ``left_out`` references were the rewrites themselves; ``unreferenced`` rewrites have no reference, and are not
    counted by metrics that need one.
    """

    name: str
    sentences: int
    scores: Mapping[str, Score]
    left_out: int = 0
    unreferenced: int = 0


@attrs.frozen
class Scores:
    """Everything that was computed, in the order in which systems and metrics were given.

    ``datasets`` has the same for each data set, where there are any. ``human`` are systems whose rewrites are people's.
    """

    figures: tuple[Figure, ...]
    systems: tuple[SystemScores, ...]
    differences: tuple[Difference, ...]
    signature: str
    datasets: Mapping[str, Scores] = attrs.field(factory=dict)
    human: tuple[str, ...] = ()


@attrs.frozen
class SentenceScores:
    """The sentences of a block with their texts, and for each system a row of figures for each sentence.

    Columns are in the order of ``figures``; NaN is undefined, or a sentence that the system did not rewrite. ``rows``
    are the rows of each metric, where they were asked for.
    """

    block: Block
    figures: tuple[Figure, ...]
    systems: Mapping[str, Floats]
    signature: str = ""
    rows: Mapping[str, Sequence[Floats]] = attrs.field(factory=dict)
