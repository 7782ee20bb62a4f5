"""Edits of several people, laid over each other and handed on.

Several people's edits of one pair laid over each other, for the person who settles them. Two edits agree if everything
that is compared later agrees: operation, spans on both sides, constituents, answers. What all marked alike is one
group that needs no decision. What differs is gathered where it could be the same change, so that its versions stand
side by side and independent edits on the same words do not. Nobody is named: people are numbers, in the order in which
they are given.

Edits that an earlier stage hands on: laid together from several people, or fixed so that only answers differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rubrica.core.answers import Answers
from rubrica.core.edit_marks import place_of, share
from rubrica.core.edits import SIDES, Edit, Span
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol, Stage

Key = tuple[object, ...]


@attrs.frozen
class Version:
    """One way to mark a change: an edit, followed by its constituents, and the people who marked it so."""

    edits: tuple[Edit, ...]
    people: tuple[int, ...]

    def words(self, side: str) -> list[Span]:
        """Everything that it covers on one side."""
        return [span for edit in self.edits for span in edit.spans(side)]

    @property
    def composite(self) -> bool:
        """Whether it is made of others."""
        return len(self.edits) > 1

    @property
    def both_sides(self) -> bool:
        """Whether it has words in both texts."""
        return all(self.words(side) for side in SIDES)


@attrs.frozen
class Group:
    """What was marked in one place. ``agreed``: by all in the same way, so that there is one version."""

    versions: tuple[Version, ...]
    agreed: bool


@attrs.frozen
class Overlay:
    """The edits of so many people, in the order of the text."""

    people: int
    groups: tuple[Group, ...]


def lay_over(several: Sequence[Sequence[Edit]]) -> Overlay:
    """Groups of one agreed version, or of versions that differ and may be one change, directly or through another."""
    found: dict[Key, tuple[tuple[Edit, ...], list[int]]] = {}
    for person, edits in enumerate(several):
        for edit in edits:
            if edit.parent:
                continue
            whole = (edit, *(part for part in edits if part.parent == edit.id))
            said = found.setdefault(_key(whole), (whole, []))[1]
            if person not in said:
                said.append(person)
    versions = [Version(whole, tuple(people)) for whole, people in found.values()]
    agreed = [Group((one,), agreed=True) for one in versions if len(one.people) == len(several)]
    differing = [one for one in versions if len(one.people) < len(several)]
    groups = [*agreed, *(Group(tuple(together), agreed=False) for together in _gathered(differing))]
    return Overlay(len(several), tuple(sorted(groups, key=_first_place)))


def agreed_edits(overlay: Overlay) -> tuple[Edit, ...]:
    """What all agree on, numbered anew: where settling begins."""
    return _numbered(group.versions[0] for group in overlay.groups if group.agreed)


def majority(overlay: Overlay) -> tuple[Edit, ...]:
    """What all agree on, and of each difference the version that most people have, numbered anew."""
    return _numbered(max(group.versions, key=lambda version: len(version.people)) for group in overlay.groups)


def _numbered(versions: Iterable[Version]) -> tuple[Edit, ...]:
    result: list[Edit] = []
    for version in versions:
        first, *parts = version.edits
        number = str(len(result) + 1)
        result.append(attrs.evolve(first, id=number))
        result += [
            attrs.evolve(part, id=str(len(result) + place), parent=number) for place, part in enumerate(parts, start=1)
        ]
    return tuple(result)


def _key(whole: Sequence[Edit]) -> Key:
    """What two versions must have in common to be one."""
    first, *parts = whole
    inside = frozenset(_shape(part) for part in parts)
    return (_shape(first), frozenset(first.answers.items()), inside)


def _shape(edit: Edit) -> Key:
    return (edit.operation, tuple(sorted(edit.source)), tuple(sorted(edit.rewrite)))


def _gathered(versions: Sequence[Version]) -> list[list[Version]]:
    """Versions that may be one change, directly or through others, in the order of the text, then of the people."""
    gathered: list[list[Version]] = []
    for version in versions:
        touching = [group for group in gathered if any(_rivals(version, other) for other in group)]
        gathered = [group for group in gathered if group not in touching]
        gathered.append([one for group in touching for one in group] + [version])
    return [sorted(group, key=lambda version: (_place(version), version.people)) for group in gathered]


def _rivals(one: Version, other: Version) -> bool:
    """Whether they may be versions of one change; as ``rivals`` of settling/overlay.js.

    They share words, and one stands instead of the other: a split does not stand instead of a substitution inside it,
    and that words moved does not stand instead of that they were replaced.
    """
    same = one.edits[0].operation == other.edits[0].operation
    if one.composite != other.composite or not (
        same or (not one.composite and not (one.both_sides and other.both_sides))
    ):
        return False
    return any(share(one.words(side), other.words(side)) for side in SIDES)


def _place(version: Version) -> tuple[int, int, int]:
    return min(map(place_of, version.edits))


def _first_place(group: Group) -> tuple[int, int, int]:
    return min(map(_place, group.versions))


Shape = tuple[str, str, tuple[Span, ...], tuple[Span, ...], str]


def shape(edit: Edit) -> Shape:
    """What is fixed about an edit where edits are fixed: all but its answers."""
    return (edit.id, edit.operation, edit.source, edit.rewrite, edit.parent)


def settles(rules: Stage, protocol: Protocol) -> bool:
    """Whether people of this stage settle the edits that others marked."""
    free = rules.edits == "free" and rules.items_from != ""
    return protocol.edits is not None and rules.role == "adjudicator" and free


def laid_together(several: Sequence[tuple[Edit, ...]]) -> tuple[Edit, ...]:
    """The edits of several people without repetition, numbered anew; constituents follow their composite."""
    if len(several) == 1:
        return several[0]
    result: list[Edit] = []
    seen: set[object] = set()
    for edits in several:
        for edit in (edit for edit in edits if not edit.parent):
            parts = tuple(part for part in edits if part.parent == edit.id)
            own = (edit.operation, edit.source, edit.rewrite, frozenset(edit.answers.items()))
            inside = frozenset((part.operation, part.source, part.rewrite) for part in parts)
            if (own, inside) in seen:
                continue
            seen.add((own, inside))
            number = str(len(result) + 1)
            result.append(attrs.evolve(edit, id=number))
            for part in parts:
                result.append(attrs.evolve(part, id=str(len(result) + 1), parent=number))
    return tuple(result)


def with_answers_of(given: Sequence[Edit], own: Sequence[Edit]) -> tuple[Edit, ...]:
    """The given edits with somebody's own answers to the same ones."""
    known: dict[Shape, Answers] = {shape(edit): edit.answers for edit in own}
    return tuple(attrs.evolve(edit, answers=known.get(shape(edit), edit.answers)) for edit in given)


def fixed_problems(given: Sequence[Edit], said: Sequence[Edit]) -> list[Problem]:
    """Where edits are fixed: each that was added, changed or left out."""
    before, now = {edit.id: edit for edit in given}, {edit.id: edit for edit in said}
    found = [
        _problem(name, "is gone", "Put it back: the edits are fixed at this stage.")
        for name in before
        if name not in now
    ]
    for name, edit in now.items():
        if name not in before:
            found.append(_problem(name, "was added", "Remove it: the edits are fixed at this stage."))
        elif shape(edit) != shape(before[name]):
            fix = "Operation, spans and parent are fixed at this stage: put them back."
            found.append(_problem(name, "was changed", fix))
    return found


def _problem(name: str, what: str, fix: str) -> Problem:
    return Problem(what=f"edit {name} {what}", rule="fixed_edit", fix=fix, edit=name)
