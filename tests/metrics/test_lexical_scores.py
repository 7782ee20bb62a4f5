"""Scores of the shared tasks on words.

Figures of predicted complexity: equal to scikit-learn's and scipy's, and derived by hand.

Figures of ranked substitutes: derived by hand, and equal to the official script's, told again in the oracle.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import mean_absolute_error, mean_squared_error, r2_score

from rubrica.metrics.lexical_scores import (
    FIGURES,
    Gold,
    Rules,
    gold_answers,
    ranked,
    resamples,
    rows_of,
    stopped,
    values,
    values_of_substitution,
)


def test_every_figure_by_hand() -> None:
    """Errors of 0, 1, 1: MAE 2/3, MSE 2/3, R2 = 1 - 2 / 2."""
    found = values(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    assert found["mae"].value == pytest.approx(2 / 3)
    assert found["mse"].value == pytest.approx(2 / 3)
    assert found["r2"].value == pytest.approx(0.0)
    assert found["pearson"].value == pytest.approx(0.5)
    assert found["spearman"].value == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(20))
def test_equal_to_the_last_digit(seed: int) -> None:
    """What the official evaluators call gives the same floating-point numbers."""
    generator = np.random.default_rng(seed)
    gold, own = generator.integers(0, 41, 57) / 40, generator.random(57)
    found = {name: one.value for name, one in values(gold, own).items()}
    assert found == {
        "pearson": pearsonr(gold, own)[0],
        "spearman": spearmanr(gold, own)[0],
        "mae": mean_absolute_error(gold, own),
        "mse": mean_squared_error(gold, own),
        "r2": r2_score(gold, own),
    }


def test_nothing_that_varies_is_undefined_with_its_reason() -> None:
    """Constant predictions have no correlation, constant gold no R2 either; errors stay."""
    flat, other = np.array([0.5, 0.5, 0.5]), np.array([0.1, 0.2, 0.3])
    assert values(other, flat)["pearson"].reason
    assert values(other, flat)["mae"].value == pytest.approx(0.3)
    assert values(flat, other)["r2"].reason == "the gold values do not vary"


def test_resamples_are_what_the_figures_are_of_the_drawn_instances() -> None:
    """Without one instance, each figure is that of the others."""
    generator = np.random.default_rng(1)
    gold, own = generator.random(15), generator.random((2, 15))
    found = resamples(gold, own, 5, 0)
    for name in FIGURES:
        for system in range(2):
            rest = values(np.delete(gold, 3), np.delete(own[system], 3))[name].value
            assert found[name][1][3, system] == pytest.approx(rest)


def _score(rows: list[tuple[Gold, list[str]]], rules: Rules) -> dict[str, float]:
    golds = [gold_answers(gold, rules) for gold, _ in rows]
    return values_of_substitution(rows_of(golds, [ranked(gold.target, own, rules) for gold, own in rows], rules), rules)


def test_every_figure_by_hand_of_lexical_substitution() -> None:
    """Two instances, small enough to count on fingers."""
    # Gold 1: big x3, large x2, huge x1 (3 distinct, 6 votes); answers huge, wide, big -> right at ranks 1 and 3.
    # Gold 2: fast x2, quick x2 (both at the top); answers slow, quick -> right at rank 2.
    rows = [
        (Gold("c1", "vast", ["big"] * 3 + ["large"] * 2 + ["huge"]), ["huge", "wide", "big"]),
        (Gold("c2", "rapid", ["fast", "quick", "fast", "quick"]), ["slow", "quick"]),
    ]
    found = _score(rows, Rules(at=(1, 3)))
    assert found["ACC@1"] == 1 / 2
    assert found["ACC@1@Top1"] == 0  # huge has one vote, big three; slow none
    assert found["ACC@3@Top1"] == 1
    assert found["Potential@1"] == 1 / 2
    assert found["Potential@3"] == 1
    # AP@3: (1/1 + 2/3) / 3 = 5/9 and (1/2) / 3 = 1/6; their mean is 13/36.
    assert found["MAP@3"] == pytest.approx(13 / 36, abs=1e-15)
    # Precision 2/3 and 1/2; recall 2/3 and 1/2; by votes 4/6 and 2/4.
    assert found["P@3"] == pytest.approx(7 / 12, abs=1e-15)
    assert found["R@3"] == pytest.approx(7 / 12, abs=1e-15)
    assert found["votes R@3"] == pytest.approx(7 / 12, abs=1e-15)
    assert found["votes R@1"] == pytest.approx((1 / 6 + 0) / 2, abs=1e-15)
    assert found["F1@3"] == pytest.approx(7 / 12, abs=1e-15)
    # Three of five answers are right, of five distinct gold answers.
    assert found["micro P@3"] == found["micro R@3"] == 3 / 5
    # At 1: one of two answers, one of five gold answers; F1 = 2 * .5 * .2 / .7 = 2/7.
    assert found["micro R@1"] == 1 / 5
    assert found["micro F1@1"] == pytest.approx(2 / 7, abs=1e-15)


def test_official_values_are_cut_off_and_micro_recall_is_by_labels() -> None:
    """1/3 is 0.3333, 2/3 is 0.6666; and the script's micro recall equals its micro precision."""
    rows = [(Gold(f"c{n}", "t", ["a", "a", "b"]), ["a", "z"] if n else ["z", "y"]) for n in range(3)]
    found = _score(rows, Rules(official=True, at=(1, 2)))
    assert found["ACC@1"] == 0.6666
    assert found["micro P@2"] == found["micro R@2"] == 0.3333
    assert _score(rows, Rules(at=(1, 2)))["micro R@2"] == 2 / 6


