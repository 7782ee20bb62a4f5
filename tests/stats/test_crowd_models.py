"""Models of a crowd against a paper's figures, EM written here and crowd-kit; each knows a spammer and its limits."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import MACE
from scipy.optimize import minimize

from rubrica.stats.coded import Coded, from_triples
from rubrica.stats.crowd_models import MODELS, NO_SMOOTHING, SMOOTHING, Smoothing, fit, modelled

PATIENTS = """
111 1 1 1 1|333 4 3 3 4|112 2 1 2 2|222 3 1 2 1|222 3 2 2 2|222 3 3 2 2|122 2 1 1 1|333 3 4 3 3|222 2 2 2 3
232 2 2 2 3|444 4 4 4 4|222 3 3 4 3|111 1 1 1 1|222 3 2 1 2|121 1 1 1 1|111 2 1 1 1|111 1 1 1 1|111 1 1 1 1
222 2 2 2 1|222 1 3 2 2|222 2 2 2 2|222 2 2 2 1|222 3 2 2 2|221 2 2 2 2|111 1 1 1 1|111 1 1 1 1|232 2 2 2 2
111 1 1 1 1|111 1 1 1 1|112 1 1 2 1|111 1 1 1 1|333 3 2 3 3|111 1 1 1 1|222 2 2 2 2|222 3 2 3 2|433 4 3 4 3
221 2 2 3 2|232 3 2 3 3|333 3 4 3 2|111 1 1 1 1|111 1 1 1 1|121 2 1 1 1|232 2 2 2 2|121 1 1 1 1|222 2 2 2 2
"""
"""Table 1 of Dawid and Skene (1979): 45 patients, five anaesthetists, of whom the first judged three times."""


def anaesthetists() -> Coded:
    """The ratings as the paper has them."""
    triples = [
        (f"p{patient}", f"o{observer}", int(grade))
        for patient, row in enumerate(PATIENTS.strip().replace("\n", "|").split("|"))
        for observer, grades in enumerate(row.split())
        for grade in grades
    ]
    return from_triples(triples, (1, 2, 3, 4))


def em(answers: Coded, rounds: int = 500, smoothing: Smoothing = NO_SMOOTHING) -> tuple[Any, Any, Any]:
    """Equations 2.3 to 2.5 of the paper, from shares of answers: posterior, prior, errors (observer, truth, answer).

    Smoothing adds answers: right ones on the diagonal of each table of errors, wrong ones shared by the rest of a row,
    and as many as both to the prior, shared by all labels.
    """
    units, raters, labels = len(answers.units), len(answers.raters), len(answers.values)
    seen = np.zeros((units, raters, labels))
    np.add.at(seen, (answers.unit, answers.rater, answers.code), 1)
    truth = seen.sum(axis=1)
    truth /= truth.sum(axis=1, keepdims=True)
    diagonal = np.eye(labels)
    added = smoothing.right * diagonal + smoothing.wrong / (labels - 1) * (1 - diagonal)
    for _ in range(rounds):
        prior = truth.sum(axis=0) + sum(smoothing) / labels
        prior = prior / prior.sum()
        errors = np.einsum("ut,url->rtl", truth, seen) + added
        errors /= np.maximum(errors.sum(axis=2, keepdims=True), 1e-300)
        truth = prior * np.exp(np.einsum("url,rtl->ut", seen, np.log(np.maximum(errors, 1e-300))))
        truth /= truth.sum(axis=1, keepdims=True)
    return truth, prior, errors


def test_dawid_skene_without_smoothing_on_the_data_of_its_paper() -> None:
    """The same posterior as the EM above to 1e-7, and what the paper prints of grades and of observer 1."""
    answers = anaesthetists()
    truth, prior, errors = em(answers)
    found = fit("dawid_skene", answers, smoothing=NO_SMOOTHING)
    assert prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert errors[0].round(2).tolist() == [
        [0.89, 0.11, 0, 0],
        [0.07, 0.88, 0.05, 0],
        [0, 0.34, 0.66, 0],
        [0, 0, 0.56, 0.44],
    ]
    assert found.converged
    assert found.probability == pytest.approx(truth, abs=1e-7)
    right = [float((prior * np.diag(table)).sum()) for table in errors]
    assert [weight.value for weight in found.weights] == pytest.approx(right, abs=1e-7)
    gold = modelled(answers, found)
    assert [one.value for one in gold] == (truth.argmax(axis=1) + 1).tolist()


def test_smoothing_keeps_the_grades_of_the_paper() -> None:
    """The grades of all 45 patients stay; 315 answers carry 63 parameters."""
    answers = anaesthetists()
    before, after = fit("dawid_skene", answers, smoothing=NO_SMOOTHING), fit("dawid_skene", answers)
    assert (before.probability.argmax(axis=1) == after.probability.argmax(axis=1)).all()
    assert (after.parameters, after.answers, after.warning) == (63, 315, "")


def slow_crowd() -> Coded:
    """Three raters who put 360 units on eight points each with an error: neighbours are confused, EM is slow."""
    generator = np.random.default_rng(3)
    seen = generator.normal(60, 22, 360)[:, None] + generator.normal(0, 18, (360, 3))
    points = np.clip((seen / 100 * 8).astype(int), 0, 7)
    triples = [(f"u{unit}", f"r{rater}", int(points[unit, rater])) for unit in range(360) for rater in range(3)]
    return from_triples(triples, tuple(range(8)))


def test_dawid_skene_runs_to_convergence() -> None:
    """After 100 rounds it says that it has not converged, and 24 labels or more are not yet the optimum's."""
    answers = slow_crowd()
    early, found = fit("dawid_skene", answers, iterations=100), fit("dawid_skene", answers)
    assert (early.converged, early.iterations) == (False, 100)
    assert found.converged
    assert found.iterations > 500
    optimum, _, _ = em(answers, rounds=1500, smoothing=SMOOTHING)
    assert found.probability == pytest.approx(optimum, abs=1e-4)
    labels = found.probability.argmax(axis=1)
    assert (labels == optimum.argmax(axis=1)).all()
    assert (labels != early.probability.argmax(axis=1)).sum() >= 24


