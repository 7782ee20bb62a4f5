"""Readability: which formulas there are, for which languages, and what they count.

Which readability formulas there are, and for which languages each was made.

What readability formulas count in a text: sentences, words, their letters and syllables, each text once. Words are
what stands between spaces, dashes and slashes, if it has a letter or a figure; *well-known* and *l'eau* are one word
each. Sentences are those of :mod:`rubrica.language.sentences`. Words whose syllables no rule can count (figures,
other scripts) are left out of whatever concerns syllables, numerator and denominator.

What readability formulas share: counts of the rewrites, added up, go into one equation. A formula says how long words
and sentences are, on a scale that was fitted to readers of its time and language. It knows nothing of grammar or
sense; a text cut into pieces at random scores well.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rubrica.core.errors import InputError, wrong
from rubrica.core.metric_values import HIGHER, LOWER
from rubrica.language.names import base_language, language_name
from rubrica.language.sentences import count_sentences_in
from rubrica.language.syllables import NO_RULE, syllables
from rubrica.metrics.metric import Block, Figure, Floats, Metric, Options, ratio


class Known(NamedTuple):
    """Where a formula is, and its languages; none means every language with spaces between words."""

    where: str
    languages: tuple[str, ...]


FORMULAS = {
    "fkgl": Known("readability_formulas:Fkgl", ("en",)),
    "flesch_reading_ease": Known("readability_formulas:FleschReadingEase", ("en",)),
    "gunning_fog": Known("readability_formulas:GunningFog", ("en",)),
    "smog": Known("readability_formulas:Smog", ("en",)),
    "coleman_liau": Known("readability_formulas:ColemanLiau", ("en",)),
    "ari": Known("readability_formulas:Ari", ("en",)),
    "fernandez_huerta": Known("readability_formulas:FernandezHuerta", ("es",)),
    "szigriszt_pazos": Known("readability_formulas:SzigrisztPazos", ("es",)),
    "gutierrez_polini": Known("readability_formulas:GutierrezPolini", ("es",)),
    "crawford": Known("readability_formulas:Crawford", ("es",)),
    "gulpease": Known("readability_formulas:Gulpease", ("it",)),
    "franchina_vacca": Known("readability_formulas:FranchinaVacca", ("it",)),
    "kandel_moles": Known("readability_formulas:KandelMoles", ("fr",)),
    "martins": Known("readability_formulas:Martins", ("pt",)),
    "amstad": Known("readability_formulas:Amstad", ("de",)),
    "wiener_sachtext": Known("readability_formulas:WienerSachtext", ("de",)),
    "douma": Known("readability_formulas:Douma", ("nl",)),
    "oborneva": Known("readability_formulas:Oborneva", ("ru",)),
    "atesman": Known("readability_formulas:Atesman", ("tr",)),
    "lix": Known("readability_formulas:Lix", ()),
    "rix": Known("readability_formulas:Rix", ()),
}
"""By the names under which they are asked for. ``readability`` stands for all those of a language."""

WITHOUT_SPACES = {"bo", "ja", "km", "lo", "my", "th", "yue", "zh"}
"""Languages whose words have no spaces between them."""


def formulas_for(language: str) -> list[str]:
    """The names of the formulas for a language, those made for it first; none for one written without spaces."""
    return [name for name in FORMULAS if suits(name, language)]


def suits(name: str, language: str) -> bool:
    """Whether a formula was made for a language."""
    code, languages = base_language(language), FORMULAS[name].languages
    return code in languages if languages else code not in WITHOUT_SPACES


def check_language(name: str, language: str) -> None:
    """Refuse a formula that was not made for the language of the texts, and name those that were."""
    if not suits(name, language):
        made = ", ".join(map(language_name, FORMULAS[name].languages)) or "languages with spaces between words"
        raise wrong(f"{name} was made for {made}", "language", _instead(language), value=language)


def expanded(name: str, language: str) -> list[str]:
    """The names that a name stands for: the formulas of the language for ``readability``, otherwise itself."""
    if name != "readability":
        return [name]
    found = formulas_for(language)
    if not found:
        raise _no_formula(language)
    return found


def _no_formula(language: str) -> InputError:
    what = f"there is no readability formula for {language_name(language)}"
    return wrong(what, "language", _instead(language), value=language)


def _instead(language: str) -> str:
    found = formulas_for(language)
    name = language_name(language)
    if found:
        return f"For {name} use {', '.join(found)}; if the texts are in another language, say --lang."
    return f"Leave it out: no formula is for {name}. If the texts are in another language, say --lang."


_BETWEEN = str.maketrans(dict.fromkeys("—–―/…", " "))
LONG = 7
"""Letters of a long word: more than six (Björnsson 1968)."""

_INFLECTED = re.compile(r"e[sd]$")


class Counts(NamedTuple):
    """Counts of a text, or their sums over texts."""

    sentences: Floats
    words: Floats
    letters: Floats
    long: Floats
    syllabic: Floats
    """Words whose syllables are known."""
    syllables: Floats
    one: Floats
    """Words of one syllable."""
    three: Floats
    """Words of three or more."""
    hard: Floats
    """Words of three or more without those that -es or -ed makes so, for Gunning's fog index."""


