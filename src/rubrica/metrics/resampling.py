"""Resamples of sentences, drawn block by block: a million sentences need no more memory than a thousand.

Each sentence is drawn a Poisson number of times with mean 1, independently of all others: the bootstrap for data that
come in parts (Hanley and MacGibbon, Creating non-parametric bootstrap samples using Poisson frequencies, Computer
Methods and Programs in Biomedicine 2006; Chamandy et al., Estimating Uncertainty for Massive Data Streams, 2012). For
tests, the rewrites of two systems change places with probability one half (approximate randomisation: Noreen 1989;
Riezler and Maxwell 2005). What is drawn depends on the seed and the first sentence of the block alone: all systems and
metrics share it, on whatever machine it is drawn.
"""

from __future__ import annotations

import math

import attrs
import numpy as np
import numpy.typing as npt

_STEPS = 1 << 16


@attrs.frozen
class Resampling:
    """How many resamples, and the seed that repeats them."""

    replicates: int = 1000
    seed: int = 1

    def weights(self, first: int, sentences: int) -> npt.NDArray[np.float64]:
        """How often each sentence is drawn: resamples x sentences."""
        drawn = _generator(self.seed, first, 0).integers(0, _STEPS, size=(self.replicates, sentences), dtype=np.uint16)
        found: npt.NDArray[np.float64] = _POISSON[drawn]
        return found

    def signs(self, first: int, sentences: int) -> npt.NDArray[np.float64]:
        """1 where rewrites stay in their places, -1 where they change: resamples x sentences."""
        size = self.replicates * sentences
        bits = np.frombuffer(_generator(self.seed, first, 1).bytes(size // 8 + 1), dtype=np.uint8)
        drawn = np.unpackbits(bits)[:size].reshape(self.replicates, sentences)
        return drawn.astype(np.float64) * 2 - 1


def _generator(seed: int, first: int, use: int) -> np.random.Generator:
    return np.random.default_rng([seed, first, use])


def _poisson() -> npt.NDArray[np.float64]:
    """Poisson numbers of mean 1 at equal steps of probability: drawing is looking one up."""
    shares = [math.exp(-1) / math.factorial(number) for number in range(10)]
    ends = np.round(np.cumsum(shares) * _STEPS)
    return np.searchsorted(ends, np.arange(_STEPS), side="right").astype(np.float64)


_POISSON = _poisson()
