"""FKGL equals EASSE's formula given its counts, and its counts on sentences of our own."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.fkgl import grade_level
from rubrica.metrics.options import Options
from tests.metrics.blocks import figure, of_sentences, rewrites


def test_the_formula_follows_the_publication() -> None:
    """0.39 words per sentence + 11.8 syllables per word - 15.59 (Kincaid et al. 1975)."""
    # 100 words, 150 syllables, 5 sentences: 0.39 x 20 + 11.8 x 1.5 - 15.59 = 7.8 + 17.7 - 15.59 = 9.91.
    assert grade_level(100, 150, 5) == pytest.approx(9.91)


def test_it_is_never_below_zero() -> None:
    """EASSE reports 0 for texts simpler than any grade."""
    # 0.39 x 3 + 11.8 x 1/3 - 15.59 = -10.49
    assert grade_level(3, 1, 1) == 0


def test_nothing_to_count_is_undefined() -> None:
    """No words or no sentences give NaN, element by element."""
    found = grade_level(np.array([0, 100]), np.array([0, 150]), np.array([0, 5]))
    assert isnan(found[0])
    assert found[1] == pytest.approx(9.91)


def test_counts_are_those_of_tokens() -> None:
    """Punctuation counts as words without syllables; each lone stop ends a sentence."""
    block = rewrites("The ferry sails, then waits. Nobody complained about it.", "Prices rose again.")
    metric = metrics_of(["fkgl"], Options())[0]
    # the fer-ry sails , then waits . = 8 tokens; the 1, ferry 2, sails 1, then 1, waits 1
    # no-bo-dy com-plain-ed a-bout it . = 5 tokens; 3, 3 (by vowel groups: complained o, ai, e), 2, 1
    # pri-ces rose a-gain . = 4 tokens; 2, 1, 2
    assert metric.statistics(block, "new").tolist() == [[12, 15, 2], [4, 5, 1]]
    # 16 words, 20 syllables, 3 sentences: 0.39 x 16/3 + 11.8 x 20/16 - 15.59 = 2.08 + 14.75 - 15.59
    assert figure("fkgl", block) == pytest.approx(1.24)


def test_empty_rewrites_count_nothing() -> None:
    """A system that gave nothing for a sentence has the figure of its other sentences; nothing at all is undefined."""
    text = "Committees reconsidered regulations."
    assert figure("fkgl", rewrites("", text)) == figure("fkgl", rewrites(text))
    assert isnan(figure("fkgl", rewrites("", "")))
    assert isnan(of_sentences("fkgl", rewrites("", text))[0])


def test_another_language_is_refused() -> None:
    """The error names the formulas of that language."""
    with pytest.raises(InputError, match=r"made for English.*For Spanish use fernandez_huerta, szigriszt_pazos"):
        metrics_of(["fkgl"], Options(language="es"))
