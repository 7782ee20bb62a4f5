"""Readability formulas made for Spanish, Italian, French and Portuguese. No published formula is known for Catalan."""

from __future__ import annotations

from rubrica.metrics.metric import HIGHER, Floats, ratio
from rubrica.metrics.readability_counts import Counts
from rubrica.metrics.readability_formula import (
    Ease,
    Formula,
    letters_per_word,
    syllables_per_word,
    words_per_sentence,
)


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
