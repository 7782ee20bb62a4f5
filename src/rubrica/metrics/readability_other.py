"""Readability formulas made for German, Dutch, Russian and Turkish, and LIX and RIX, which go by letters alone."""

from __future__ import annotations

from rubrica.metrics.metric import Floats, ratio
from rubrica.metrics.readability_counts import Counts
from rubrica.metrics.readability_formula import Ease, Formula, words_per_sentence


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
