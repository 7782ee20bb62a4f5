"""The parts of Rubrica's own parser: pieces of words, rules of lemmas, best trees, and texts of any length."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest

from rubrica.core.errors import InputError
from rubrica.language.lemma_rules import applied, rule
from rubrica.language.parsing import ENGLISH, parse, parser
from rubrica.language.trees import best_tree
from rubrica.language.wordpieces import BEGIN, END, UNKNOWN, Pieces, kind, parts


@pytest.mark.parametrize(
    ("word", "lemma", "told"),
    [
        ("studies", "study", "lower|3|y"),
        ("Studies", "Study", "keep|3|y"),
        ("was", "be", "lower|3|be"),
        ("A", "a", "lower|0|"),
    ],
)
def test_a_rule_makes_the_lemma_that_it_was_made_of(word: str, lemma: str, told: str) -> None:
    """Of the word it was learned from, and of others with that end."""
    assert rule(word, lemma) == told
    assert applied(told, word) == lemma
    assert applied("lower|3|y", "Parties") == "party"
    assert applied("lower|3|be", "'s") == "'s"


def test_words_are_cut_into_the_longest_known_pieces() -> None:
    """Without case and accents; what is unknown has a piece of its own, and no word is without one."""
    pieces = Pieces([UNKNOWN, BEGIN, END, "boat", "##s", "b", "##o", "-", "e"])
    assert pieces.of("Boats") == (3, 4)
    assert pieces.of("boo") == (5, 6, 6)
    assert pieces.of("boat-É") == (3, 7, 8)
    assert pieces.of("x") == pieces.of("\u200b") == (0,)
    assert parts("U.S.") == ["u", ".", "s", "."]
    assert [kind(word) for word in ("boat", "Boat", "BOAT", "McBoat", "I", "1990")] == [0, 1, 2, 3, 4, 0]


def test_the_best_tree_is_the_best_of_all_that_there_are() -> None:
    """Of every assignment of heads that has one root, no cycle and no crossing arcs none scores higher."""
    rng = np.random.default_rng(7)
    for count in (1, 2, 3, 4, 5):
        for _ in range(40):
            scores = rng.normal(size=(count, count + 1)).astype(np.float32)
            best = max(
                sum(float(scores[place, 0 if head == place else head + 1]) for place, head in enumerate(heads))
                for heads in product(range(count), repeat=count)
                if _is_tree(heads)
            )
            found = best_tree(scores)
            assert _is_tree(found)
            told = sum(float(scores[place, 0 if head == place else head + 1]) for place, head in enumerate(found))
            assert told == pytest.approx(best, abs=1e-5)


def _is_tree(heads: tuple[int, ...] | list[int]) -> bool:
    roots = [place for place, head in enumerate(heads) if head == place]
    for place in range(len(heads)):
        for _ in heads:
            place = heads[place]
        if [place] != roots:
            return False
    arcs = [(-1 if head == place else min(place, head), max(place, head)) for place, head in enumerate(heads)]
    return len(roots) == 1 and not any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_a_sentence_has_the_same_parse_alone_and_among_others() -> None:
    """Nothing of what is read before or after changes how weights are rounded."""
    texts = [
        "She sold the boat that her father had built.",
        "If no offers are received, the office shall tell us.",
        "Go!",
    ]
    together = list(parse(texts, one_sentence=True))
    assert together == [next(parse([text], one_sentence=True)) for text in texts]
    assert [word.lemma for word in together[0].words][:2] == ["she", "sell"]


def test_a_text_longer_than_the_model_reads_at_once_is_parsed_whole() -> None:
    """In windows where sentences are found, in pieces under one root where it is one sentence."""
    text = "The river rose and the old bridge, which nobody had mended, fell. " * 60
    (found,) = parse([text])
    assert [one.start for one in found.sentences] == list(range(0, len(found.words), 15))
    (whole,) = parse([text], one_sentence=True)
    assert len(whole.words) == len(found.words) == 60 * 15
    assert sum(word.label == "root" for word in whole.words) == 1


def test_without_onnx_runtime_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is without spaCy."""
    parser.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(InputError, match=r"needs ONNX Runtime.*pip install 'rubrica\[parsing\]'"):
        parser(ENGLISH)
