"""How often models of a crowd and the majority find the true label, by how many answers there are for a parameter.

Raters have a table of errors each; where they err, they mostly say a neighbouring label, and one in five says anything,
whatever is true. Dawid-Skene is shown with its smoothing and as its paper has it. Figures of record are in design/.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.report import Figure
from rubrica.stats.coded import Coded, Real, Whole, from_triples
from rubrica.stats.crowd_models import DAWID_SKENE, GLAD, MACE, NO_SMOOTHING, SMOOTHING, Fitted, fit

SEED, STUDIES = 20261118, 5
SIZES = (
    (3, 30, 3),
    (3, 120, 3),
    (3, 360, 3),
    (5, 120, 5),
    (12, 30, 3),
    (12, 120, 3),
    (12, 360, 5),
    (30, 120, 3),
    (30, 360, 5),
)
"""Raters, units, and answers to each unit."""
MAJORITY, PLAIN = "majority", "dawid_skene, no smoothing"
BANDS = ((0.0, 1.0), (1.0, 2.0), (2.0, 5.0), (5.0, 20.0), (20.0, np.inf))


class Crowd(NamedTuple):
    """Answers, and the true label of each unit."""

    answers: Coded
    truth: Whole


def _tables(rng: np.random.Generator, raters: int, labels: int) -> Real:
    """A table of errors for each rater (truth, answer); one in five of them says anything, whatever is true."""
    near = np.exp(-np.abs(np.subtract.outer(np.arange(labels), np.arange(labels))).astype(float))
    np.fill_diagonal(near, 0)
    errors = near * rng.gamma(1.0, size=(raters, labels, labels)) + 1e-9 * (1 - np.eye(labels))
    right = rng.beta(6, 3, size=(raters, 1, 1))
    tables = (1 - right) * errors / errors.sum(axis=2, keepdims=True) + right * np.eye(labels)
    blind = rng.random(raters) < 0.2
    tables[blind] = rng.dirichlet(np.ones(labels), size=int(blind.sum()))[:, None, :]
    return np.asarray(tables, dtype=float)


def _crowd(rng: np.random.Generator, raters: int, units: int, each: int, labels: int) -> Crowd:
    truth = rng.choice(labels, units, p=rng.dirichlet(np.full(labels, 2.0)))
    tables = _tables(rng, raters, labels)
    triples = [
        (f"u{unit}", f"r{rater}", int(rng.choice(labels, p=tables[rater, truth[unit]])))
        for unit in range(units)
        for rater in rng.choice(raters, each, replace=False)
    ]
    return Crowd(from_triples(triples, tuple(range(labels))), truth.astype(np.int64))


def _right(crowd: Crowd, probability: Real) -> float:
    """The share of units whose likeliest label is the true one; of several equally likely ones, their share."""
    best = probability >= probability.max(axis=1, keepdims=True) - 1e-9
    return float((best[np.arange(len(crowd.truth)), crowd.truth] / best.sum(axis=1)).mean())


def _votes(answers: Coded) -> Real:
    votes = np.zeros((len(answers.units), len(answers.values)))
    np.add.at(votes, (answers.unit, answers.code), 1.0)
    return votes


def run() -> Iterator[Figure]:
    """By answers for each parameter of Dawid-Skene: how much more than the majority each model gets right."""
    rng = np.random.default_rng(SEED)
    found: dict[tuple[float, float], list[dict[str, float]]] = {band: [] for band in BANDS}
    fits: list[Fitted] = []
    for labels in (2, 3, 5, 8):
        for raters, units, each in SIZES:
            for _ in range(STUDIES):
                crowd = _crowd(rng, raters, units, each, labels)
                models = {
                    DAWID_SKENE: fit(DAWID_SKENE, crowd.answers, smoothing=SMOOTHING),
                    MACE: fit(MACE, crowd.answers, seed=SEED, restarts=3),
                    GLAD: fit(GLAD, crowd.answers),
                }
                fits += models.values()
                models[PLAIN] = fit(DAWID_SKENE, crowd.answers, smoothing=NO_SMOOTHING, iterations=300)
                density = models[DAWID_SKENE].answers / models[DAWID_SKENE].parameters
                band = next(one for one in BANDS if one[0] <= density < one[1])
                right = {name: _right(crowd, model.probability) for name, model in models.items()}
                found[band].append({**right, MAJORITY: _right(crowd, _votes(crowd.answers))})
    for (low, high), rows in found.items():
        about = f"{low:g} to {high:g} answers a parameter, {len(rows)} studies"
        for name in (MAJORITY, PLAIN, DAWID_SKENE, MACE, GLAD):
            share = 100 * float(np.mean([row[name] for row in rows]))
            least = 100 * float(np.mean([row[MAJORITY] for row in rows])) if name == DAWID_SKENE else None
            yield Figure(f"right: {name}", share, "%", least, at_least=True, detail=about)
    converged = 100 * sum(one.converged for one in fits) / len(fits)
    most = max(one.iterations for one in fits)
    yield Figure("converged", converged, "%", 99, at_least=True, detail=f"{len(fits)} fits, at most {most:,} rounds")
