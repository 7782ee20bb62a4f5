"""Readability: its formulas and what they count.

Which formulas are for which language.

What is counted in a text, by hand.

Each formula from its publication, derived by hand from counts that are easy to check.

FKGL equals EASSE's formula given its counts, and its counts on sentences of our own.
"""

from __future__ import annotations

from math import isnan, sqrt

import numpy as np
import pytest

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.metric import Options
from rubrica.metrics.readability import FORMULAS, Counts, counts_of, formulas_for
from rubrica.metrics.readability_formulas import grade_level
from tests.metrics.blocks import figure, of_sentences, rewrites


def test_every_formula_can_be_made_for_its_languages() -> None:
    """The table names real classes, whose figures have the formula's name."""
    for name, formula in FORMULAS.items():
        metric = metrics_of([name], Options(language=(formula.languages or ("sv",))[0]))[0]
        assert metric.name == metric.figures[0].key == name
        assert metric.__doc__


def test_readability_stands_for_the_formulas_of_the_language() -> None:
    """Each once, even if it is asked for by its own name too."""
    found = [metric.name for metric in metrics_of(["lix", "readability"], Options(language="de-AT"))]
    assert found == ["lix", "amstad", "wiener_sachtext", "rix"]
    assert formulas_for("it") == ["gulpease", "franchina_vacca", "lix", "rix"]
    assert formulas_for("ca") == ["lix", "rix"]


def test_a_formula_for_another_language_is_refused() -> None:
    """The error names the formulas that are for it."""
    with pytest.raises(InputError, match=r"gulpease was made for Italian.*For French use kandel_moles, lix, rix"):
        metrics_of(["gulpease"], Options(language="fr"))


def test_a_language_without_spaces_has_none() -> None:
    """Neither by name nor together."""
    for name in ("lix", "readability"):
        with pytest.raises(InputError, match="no formula is for Chinese"):
            metrics_of([name], Options(language="zh"))


def counted(text: str, language: str = "en") -> dict[str, float]:
    """The counts of one text by their names."""
    row = counts_of(rewrites(text), "new", language)[0]
    return dict(zip(Counts._fields, map(float, row), strict=True))


def test_counts_of_a_text() -> None:
    """Punctuation is no word; figures are words without syllables."""
    # The li-bra-ry o-pened in 1998. It's well-known!
    # letters: the 3, library 7, opened 6, in 2, 1998 4, it's 3, well-known 9; more than six: library, well-known
    # syllables: 1, 3, 2, 1, -, 1, 2
    assert counted("The library opened in 1998. It's well-known!") == {
        "sentences": 2,
        "words": 7,
        "letters": 34,
        "long": 2,
        "syllabic": 6,
        "syllables": 10,
        "one": 3,
        "three": 1,
        "hard": 1,
    }


def test_endings_make_no_hard_word() -> None:
    """Gunning does not count words that -ed or -es brings to three syllables."""
    found = counted("created, businesses, communities")
    assert (found["three"], found["hard"]) == (3, 1)


def test_dashes_and_slashes_divide_words_and_empty_texts_have_none() -> None:
    """Loose punctuation is nothing."""
    assert counted("red/blue — green…yes")["words"] == 4
    assert set(counted("").values()) == {0}
    assert counted("— … !")["words"] == 0


def test_other_scripts_are_words_without_syllables() -> None:
    """They count for letters and sentences only."""
    found = counted("Tea (茶) is served.")
    assert (found["words"], found["syllabic"]) == (4, 3)


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
