"""Target words are found in their contexts when items come in, so that none is ever shown unmarked.

One rule for files, request bodies and what another study hands on: a target is found in any form
(``core.target_words``), by its lemma where the language has a dictionary; one that is not found needs a place or an
explicit word that its row is left out. A place that only a dictionary finds, or that other targets of the same page
decide, is kept as the item's ``start``: from then on every page and sheet marks the same word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item
from rubrica.core.target_words import (
    AS_WRITTEN,
    END,
    LEMMA,
    POSITION,
    POSITIONS,
    STEM,
    Place,
    SameWord,
    Target,
    context_field,
    find_targets,
    target_of,
)
from rubrica.core.text_helpers import first_of
from rubrica.core.typed import whole
from rubrica.language.forms import same_word_in
from rubrica.language.lemmas import told_by
from rubrica.language.names import told_language

OUT, UNMARKED = "out", "unmarked"
"""The decision to leave a row out, and the name under which it is taken for all rows that need one."""
NOT_FOUND = "target"
"""The rule of a target that is not in its context."""
SHOWN = 5


class Placing(NamedTuple):
    """An item with the line or place in the list that messages name."""

    line: int
    item: Item


class Placed(NamedTuple):
    """Items whose targets have their places, what is wrong with the others, and what is worth knowing."""

    items: list[Item]
    problems: list[Problem]
    remarks: list[str]


class _Found(NamedTuple):
    row: Placing
    target: Target
    text: str
    place: Place | None
    same_word: SameWord | None


def leave_out(rows: Iterable[str]) -> dict[str, str]:
    """Decisions to leave rows out, by their lines, or ``unmarked`` for all whose target is not found."""
    return {row.strip().lower(): OUT for row in rows if row.strip()}


def place_targets(rows: Sequence[Placing], protocol: Protocol, decided: Mapping[str, str] | None = None) -> Placed:
    """The items with the places of their targets; unchanged where a protocol marks none.

    ``decided`` says of a row, by its line, where its target begins in code points, or that it is left out.
    """
    field, decided = context_field(protocol), dict(decided or {})
    if not field:
        return Placed([row.item for row in rows], _unused(decided, ()), [])
    rows = [Placing(row.line, _decided(row.item, decided.get(str(row.line), ""))) for row in rows]
    found = _find(rows, protocol, field)
    lost = [one for one in found if one.place is None and one.target.word.strip() and one.text.strip()]
    out = {one.row.line for one in lost if OUT in (decided.get(str(one.row.line)), decided.get(UNMARKED))}
    unmarked = {one.row.line: one for one in lost if one.row.line not in out}
    problems = [*_misplaced(rows), *map(_not_found, unmarked.values())]
    kept = [one for one in found if one.row.line not in out]
    remarks = _remarks(list({one.row.line: one for one in kept if one.place}.values()))
    if out:
        what = f"{len(out)} {'row is' if len(out) == 1 else 'rows are'} left out, without a place for the target"
        remarks.append(f"{what}: {first_of(sorted(out), SHOWN)}")
    return Placed([_kept(one) for one in kept], problems + _unused(decided, out), remarks)


def _decided(item: Item, decision: str) -> Item:
    start = whole(decision)
    if start is None:
        return item
    kept = {name: value for name, value in item.metadata.items() if name not in (*POSITIONS, END)}
    return attrs.evolve(item, metadata={**kept, "start": str(start)})


@attrs.define
class _Page:
    """The targets that are marked together in a text, and where they are found so far."""

    rows: list[Placing]
    text: str
    targets: list[Target]
    places: list[Place | None]
    same_word: SameWord | None = None

    @property
    def unsure(self) -> int:
        """How many are not found, or only by how words begin."""
        return sum(place is None or place.how == STEM for place in self.places) if self.text.strip() else 0

    def look(self, same_word: SameWord) -> None:
        """Find them with what a language knows, if that finds more."""
        again = attrs.evolve(self, places=find_targets(self.text, self.targets, same_word))
        if self.same_word is None or again.unsure < self.unsure:
            self.places, self.same_word = again.places, same_word

    def languages(self, together: str) -> tuple[str, ...]:
        """The language that the items name; else that of all contexts together, then that of this one."""
        told = told_language(self.rows[0].item.metadata)
        return (told,) if told else tuple(dict.fromkeys((together, told_by([self.text]))))


def _find(rows: Sequence[Placing], protocol: Protocol, field: str) -> list[_Found]:
    """Every target, found together with those that are marked on the same page, of one system."""
    together: dict[tuple[str, ...], list[Placing]] = {}
    for row in rows:
        page = row.item.group or f"\0{row.line}"
        together.setdefault((row.item.fields.get(field, ""), page, row.item.system), []).append(row)
    pages = []
    for (text, *_), own in together.items():
        targets = [target_of(protocol, row.item) for row in own]
        pages.append(_Page(own, text, targets, find_targets(text, targets)))
    if any(page.unsure for page in pages):
        _look_up(pages, told_by(page.text for page in pages))
    order = {row.line: number for number, row in enumerate(rows)}
    found = [
        _Found(row, target, page.text, place, page.same_word)
        for page in pages
        for row, target, place in zip(page.rows, page.targets, page.places, strict=True)
    ]
    return sorted(found, key=lambda one: order[one.row.line])


def _look_up(pages: Sequence[_Page], together: str) -> None:
    """Look in dictionaries for what is not found, language by language: only one is kept open."""
    for turn in range(2):
        by_language: dict[str, list[_Page]] = {}
        for page in pages:
            if page.unsure and (language := "".join(page.languages(together)[turn : turn + 1])):
                by_language.setdefault(language, []).append(page)
        for language, those in by_language.items():
            if (same_word := same_word_in(language)) is None:
                continue
            for page in those:
                page.look(same_word)


def _kept(one: _Found) -> Item:
    """The item with its place, where those who look at it alone and without a dictionary would find another."""
    if one.place is None or one.place.how == POSITION:
        return one.row.item
    alone = find_targets(one.text, [one.target])[0]
    if alone and alone[:2] == one.place[:2]:
        return one.row.item
    kept = _decided(one.row.item, str(one.place.start))
    alone = find_targets(one.text, [Target(one.target.word, start=one.place.start)])[0]
    if alone and alone.end == one.place.end:
        return kept
    return attrs.evolve(kept, metadata={**kept.metadata, END: str(one.place.end)})


def _misplaced(rows: Sequence[Placing]) -> list[Problem]:
    """Places that are no whole number."""
    return [
        Problem(
            what=f"{name} is {value!r}",
            rule="position",
            line=row.line,
            value=value,
            fix="Write a whole number: characters before the target, from 0."
            if name == "start"
            else "Write a whole number: 1 for the first time that the target stands there.",
        )
        for row in rows
        for name in POSITIONS
        if (value := row.item.metadata.get(name, "").strip()) and whole(value) is None
    ]


def _not_found(one: _Found) -> Problem:
    word, line = one.target.word.strip(), one.row.line
    alone = find_targets(one.text, [one.target], one.same_word)[0]
    if one.target.start is not None and not alone:
        what = f"no word begins at {one.target.start}, which is given as the start of the target {word!r}"
    elif alone:
        what = f"the target {word!r} stands only where another target of the same page is marked"
    elif one.target.occurrence is not None:
        what = f"the target {word!r} does not stand {one.target.occurrence} times in its context"
    else:
        what = f"the target {word!r} does not stand in its context in any form"
    unknown = not (told_language(one.row.item.metadata) or told_by([one.text]))
    fix = "Correct it, name the language of the texts in a column language, " if unknown else "Correct it, "
    fix += "say where it stands in a column start (characters before it) or occurrence (1, 2, …), "
    fix += f"or leave the row out: --leave-out {line} (--leave-out {UNMARKED}: all such rows)."
    return Problem(what=what, rule=NOT_FOUND, line=line, value=word, fix=fix)


def _unused(decided: Mapping[str, str], out: Iterable[int]) -> list[Problem]:
    """Rows that were to be left out although their target is found, or that there are none of."""
    known = {*map(str, out), UNMARKED}
    return [
        Problem(
            what=f"row {line!r} is not among those whose target is not found",
            rule="leave_out",
            value=line,
            fix=f"Name only such rows, by their numbers, or write {UNMARKED}; remove others from the file.",
        )
        for line, decision in decided.items()
        if decision == OUT and line not in known
    ]


def _remarks(found: Sequence[_Found]) -> list[str]:
    """Which words are marked in another form, at one of several places, or where another word stands."""
    other, several, strange = [], [], []
    same = Counter((one.row.item.group, one.text, one.target) for one in found)
    for one in found:
        assert one.place is not None
        marked, word = one.text[one.place.start : one.place.end], one.target.word.strip()
        told = f"row {one.row.line} {word!r} as {marked!r}"
        if one.place.how in (LEMMA, STEM):
            other.append(told)
        elif one.place.how == POSITION and find_targets(marked, [Target(word)])[0] is None:
            strange.append(told)
        unsure = one.place.how == AS_WRITTEN and one.target.occurrence is None
        if unsure and one.place.times > same[one.row.item.group, one.text, one.target]:
            several.append(str(one.row.line))
    remarks = []
    if other:
        words = "target word stands" if len(other) == 1 else "target words stand"
        remarks.append(f"{len(other)} {words} in the context in another form, which is marked: {_first(other)}")
    if strange:
        words = "target word is" if len(strange) == 1 else "target words are"
        remarks.append(f"{len(strange)} {words} marked at the place that was given, on another word: {_first(strange)}")
    if several:
        words = "target word stands" if len(several) == 1 else "target words stand"
        rows = f"row{'' if len(several) == 1 else 's'} {first_of(several, SHOWN)}"
        text = f"{len(several)} {words} more than once in the context, and the first is marked: {rows}"
        remarks.append(f"{text} (a column occurrence or start says which)")
    return remarks


def _first(told: list[str]) -> str:
    return first_of(told, SHOWN, "; ")
