"""Sentence splits, by hand."""

from __future__ import annotations

from math import isnan

import pytest

from tests.metrics.blocks import figure, of_sentences, pairs


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
