"""Models of a crowd, which weigh raters by how good they seem: Dawid-Skene, MACE and GLAD, smoothed and to convergence.

Dawid and Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm, Applied Statistics 28,
1979, doi:10.2307/2346806: a table of errors for each rater. Hovy et al., Learning Whom to Trust with MACE, NAACL 2013:
each answer is either the truth or a guess. Whitehill et al., Whose Vote Should Count More, NeurIPS 2009 (GLAD):
ability of raters, difficulty of units. Priors, tolerances and limits are those of design/023-crowd-models.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rubrica.stats.aggregation import ENTROPY, Gold, by_unit, entropy
from rubrica.stats.coded import Coded, Real, Whole
from rubrica.stats.statistic import Statistic

DAWID_SKENE, MACE, GLAD = "dawid_skene", "mace", "glad"
MODELS = (DAWID_SKENE, MACE, GLAD)
WEIGHTS = {
    DAWID_SKENE: "how often the rater gives the true answer, by their table of errors",
    MACE: "how often the rater answers rather than guesses",
    GLAD: "ability: 0 is guessing, below 0 is worse",
}
"""What the number is that a model gives to a rater."""
ITERATIONS, RESTARTS = 5000, 10
TOLERANCE = 1e-8
"""A model has converged when a round changes no probability of an answer by more."""
SLOPE = 1e-4
"""GLAD has converged when no parameter would gain more than this by a step of 1."""
TIED = 1e-9
"""Answers whose probabilities are closer than this are a tie."""
ENOUGH = {DAWID_SKENE: 5, MACE: 5, GLAD: 2}
"""Fewer answers for each parameter than this teach a model little about raters; what it says is mostly its prior."""


class Smoothing(NamedTuple):
    """Answers that a table of errors has before anybody answered: for each truth so many right and so many wrong ones.

    The wrong ones are spread evenly. No smoothing at all is maximum likelihood, as in the paper.
    """

    right: float = 1.0
    wrong: float = 0.1


SMOOTHING = Smoothing()
NO_SMOOTHING = Smoothing(0.0, 0.0)
KNOWING, GUESSING = 0.5, 10.0
"""MACE's priors, those of its authors' program: Beta(0.5, 0.5) of knowing, Dirichlet(10, …) of what is guessed."""


class Fitted(NamedTuple):
    """A probability for each unit (row) and answer (column), a weight for each rater, and how the fit went.

    ``warning`` says why the model asks for more than the answers can tell; empty if it does not.
    """

    probability: Real
    weights: list[Statistic]
    converged: bool
    iterations: int
    parameters: int
    answers: int
    warning: str


class _Data(NamedTuple):
    """Answers to units that have one: unit, rater and label of each, and how many there are of each."""

    unit: Whole
    rater: Whole
    label: Whole
    units: int
    raters: int
    labels: int


class _Estimate(NamedTuple):
    """What a model found: probabilities, a number for each rater, how many rounds, and whether they were enough."""

    probability: Real
    weights: Real
    iterations: int
    converged: bool


def fit(
    model: str,
    answers: Coded,
    seed: int = 0,
    *,
    restarts: int = RESTARTS,
    iterations: int = ITERATIONS,
    smoothing: Smoothing = SMOOTHING,
) -> Fitted:
    """Fit one of :data:`MODELS`. ``seed`` is where MACE's random starts come from; the others have none.

    If all answers are the same there is nothing to learn about raters, and their weights are undefined.
    """
    present, unit = np.unique(answers.unit, return_inverse=True)
    data = _Data(
        unit.astype(np.int64), answers.rater, answers.code, len(present), len(answers.raters), len(answers.values)
    )
    table = np.zeros((len(answers.units), data.labels))
    if len(np.unique(answers.code)) < 2:
        table[answers.unit, answers.code] = 1.0
        same = Statistic(None, "all answers are the same")
        return Fitted(table, [same] * data.raters, True, 0, 0, len(unit), "")
    fits: dict[str, Callable[[], _Estimate]] = {
        DAWID_SKENE: lambda: _dawid_skene(data, smoothing, iterations),
        MACE: lambda: _mace(data, seed, restarts, iterations),
        GLAD: lambda: _glad(data, iterations),
    }
    found = fits[model]()
    table[present] = found.probability
    given = np.bincount(data.rater, minlength=data.raters)
    weights = [
        Statistic(float(weight)) if number else Statistic(None, "no answer")
        for weight, number in zip(found.weights, given, strict=True)
    ]
    parameters = _parameters(model, data)
    warning = _warning(model, data, parameters)
    return Fitted(table, weights, found.converged, found.iterations, parameters, len(unit), warning)


def _parameters(model: str, data: _Data) -> int:
    """Free parameters, of raters who answered."""
    raters, labels = len(np.unique(data.rater)), data.labels
    if model == DAWID_SKENE:
        return raters * labels * (labels - 1) + labels - 1
    return raters * labels if model == MACE else raters + data.units


def _warning(model: str, data: _Data, parameters: int) -> str:
    """Why the answers cannot carry the model; empty if they can."""
    answers, raters = len(data.unit), len(np.unique(data.rater))
    if answers < ENOUGH[model] * parameters:
        return (
            f"{model} has {parameters:,} parameters for {answers:,} answers, fewer than {ENOUGH[model]} for each: what "
            "it says of raters is mostly its prior; majority needs none"
        )
    if raters < 3:
        return f"{model} cannot tell which of {raters} raters is right where they differ: that takes three"
    three = np.count_nonzero(np.bincount(data.unit) >= 3)
    if model == DAWID_SKENE and 2 * three < data.units:
        return (
            f"{model} needs three answers to most units to tell whose table of errors a difference belongs to; "
            f"{three:,} of {data.units:,} have them"
        )
    return ""


def _shares(scores: Real) -> tuple[Real, float]:
    """Rows of logarithms as probabilities, and the logarithm of the product of their sums."""
    top = scores.max(axis=1, keepdims=True)
    shares = np.exp(scores - top)
    sums = shares.sum(axis=1, keepdims=True)
    return shares / sums, float((top + np.log(sums)).sum())


def _sums(rows: Whole, many: int, data: _Data, weights: Real) -> Real:
    """Numbers of answers added up by row (a unit or a rater) and label."""
    cells = np.bincount(rows * data.labels + data.label, weights=weights, minlength=many * data.labels)
    return np.asarray(cells, dtype=float).reshape(many, data.labels)


def _votes(data: _Data) -> Real:
    """The share of each unit's answers that each label has: where a model starts."""
    votes = _sums(data.unit, data.units, data, np.ones(len(data.unit)))
    shares: Real = votes / votes.sum(axis=1, keepdims=True)
    return shares


