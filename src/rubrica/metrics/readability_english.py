"""Readability formulas for English; FKGL, which follows EASSE, is in :mod:`rubrica.metrics.fkgl`."""

from __future__ import annotations

import numpy as np

from rubrica.metrics.metric import Floats, ratio
from rubrica.metrics.readability_counts import Counts
from rubrica.metrics.readability_formula import Ease, Formula, letters_per_word, words_per_sentence


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
