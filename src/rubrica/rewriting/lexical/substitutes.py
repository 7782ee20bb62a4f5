"""Simpler words for a target in its context: candidates of a thesaurus, ranked by frequency and by how they fit.

The pipeline of the first systems (Devlin and Tait 1998; Horn, Manduca and Kauchak 2014): synonyms of the word's
senses, of its part of speech where a tagger tells it, without other forms of the word itself; more frequent ones
first, of earlier senses and of several first. English words are put into the form of the target, others stay as they
are listed.

What the baselines suggest to the person who picks words: how complex one may be, and what a thesaurus has for it. They
are suggestions and are called so wherever they are shown: a word that a thesaurus lacks may have a simpler one all the
same, and thirty training words teach little.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError
from rubrica.core.marking import is_unspaced
from rubrica.language import frequency
from rubrica.language.lemmas import lemmas_of
from rubrica.language.names import base_language, language_name
from rubrica.language.parsing import ENGLISH, Word, parse
from rubrica.rewriting.lexical.complexity import Instance, Model
from rubrica.rewriting.lexical.thesaurus import Sense, Thesaurus, part_name, thesauri

MOST = 10
WIDER = 1.0
"""What a wider or merely similar word loses, in units of Zipf frequency."""
LATER = 0.4
"""What each later sense loses."""
AGREED = 1.0
"""What a word gains that stands in several senses, times the logarithm of their number."""
MODEL_FORMS = {"NOUN": ("NN", "NNS"), "VERB": ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), "ADJ": ("JJR", "JJS")}


class Candidate(NamedTuple):
    """A substitute with what ranked it; ``zipf`` None where the language has no list."""

    word: str
    score: float
    zipf: float | None
    senses: int
    first_sense: int
    wider: bool

    def why(self) -> str:
        """What ranked it, in words."""
        rare = "frequency not known" if self.zipf is None else f"Zipf {self.zipf:.2f}"
        kind = "wider or similar" if self.wider else "synonym"
        return f"{kind}, in {self.senses} of the senses, the first of them number {self.first_sense + 1}; {rare}"


class Finder:
    """Finds substitutes with one language's tools; ``without`` says in words what it has to do without."""

    def __init__(self, language: str, thesaurus: Thesaurus, parser: str = "", *, single: bool = True) -> None:
        self.language, self.thesaurus, self.single = language, thesaurus, single
        self.english = base_language(language) == "en"
        self.parser = parser or (ENGLISH if self.english else "")
        self.lemmas = lemmas_of(language)
        self.table = frequency.table(language)

    def without(self) -> Iterator[str]:
        """What is missing for this language."""
        name = language_name(self.language)
        if not self.parser:
            yield f"no tagger for {name} was named: candidates of every part of speech"
        if not self.english:
            yield f"words of {name} are not inflected: they stand as the thesaurus lists them"
        if self.table is None:
            yield f"no frequency list for {name}: ranked by senses alone"

    def find(self, context: str, target: str, start: int | None = None, most: int = MOST) -> list[Candidate]:
        """The best substitutes of a word, the best first; none where the thesaurus does not have it."""
        word = target.strip()
        tagged = self._tagged(context, word, start)
        part = part_name(tagged.upos) if tagged else ""
        found: dict[str, Candidate] = {}
        for base in self._bases(word, tagged):
            senses = self.thesaurus.senses(base)
            fitting = [sense for sense in senses if not part or sense.part_of_speech in ("", part)] or senses
            for one in self._ranked(fitting, word):
                form = self._inflected(one.word, tagged)
                if form.casefold() != word.casefold() and (form not in found or found[form].score < one.score):
                    found[form] = one._replace(word=form)
            if found:
                break
        return sorted(found.values(), key=lambda one: (-one.score, one.word))[:most]

    def _tagged(self, context: str, word: str, start: int | None) -> Word | None:
        if not self.parser:
            return None
        place = context.find(word) if start is None else start
        words = next(iter(parse([context], self.parser, one_sentence=True))).words
        return next((one for one in words if one.start <= place < one.start + len(one.text)), None)

    def _bases(self, word: str, tagged: Word | None) -> list[str]:
        """Forms under which a thesaurus may have the word: as it is, by the tagger's lemma, by the dictionary."""
        known = sorted(self.lemmas(word), key=len) if self.lemmas else []
        first = [tagged.lemma.lower()] if tagged and tagged.lemma else []
        return list(dict.fromkeys([*first, word.lower(), *known]))

    def _ranked(self, senses: Sequence[Sense], target: str) -> Iterator[Candidate]:
        own = self.lemmas(target) if self.lemmas else frozenset({target.casefold()})
        places: dict[str, list[tuple[int, bool]]] = {}
        for sense in senses:
            for words, wider in ((sense.words, False), (sense.near, True)):
                for word in words:
                    places.setdefault(word.strip(), []).append((sense.number, wider))
        for word, where in places.items():
            if not word or (self.single and " " in word) or self._same(word, own):
                continue
            numbers = {number for number, _ in where}
            wider = all(one for _, one in where)
            zipf = self._zipf(word)
            score = (zipf or 0.0) - WIDER * wider - LATER * min(numbers) + AGREED * math.log(len(numbers))
            yield Candidate(word, score, zipf, len(numbers), min(numbers), wider)

    def _same(self, word: str, own: frozenset[str]) -> bool:
        forms: Callable[[str], frozenset[str]] = self.lemmas or (lambda text: frozenset({text.casefold()}))
        return not is_unspaced(word) and not own.isdisjoint(forms(word))

    def _zipf(self, word: str) -> float | None:
        return None if self.table is None else frequency.listed_zipf(self.table, word)

    def _inflected(self, word: str, tagged: Word | None) -> str:
        """The word in the form of the target, English only."""
        if not self.english or tagged is None or tagged.tag not in MODEL_FORMS.get(tagged.upos, ()) or " " in word:
            return word
        from lemminflect import getInflection

        form = next(iter(getInflection(word, tagged.tag)), word)
        # A form that nobody writes was made of a word that has none.
        return form if self._zipf(form) != 0 else word