class _Words(dict[str, int]):
    """The place of each different word in a table of what is counted of it; the table grows as words are asked for."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.rows: list[tuple[int, ...]] = []

    def __missing__(self, word: str) -> int:
        place = self[word] = len(self.rows)
        self.rows.append(_word(word, self.language))
        return place


def counts_of(block: Block, system: str, language: str) -> Floats:
    """A row of :class:`Counts` for each rewrite of a system; zeros for an empty one."""
    words = block.once(("words of", language), lambda: _Words(language))
    return block.once(("readability", language, system), lambda: _counted(block.rewrites[system], words))


def _counted(texts: Sequence[str], words: _Words) -> Floats:
    cut = [text.translate(_BETWEEN).split() for text in texts]
    places = np.fromiter((words[word] for text in cut for word in text), dtype=np.int64)
    owners = np.repeat(np.arange(len(texts)), [len(text) for text in cut])
    found = np.zeros((len(texts), len(Counts._fields)))
    found[:, 0] = [count_sentences_in(text, words.language) for text in texts]
    table = np.array(words.rows, dtype=float).reshape(-1, len(Counts._fields) - 1)
    for column in range(table.shape[1]):
        found[:, column + 1] = np.bincount(owners, weights=table[places, column], minlength=len(texts))
    return found


def _word(token: str, language: str) -> tuple[int, ...]:
    """The counts of one word, those of sentences left out; all 0 for punctuation."""
    letters = sum(map(str.isalnum, token))
    if not letters:
        return (0,) * (len(Counts._fields) - 1)
    spoken = syllables(token, language)
    long = int(letters >= LONG)
    if spoken is None:
        return 1, letters, long, 0, 0, 0, 0, 0
    three = int(spoken >= 3)
    hard = int(three and not (spoken == 3 and _INFLECTED.search(token.lower().rstrip(".,;:!?\"')”’"))))
    return 1, letters, long, 1, spoken, int(spoken == 1), three, hard


class Formula(Metric):
    """A formula of the counts of all rewrites of a system. Rows are :class:`Counts`."""

    title: str
    better = LOWER
    """Grades and difficulties are better low, scales of ease are better high."""
    needs_sources = False
    undefined = f"there are no words to count, or {NO_RULE}"

    def __init__(self, options: Options) -> None:
        check_language(self.name, options.language)
        self._language = base_language(options.language)
        self.figures = (Figure(self.name, self.title, self.better, 2),)

    @abstractmethod
    def value(self, counts: Counts) -> Floats:
        """The formula, element by element; NaN where a count that it divides by is 0."""

    def statistics(self, block: Block, system: str) -> Floats:
        return counts_of(block, system, self._language)

    def scores(self, sums: Floats) -> Floats:
        return self.value(Counts(*np.moveaxis(sums, -1, 0)))[..., np.newaxis]

    def settings(self) -> Mapping[str, object]:
        return {"language": self._language}


class Ease(Formula):
    """Flesch's form with the constants of a language: a constant less so much for each word and each syllable."""

    better = HIGHER
    constant: float
    per_word: float
    """Points that each word of the mean sentence takes."""
    per_syllable: float
    """Points that each syllable of the mean word takes."""

    def value(self, counts: Counts) -> Floats:
        found: Floats = (
            self.constant - self.per_word * words_per_sentence(counts) - self.per_syllable * syllables_per_word(counts)
        )
        return found


def words_per_sentence(counts: Counts) -> Floats:
    """The mean length of sentences."""
    return ratio(counts.words, counts.sentences)


def syllables_per_word(counts: Counts) -> Floats:
    """The mean length of words whose syllables are known."""
    return ratio(counts.syllables, counts.syllabic)


def letters_per_word(counts: Counts) -> Floats:
    """The mean length of words, figures included."""
    return ratio(counts.letters, counts.words)
