"""The table of how good tags are: F1 of each tag and their mean, for each way of tagging, with intervals over pairs."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rubrica.edits.tagging.evaluation import HeldOut, f1, macro_f1
from rubrica.edits.tagging.tags import TAGS
from rubrica.stats.bootstrap import Interval, intervals
from rubrica.stats.statistic import Statistic

CELLS = len(TAGS) ** 2


@attrs.frozen
class TagQuality:
    """How good one way of tagging is. ``words`` of ``pairs`` were tested.

    ``gain`` is its mean F1 less that of the baseline, on the same pairs.
    """

    name: str
    f1: dict[str, Statistic]
    macro_f1: Statistic
    interval: Interval
    gain: Statistic
    gain_interval: Interval
    pairs: int
    words: int


def tag_quality(tested: HeldOut, baseline: HeldOut, *, replicates: int = 1000, seed: int = 0) -> TagQuality:
    """F1 from the added confusions, and how much better that is than the baseline; intervals over pairs."""
    rows = [(*own, *other) for own, other in zip(tested.confusions, baseline.confusions, strict=True)]
    sums = [sum(column) for column in zip(*rows, strict=True)] or [0] * 2 * CELLS
    own, gained = intervals(rows, [_mean, _gain], replicates=replicates, seed=seed, what="pairs")
    return TagQuality(
        tested.name,
        {tag: _statistic(f1(sums[:CELLS], tag)) for tag in TAGS},
        _mean(sums),
        own,
        _gain(sums),
        gained,
        len(rows),
        sum(sums[:CELLS]),
    )


def _mean(sums: Sequence[float]) -> Statistic:
    return _statistic(macro_f1(sums[:CELLS]))


def _gain(sums: Sequence[float]) -> Statistic:
    own, other = macro_f1(sums[:CELLS]), macro_f1(sums[CELLS:])
    return _statistic(None if own is None or other is None else own - other)


def _statistic(value: float | None) -> Statistic:
    return Statistic(value, "" if value is not None else "no word has or was given such a tag")
