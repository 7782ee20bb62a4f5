"""What the baselines suggest to the person who picks words: how complex one may be, and what a thesaurus has for it.

They are suggestions and are called so wherever they are shown: a word that a thesaurus lacks may have a simpler one all
the same, and thirty training words teach little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError
from rubrica.rewriting.lexical.complexity import Instance, Model
from rubrica.rewriting.lexical.substitutes import Finder
from rubrica.rewriting.lexical.thesaurus import thesauri

MOST, SHOWN = 20, 5
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
        found = [one.word for one in self.finder.find(context, word, start, MOST)]
        if not found:
            return Suggested(value, "none")
        many = f"{len(found)}" if len(found) < MOST else f"{MOST} or more"
        return Suggested(value, f"{many}: {', '.join(found[:SHOWN])}{', …' if len(found) > SHOWN else ''}")
