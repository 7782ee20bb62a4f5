"""Metrics of a rewrite and its source.

The compression ratio, by hand.

Exact copies, by hand.

Levenshtein similarity, by hand and against difflib on texts where both find the same matches.

Words kept, by hand.

Additions and deletions, by hand.

Sentences are counted in what the tokeniser leaves.

Sentence splits, by hand.

Lexical complexity against wordfreq's own order of words and numpy's quantile.

The mean depth of trees, with a parser whose trees are known.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from math import isnan, log
from pathlib import Path

import numpy as np
import pytest

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.metric import Options
from rubrica.metrics.source_metrics import sentence_counts, third_quartile
from rubrica.metrics.tokens import Normalisation
from tests.language.chain_parser import save_chain_parser
from tests.metrics.blocks import figure, of_sentences, pairs, rewrites


def test_it_is_the_mean_of_ratios_of_characters() -> None:
    """Characters of the tokenised texts, each sentence with the same weight."""
    # "it rains ." has 10 characters, "rain ." 6; "stop !" 6 and "please stop !" 13.
    block = pairs(("It rains.", "Rain."), ("Stop!", "Please stop!"))
    assert of_sentences("compression_ratio", block) == [pytest.approx(0.6), pytest.approx(13 / 6)]
    assert figure("compression_ratio", block) == pytest.approx((0.6 + 13 / 6) / 2)


def test_an_empty_rewrite_is_zero_and_an_empty_source_undefined() -> None:
    """Nothing is divided by zero; the mean is that of the other sentences."""
    block = pairs(("It rains.", ""), ("", "It rains."))
    found = of_sentences("compression_ratio", block)
    assert found[0] == 0
    assert isnan(found[1])
    assert figure("compression_ratio", block) == 0


def test_copies_are_compared_as_tokens() -> None:
    """White space and capitals make no difference unless capitals are asked for."""
    block = pairs(("It rains.", "it  rains ."), ("It rains.", "It rained."), ("It rains.", ""))
    assert of_sentences("exact_copies", block) == [1, 0, 0]
    assert figure("exact_copies", block) == 1 / 3
    assert figure("exact_copies", block, Options(lowercase=False)) == 0


def test_a_substitution_counts_as_two() -> None:
    """1 less insertions and deletions over the characters of both texts."""
    # "cat" to "cut": one deletion and one insertion of 6 characters.
    assert figure("levenshtein_similarity", pairs(("cat", "cut"))) == pytest.approx(1 - 2 / 6)


def test_it_equals_the_ratio_of_the_longest_common_subsequence() -> None:
    """2 x common characters over all characters, as difflib has it where its greedy blocks are the longest."""
    source, rewrite = "the old pier was closed", "the pier closed"
    expected = SequenceMatcher(None, source, rewrite, autojunk=False).ratio()
    assert figure("levenshtein_similarity", pairs((source, rewrite))) == pytest.approx(expected)


def test_capitals_matter_only_if_asked_for() -> None:
    """As in EASSE's reports, texts are made small first."""
    block = pairs(("Rain", "rain"))
    assert figure("levenshtein_similarity", block) == 1
    assert figure("levenshtein_similarity", block, Options(lowercase=False)) == pytest.approx(0.75)


def test_empty_texts_are_compared_as_texts() -> None:
    """Nothing in common with a source is 0; two empty texts are the same."""
    assert of_sentences("levenshtein_similarity", pairs(("rain", ""), ("", ""))) == [0, 1]


def test_words_of_the_source_are_counted_without_punctuation() -> None:
    """Each word as often as both texts have it, in any order and any case."""
    # "the": twice in the source, once in the rewrite; kept: the, ship, left of the, ship, left, the, port.
    block = pairs(("The ship left the port.", "Left: the ship!"))
    assert figure("words_kept", block) == pytest.approx(3 / 5)


def test_sources_without_words_are_left_out() -> None:
    """A source of punctuation has no share; an empty rewrite keeps nothing."""
    found = of_sentences("words_kept", pairs(("...", "Fine."), ("It rains.", "")))
    assert isnan(found[0])
    assert found[1] == 0


def test_shares_are_of_the_longer_text() -> None:
    """Tokens that only one text has, each as often as it has it more than the other."""
    # the the big dog barked . (6) and the dog barked at us loudly . (7); shared: the dog barked . = 4.
    block = pairs(("The the big dog barked.", "The dog barked at us loudly."))
    assert figure("additions", block) == pytest.approx(3 / 7)
    assert figure("deletions", block) == pytest.approx(2 / 7)


def test_moved_words_are_neither() -> None:
    """Order does not matter."""
    block = pairs(("Today it rains", "It rains today"))
    assert figure("additions", block) == figure("deletions", block) == 0