SUGGESTED_MOST, SHOWN = 20, 5
"""Substitutes that are counted, and those that are named."""


class Suggested(NamedTuple):
    """Complexity from 1 to 5 and substitutes in words; empty where no tool can tell."""

    complexity: str
    substitutes: str


class Suggester:
    """The tools of one language; ``without`` says in words what there is none of.

    ``paths`` are thesauri; without any, one that is installed is taken. Raises InputError for a path that has none and
    for a model of another language.
    """

    def __init__(self, language: str, model: Model | None, paths: Sequence[Path] = (), parser: str = "") -> None:
        if model is not None:
            model.check_language(language)
        self.model = model
        self.finder: Finder | None = None
        self.lacking = "" if model else "no model of complexity was named: `rubrica complexity train` makes one"
        try:
            self.finder = Finder(language, thesauri(language, paths)[0], parser)
        except InputError as error:
            if paths:
                raise
            self.missing = f"{error.problems[0].what}. {error.problems[0].fix}"
        else:
            self.missing = ""

    def without(self) -> Iterator[str]:
        """What is missing for suggestions."""
        yield from filter(None, (self.lacking, self.missing))

    def of(self, context: str, word: str, start: int) -> Suggested:
        """What is suggested of a word that begins there."""
        value = "" if self.model is None else f"{1 + 4 * self.model.explain(Instance(context, word)).value:.1f}"
        if self.finder is None:
            return Suggested(value, "")
        found = [one.word for one in self.finder.find(context, word, start, SUGGESTED_MOST)]
        if not found:
            return Suggested(value, "none")
        many = f"{len(found)}" if len(found) < SUGGESTED_MOST else f"{SUGGESTED_MOST} or more"
        return Suggested(value, f"{many}: {', '.join(found[:SHOWN])}{', …' if len(found) > SHOWN else ''}")
