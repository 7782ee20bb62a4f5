"""Metrics whose figure is the mean over sentences of a number for each: most of those without references.

They compare tokens as EASSE does for its quality estimation: small letters, cut by 13a, so that
only what changes beyond capital letters counts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from rubrica.metrics.block import Block
from rubrica.metrics.metric import Floats, Metric, mean_of, ratio
from rubrica.metrics.options import Options
from rubrica.metrics.tokens import Normalisation


class Pair(NamedTuple):
    """A source and its rewrite, each as tokens separated by single spaces."""

    source: str
    rewrite: str


class SentenceMean(Metric):
    """The mean of :meth:`values`. Rows are a sentence's value and one; both 0 where it has no value."""

    def __init__(self, options: Options) -> None:
        lowercase = True if options.lowercase is None else options.lowercase
        self._how = Normalisation(options.tokenizer or "13a", lowercase)

    @abstractmethod
    def values(self, block: Block, system: str) -> Iterable[float]:
        """A number for each sentence, NaN where there is none."""

    def pairs(self, block: Block, system: str) -> Iterator[Pair]:
        """Each source with the rewrite of this system, as tokens."""
        found = block.normalised(self._how)
        return map(Pair, found.sources, found.rewrites[system])

    def statistics(self, block: Block, system: str) -> Floats:
        return mean_of(np.fromiter(self.values(block, system), dtype=float, count=len(block)))

    def scores(self, sums: Floats) -> Floats:
        return ratio(sums[..., :1], sums[..., 1:])

    def settings(self) -> Mapping[str, object]:
        return {"case": "lc" if self._how.lowercase else "mixed", "tok": self._how.tokenizer}
