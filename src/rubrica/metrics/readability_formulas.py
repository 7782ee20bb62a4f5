"""The formulas of readability, by language.

FKGL, the Flesch-Kincaid grade level, as EASSE computes it: school years that a text in English asks for. 0.39 words
per sentence + 11.8 syllables per word - 15.59 (Kincaid, Fishburne, Rogers and Chissom 1975), over all rewrites of a
system at once and never below 0. Words are the tokens of the 13a tokeniser in small letters, punctuation included, as
in EASSE (Alva-Manchego, Martin, Scarton and Specia, EMNLP 2019), which makes its figures lower than those of other
tools; ``readability`` has formulas that count words only.

Readability formulas for English; FKGL follows EASSE.

Readability formulas made for Spanish, Italian, French and Portuguese. No published formula is known for Catalan.

Readability formulas made for German, Dutch, Russian and Turkish, and LIX and RIX, which go by letters alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rubrica.core.metric_values import HIGHER, LOWER
from rubrica.language.syllables import easse_syllables
from rubrica.metrics.metric import Block, Figure, Floats, Metric, Options, ratio
from rubrica.metrics.readability import (
    Counts,
    Ease,
    Formula,
    check_language,
    letters_per_word,
    syllables_per_word,
    words_per_sentence,
)
from rubrica.metrics.source_metrics import sentence_counts
from rubrica.metrics.tokens import Normalisation


def grade_level(words: npt.ArrayLike, syllables: npt.ArrayLike, sentences: npt.ArrayLike) -> Floats:
    """FKGL from counts, element by element; at least 0, and NaN where there are no words or no sentences."""
    grade = 0.39 * ratio(words, sentences) + 11.8 * ratio(syllables, words) - 15.59
    return np.maximum(grade, 0)


class Fkgl(Metric):
    """Rows are words, syllables and sentences of a rewrite. It looks at no meaning: cutting words lowers it."""

    name = "fkgl"
    figures = (Figure("fkgl", "FKGL", LOWER, 2),)
    needs_sources = False
    undefined = "there are no words"

    def __init__(self, options: Options) -> None:
        check_language(self.name, options.language)
        self._how = Normalisation(options.tokenizer or "13a", True if options.lowercase is None else options.lowercase)

    def statistics(self, block: Block, system: str) -> Floats:
        texts = block.normalised(self._how).rewrites[system]
        words = [text.split() for text in texts]
        rows = [
            [len(own) for own in words],
            [sum(map(easse_syllables, own)) for own in words],
            sentence_counts(block.rewrites[system], texts, self._how),
        ]
        return np.array(rows, dtype=float).T

    def scores(self, sums: Floats) -> Floats:
        return grade_level(sums[..., 0], sums[..., 1], sums[..., 2])[..., np.newaxis]

    def settings(self) -> Mapping[str, object]:
        return {"case": "lc" if self._how.lowercase else "mixed", "tok": self._how.tokenizer}


class FleschReadingEase(Ease):
    """Flesch, A new readability yardstick, Journal of Applied Psychology 32, 1948. About 0 to 100, 60 is plain."""

    name, title = "flesch_reading_ease", "Flesch reading ease"
    constant, per_word, per_syllable = 206.835, 1.015, 84.6


class GunningFog(Formula):
    """Gunning, The Technique of Clear Writing, 1952. School years.

    Hard words have three syllables, those of *-es* and *-ed* not counted. Gunning leaves out names and easy compounds
    too, which nobody can tell from spelling.
    """

    name, title = "gunning_fog", "Gunning fog"

    def value(self, counts: Counts) -> Floats:
        found: Floats = 0.4 * (words_per_sentence(counts) + 100 * ratio(counts.hard, counts.syllabic))
        return found


class Smog(Formula):
    """McLaughlin, SMOG grading, Journal of Reading 12, 1969. School years.

    It was fitted to 30 sentences; from few sentences it is unsteady.
    """

    name, title = "smog", "SMOG"

    def value(self, counts: Counts) -> Floats:
        known = np.where(counts.syllabic > 0, counts.sentences, 0.0)
        found: Floats = 1.0430 * np.sqrt(30 * ratio(counts.three, known)) + 3.1291
        return found


class ColemanLiau(Formula):
    """Coleman and Liau, A computer readability formula, Journal of Applied Psychology 60, 1975. School years."""

    name, title = "coleman_liau", "Coleman-Liau"

    def value(self, counts: Counts) -> Floats:
        found: Floats = 5.88 * letters_per_word(counts) - 29.6 * ratio(counts.sentences, counts.words) - 15.8
        return found


class Ari(Formula):
    """Smith and Senter, Automated Readability Index, AMRL-TR-66-220, 1967. School years; letters and figures count."""

    name, title = "ari", "ARI"

    def value(self, counts: Counts) -> Floats:
        found: Floats = 4.71 * letters_per_word(counts) + 0.5 * words_per_sentence(counts) - 21.43
        return found


class FernandezHuerta(Ease):
    """Spanish: Fernández Huerta, Medidas sencillas de lecturabilidad, Consigna 214, 1959. 0 to 100, high is easy.

    With the length of sentences in words, as its correction has it (Law 2011), not in sentences to a hundred words.
    """

    name, title = "fernandez_huerta", "Fernández Huerta"
    constant, per_word, per_syllable = 206.84, 1.02, 60.0


class SzigrisztPazos(Ease):
    """Spanish: Szigriszt Pazos, Sistemas predictivos de legibilidad, thesis, Madrid 1993. 0 to 100, high is easy."""

    name, title = "szigriszt_pazos", "Szigriszt-Pazos"
    constant, per_word, per_syllable = 206.835, 1.0, 62.3


class GutierrezPolini(Formula):
    """Spanish: Gutiérrez de Polini, Investigación sobre lectura en Venezuela, 1972. 0 to 100, high is easy."""

    name, title, better = "gutierrez_polini", "Gutiérrez de Polini", HIGHER

    def value(self, counts: Counts) -> Floats:
        found: Floats = 95.2 - 9.7 * letters_per_word(counts) - 0.35 * words_per_sentence(counts)
        return found


class Crawford(Formula):
    """Spanish: Crawford, Fórmula y gráfico … de los textos de primaria, Lectura y Vida 6, 1985. School years."""

    name, title = "crawford", "Crawford"

    def value(self, counts: Counts) -> Floats:
        sentences = 100 * ratio(counts.sentences, counts.words)
        found: Floats = -0.205 * sentences + 0.049 * 100 * syllables_per_word(counts) - 3.407
        return found


class Gulpease(Formula):
    """Italian: Lucisano and Piemontese, Gulpease, Scuola e città 39, 1988. 0 to 100, high is easy; no syllables."""

    name, title, better = "gulpease", "Gulpease", HIGHER

    def value(self, counts: Counts) -> Floats:
        found: Floats = 89 + ratio(300 * counts.sentences - 10 * counts.letters, counts.words)
        return found


class FranchinaVacca(Ease):
    """Italian: Franchina and Vacca, Adaptation of Flesch readability index, Linguaggi 3, 1986. High is easy."""

    name, title = "franchina_vacca", "Franchina-Vacca"
    constant, per_word, per_syllable = 217.0, 1.3, 60.0


class KandelMoles(Ease):
    """French: Kandel and Moles, Application de l'indice de Flesch à la langue française, Cahiers Études de
    Radio-Télévision 19, 1958. 0 to 100, high is easy."""

    name, title = "kandel_moles", "Kandel-Moles"
    constant, per_word, per_syllable = 207.0, 1.015, 73.6


class Martins(Ease):
    """Portuguese: Martins, Ghiraldelo, Nunes and Oliveira, Readability formulas applied to textbooks in Brazilian
    Portuguese, ICMSC-USP 1996: Flesch's scale with 42 points more, because words are longer. High is easy."""

    name, title = "martins", "Flesch for Portuguese"
    constant, per_word, per_syllable = 248.835, 1.015, 84.6


