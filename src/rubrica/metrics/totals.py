"""From the sums of blocks to scores: figures, intervals, tests between systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import attrs
import numpy as np

from rubrica.metrics.metric import Floats
from rubrica.metrics.results import Difference, Score, Scores, SystemScores
from rubrica.metrics.scoring import BlockSums, Scorer
from rubrica.metrics.signing import signed
from rubrica.stats.bootstrap import percentile_interval, too_little
from rubrica.stats.significance.holm import holm
from rubrica.stats.significance.paired_bootstrap import paired_bootstrap
from rubrica.stats.statistic import Statistic

ADDED = ("scored", "shared", "sums", "drawn", "swapped")
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
        values, drawn = self._figures(self._sums.sums), self._figures(self._sums.drawn)
        systems = tuple(
            SystemScores(name, int(self._sums.scored[place]), self._estimates(values[place], drawn[place], place))
            for place, name in enumerate(self.systems)
        )
        return Scores(self.scorer.figures, systems, tuple(self._differences(values, drawn)), signed(self.scorer, data))

    def _figures(self, sums: Floats) -> Floats:
        """The figures of all metrics from sums of all their rows."""
        assert self._sums is not None
        ends = np.cumsum(self._sums.widths)
        parts = np.split(sums, ends[:-1], axis=-1)
        found = [metric.scores(part) for metric, part in zip(self.scorer.metrics, parts, strict=True)]
        return np.concatenate(found, axis=-1)

    def _estimates(self, values: Floats, drawn: Floats, system: int) -> dict[str, Score]:
        assert self._sums is not None
        units = int(self._sums.scored[system])
        return {
            figure.key: _score(float(values[place]), drawn[:, place], units, self._undefined(figure.key))
            for place, figure in enumerate(self.scorer.figures)
        }

    def _undefined(self, key: str) -> str:
        return next(metric.undefined for metric in self.scorer.metrics if any(one.key == key for one in metric.figures))

    def _differences(self, values: Floats, drawn: Floats) -> Iterator[Difference]:
        """Each pair of systems on each figure, corrected among the pairs of that figure."""
        assert self._sums is not None
        pairs = list(combinations(range(len(self.systems)), 2))
        if not pairs or not self.scorer.resampling.replicates:
            return
        swapped = {pair: self._swapped(*pair) for pair in pairs}
        for place, figure in enumerate(self.scorer.figures):
            found = [
                self._difference(pair, values[:, place], drawn[:, :, place], swapped[pair], place) for pair in pairs
            ]
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

    def _difference(
        self, pair: tuple[int, int], values: Floats, drawn: Floats, swapped: Floats, place: int
    ) -> Difference:
        assert self._sums is not None
        one, other = pair
        names = self.systems[one], self.systems[other]
        shared, own = int(self._sums.shared[one, other]), self._sums.scored[[one, other]]
        if any(own != shared):
            reason = f"they rewrote different sentences: {shared} in common of {own[0]} and {own[1]}"
            nothing = Statistic(None, reason)
            return Difference("", *names, Score(nothing, nothing, nothing), nothing, nothing, nothing)
        apart = float(values[one] - values[other])
        resampled = drawn[one] - drawn[other]
        undefined = self._undefined(self.scorer.figures[place].key)
        score = _score(apart, resampled, shared, undefined)
        p = _permutation(apart, swapped[:, place], undefined)
        return Difference("", *names, score, paired_bootstrap(resampled), p, p)


def _score(value: float, drawn: Floats, units: int, undefined: str) -> Score:
    if np.isnan(value):
        nothing = Statistic(None, undefined)
        return Score(nothing, nothing, nothing)
    reason = too_little(units, len(drawn))
    if reason:
        nothing = Statistic(None, reason)
        return Score(Statistic(value), nothing, nothing)
    interval = percentile_interval(drawn)
    return Score(Statistic(value), interval.low, interval.high)


def _permutation(apart: float, swapped: Floats, undefined: str) -> Statistic:
    """Two-sided: how often chance gives a difference as large; one is added to count and total, so never 0."""
    known = swapped[~np.isnan(swapped)]
    if np.isnan(apart) or not len(known):
        return Statistic(None, undefined)
    as_large = np.count_nonzero(np.abs(known) >= abs(apart) * (1 - NEAR) - NEAR)
    return Statistic((int(as_large) + 1) / (len(known) + 1))
