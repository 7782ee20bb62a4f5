"""Scores of systems, and how they follow from the sums of blocks.

Scores of systems: figures with intervals, tests between systems, figures of single sentences.

From the sums of blocks to scores: figures, intervals, tests between systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import attrs
import numpy as np

from rubrica.metrics.metric import Block, Figure, Floats, Metric
from rubrica.metrics.scoring import BlockSums, Scorer, signed
from rubrica.stats.bootstrap import Resampled
from rubrica.stats.significance import holm, reached_p
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


ADDED = ("scored", "shared", "sums", "drawn", "groups", "grouped", "swapped")
NEAR = 1e-9
"""Differences that are nearer than this are equal: their sums were added in another order."""


class Totals:
    """Adds up blocks in the order in which they come, and gives the scores at the end."""

    def __init__(self, scorer: Scorer, systems: Sequence[str]) -> None:
        self.scorer, self.systems = scorer, list(systems)
        self._sums: BlockSums | None = None

    def add(self, found: BlockSums) -> None:
        """Add a block."""
        if self._sums is None:
            self._sums = found
            return
        added = {name: getattr(self._sums, name) + getattr(found, name) for name in ADDED}
        self._sums = found._replace(**added)

    def scores(self, data: Mapping[str, object]) -> Scores:
        """Every figure of every system, and every pair of systems on every figure. ``data`` says what was scored."""
        assert self._sums is not None, "there is at least one block"
        sums = self._sums
        found = _Figures(
            self._figures(sums.sums), self._figures(sums.drawn), self._figures(sums.sums[:, None] - sums.groups)
        )
        systems = tuple(
            SystemScores(name, int(sums.scored[0, place]), self._estimates(found, place))
            for place, name in enumerate(self.systems)
        )
        return Scores(self.scorer.figures, systems, tuple(self._differences(found)), signed(self.scorer, data))

    def _figures(self, sums: Floats) -> Floats:
        """The figures of all metrics from sums of all their rows."""
        assert self._sums is not None
        ends = np.cumsum(self._sums.widths)
        parts = np.split(sums, ends[:-1], axis=-1)
        found = [metric.scores(part) for metric, part in zip(self.scorer.metrics, parts, strict=True)]
        return np.concatenate(found, axis=-1)

    def _estimates(self, figures: _Figures, system: int) -> dict[str, Score]:
        values, drawn, left = (side[system] for side in figures)
        found = {}
        for place, (figure, metric) in enumerate(self._of_metrics()):
            own = self._resampled(metric, float(values[place]), drawn[:, place], left[:, place], system)
            found[figure.key] = _score(own, metric.undefined) if own.units else _without(_nothing(metric))
        return found

    def _of_metrics(self) -> list[tuple[Figure, Metric]]:
        """Every figure with its metric."""
        return [(figure, metric) for metric in self.scorer.metrics for figure in metric.figures]

    def _resampled(self, metric: Metric, value: float, drawn: Floats, left_out: Floats, system: int) -> Resampled:
        """A figure, or a difference from a system that rewrote the same sentences, with its resamples."""
        assert self._sums is not None
        kind = int(metric.needs_references)
        grouped, units = self._sums.grouped[kind, system], int(self._sums.scored[kind, system])
        return Resampled(value, drawn, left_out[grouped > 0], units, "sentences", grouped[grouped > 0])

    def _differences(self, figures: _Figures) -> Iterator[Difference]:
        """Each pair of systems on each figure, corrected among the pairs of that figure."""
        assert self._sums is not None
        pairs = list(combinations(range(len(self.systems)), 2))
        if not pairs or not self.scorer.resampling.replicates:
            return
        swapped = {pair: self._swapped(*pair) for pair in pairs}
        for place, (figure, metric) in enumerate(self._of_metrics()):
            own = _Figures(*(side[..., place] for side in figures))
            found = [self._difference(metric, pair, own, swapped[pair][:, place]) for pair in pairs]
            corrected = holm([one.p_permutation for one in found])
            for one, p in zip(found, corrected, strict=True):
                yield attrs.evolve(one, figure=figure.key, p_holm=p)

    def _swapped(self, one: int, other: int) -> Floats:
        """Differences of all figures when rewrites of the two systems change places at random, one row a time."""
        assert self._sums is not None
        both = self._sums.sums[one] + self._sums.sums[other]
        apart = self._sums.swapped[one] - self._sums.swapped[other]
        found: Floats = self._figures((both + apart) / 2) - self._figures((both - apart) / 2)
        return found

    def _difference(self, metric: Metric, pair: tuple[int, int], own: _Figures, swapped: Floats) -> Difference:
        assert self._sums is not None
        one, other = pair
        names = self.systems[one], self.systems[other]
        kind = int(metric.needs_references)
        shared, each = int(self._sums.shared[kind, one, other]), self._sums.scored[kind, [one, other]]
        if any(each != shared) or not shared:
            what = "have references for" if metric.needs_references else "rewrote"
            reason = f"they {what} different sentences: {shared} in common of {each[0]} and {each[1]}"
            nothing = Statistic(None, reason)
            return Difference("", *names, _without(reason), nothing, nothing, nothing)
        apart, drawn, left = (side[one] - side[other] for side in own)
        resampled = attrs.evolve(self._resampled(metric, float(apart), drawn, left, one), difference=True)
        p = _permutation(float(apart), swapped, metric.undefined)
        return Difference("", *names, _score(resampled, metric.undefined), resampled.p(), p, p)


class _Figures(NamedTuple):
    """Figures by system: as they are, in resamples, and without each group of sentences."""

    values: Floats
    drawn: Floats
    left_out: Floats


def _nothing(metric: Metric) -> str:
    """Why a figure has no value where no sentence counts."""
    return "no rewrite has a reference" if metric.needs_references else "there are no sentences"


def _without(reason: str) -> Score:
    nothing = Statistic(None, reason)
    return Score(nothing, nothing, nothing)


def _score(found: Resampled, undefined: str) -> Score:
    if np.isnan(found.value):
        return _without(undefined)
    interval = found.interval()
    return Score(Statistic(found.value), interval.low, interval.high)


def _permutation(apart: float, swapped: Floats, undefined: str) -> Statistic:
    """Two-sided: how often chance gives a difference as large; one is added to count and total, so never 0."""
    known = swapped[~np.isnan(swapped)]
    if np.isnan(apart) or not len(known):
        return Statistic(None, undefined)
    as_large = np.count_nonzero(np.abs(known) >= abs(apart) * (1 - NEAR) - NEAR)
    return reached_p(int(as_large), len(known))