def test_empty_texts() -> None:
    """Nothing left deletes everything; two empty texts have no share."""
    block = pairs(("It rains.", ""), ("", ""))
    assert of_sentences("deletions", block)[0] == 1
    assert of_sentences("additions", block)[0] == 0
    assert isnan(of_sentences("additions", block)[1])
    assert figure("deletions", block) == 1


def test_tokens_count_where_stops_stand_alone() -> None:
    """Otherwise the texts do, with what is known of abbreviations."""
    texts = ["Mr. Gray left. It rained."]
    cut = ["mr . gray left . it rained ."]
    assert sentence_counts(texts, cut, Normalisation("13a", True)) == [3]
    assert sentence_counts(texts, ["mr. gray left. it rained."], Normalisation("none", True)) == [2]


def test_it_is_sentences_for_each_sentence_of_the_source() -> None:
    """A rewrite in two sentences doubles; a source of two in one halves."""
    block = pairs(
        ("We left early, so we missed nothing.", "We left early. We missed nothing."),
        ("Rain fell. Wind blew.", "Rain fell and wind blew."),
        ("He stayed.", "He stayed."),
    )
    assert of_sentences("sentence_splits", block) == [2, 0.5, 1]
    assert figure("sentence_splits", block) == pytest.approx(3.5 / 3)


def test_an_empty_rewrite_has_no_sentence() -> None:
    """It counts 0; an empty source has no ratio."""
    found = of_sentences("sentence_splits", pairs(("He stayed.", ""), ("", "He stayed.")))
    assert found[0] == 0
    assert isnan(found[1])


wordfreq = pytest.importorskip("wordfreq")


def test_it_is_the_third_quartile_of_log_ranks() -> None:
    """Ranks in wordfreq's list, from 0; function words and unknown words do not count."""
    listed = wordfreq.top_n_list("en", 50_000)
    words = ["harbour", "quiet", "lantern", "window", "obsolete"]
    expected = np.quantile([log(1 + listed.index(word)) for word in words], 0.75)
    text = "The harbour is quiet; the lantern at the window, obsolete. Zzyqxv!"
    assert figure("lexical_complexity", rewrites(text)) == pytest.approx(expected)


def test_rarer_words_are_more_complex() -> None:
    """A plain word scores below its learned synonym."""
    plain, learned = of_sentences("lexical_complexity", rewrites("buy", "procure"))
    assert plain < learned


def test_a_rewrite_without_such_words_has_no_value() -> None:
    """It is left out of the mean."""
    found = of_sentences("lexical_complexity", rewrites("", "The of and.", "harbour"))
    assert isnan(found[0])
    assert isnan(found[1])
    assert figure("lexical_complexity", rewrites("", "harbour")) == found[2]


def test_quartiles_are_interpolated() -> None:
    """As numpy interpolates."""
    for values in ([3.0], [1.0, 2.0], [4.0, 1.0, 9.0], [5.0, 2.0, 8.0, 1.0, 7.5, 3.0]):
        assert third_quartile(values) == pytest.approx(np.quantile(values, 0.75))


def test_an_unknown_language_is_refused() -> None:
    """wordfreq would answer for Sinhala with English."""
    with pytest.raises(InputError, match="no word frequencies for Sinhala"):
        metrics_of(["lexical_complexity"], Options(language="si"))


def test_it_is_the_mean_over_sentences(tmp_path: Path) -> None:
    """Each sentence that the parser finds counts once, whichever rewrite it is in; empty rewrites count nothing."""
    options = Options(parser=save_chain_parser(tmp_path / "chain"))
    block = rewrites("The boat left. Gone.", "We wait here today.", "")
    # Chains of 4, 2 and 5 tokens are 3, 1 and 4 deep.
    assert figure("dependency_depth", block, options) == pytest.approx(8 / 3)
    assert of_sentences("dependency_depth", block, options)[:2] == [2, 4]
    assert isnan(of_sentences("dependency_depth", block, options)[2])
    assert metrics_of(["dependency_depth"], options)[0].settings() == {"parser": "en_chain-1.0"}


def test_english_needs_no_parser_to_be_named() -> None:
    """Rubrica's own is taken, and the signature says so."""
    pytest.importorskip("spacy")
    options = Options()
    # Boat, the subject, is an arc below the verb, and its article two.
    assert figure("dependency_depth", rewrites("The boat left."), options) == 2
    assert metrics_of(["dependency_depth"], options)[0].settings() == {"parser": "en_rubrica-2.0"}


def test_other_languages_need_one() -> None:
    """The error says how to name it."""
    with pytest.raises(InputError, match=r"reads English, not Spanish.*--parser"):
        metrics_of(["dependency_depth"], Options(language="es"))
