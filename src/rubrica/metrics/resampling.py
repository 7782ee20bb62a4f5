"""Resamples of sentences, drawn block by block: a million sentences need no more memory than a thousand.

Each sentence is drawn a Poisson number of times, as :func:`rubrica.stats.bootstrap.draws_of_part` says. For tests, the
rewrites of two systems change places with probability one half (approximate randomisation: Noreen 1989;
Riezler and Maxwell 2005). What is drawn depends on the seed and the first sentence of the block alone: all systems and
metrics share it, on whatever machine it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.stats.bootstrap import draws_of_part

FOR_EACH_PAIR, MOST = 40, 20_000
"""Permutations for each pair of systems, so that a corrected p can be as small as 1/40; but no more than this."""
AT_A_TIME = 1000
"""So many are in memory at once."""


@attrs.frozen
class Resampling:
    """How many resamples, and the seed that repeats them."""

    replicates: int = 1000
    seed: int = 1

    def weights(self, first: int, sentences: int) -> npt.NDArray[np.float64]:
        """How often each sentence is drawn: resamples x sentences."""
        return draws_of_part(self.replicates, sentences, _generator(self.seed, first, 0))

    def permutations(self, systems: int) -> int:
        """How often rewrites change places: as many as resamples, and enough for the pairs of systems.

        The smallest p is about 1 by this number, and Holm's correction multiplies it by the number of pairs.
        """
        pairs = systems * (systems - 1) // 2
        return max(self.replicates, min(MOST, FOR_EACH_PAIR * pairs)) if self.replicates and pairs else 0

    def signs(self, first: int, sentences: int, systems: int) -> Iterator[npt.NDArray[np.float64]]:
        """1 where rewrites stay in their places, -1 where they change: permutations x sentences, some at a time."""
        generator, wanted = _generator(self.seed, first, 1), self.permutations(systems)
        for begins in range(0, wanted, AT_A_TIME):
            rows = min(AT_A_TIME, wanted - begins)
            bits = np.frombuffer(generator.bytes(rows * sentences // 8 + 1), dtype=np.uint8)
            drawn = np.unpackbits(bits)[: rows * sentences].reshape(rows, sentences)
            yield drawn.astype(np.float64) * 2 - 1


def _generator(seed: int, first: int, use: int) -> np.random.Generator:
    return np.random.default_rng([seed, first, use])
