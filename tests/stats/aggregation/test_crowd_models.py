"""Dawid-Skene against its paper's data and figures and an EM written here; every model knows a spammer."""

import builtins
from typing import Any

import numpy as np
import pytest

from rubrica.core.errors import InputError
from rubrica.stats.aggregation.crowd_models import MODELS, fit, modelled
from rubrica.stats.coded import Coded, from_triples

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


def em(answers: Coded, rounds: int = 500) -> tuple[Any, Any, Any]:
    """Equations 2.3 to 2.5 of the paper, from shares of answers: posterior, prior, errors (observer, truth, answer)."""
    units, raters, labels = len(answers.units), len(answers.raters), len(answers.values)
    seen = np.zeros((units, raters, labels))
    np.add.at(seen, (answers.unit, answers.rater, answers.code), 1)
    truth = seen.sum(axis=1)
    truth /= truth.sum(axis=1, keepdims=True)
    for _ in range(rounds):
        prior = truth.mean(axis=0)
        errors = np.einsum("ut,url->rtl", truth, seen)
        errors /= np.maximum(errors.sum(axis=2, keepdims=True), 1e-300)
        truth = prior * np.exp(np.einsum("url,rtl->ut", seen, np.log(np.maximum(errors, 1e-300))))
        truth /= truth.sum(axis=1, keepdims=True)
    return truth, prior, errors


def test_dawid_skene_on_the_data_of_its_paper() -> None:
    """The same posterior as the EM above to 1e-8, and what the paper prints of grades and of observer 1."""
    answers = anaesthetists()
    truth, prior, errors = em(answers)
    found = fit("dawid_skene", answers)
    assert prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert errors[0].round(2).tolist() == [
        [0.89, 0.11, 0, 0],
        [0.07, 0.88, 0.05, 0],
        [0, 0.34, 0.66, 0],
        [0, 0, 0.56, 0.44],
    ]
    assert found.probability == pytest.approx(truth, abs=1e-8)
    right = [float((prior * np.diag(table)).sum()) for table in errors]
    assert [weight.value for weight in found.weights] == pytest.approx(right, abs=1e-8)
    gold = modelled(answers, found)
    assert [one.value for one in gold] == (truth.argmax(axis=1) + 1).tolist()


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


def test_without_crowd_kit_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named with the command that installs it."""
    importing = builtins.__import__

    def without(name: str, *more: Any, **named: Any) -> Any:
        if name == "crowdkit":
            raise ImportError(name)
        return importing(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"pip install 'rubrica\[crowd\]'"):
        fit("mace", crowd()[0])