def test_repeats_and_the_target_are_no_answers() -> None:
    """They are taken away before ranks are counted."""
    assert ranked("vast", ["big", "vast", "big", "huge"], Rules()) == ["big", "huge"]


def test_a_padded_target_is_recognised_but_not_officially() -> None:
    """The script compares stripped answers with a target that still has its space."""
    assert ranked("vast ", ["vast", "big"], Rules()) == ["big"]
    assert ranked("vast ", ["vast", "big"], Rules(official=True)) == ["vast", "big"]
    assert gold_answers(Gold("c", "vast ", ["vast", "big"]), Rules()) == {"big": 1}
    assert gold_answers(Gold("c", "vast ", ["vast", "big"]), Rules(official=True)) == {"vast": 1, "big": 1}


def test_letters_that_look_the_same_are_the_same_but_not_officially() -> None:
    """A composed é equals one of two signs."""
    gold = Gold("c", "t", ["caf\u00e9"])
    for rules, wanted in ((Rules(), 1), (Rules(official=True), 0)):
        assert _score([(gold, ["cafe\u0301"])], rules)["ACC@1"] == wanted


def test_the_target_among_gold_answers_is_a_choice() -> None:
    """MLSP keeps it, so that it can be the top answer that no system may give; TSAR drops it."""
    gold = Gold("c", "dog", ["dog", "dog", "hound"])
    assert _score([(gold, ["hound"])], Rules())["ACC@1@Top1"] == 1
    assert _score([(gold, ["hound"])], Rules(target_counts=True))["ACC@1@Top1"] == 0


def test_where_the_official_script_stops() -> None:
    """At an empty gold with an answer left, and at two underscores; MAP takes every key apart, and needs no gold."""
    full, empty = Counter({"a": 1}), Counter[str]()
    found = stopped(["c__t"], [empty], [["b"]])
    assert "IndexError" in found.reason("ACC@1@Top1")
    assert (found.reason("ACC@1"), found.reason("MAP@3")) == ("", "")
    assert not any(stopped(["c__t"], [empty], [[]]))
    assert all("ValueError" in one for one in stopped(["c __ d__t"], [full], [["b"]]))
    assert [bool(one) for one in stopped(["c __ d__t"], [full], [[]])] == [False, True, False]
    assert not any(stopped(["c__t"], [full], [["b"]]))
