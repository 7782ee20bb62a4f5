"""Lexical complexity against wordfreq's own order of words and numpy's quantile."""

from __future__ import annotations

from math import isnan, log

import numpy as np
import pytest

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.lexical_complexity import third_quartile
from rubrica.metrics.options import Options
from tests.metrics.blocks import figure, of_sentences, rewrites

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
