"""What statistics see of the shipped protocols: levels after the scales, good answers after the documents."""

from __future__ import annotations

import pytest

from rubrica.core.ratings import (
    CHOICE,
    INTERVAL,
    MASI,
    NOMINAL,
    OPEN,
    ORDINAL,
    SCALE,
    VERDICT,
    YES_NO,
    Criterion,
)
from rubrica.protocols.catalog import load_shipped, shipped
from rubrica.protocols.criteria import criteria_of


def _criteria(protocol: str) -> dict[str, Criterion]:
    return {one.id: one for one in criteria_of(load_shipped(protocol).protocol)}


def test_split_ratings_are_good_as_the_paper_counts_them() -> None:
    """Table 3 of the paper: the share of 5 for the two sliders, the share of *no* for the four questions."""
    found = _criteria("split_rate")
    for name in ("sensible", "grammatical"):
        assert (found[name].kind, found[name].level, found[name].good) == (SCALE, INTERVAL, 5)
    for name in ("missing_facts", "new_facts", "wrong_split", "further_split"):
        assert (found[name].kind, found[name].level, found[name].good) == (YES_NO, NOMINAL, "no")
    assert (found["correct"].kind, found["correct"].good) == (VERDICT, "yes")
    assert "perfect" not in found, "it belongs to a rewrite, not to a rating"


@pytest.mark.parametrize("protocol", ["breve", "claro"])
def test_reviews_have_good_answers_only_where_one_is_better(protocol: str) -> None:
    """No concern is good, acceptance is; whether a rewrite was needed is neither, nor is the severity of a reject."""
    found = _criteria(protocol)
    assert found["meaning"].level == ORDINAL
    assert found["meaning"].values == (1, 2, 3)
    assert found["meaning"].good == 3
    assert found["concern"].good == "no"
    assert (found["acceptance"].kind, found["acceptance"].good) == (CHOICE, "accept")
    assert found["severity"].good is None
    assert found["needed"].good is None
    assert found["comment"].level == OPEN
    assert found["concern_kinds"].level == MASI


def test_complexity_has_no_good_answer() -> None:
    """A complex word is not a bad answer; substitutes are sets of words."""
    assert _criteria("lexical_complexity")["complexity"].good is None
    assert _criteria("lexical_simplification")["substitutes"].level == MASI


@pytest.mark.parametrize("protocol", shipped())
def test_every_question_is_a_criterion(protocol: str) -> None:
    """Nothing that is asked about the item is lost, and the good answer is one that can be given."""
    loaded = load_shipped(protocol).protocol
    found = _criteria(protocol)
    assert [question.id for question in loaded.questions] == list(found)[: len(loaded.questions)]
    for criterion in found.values():
        assert criterion.good is None or criterion.good in criterion.values