def _scores(data: _Data, others: Real, own: Real) -> Real:
    """Logarithms by unit and label: of each answer ``others`` for every label, and ``own`` for the one it names."""
    every = np.bincount(data.unit, weights=others, minlength=data.units)
    return every[:, None] + _sums(data.unit, data.units, data, own - others)


def _dawid_skene(data: _Data, smoothing: Smoothing, iterations: int) -> _Estimate:
    """EM from shares of votes to the mode of the posterior: Dirichlet priors add ``smoothing`` to tables of errors."""
    from scipy.sparse import csr_array

    cells = data.raters * data.labels
    given = csr_array(
        (np.ones(len(data.unit)), (data.rater * data.labels + data.label, data.unit)), shape=(cells, data.units)
    )
    given_to = given.T.tocsr()
    added = np.full((data.labels, data.labels), smoothing.wrong / (data.labels - 1))
    np.fill_diagonal(added, smoothing.right)
    share = (smoothing.wrong + smoothing.right) / data.labels
    truth, found, change = _votes(data), 0, 1.0
    while change > TOLERANCE and found < iterations:
        prior = truth.sum(axis=0) + share
        prior /= prior.sum()
        errors = np.asarray(given @ truth).reshape(data.raters, data.labels, data.labels) + added
        total = errors.sum(axis=1, keepdims=True)
        errors = np.divide(errors, total, out=np.full_like(errors, 1 / data.labels), where=total > 0)
        logs = np.log(np.maximum(errors, 1e-300)).reshape(cells, data.labels)
        moved, _ = _shares(np.asarray(given_to @ logs) + np.log(np.maximum(prior, 1e-300)))
        change, truth, found = float(np.abs(moved - truth).max()), moved, found + 1
    right = np.einsum("rtt,t->r", errors, prior)
    return _Estimate(truth, right, found, change <= TOLERANCE)


def _mace(data: _Data, seed: int, restarts: int, iterations: int) -> _Estimate:
    """Variational Bayes from random starts; the one with the highest bound on the evidence counts."""
    generator = np.random.default_rng(seed)
    runs = [_mace_run(data, generator, iterations) for _ in range(restarts)]
    return max(runs, key=lambda run: run[1])[0]


