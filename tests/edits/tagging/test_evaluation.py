"""How good tags are.

Folds, baselines and F1, by hand.

The plain comparison that the diff baseline uses.
"""

from __future__ import annotations

import pytest

from rubrica.edits.tagging.evaluation import (
    HeldOut,
    changed_words,
    confusion,
    diff,
    f1,
    hold_out,
    macro_f1,
    majority,
    plain_words,
    sentence_folds,
    system_folds,
)
from rubrica.edits.tagging.tags import Example, Pair
from rubrica.report.tag_evaluation import tag_quality
from tests.edits.pairs import REWRITE, SOURCE


def example(source: str, rewrite: str, source_tags: str, rewrite_tags: str, system: str = "") -> Example:
    """A pair with its tags, written as letters: g, o, b."""
    names = {"g": "good", "o": "ok", "b": "bad"}
    tags = {
        side: tuple(names[letter] for letter in letters)
        for side, letters in (("source", source_tags), ("rewrite", rewrite_tags))
    }
    return Example(Pair(name="1", source=source, rewrite=rewrite, system=system), tags)


ONE = example("a b c", "a c", "obo", "oo", "x")
TWO = example("a b c", "a d c", "ogo", "ogo", "y")
THREE = example("p q", "p r", "og", "og", "x")


def test_folds_keep_sentences_and_systems_together() -> None:
    """Pairs of one source are in one part; each system is left out once; nothing is in both halves."""
    parts = sentence_folds([ONE, TWO, THREE], 2, 0)
    assert [{example.pair.source for example in fold.unseen} for fold in parts] in (
        [{"a b c"}, {"p q"}],
        [{"p q"}, {"a b c"}],
    )
    systems = system_folds([ONE, TWO, THREE])
    assert [(fold.name, len(fold.seen), len(fold.unseen)) for fold in systems] == [("x", 1, 2), ("y", 2, 1)]
    for fold in (*parts, *systems):
        assert not any(one is other for one in fold.seen for other in fold.unseen)


def test_baselines() -> None:
    """The majority gives one tag; diff gives changed words the usual tag of changed words."""
    # Fifteen words: ten are ok. Changed are b(1), b and d(2), q and r(3): four good, one bad.
    known = [ONE, TWO, THREE]
    assert majority(known)([ONE.pair]) == [["ok"] * 5]
    assert diff(known)([ONE.pair, THREE.pair]) == [["ok", "good", "ok", "ok", "ok"], ["ok", "good", "ok", "good"]]
    assert diff([])([THREE.pair]) == [["ok"] * 4]


def test_f1_from_confusions() -> None:
    """Hits, right and given of each tag; a tag that occurs nowhere has no F1."""
    # Right: o b o o o; given: o g o o b.
    counted = confusion(ONE, ["ok", "good", "ok", "ok", "bad"])
    # Rows bad, ok, good; columns bad, ok, good.
    assert counted == (0, 0, 1, 1, 3, 0, 0, 0, 0)
    assert f1(counted, "ok") == pytest.approx(2 * 3 / (4 + 3))
    assert f1(counted, "bad") == 0
    assert f1(counted, "good") == 0
    assert macro_f1(counted) == pytest.approx((6 / 7) / 3)
    perfect = confusion(THREE, ["ok", "good", "ok", "good"])
    assert (f1(perfect, "bad"), macro_f1(perfect)) == (None, 1)


def test_testing_counts_unseen_pairs() -> None:
    """Every pair is tested once; a fold that has seen nothing is left out."""
    found = hold_out("diff", diff, system_folds([ONE, TWO, THREE]))
    assert len(found.confusions) == 3
    assert hold_out("diff", diff, system_folds([ONE])).confusions == ()


def test_quality_has_intervals_and_is_compared() -> None:
    """The table has F1 of each tag, their mean, and the gain over the baseline on the same pairs."""
    folds = system_folds([ONE, TWO, THREE])
    baseline, other = (hold_out(name, learn, folds) for name, learn in (("majority", majority), ("diff", diff)))
    found = tag_quality(other, baseline, replicates=20)
    assert (found.pairs, found.words) == (3, 15)
    assert found.macro_f1.value is not None
    own = tag_quality(baseline, baseline, replicates=20)
    assert own.macro_f1.value is not None
    assert found.gain.value == pytest.approx(found.macro_f1.value - own.macro_f1.value)
    assert (own.gain.value, own.gain_interval.low.value) == (0, None)
    assert "at least 10" in own.gain_interval.low.reason


def test_quality_of_nothing_has_a_reason() -> None:
    """Without pairs there is no F1, and it says why."""
    empty = tag_quality(HeldOut("diff", ()), HeldOut("majority", ()))
    assert (empty.macro_f1.value, empty.gain.value, empty.words) == (None, None, 0)
    assert empty.macro_f1.reason


def test_words_are_compared_without_case_and_punctuation() -> None:
    """A sign that is nothing but punctuation stays a word of its own."""
    assert plain_words("“Noon.” || It") == ["noon", "||", "it"]


def test_what_has_no_equal_is_changed() -> None:
    """Source first: ferry, departed, and; then boat, left, || and fast."""
    # The ferry departed at noon and it sank.  /  The boat left at noon. || It sank fast.
    found = changed_words(Pair(name="1", source=SOURCE, rewrite=REWRITE))
    assert [index for index, changed in enumerate(found) if changed] == [1, 2, 5, 8 + 1, 8 + 2, 8 + 5, 8 + 8]
