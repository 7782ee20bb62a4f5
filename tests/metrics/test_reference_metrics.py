"""BLEU, chrF and TER equal sacreBLEU's; token F1 is counted by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.metric import Block, Floats, Metric, Options
from rubrica.metrics.reference_metrics import fewest_edits

words = st.sampled_from(["the", "The", "cat", "dog", "sat", "on", "mat", "3,000", "x.", "(a)"])
sentences = st.lists(words, min_size=1, max_size=9).map(" ".join)
corpora = st.lists(st.tuples(sentences, st.lists(sentences, min_size=2, max_size=2)), min_size=1, max_size=4)
Corpus = list[tuple[str, list[str]]]


def made(name: str, corpus: Corpus, **options: Any) -> tuple[Metric, Floats]:
    """A metric and its rows for a corpus."""
    (metric,) = metrics_of([name], Options(**options))
    block = Block(0, [""] * len(corpus), [one[1] for one in corpus], {"it": [one[0] for one in corpus]})
    return metric, metric.statistics(block, "it")


def corpus_score(name: str, corpus: Corpus, **options: Any) -> float:
    """The figure of the corpus."""
    metric, rows = made(name, corpus, **options)
    return float(metric.scores(rows.sum(axis=0))[0])


def sentence_scores(name: str, corpus: Corpus, **options: Any) -> list[float]:
    """The figure of each sentence."""
    metric, rows = made(name, corpus, **options)
    return list(metric.sentence_scores(rows)[:, 0])


def streams(corpus: Corpus) -> tuple[list[str], list[list[str]]]:
    """Rewrites, and references as sacreBLEU wants them."""
    return [one[0] for one in corpus], [list(own) for own in zip(*(one[1] for one in corpus), strict=True)]


@settings(max_examples=60)
@given(corpora, st.sampled_from(["exp", "floor", "add-k", "none"]), st.booleans())
def test_bleu_is_that_of_sacrebleu(corpus: Corpus, smoothing: str, lowercase: bool) -> None:
    """Corpora and sentences, with every smoothing, cased and lowercased: to the last digit but rounding."""
    rewrites, references = streams(corpus)
    whole = BLEU(smooth_method=smoothing, lowercase=lowercase).corpus_score(rewrites, references).score
    assert corpus_score("bleu", corpus, smoothing=smoothing, lowercase=lowercase) == pytest.approx(whole, abs=1e-9)
    single = BLEU(smooth_method=smoothing, lowercase=lowercase, effective_order=True)
    expected = [single.sentence_score(*one).score for one in corpus]
    assert sentence_scores("bleu", corpus, smoothing=smoothing, lowercase=lowercase) == pytest.approx(
        expected, abs=1e-9
    )


def test_references_may_be_uneven() -> None:
    """One to three for a sentence, as sacreBLEU takes them with None where there is none."""
    corpus = [
        ("a cat sat there now", ["a cat sat", "the cat sat there now"]),
        ("a dog ran on home", ["a dog ran home"]),
    ]
    expected = BLEU().corpus_score(
        [one[0] for one in corpus], [["a cat sat", "a dog ran home"], ["the cat sat there now", None]]
    )
    assert corpus_score("bleu", corpus) == pytest.approx(expected.score, abs=1e-12)


def test_lowercased_bleu_stands_beside() -> None:
    """As a metric of its own, so that one table can have both."""
    corpus = [("The Cat sat on it", ["the cat sat on it"])]
    assert corpus_score("bleu_lc", corpus) == pytest.approx(100)
    assert corpus_score("bleu", corpus) < 100


def test_the_mean_of_sentences_has_a_floor() -> None:
    """As EASSE: floor smoothing of each sentence, then the mean."""
    corpus = [("a cat sat down", ["the cat sat up"]), ("no", ["yes"])]
    single = BLEU(smooth_method="floor", effective_order=True)
    expected = np.mean([single.sentence_score(*one).score for one in corpus])
    assert corpus_score("sent_bleu", corpus) == pytest.approx(expected)


@settings(max_examples=40)
@given(corpora, st.sampled_from([("chrf", 0), ("chrfpp", 2)]))
def test_chrf_is_that_of_sacrebleu(corpus: Corpus, which: tuple[str, int]) -> None:
    """chrF and chrF++, corpora and sentences."""
    name, order = which
    expected = CHRF(word_order=order)
    assert corpus_score(name, corpus) == pytest.approx(expected.corpus_score(*streams(corpus)).score, abs=1e-9)
    singles = [expected.sentence_score(*one).score for one in corpus]
    assert sentence_scores(name, corpus) == pytest.approx(singles, abs=1e-9)


def test_ter_is_that_of_sacrebleu() -> None:
    """A moved phrase is one edit; cased if asked for."""
    corpus = [("On the mat the cat sat", ["the cat sat on the mat", "a cat"]), ("a b c", ["d e f", "a b c"])]
    assert corpus_score("ter", corpus) == pytest.approx(TER().corpus_score(*streams(corpus)).score)
    cased = TER(case_sensitive=True).corpus_score(*streams(corpus)).score
    assert corpus_score("ter", corpus, lowercase=False) == pytest.approx(cased)


def test_token_f1_takes_the_best_reference() -> None:
    """First: {a, b, b} and {b, b, c} share two of three each, 2/3; the other reference shares one of 3 and 1: 1/2.

    Second: nothing shared, 0. The mean is 1/3.
    """
    assert corpus_score("token_f1", [("A b b", ["b b c", "a"]), ("x", ["y"])]) == pytest.approx(100 / 3)


few = st.lists(st.sampled_from("abcde"), max_size=12)


@settings(max_examples=80)
@given(few, few, st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.sampled_from("abx")), max_size=4))
def test_moves_are_searched_where_they_may_help(
    rewrite: list[str], other: list[str], changes: list[tuple[int, int, str]]
) -> None:
    """References with moved phrases and other words: what is left out of the search never changes the edits."""
    references = [[*other, "y"]]
    for start, end, word in changes:
        cut, rest = rewrite[start:end], rewrite[:start] + rewrite[max(start, end) :]
        references.append([*rest[:end], *cut, *rest[end:], word])
    expected = TER().sentence_score(" ".join(rewrite), [" ".join(own) for own in references]).num_edits
    assert fewest_edits(rewrite, references) == expected


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrfpp", "ter", "token_f1", "sent_bleu"])
def test_an_empty_rewrite_scores_nothing(name: str) -> None:
    """No division by zero, no crash; all words of the reference are missing."""
    assert corpus_score(name, [("", ["a cat"])]) == (100 if name == "ter" else 0)


def test_an_unknown_smoothing_is_refused() -> None:
    """With those that exist."""
    with pytest.raises(InputError, match="exp, floor"):
        metrics_of(["bleu"], Options(smoothing="laplace"))


def test_unknown_metrics_are_all_named() -> None:
    """Each with the nearest that exists."""
    with pytest.raises(InputError) as refused:
        metrics_of(["sary", "bleu", "xyz"], Options())
    assert [problem.value for problem in refused.value.problems] == ["sary", "xyz"]
    assert "Did you mean 'sari'?" in str(refused.value.problems[0])