def crowd(spammer: str = "spammer") -> tuple[Coded, list[str]]:
    """Five raters who are right in 9 of 10 cases, and one who always says yes."""
    generator = np.random.default_rng(8)
    truth = generator.choice(["no", "yes"], 40)
    triples = [
        (f"u{unit}", f"r{rater}", label if generator.random() < 0.9 else {"no": "yes", "yes": "no"}[label])
        for unit, label in enumerate(truth.tolist())
        for rater in range(5)
    ]
    triples += [(f"u{unit}", spammer, "yes") for unit in range(len(truth))]
    return from_triples(triples, ("no", "yes")), truth.tolist()


@pytest.mark.parametrize("model", MODELS)
def test_a_spammer_gets_the_lowest_weight(model: str) -> None:
    """Who always says yes is trusted least, and at least 38 of 40 units get their true answer."""
    answers, truth = crowd()
    found = fit(model, answers, seed=2, restarts=2)
    weights = dict(zip(answers.raters, [weight.value or 0.0 for weight in found.weights], strict=True))
    assert min(weights, key=lambda rater: weights[rater]) == "spammer"
    gold = modelled(answers, found)
    assert sum(one.value == label for one, label in zip(gold, truth, strict=True)) >= 38
    assert found.probability.sum(axis=1) == pytest.approx(np.ones(40))


