"""Each formula from its publication, derived by hand from counts that are easy to check."""

from __future__ import annotations

from math import isnan, sqrt

import numpy as np
import pytest

from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.options import Options
from rubrica.metrics.readability import FORMULAS
from rubrica.metrics.readability_counts import Counts
from tests.metrics.blocks import figure, of_sentences, rewrites

COUNTS = Counts(
    *np.array([5.0, 100.0, 480.0, 25.0, 100.0, 160.0, 60.0, 15.0, 12.0]),
)
"""100 words in 5 sentences: 20 words to a sentence, 4.8 letters and 1.6 syllables to a word, 25 long words, 60 of one
syllable, 15 of three or more, 12 of them hard."""

EXPECTED = {
    "flesch_reading_ease": 206.835 - 1.015 * 20 - 84.6 * 1.6,  # Flesch 1948
    "gunning_fog": 0.4 * (20 + 12),  # Gunning 1952
    "smog": 1.0430 * sqrt(15 * 30 / 5) + 3.1291,  # McLaughlin 1969
    "coleman_liau": 0.0588 * 480 - 0.296 * 5 - 15.8,  # letters and sentences to 100 words; Coleman and Liau 1975
    "ari": 4.71 * 4.8 + 0.5 * 20 - 21.43,  # Smith and Senter 1967
    "fernandez_huerta": 206.84 - 0.60 * 160 - 1.02 * 20,  # syllables to 100 words; Fernández Huerta 1959
    "szigriszt_pazos": 206.835 - 62.3 * 1.6 - 20,  # Szigriszt Pazos 1993
    "gutierrez_polini": 95.2 - 9.7 * 4.8 - 0.35 * 20,  # Gutiérrez de Polini 1972
    "crawford": -0.205 * 5 + 0.049 * 160 - 3.407,  # sentences and syllables to 100 words; Crawford 1985
    "gulpease": 89 + (300 * 5 - 10 * 480) / 100,  # Lucisano and Piemontese 1988
    "franchina_vacca": 217 - 1.3 * 20 - 0.6 * 160,  # syllables to 100 words; Franchina and Vacca 1986
    "kandel_moles": 207 - 1.015 * 20 - 0.736 * 160,  # syllables to 100 words; Kandel and Moles 1958
    "martins": 206.835 + 42 - 1.015 * 20 - 84.6 * 1.6,  # Martins et al. 1996
    "amstad": 180 - 20 - 58.5 * 1.6,  # Amstad 1978
    "wiener_sachtext": 0.1935 * 15 + 0.1672 * 20 + 0.1297 * 25 - 0.0327 * 60 - 0.875,  # percentages; 1984
    "douma": 206.84 - 0.93 * 20 - 0.77 * 160,  # syllables to 100 words; Douma 1960
    "oborneva": 206.835 - 1.3 * 20 - 60.1 * 1.6,  # Oborneva 2006
    "atesman": 198.825 - 40.175 * 1.6 - 2.610 * 20,  # Ateşman 1997
    "lix": 20 + 25,  # Björnsson 1968
    "rix": 25 / 5,  # Anderson 1983
}


def test_every_formula_is_here() -> None:
    """FKGL has a test file of its own."""
    assert set(EXPECTED) | {"fkgl"} == set(FORMULAS)


@pytest.mark.parametrize("name", EXPECTED)
def test_formulas(name: str) -> None:
    """The formula as published."""
    metric = metrics_of([name], Options(language=(FORMULAS[name].languages or ("sv",))[0]))[0]
    assert metric.scores(np.array(COUNTS))[0] == pytest.approx(EXPECTED[name])


@pytest.mark.parametrize("name", EXPECTED)
def test_nothing_is_undefined(name: str) -> None:
    """Empty rewrites have no figure and take no part in that of the others; sums may have any shape."""
    options = Options(language=(FORMULAS[name].languages or ("sv",))[0])
    metric = metrics_of([name], options)[0]
    assert np.isnan(metric.scores(np.zeros((2, 3, 9)))).all()
    text = "Mama va a casa."
    block = rewrites("", text)
    assert figure(name, block, options) == figure(name, rewrites(text), options)
    assert isnan(of_sentences(name, block, options)[0])


def test_syllables_that_nobody_can_count_are_undefined() -> None:
    """A text in another script has no mean of syllables, and is not taken for one without long words."""
    for name in ("flesch_reading_ease", "gunning_fog", "smog"):
        assert isnan(figure(name, rewrites("他去了。")))
