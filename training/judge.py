"""The judge of cuts: which place of a sentence an editor of Wikipedia cut at, learned from WikiSplit (`make splitter`).

A conditional logit: in each sentence the place of the editor's cut should score higher than the other places. The last
thousand pairs are not learned from; the rest is also looked at in five folds. Why so: design/051-a-judge-of-cuts.md.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from rubrica.language.models import FOLDER, pack
from rubrica.language.parsing import ENGLISH, parse
from rubrica.rewriting.split.judging import MODEL, cut_places, features
from rubrica.rewriting.split.mending import mended
from rubrica.rewriting.split.tree import Tree
from training.splitter import CUT, HELD_OUT, Pair, pairs

FOLDS, SHRINK, SEEN = 5, 1.0, 3
"""Folds that are held out in turn, how strongly weights are drawn to 0, and how often a feature must occur."""


class Choice(NamedTuple):
    """A sentence's places, each as names of features, and which is the editor's."""

    places: list[list[str]]
    chosen: int


def choices(data: Sequence[Pair | None]) -> list[Choice]:
    """Sentences whose cut is at a place that is looked at, and that have another."""
    kept = [pair for pair in data if pair]
    texts = [" ".join(pair.words) for pair in kept]
    found = []
    for pair, text, parsed in zip(kept, texts, parse(texts, ENGLISH, one_sentence=True), strict=True):
        tree = Tree(mended(parsed), text)
        starts = np.cumsum([0, *(len(word) + 1 for word in pair.words)])
        cut = next((at for at, tag in enumerate(pair.tags) if CUT in tag), None)
        if cut is None:
            continue
        first = cut
        while first > 0 and pair.tags[first - 1] == "DROP":
            first -= 1
        span = (starts[first], starts[cut] + len(pair.words[cut]))
        places = cut_places(tree)
        hits = [at for at, place in enumerate(places) if span[0] <= tree.words[place].start < span[1]]
        if hits and len(places) > 1:
            found.append(Choice([features(tree, place) for place in places], hits[0]))
    return found


def train(data: Sequence[Choice]) -> dict[str, float]:
    """Weights by name."""
    counts = Counter(name for one in data for place in one.places for name in place)
    names = {name: at for at, name in enumerate(name for name, seen in counts.items() if seen >= SEEN)}
    rows, columns, first, chosen = [], [], [0], []
    row = 0
    for one in data:
        chosen.append(row + one.chosen)
        for place in one.places:
            known = [names[name] for name in place if name in names]
            rows += [row] * len(known)
            columns += known
            row += 1
        first.append(row)
    matrix = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(row, len(names)))
    starts, right = np.array(first[:-1]), np.array(chosen)
    groups = np.repeat(np.arange(len(data)), np.diff(first))

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = matrix @ weights
        scores = scores - np.maximum.reduceat(scores, starts)[groups]
        grown = np.exp(scores)
        total = np.add.reduceat(grown, starts)
        value = np.log(total).sum() - scores[right].sum() + SHRINK / 2 * weights @ weights
        share = grown / total[groups]
        share[right] -= 1
        return float(value), matrix.T @ share + SHRINK * weights

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return {name: round(float(found.x[at]), 3) for name, at in names.items() if abs(found.x[at]) >= 0.01}


def accuracy(weights: dict[str, float], data: Sequence[Choice]) -> list[bool]:
    """Whether the place with the highest score is the editor's, sentence by sentence."""
    scored = [[sum(weights.get(name, 0.0) for name in place) for place in one.places] for one in data]
    return [int(np.argmax(scores)) == one.chosen for scores, one in zip(scored, data, strict=True)]


def figures(known: Sequence[Choice], held: Sequence[Choice], weights: dict[str, float]) -> dict[str, float]:
    """Shares in percent: the judge in five folds and on what was kept out, and taking the place nearest the middle."""
    folds: list[bool] = []
    for fold in range(FOLDS):
        rest = [one for at, one in enumerate(known) if at % FOLDS != fold]
        folds += accuracy(train(rest), known[fold::FOLDS])
    middle = [one.chosen == len(one.places) // 2 for one in held]
    return {
        "sentences": len(known),
        "five folds": 100 * float(np.mean(folds)),
        "kept out": 100 * float(np.mean(accuracy(weights, held))),
        "kept out, sentences": len(held),
        "kept out, the middle place": 100 * float(np.mean(middle)),
        "places a sentence": float(np.mean([len(one.places) for one in held])),
    }


if __name__ == "__main__":
    if "RUBRICA_DATA" not in os.environ:
        sys.exit("make splitter: name the folder of data in RUBRICA_DATA; it has split/wikisplit_10000.tsv.")
    every = pairs(Path(os.environ["RUBRICA_DATA"]) / "split" / "wikisplit_10000.tsv")
    learned, kept_out = choices(every[:-HELD_OUT]), choices(every[-HELD_OUT:])
    model = train(learned)
    size = pack(MODEL, json.dumps(model, sort_keys=True).encode())
    print(f"{FOLDER / MODEL}: {size:,} bytes, {len(model):,} weights; {figures(learned, kept_out, model)}")