class Amstad(Ease):
    """German: Amstad, Wie verständlich sind unsere Zeitungen?, thesis, Zürich 1978. 0 to 100, high is easy."""

    name, title = "amstad", "Amstad"
    constant, per_word, per_syllable = 180.0, 1.0, 58.5


class WienerSachtext(Formula):
    """German: the first Wiener Sachtextformel of Bamberger and Vanecek, Lesen, Verstehen, Lernen, Schreiben, 1984.

    School years, from shares of words of three syllables, of more than six letters, of one syllable, and the length of
    sentences.
    """

    name, title = "wiener_sachtext", "Wiener Sachtextformel"

    def value(self, counts: Counts) -> Floats:
        three, one = ratio(counts.three, counts.syllabic), ratio(counts.one, counts.syllabic)
        long = ratio(counts.long, counts.words)
        found: Floats = 19.35 * three + 0.1672 * words_per_sentence(counts) + 12.97 * long - 3.27 * one - 0.875
        return found


class Douma(Ease):
    """Dutch: Douma, De leesbaarheid van landbouwbladen, Wageningen 1960. 0 to 100, high is easy."""

    name, title = "douma", "Douma"
    constant, per_word, per_syllable = 206.84, 0.93, 77.0


class Oborneva(Ease):
    """Russian: Oborneva, Automated assessment of the complexity of educational texts, thesis, Moscow 2006."""

    name, title = "oborneva", "Oborneva"
    constant, per_word, per_syllable = 206.835, 1.3, 60.1


class Atesman(Ease):
    """Turkish: Ateşman, Türkçede okunabilirliğin ölçülmesi, Dil Dergisi 58, 1997. 0 to 100, high is easy."""

    name, title = "atesman", "Ateşman"
    constant, per_word, per_syllable = 198.825, 2.610, 40.175


class Lix(Formula):
    """Any language with spaces between words: Björnsson, Läsbarhet, Stockholm 1968, for Swedish.

    Words to a sentence plus the percentage of words with more than six letters: under 30 is easy, over 50 hard.
    """

    name, title = "lix", "LIX"

    def value(self, counts: Counts) -> Floats:
        found: Floats = words_per_sentence(counts) + 100 * ratio(counts.long, counts.words)
        return found


class Rix(Formula):
    """Any language with spaces between words: Anderson, Lix and Rix, Journal of Reading 26, 1983.

    Words with more than six letters to a sentence.
    """

    name, title = "rix", "RIX"

    def value(self, counts: Counts) -> Floats:
        return ratio(counts.long, counts.sentences)
