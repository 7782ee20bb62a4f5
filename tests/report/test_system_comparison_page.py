"""The page of a comparison: which sentences it shows, and their differences.

Which sentences are shown: all of few; of many, both ends of every figure and a sample, whatever the blocks.

A rewrite and what it changed, in one line.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.metrics.metric import Figure
from rubrica.metrics.results import SentenceScores
from rubrica.report.system_comparison_choice import Chosen, SentenceChoice, choose, is_copy
from rubrica.report.system_comparison_page import GAP, GONE, KEPT, NEW, merged, word_count
from tests.report.made_scores import SYSTEMS, blocks


def chosen_of(total: int, size: int = 40, most: int = 60, seed: int = 0) -> Chosen:
    """What is shown of so many made sentences."""
    return choose(blocks(total, size), SentenceChoice(most=most, ends=4, seed=seed))


def test_few_sentences_are_all_shown() -> None:
    """Up to the limit nothing is chosen."""
    found = chosen_of(60)
    assert found.whole
    assert list(found.sentences) == list(range(60)) == list(found.sampled)


def test_of_many_both_ends_of_each_figure_and_a_sample_are_shown() -> None:
    """The ends are those of all sentences: SARI of sentence n is 37 n mod 97, so 0 is at 0, 97, 194, …"""
    found = chosen_of(500)
    assert not found.whole
    assert found.total == 500
    assert found.lowest["cut", "sari"].places == (0, 97, 194)
    assert found.lowest["cut", "sari"].sharing == 6
    # 37 n ≡ 96 (mod 97): 37 · 21 = 777 = 8 · 97 + 1, so n ≡ −21 ≡ 76.
    assert found.highest["cut", "sari"].places == (76, 173, 270)
    ends = {place for end in (*found.highest.values(), *found.lowest.values()) for place in end.places}
    assert set(found.sentences) == ends | set(found.sampled)
    assert len(found.sampled) >= 15
    assert found.sentences[97].source.startswith("The otter number 97")
    assert found.sentences[97].figures["cut"][0] == 0.0


def test_undefined_figures_are_at_no_end() -> None:
    """Sentence 5 has no SARI, sentence 4 no rewrite by split."""
    found = choose(blocks(6), SentenceChoice())
    assert 5 not in found.highest["cut", "sari"].places + found.lowest["cut", "sari"].places
    assert 4 not in found.highest["split", "fkgl"].places
    assert found.rewritten == {"copy": 6, "cut": 6, "split": 5}


def test_the_cut_into_blocks_and_their_order_change_nothing() -> None:
    """What a cluster computes in any order shows the same sentences."""
    one = chosen_of(300, size=300)
    choice = SentenceChoice(most=60, ends=4)
    for scored in reversed(list(blocks(300, 7))):
        choice.add(scored)
    other = choice.chosen()
    assert list(one.sentences) == list(other.sentences)
    assert (one.highest, one.lowest, one.copies) == (other.highest, other.lowest, other.copies)


def test_the_sample_follows_the_seed_and_is_even() -> None:
    """Each half of the corpus gives about half of it: of some 300 drawn, the share has a standard deviation of 0.03."""
    first, again, other = (chosen_of(300, 150, seed=seed).sampled for seed in (1, 1, 2))
    assert first == again != other
    every = choose(blocks(1000, 500), SentenceChoice(most=400, ends=1)).sampled
    assert len(every) > 250
    assert abs(sum(place < 500 for place in every) / len(every) - 0.5) < 0.12


def test_memory_does_not_grow_with_the_corpus() -> None:
    """After each block no more is kept than may still be shown."""
    choice = SentenceChoice(most=50, ends=3)
    for scored in blocks(900, 100):
        choice.add(scored)
        assert len(choice._kept) <= 50 + 3 * 2 * 4 * len(SYSTEMS)


def test_copies_are_those_of_the_metric() -> None:
    """Small letters, cut by 13a: spacing of signs makes no difference, a word cut in two does."""
    assert is_copy("A b.", " a  B .")
    assert not is_copy("can not", "cannot")
    assert not is_copy("a", "b")
    assert not is_copy("a", None)
    assert chosen_of(60).copies["copy"] == 60


@pytest.mark.parametrize("total", [0, 1])
def test_hardly_any_sentence(total: int) -> None:
    """Nothing, or one."""
    assert chosen_of(total).total == total


def test_a_figure_without_any_value() -> None:
    """It has no ends."""
    made = next(iter(blocks(3)))
    empty = {name: np.full((3, 1), np.nan) for name in SYSTEMS}
    found = choose([SentenceScores(made.block, (Figure("x", "X"),), empty)], SentenceChoice())
    assert found.highest["cut", "x"].places == ()


TEXTS = st.text(alphabet="abc ., \u0301猫\n", max_size=14)


def test_what_is_gone_stands_before_what_is_new() -> None:
    """Both where they were; white space that only what is gone needs is a gap."""
    found = merged("The big dog ran home.", "The wolf ran.")
    assert found == [
        ("The ", KEPT),
        ("big dog", GONE),
        (" ", GAP),
        ("wolf", NEW),
        (" ran", KEPT),
        (" ", GAP),
        ("home", GONE),
        (".", KEPT),
    ]


def test_empty_texts() -> None:
    """Everything is new, or gone."""
    assert merged("", "a b") == [("a b", NEW)]
    assert merged("a b", "") == [("a b", GONE)]
    assert merged("", "") == []


@given(TEXTS, TEXTS)
def test_pieces_are_both_texts(source: str, rewrite: str) -> None:
    """Without what is gone they are the rewrite; without what is new, the source but for white space."""
    pieces = merged(source, rewrite)
    assert "".join(piece.text for piece in pieces if piece.kind in {KEPT, NEW}) == rewrite
    left = "".join(piece.text for piece in pieces if piece.kind != NEW)
    assert "".join(left.split()) == "".join(source.split())


def test_words_are_counted_in_every_script() -> None:
    """Signs are no words; without spaces each character is one."""
    assert word_count("Two words, (really).") == 3
    assert word_count("猫は大きい") == 5
    assert word_count(" … ") == 0
