"""The compression ratio, by hand."""

from __future__ import annotations

from math import isnan

import pytest

from tests.metrics.blocks import figure, of_sentences, pairs


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
