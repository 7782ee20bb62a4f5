"""One rewrite to be scored with its source, and the references that it is held against: one rule for all entrances.

A row's references are its own. A person's rewrite is never its own reference: what is left are the rewrites of others
(Zhang et al. 2020, Table 3, has people scored like that). How the rewrite itself is told from another person's who
wrote the same: :class:`_Known`, and design/017.

Several texts in one cell of a table: a JSON list, or a list as pandas and NumPy print it into a CSV file. Taken as a
single text, ``['one', 'two']`` would be scored with its brackets and quotes, and nobody would notice.

Items as a corpus to score: which of their texts is the rewrite, which the source, which are references.
"""

from __future__ import annotations

import io
import re
import tokenize
from ast import literal_eval
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from rubrica.core.edit_scoring import SPLIT_MARK
from rubrica.core.json_text import parse_json
from rubrica.core.protocol import Protocol
from rubrica.core.scales import RewrittenText

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


_BETWEEN = {"[", "]", ",", "(", ")"}
_SILENT = {tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.INDENT, tokenize.DEDENT}


def texts_of(cell: str) -> list[str]:
    """The texts of a cell, stripped: those of a list, else the cell itself; blank ones are none."""
    whole = cell.strip()
    found = _listed(whole) if whole.startswith("[") and whole.endswith("]") else None
    return [text.strip() for text in ([whole] if found is None else found) if text.strip()]


def _listed(text: str) -> list[str] | None:
    """The texts of a list; None if it is none, such as a sentence in brackets."""
    try:
        found = parse_json(text)
    except ValueError:
        return _printed(text)
    return found if isinstance(found, list) and all(isinstance(one, str) for one in found) else None


def _printed(text: str) -> list[str] | None:
    """The strings of a list or array of Python, between whose strings NumPy prints no commas."""
    found: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING:
                value = literal_eval(token.string)
                if not isinstance(value, str):
                    return None
                found.append(value)
            elif token.type not in _SILENT and token.string not in _BETWEEN:
                return None
    except (SyntaxError, ValueError, tokenize.TokenError):
        return None
    return found or None


SOURCES = ("source", "target", "reference", "context")
"""What a rewrite is held against: the source; of a substitute the word; else the sentence that it should mean."""


class ItemTexts(NamedTuple):
    """Which fields of an item are what. ``rewrite`` is empty where people are asked to write it."""

    source: str
    rewrite: str
    references: tuple[str, ...]


def item_texts(protocol: Protocol) -> ItemTexts | None:
    """The fields by what they are for; None if the items hold no rewrite."""
    by_role: dict[str, list[str]] = {}
    for field in protocol.fields:
        by_role.setdefault(field.role, []).append(field.id)
    against = next((by_role[role][0] for role in SOURCES if role in by_role), "")
    if "rewrite" not in by_role or not against:
        return None
    return ItemTexts(against, by_role["rewrite"][0], tuple(by_role.get("reference", ())))


def asked_rewrite(protocol: Protocol) -> tuple[str, str] | None:
    """The question that asks for a rewrite, and the field that it starts from."""
    for question in protocol.questions:
        scale = protocol.scale_of(question)
        if isinstance(scale, RewrittenText):
            return question.id, scale.starts_from
    return None


def references_of(fields: Mapping[str, str], metadata: Mapping[str, str], known: tuple[str, ...]) -> tuple[str, ...]:
    """The references of an item: of its fields, then of other columns by their numbers; blank ones are none.

    PostgreSQL does not keep the order of columns.
    """
    named = [fields[name] for name in known if name in fields]
    others = {name: text for name, text in {**fields, **metadata}.items() if name not in known}
    called = [name for name in others if REFERENCE.fullmatch(name)]
    named += [others[name] for name in sorted(called, key=lambda name: (_number(name), name))]
    return tuple(text for one in named for text in texts_of(one))


def _number(name: str) -> int:
    digits = re.search(r"\d+", name)
    return int(digits[0]) if digits else 0


def side_by_side(rows: Iterable[CorpusRow]) -> list[CorpusRow]:
    """Rows of the same source together, in the order in which sources first come."""
    by_source: dict[str, list[CorpusRow]] = {}
    for row in rows:
        by_source.setdefault(row.source, []).append(row)
    return [row for together in by_source.values() for row in together]
