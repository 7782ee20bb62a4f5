"""Models of a crowd, which weigh raters by how good they seem: Dawid-Skene, MACE and GLAD, as crowd-kit fits them.

Dawid and Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm, 1979: a table of errors
for each rater. Hovy et al., Learning Whom to Trust with MACE, 2013: each answer is either the truth or a guess.
Whitehill et al., Whose Vote Should Count More, 2009 (GLAD): ability of raters, difficulty of units. crowd-kit is
imported when a model is fitted, because that takes seconds, and it is an extra.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rubrica.core.errors import wrong
from rubrica.stats.aggregation.gold import ENTROPY, Gold, by_unit
from rubrica.stats.aggregation.majority import entropy
from rubrica.stats.coded import Coded, Real
from rubrica.stats.statistic import Statistic

if TYPE_CHECKING:
    import pandas as pd

DAWID_SKENE, MACE, GLAD = "dawid_skene", "mace", "glad"
MODELS = (DAWID_SKENE, MACE, GLAD)
WEIGHTS = {
    DAWID_SKENE: "how often the rater gives the true answer, by their table of errors",
    MACE: "how often the rater answers rather than guesses",
    GLAD: "ability: 0 is guessing, below 0 is worse",
}
"""What the number is that a model gives to a rater."""
ITERATIONS, RESTARTS = 100, 10
TIED = 1e-9
"""Answers whose probabilities are closer than this are a tie."""


class Fitted(NamedTuple):
    """A probability for each unit (row) and answer (column), and a weight for each rater."""

    probability: Real
    weights: list[Statistic]


def fit(model: str, answers: Coded, seed: int = 0, restarts: int = RESTARTS) -> Fitted:
    """Fit one of :data:`MODELS`. ``seed`` is where MACE's random starts come from; the others have none.

    If all answers are the same there is nothing to learn about raters, and their weights are undefined. Raises
    InputError if crowd-kit is not installed.
    """
    if len(np.unique(answers.code)) < 2:
        same = Statistic(None, "all answers are the same")
        certain = np.zeros((len(answers.units), len(answers.values)))
        certain[answers.unit, answers.code] = 1.0
        return Fitted(certain, [same] * len(answers.raters))
    try:
        import pandas as pd
        from crowdkit import aggregation
    except ImportError as error:
        fix = "Install it: pip install 'rubrica[crowd]'."
        raise wrong(f"{model} needs crowd-kit, which is not installed", "extra", fix, value=model) from error
    data = pd.DataFrame({"task": answers.unit, "worker": answers.rater, "label": answers.code})
    with warnings.catch_warnings():
        # crowd-kit uses what pandas will give up one day; that is not for our users to read.
        warnings.simplefilter("ignore", DeprecationWarning)
        fitted, weights = _fitted(aggregation, model, data, answers, seed, restarts)
    table = fitted.probas_.reindex(index=range(len(answers.units)), columns=range(len(answers.values)))
    return Fitted(table.fillna(0.0).to_numpy(float), [_weight(float(weight)) for weight in weights])


def _fitted(
    aggregation: Any, model: str, data: pd.DataFrame, answers: Coded, seed: int, restarts: int
) -> tuple[Any, Real]:
    """The fitted model, and what it thinks of each rater."""
    match model:
        case "mace":
            # A number would start every restart at the same place; a generator moves on.
            state = np.random.RandomState(seed)
            fitted = aggregation.MACE(n_restarts=restarts, random_state=state).fit(data)
            return fitted, _competence(fitted, data, len(answers.raters))
        case "glad":
            fitted = aggregation.GLAD(n_iter=ITERATIONS).fit(data)
            return fitted, fitted.alphas_.reindex(range(len(answers.raters))).to_numpy(float)
    # Its own rule stops too early: the bound that it watches counts the prior once for each answer, and may fall.
    fitted = aggregation.DawidSkene(n_iter=ITERATIONS, tol=-np.inf).fit(data)
    return fitted, _accuracy(fitted, answers)


def _weight(weight: float) -> Statistic:
    return Statistic(weight) if np.isfinite(weight) else Statistic(None, "no answer")


def _competence(fitted: Any, data: pd.DataFrame, raters: int) -> Real:
    """The share of answers that are no guesses, raters in the order of their numbers."""
    import pandas as pd

    _, names = pd.factorize(data["worker"])
    found = np.full(raters, np.nan)
    found[np.asarray(names)] = fitted.spamming_[:, 1] / fitted.spamming_.sum(axis=1)
    return found


def _accuracy(fitted: Any, answers: Coded) -> Real:
    """The probability of giving the true answer: the diagonal of the table of errors, weighted by the prior."""
    found = np.full(len(answers.raters), np.nan)
    for rater, table in fitted.errors_.groupby(level="worker"):
        right = sum(
            fitted.priors_[label] * table.loc[(rater, label), label]
            for label in fitted.priors_.index
            if (rater, label) in table.index
        )
        found[rater] = right / fitted.priors_.sum()
    return found


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
