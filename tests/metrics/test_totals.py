"""Scores from sums of blocks: intervals, tests, missing rewrites; the same however the corpus is cut."""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.metric import Block, Options
from rubrica.metrics.results import Scores, Totals
from rubrica.metrics.scoring import Resampling, Scorer, from_bytes, to_bytes

SOURCES = [f"the cat number {number} sat on the old mat today" for number in range(40)]
REFERENCES = [[text.replace("the old ", "a ")] for text in SOURCES]
SAME = list(SOURCES)
GOOD = [text.replace("the old ", "a ") if number % 4 else text for number, text in enumerate(SOURCES)]


def scored(
    outputs: dict[str, list[str | None]], names: str = "sari,bleu", seed: int = 0, replicates: int = 400
) -> Scores:
    """The scores of a small corpus."""
    scorer = Scorer(metrics_of(names.split(","), Options()), Resampling(replicates, seed))
    totals = Totals(scorer, list(outputs))
    totals.add(scorer(Block(0, SOURCES, REFERENCES, outputs)))
    return totals.scores({"data": "x"})


def test_weights_are_poisson_numbers() -> None:
    """Mean 1 and variance 1, the same for the same seed and place, others elsewhere."""
    drawn = Resampling(500, 3).weights(0, 200)
    assert drawn.mean() == pytest.approx(1, abs=0.02)
    assert drawn.var() == pytest.approx(1, abs=0.03)
    assert (drawn == Resampling(500, 3).weights(0, 200)).all()
    assert (drawn != Resampling(500, 3).weights(200, 200)).any()
    assert (drawn != Resampling(500, 4).weights(0, 200)).any()


def test_signs_are_fair() -> None:
    """Half of the rewrites change places."""
    (signs,) = Resampling(500, 3).signs(0, 200, systems=2)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert signs.mean() == pytest.approx(0, abs=0.02)


def test_many_systems_take_more_permutations() -> None:
    """Holm multiplies the smallest p by the pairs: of twelve systems 66, so that 1,000 could never tell two apart."""
    assert Resampling(1000, 0).permutations(2) == 1000
    assert Resampling(1000, 0).permutations(12) == 40 * 66
    assert Resampling(1000, 0).permutations(100) == 20_000
    assert Resampling(1000, 0).permutations(1) == Resampling(0, 0).permutations(12) == 0
    assert sum(len(part) for part in Resampling(1000, 0).signs(0, 10, systems=12)) == 2640


def test_intervals_hold_the_value_and_repeat() -> None:
    """Low to high around the figure; the same seed gives the same, another seed another."""
    found = scored({"good": GOOD})
    score = found.systems[0].scores["sari"]
    assert score.low.value < score.value.value < score.high.value
    assert found == scored({"good": GOOD})
    assert found.systems[0].scores["sari"].low != scored({"good": GOOD}, seed=9).systems[0].scores["sari"].low


def test_an_interval_is_as_wide_as_theory_says() -> None:
    """Exact copies: 10 of 40. Half of Student's interval of a share of 1/4 is 2.02 * sqrt(3/16 / 40) = 0.138."""
    score = scored({"good": GOOD}, "exact_copies", replicates=4000).systems[0].scores["exact_copies"]
    assert score.value.value == 0.25
    assert score.high.value - score.low.value == pytest.approx(2 * 0.134, abs=0.03)


def test_two_systems_are_told_apart_or_not() -> None:
    """A better system has a small p; a system and its copy have p 1 and a difference of 0."""
    found = scored({"good": GOOD, "same": SAME, "again": list(GOOD)})
    tests = {(one.one, one.other, one.figure): one for one in found.differences}
    better = tests["good", "same", "sari"]
    assert better.difference.value.value > 0
    assert better.p_permutation.value < 0.01
    assert better.p_permutation.value <= better.p_holm.value
    alike = tests["good", "again", "sari"]
    assert (alike.difference.value.value, alike.p_permutation.value, alike.p_bootstrap.value) == (0, 1, 1)


