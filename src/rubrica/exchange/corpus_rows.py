"""One rewrite to be scored with its source, and the references that it is held against: one rule for all entrances.

A row's references are its own. A person's rewrite is never its own reference: what is left are the rewrites of others
(Zhang et al. 2020, Table 3, has people scored like that). How the rewrite itself is told from another person's who
wrote the same: :class:`_Known`, and design/017.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from rubrica.core.edit_scoring import SPLIT_MARK

REFERENCE = re.compile(r"\s*(?:references?|refs?|gold|referencias?)(?:[ _.-]?\d+)?\s*", re.IGNORECASE)
"""Names of columns that hold a reference: reference, reference_1, references, ref0, …"""
_MARK = re.compile(rf"\s*(?<!\S){re.escape(SPLIT_MARK)}(?!\S)\s*")


class CorpusRow(NamedTuple):
    """A rewrite by one system.

    ``id`` names the row: the item of a study, the id column of a table; empty where there is none. ``references`` may
    be any number, also none. ``system`` is empty if nobody said who made the rewrite. ``line`` is the line of a file
    for error messages, counted from 1; 0 for a study. ``author`` is the person who wrote it, if one is named.
    """

    id: str
    source: str
    rewrite: str
    references: tuple[str, ...] = ()
    system: str = ""
    line: int = 0
    author: str = ""
    dataset: str = ""

    def said(self) -> CorpusRow:
        """Everything that the row says, wherever it stands."""
        return self._replace(line=0)


class Held(NamedTuple):
    """The references that a rewrite is held against, and how many were left out because they are the rewrite itself."""

    references: tuple[str, ...]
    left_out: int = 0


def without_marks(text: str) -> str:
    """The text as it was written: without the marks that SALSA's files have where a sentence was split."""
    return _MARK.sub(" ", text).strip() if SPLIT_MARK in text else text


def spaced(text: str) -> str:
    """A text with single spaces: how two copies of one text are known."""
    return " ".join(text.split())


def exactly(text: str) -> str:
    """A text as it is, but for white space around it."""
    return text.strip()


Form = Callable[[str], str]
"""What makes two texts the same one."""


def without_own(rewrite: str, references: Sequence[str], people: int = 1, form: Form = spaced) -> Held:
    """The references of a person's rewrite without that rewrite itself.

    ``people`` is how many people wrote this very text of the source, where references are known to be those of the
    others: if it is there less often, the rewrite has been left out already. Otherwise one of them is the rewrite and
    is left out; further ones are other people's and stay.
    """
    own = form(rewrite)
    same = [place for place, text in enumerate(references) if form(text) == own]
    if not same or len(same) < people:
        return Held(tuple(references))
    gone = next((place for place in same if references[place] == rewrite), same[0])
    return Held((*references[:gone], *references[gone + 1 :]), 1)


def held_against(
    rows: Sequence[CorpusRow], human: Collection[str], sentence: Callable[[CorpusRow], Hashable]
) -> list[Held]:
    """The references of each row. ``human`` are the systems whose rewrites are people's, ``sentence`` names a source.

    Where no row has a reference, people's rewrites of a sentence are the references of all others of it. Rows that say
    the same are one rewrite; two people who wrote the same are known by their names (``author``) or ids.
    """
    people: dict[Hashable, dict[CorpusRow, None]] = defaultdict(dict)
    for row in rows:
        if row.system in human:
            people[sentence(row)].setdefault(row.said())
    if not any(row.references for row in rows):
        return [_of_others(row, list(people.get(sentence(row), ()))) for row in rows]
    known = _Known(people)
    return [
        without_own(row.rewrite, row.references, known.people(sentence(row), row), known.form)
        if row.system in human
        else Held(row.references)
        for row in rows
    ]


class _Known:
    """What people's rows tell of their references: whether spacing matters, and whether they are those of the others.

    A text that is a reference of the one who wrote it, and of nobody else's making, is that rewrite. So a table whose
    rows have no such reference has those of the others, and an equal text in it is another person's.
    """

    def __init__(self, people: Mapping[Hashable, Iterable[CorpusRow]]) -> None:
        rows = [(key, row) for key, own in people.items() for row in own]
        held = [(key, row) for key, row in rows if row.references]
        everywhere = all(spaced(row.rewrite) in map(spaced, row.references) for _, row in held)
        self.form: Form = spaced if everywhere else exactly
        self._times = Counter((key, self.form(row.rewrite)) for key, row in rows)
        alone = [row for key, row in held if self._times[key, self.form(row.rewrite)] == 1]
        self._of_others = bool(alone) and not any(
            self.form(row.rewrite) in map(self.form, row.references) for row in alone
        )

    def people(self, key: Hashable, row: CorpusRow) -> int:
        """How many people wrote the text of a row, where its references are those of the others; 1 otherwise."""
        return self._times[key, self.form(row.rewrite)] if self._of_others else 1


def _of_others(row: CorpusRow, people: Sequence[CorpusRow]) -> Held:
    """What people made of the source, without the row itself and without what its author wrote besides."""
    said = row.said()
    others = [one for one in people if one != said and not (row.author and one.author == row.author)]
    return Held(tuple(one.rewrite for one in others), len(people) - len(others))
