"""What learned metrics share: a model gives each sentence a number, and the corpus has their mean."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rubrica.metrics.block import Block
from rubrica.metrics.metric import Floats, Metric, mean_of, ratio


class Means(Metric):
    """Each figure is the mean of a value of each sentence."""

    @abstractmethod
    def values(self, block: Block, system: str) -> Sequence[npt.ArrayLike]:
        """For each figure, the value of each sentence; NaN where it has none."""

    def statistics(self, block: Block, system: str) -> Floats:
        return np.concatenate([mean_of(found) for found in self.values(block, system)], axis=-1)

    def scores(self, sums: Floats) -> Floats:
        return ratio(sums[..., 0::2], sums[..., 1::2])