def test_corpora_cut_into_blocks_have_the_same_intervals() -> None:
    """What is left without a group of sentences is the same wherever blocks begin."""
    scorer = Scorer(metrics_of(["exact_copies"], Options()), Resampling(300, 1))
    whole = scorer(Block(0, SOURCES, REFERENCES, {"good": GOOD}))
    first, second = (
        scorer(Block(start, SOURCES[start:end], REFERENCES[start:end], {"good": GOOD[start:end]}))
        for start, end in ((0, 25), (25, 40))
    )
    np.testing.assert_allclose(first.groups + second.groups, whole.groups)
    assert (first.grouped + second.grouped == whole.grouped).all()
    assert (whole.grouped.sum(axis=2) == 40).all()


def test_few_sentences_and_p_values_that_nothing_reaches() -> None:
    """Nine sentences have no interval; a p that no exchange reached is a bound, after Holm, too."""
    few = scored({"good": [*GOOD[:9], *[None] * 31]}).systems[0].scores["sari"]
    assert few.low.reason == "an interval needs at least 10 sentences"
    (better,) = [one for one in scored({"good": GOOD, "same": SAME}).differences if one.figure == "sari"]
    assert better.p_permutation.at_most
    assert better.p_holm.at_most
    assert better.difference.low.value > 0
    assert better.p_bootstrap.value < 0.001


def test_a_permutation_test_is_near_the_exact_one() -> None:
    """Means of ten values: exact copies of one system only, five of ten sentences. All 2^5 signs: p is 2/32."""
    one: list[str | None] = [*SOURCES[:5], *["x"] * 5]
    other: list[str | None] = ["x"] * 10
    scorer = Scorer(metrics_of(["exact_copies"], Options()), Resampling(8000, 1))
    totals = Totals(scorer, ["one", "other"])
    totals.add(scorer(Block(0, SOURCES[:10], REFERENCES[:10], {"one": one, "other": other})))
    (test,) = totals.scores({}).differences
    assert test.p_permutation.value == pytest.approx(2 / 32, abs=0.01)


def test_a_rewrite_that_is_missing_does_not_count() -> None:
    """The system is scored on what it rewrote, and is not compared with one that rewrote more."""
    half: list[str | None] = [text if number < 20 else None for number, text in enumerate(GOOD)]
    found = scored({"good": GOOD, "half": half})
    assert found.systems[1].sentences == 20
    alone = scored({"half": GOOD[:20] + [None] * 20})
    assert found.systems[1].scores["sari"].value == alone.systems[0].scores["sari"].value
    assert found.differences[0].p_permutation.value is None
    assert "20 in common of 40 and 20" in found.differences[0].p_permutation.reason


def test_without_resamples_there_are_no_intervals() -> None:
    """And no tests; the figures stand."""
    found = scored({"good": GOOD, "same": SAME}, replicates=0)
    assert found.systems[0].scores["bleu"].value.value is not None
    assert found.systems[0].scores["bleu"].low.reason == "no resamples were asked for"
    assert not found.differences
    assert "bootstrap" not in found.signature


def test_sums_survive_the_disk() -> None:
    """Every array comes back as it was."""
    scorer = Scorer(metrics_of(["sari"], Options()), Resampling(5, 0), each_sentence=True)
    sums = scorer(Block(0, SOURCES, REFERENCES, {"good": GOOD}))
    for before, after in zip(sums, from_bytes(to_bytes(sums)), strict=True):
        assert before.dtype == after.dtype
        np.testing.assert_array_equal(before, after)


def test_the_signature_names_every_setting() -> None:
    """Metrics with their choices, resamples, seed, data."""
    found = scored({"good": GOOD}).signature.split("|")
    assert "sari:case=lc,tok=13a,deletion=f1,averaging=orders" in found
    assert {"bootstrap:400", "data:x", "seed:0"} <= set(found)
