"""The table of how good tags are: F1 of each tag and their mean, for each way of tagging, with intervals over pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from rubrica.edits.tagging.evaluation import HeldOut, f1, macro_f1
from rubrica.edits.tagging.tags import TAGS
from rubrica.stats.bootstrap import Interval, intervals
from rubrica.stats.statistic import Statistic


@attrs.frozen
class TagQuality:
    """How good one way of tagging is. ``words`` and ``pairs`` were tested."""

    name: str
    f1: dict[str, Statistic]
    macro_f1: Statistic
    interval: Interval
    pairs: int
    words: int


def tag_quality(tested: HeldOut, *, replicates: int = 1000, seed: int = 0) -> TagQuality:
    """F1 from the added confusions; the interval is that of the mean F1."""
    sums = [sum(column) for column in zip(*tested.confusions, strict=True)] or [0] * len(TAGS) ** 2
    found = intervals(tested.confusions, [_statistic(macro_f1)], replicates=replicates, seed=seed)
    return TagQuality(
        tested.name,
        {tag: _statistic(lambda counts, tag=tag: f1(counts, tag))(sums) for tag in TAGS},  # type: ignore[misc]
        _statistic(macro_f1)(sums),
        found[0],
        len(tested.confusions),
        sum(sums),
    )


def _statistic(measure: Callable[[Sequence[float]], float | None]) -> Callable[[Sequence[float]], Statistic]:
    def computed(sums: Sequence[float]) -> Statistic:
        value = measure(sums)
        return Statistic(value, "" if value is not None else "no word has or was given this tag")

    return computed
