"""The weights of suggested edits, from annotated pairs: ``make suggester``.

Only gaps with words on both sides say anything (:mod:`rubrica.edits.suggesting.phrases`). People's edits are not always
a reading of a gap, so nothing is taken for the one right answer: the model learns to prefer readings in proportion
to how many words they share with people's edits. The weights are few, held near zero, and fitted from zero on, so that
the same pairs give the same weights.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.edit_selection import Annotated, marks, read_annotated
from rubrica.edits.suggesting.alignment import align, in_order
from rubrica.edits.suggesting.phrases import KINDS, LEARNED, Gap, Pair, Step, Weights, gaps
from rubrica.edits.suggesting.words import grammar_of, words_of

SALSA = 3.0
"""How much more SALSA's own pairs count than others: they are what the suggestions are to be like."""

HELD = 0.5
"""How strongly weights are held near zero."""

WRONG = 0.5
"""What a word with an operation that nobody gave it costs, beside one that somebody gave it."""

SIZES = [len(weights) for weights in LEARNED.values()]
STARTS = [0, *accumulate(SIZES)]
Numbers = NDArray[np.float64]


class Lattice:
    """The readings of one gap: places between chunks, the steps that lead from one to the other, and their features."""

    def __init__(self, gap: Gap, people: dict[tuple[str, int], set[str]], weight: float) -> None:
        self.weight = weight
        columns = len(gap.new) + 1
        steps = [
            (step, row * columns + column)
            for row in range(len(gap.old) + 1)
            for column in range(columns)
            for step in gap.runs(row, column)
        ]
        self.places = (len(gap.old) + 1) * columns
        self.origins = np.array([step.old[0] * columns + step.new[0] for step, _ in steps])
        self.goals = np.array([goal for _, goal in steps])
        self.features = np.array([_features(gap, step) for step, _ in steps])
        self.agreed = np.array([_agreed(gap, step, people) for step, _ in steps])
        self._into = [np.flatnonzero(self.goals == place) for place in range(self.places)]
        self._from = [np.flatnonzero(self.origins == place) for place in range(self.places)]

    def expected(self, worth: Numbers) -> tuple[float, Numbers]:
        """The logarithm of the sum over all readings, and how often each step is taken."""
        there, back = np.full(self.places, -np.inf), np.full(self.places, -np.inf)
        there[0] = back[-1] = 0.0
        for place in range(1, self.places):
            if (into := self._into[place]).size:
                there[place] = np.logaddexp.reduce(there[self.origins[into]] + worth[into])
        for place in range(self.places - 2, -1, -1):
            if (out := self._from[place]).size:
                back[place] = np.logaddexp.reduce(back[self.goals[out]] + worth[out])
        return there[-1], np.exp(there[self.origins] + worth + back[self.goals] - there[-1])


def _features(gap: Gap, step: Step) -> Numbers:
    row = np.zeros(STARTS[-1])
    row[STARTS[step.kind] : STARTS[step.kind + 1]] = gap.features(step)
    return row


def _agreed(gap: Gap, step: Step, people: dict[tuple[str, int], set[str]]) -> float:
    """How many words of a step have its operation in people's edits, less those that only have others."""
    kind = KINDS[step.kind]
    total = 0.0
    texts = ("source", gap.pair.source), ("rewrite", gap.pair.rewrite)
    for (side, words), span in zip(texts, gap.words(step), strict=True):
        for word in words[slice(*span)]:
            given = people.get((side, word.start), set())
            total += 1.0 if kind in given else -WRONG if given else 0.0
    return total


def lattices(annotated: Iterable[Annotated], weight: float = 1.0) -> list[list[Lattice]]:
    """For each pair, what can be learned from."""
    grammar = grammar_of("en")
    found = []
    for pair in annotated:
        people: dict[tuple[str, int], set[str]] = {}
        for side, start, operation in marks(pair.source, pair.rewrite, pair.edits):
            people.setdefault((side, start), set()).add(operation)
        old, new = words_of(pair.source), words_of(pair.rewrite)
        order = in_order(align(old, new, grammar), old, new, grammar)
        every = gaps(Pair.of(old, new, order, grammar), order.kept)
        found.append([Lattice(gap, people, weight) for gap in every if gap.old and gap.new])
    return found


def fitted(pairs: Iterable[Sequence[Lattice]]) -> Weights:
    """The weights that make readings likely which agree with people."""
    every = [lattice for pair in pairs for lattice in pair]

    def lost(weights: Numbers) -> tuple[float, Numbers]:
        loss, slope = HELD * float(weights @ weights), 2 * HELD * weights
        for lattice in every:
            worth = lattice.features @ weights
            total, taken = lattice.expected(worth)
            agreed, wanted = lattice.expected(worth + lattice.agreed)
            loss += lattice.weight * (total - agreed)
            slope = slope + lattice.weight * (lattice.features.T @ (taken - wanted))
        return loss, slope

    found = minimize(lost, np.zeros(STARTS[-1]), jac=True, method="L-BFGS-B").x
    return Weights(*(tuple(float(x) for x in found[start:end]) for start, end in pairwise(STARTS)))


def main() -> None:
    """Print the weights, from SALSA's pairs and, if they are there, those annotated for development."""
    if "RUBRICA_DATA" not in os.environ:
        sys.exit("make suggester: name the folder of data in RUBRICA_DATA; it has thresh/salsa_25.json.")
    data = Path(os.environ["RUBRICA_DATA"])
    learned = lattices(read_annotated(data / "thresh" / "salsa_25.json"), SALSA)
    if (more := data / "suggest" / "development.json").is_file():
        learned += lattices(read_annotated(more))
    for (kind, names), weights in zip(LEARNED.items(), fitted(learned), strict=True):
        print(kind)
        for feature, value in zip(names, weights, strict=True):
            print(f"    {feature!r}: {value:.2f},")


if __name__ == "__main__":
    main()