def _mace_run(data: _Data, generator: np.random.Generator, iterations: int) -> tuple[_Estimate, float]:
    from scipy.special import digamma

    def expected(counts: Real) -> Real:
        weights: Real = np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True)))
        return weights

    # Columns: guesses, knows. What was given is shared out between them at random, and then by what it tells.
    by_label = _sums(data.rater, data.raters, data, np.ones(len(data.rater)))
    answers, part = by_label.sum(axis=1), generator.uniform(0.25, 0.75, size=data.raters)
    knowing = np.stack([answers * part, answers * (1 - part)], axis=1) + KNOWING
    guessed = by_label * generator.uniform(0.25, 0.75, size=by_label.shape) + GUESSING
    truth, found, change, bound = _votes(data), 0, 1.0, 0.0
    while change > TOLERANCE and found < iterations:
        know, guess = expected(knowing), expected(guessed)
        by_guess = (know[:, :1] * guess)[data.rater, data.label]
        either = by_guess + know[data.rater, 1]
        moved, evidence = _shares(_scores(data, np.log(by_guess), np.log(either)) - np.log(data.labels))
        bound = evidence - _divergence(knowing, KNOWING) - _divergence(guessed, GUESSING)
        known = moved[data.unit, data.label] * know[data.rater, 1] / either
        knows = np.bincount(data.rater, weights=known, minlength=data.raters)
        knowing = np.stack([answers - knows, knows], axis=1) + KNOWING
        guessed = _sums(data.rater, data.raters, data, 1 - known) + GUESSING
        change, truth, found = float(np.abs(moved - truth).max()), moved, found + 1
    return _Estimate(truth, knowing[:, 1] / knowing.sum(axis=1), found, change <= TOLERANCE), bound


def _divergence(counts: Real, prior: float) -> float:
    """How far Dirichlet distributions are from a symmetric prior, in nats, added up over rows."""
    from scipy.special import digamma, gammaln

    total, labels = counts.sum(axis=1), counts.shape[1]
    apart = gammaln(total) - gammaln(counts).sum(axis=1) - gammaln(labels * prior) + labels * gammaln(prior)
    apart += ((counts - prior) * (digamma(counts) - digamma(total)[:, None])).sum(axis=1)
    return float(apart.sum())


def _glad(data: _Data, iterations: int) -> _Estimate:
    """The mode of the posterior by quasi-Newton steps; abilities and logarithms of ease are normal around 1."""
    from scipy.optimize import minimize

    wrong_ones = np.log(data.labels - 1)

    def beliefs(point: Real) -> tuple[Real, float, Real, Real]:
        ability, ease = point[: data.raters], np.exp(point[data.raters :])
        sure = ability[data.rater] * ease[data.unit]
        wrong = -np.logaddexp(0, sure)
        truth, evidence = _shares(_scores(data, wrong - wrong_ones, wrong + sure))
        surplus = truth[data.unit, data.label] - 1 / (1 + np.exp(-np.clip(sure, -500, 500)))
        return truth, evidence, surplus, ease

    def loss(point: Real) -> tuple[float, Real]:
        _, evidence, surplus, ease = beliefs(point)
        pulled = surplus * ease[data.unit]
        by_rater = np.bincount(data.rater, weights=pulled, minlength=data.raters)
        by_ease = np.bincount(data.unit, weights=pulled * point[data.rater], minlength=data.units)
        slope = np.concatenate([by_rater, by_ease]) - (point - 1)
        return -evidence + float(((point - 1) ** 2).sum()) / 2, -slope

    bounds = [(None, None)] * data.raters + [(-10.0, 10.0)] * data.units
    options: Any = {"maxiter": iterations, "maxfun": 2 * iterations, "ftol": 0.0, "gtol": SLOPE / 100}
    start = np.ones(data.raters + data.units)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    truth = beliefs(found.x)[0]
    steep = float(np.abs(loss(found.x)[1]).max())
    return _Estimate(truth, found.x[: data.raters], int(found.nit), steep <= SLOPE)


def modelled(answers: Coded, fitted: Fitted) -> list[Gold]:
    """The likeliest answer to each unit, with the model's belief in it; two equally likely ones are a tie."""
    return [
        _gold(answers, answers.code[places].tolist(), fitted.probability[unit])
        for unit, places in enumerate(by_unit(answers))
    ]


def _gold(answers: Coded, codes: list[int], probability: Real) -> Gold:
    if not codes:
        nothing = Statistic(None, "no answer")
        return Gold(None, 0, 0, nothing, nothing, nothing, nothing, ENTROPY, "no answer")
    best = int(probability.argmax())
    tied = int((probability > probability[best] - TIED).sum()) > 1
    no_interval = Statistic(None, "the model gives a probability, not an interval")
    return Gold(
        None if tied else answers.values[best],
        len(codes),
        codes.count(best),
        Statistic(float(probability[best])),
        no_interval,
        no_interval,
        Statistic(entropy(probability)),
        ENTROPY,
        "tie" if tied else "",
    )