def test_one_answer_only_says_nothing_about_raters() -> None:
    """Where all answers are the same, that is the gold, and no weight is defined."""
    answers = from_triples([("u", "a", "yes"), ("u", "b", "yes"), ("v", "a", "yes")], ("yes",))
    found = fit("glad", answers)
    assert [gold.value for gold in modelled(answers, found)] == ["yes", "yes"]
    assert {weight.reason for weight in found.weights} == {"all answers are the same"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_mace_as_crowd_kit_fits_it() -> None:
    """The same probabilities as crowd-kit's variational Bayes to 1e-6.

    Labels are numbered as they first appear: crowd-kit 1.4 mixes them up otherwise.
    """
    answers = anaesthetists()
    first = list(dict.fromkeys(answers.code.tolist()))
    number = {label: place for place, label in enumerate(first)}
    data = pd.DataFrame(
        {"task": answers.unit, "worker": answers.rater, "label": [number[label] for label in answers.code.tolist()]}
    )
    peer = MACE(n_iter=45, n_restarts=1).fit(data).probas_.reindex(columns=range(4)).fillna(0.0).to_numpy()
    assert fit("mace", answers).probability[:, first] == pytest.approx(peer, abs=1e-6)


def glad_by_em(answers: Coded, rounds: int) -> Any:
    """GLAD as its paper fits it: EM with a numerical M-step, abilities and logarithms of ease normal around 1."""
    units, raters, labels = len(answers.units), len(answers.raters), len(answers.values)

    def logs(point: Any) -> Any:
        found = np.zeros((units, labels))
        for unit, rater, code in zip(answers.unit, answers.rater, answers.code, strict=True):
            right = 1 / (1 + np.exp(-point[rater] * np.exp(point[raters + unit])))
            for label in range(labels):
                found[unit, label] += np.log(right if label == code else (1 - right) / (labels - 1))
        return found

    def expected(truth: Any, point: Any) -> float:
        return float(((point - 1) ** 2).sum() / 2 - (truth * logs(point)).sum())

    point, truth = np.ones(raters + units), np.zeros(0)
    for _ in range(rounds):
        shares = np.exp(logs(point))
        truth = shares / shares.sum(axis=1, keepdims=True)
        point = minimize(partial(expected, truth), point, method="L-BFGS-B").x
    return truth, point[:raters]


def test_glad_as_em_fits_it() -> None:
    """The same probabilities and abilities as an EM with a numerical M-step."""
    said = {"a": "xxyyz", "b": "xxyzz", "c": "xyyyz", "d": "zxxyy"}
    triples = [(f"u{place}", who, label) for who, row in said.items() for place, label in enumerate(row)]
    answers = from_triples(triples, ("x", "y", "z"))
    truth, ability = glad_by_em(answers, 40)
    found = fit("glad", answers)
    assert found.converged
    assert found.probability == pytest.approx(truth, abs=1e-3)
    assert [weight.value for weight in found.weights] == pytest.approx(ability, abs=1e-2)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_says_whether_it_has_converged(model: str) -> None:
    """One round is not enough, all rounds are; the same seed gives the same figures."""
    answers, _ = crowd()
    early, found, again = fit(model, answers, iterations=1), fit(model, answers, seed=5), fit(model, answers, seed=5)
    assert not early.converged
    assert found.converged
    assert (found.probability == again.probability).all()


@pytest.mark.parametrize("model", MODELS)
def test_more_parameters_than_the_answers_can_carry(model: str) -> None:
    """Seven people with two answers each are warned of, by how many parameters; forty units of six raters are not."""
    few = from_triples([(f"u{rater // 2}", f"r{rater}", "xyz"[rater % 3]) for rater in range(7)] * 1, ("x", "y", "z"))
    warned = fit(model, few)
    assert f"{warned.parameters:,} parameters for 7 answers" in warned.warning
    assert fit(model, crowd()[0]).warning == ""


@pytest.mark.parametrize("model", MODELS)
def test_two_raters_cannot_be_told_apart(model: str) -> None:
    """However many units two raters share, no model knows who is right where they differ; GLAD has few for a unit."""
    triples = [
        (f"u{unit}", who, "xy"[(unit % 5 == place) or unit % 2]) for unit in range(80) for place, who in enumerate("ab")
    ]
    told = {"dawid_skene": "which of 2 raters is right", "mace": "which of 2 raters is right", "glad": "fewer than 2"}
    assert told[model] in fit(model, from_triples(triples, ("x", "y"))).warning
