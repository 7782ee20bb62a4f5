"""What each edit is: its types, its side, its rating.

The types and the conditions under which an edit reaches them are data of the protocol (for SALSA the 21 types of
Table 1 in Heineman et al., EMNLP 2023); this module applies them. Answers of a Thresh file are put into the words of
our protocol when they are read, so one typology serves both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from rubrica.core.answers import Answers
from rubrica.core.conditions import Case, on_case
from rubrica.core.edits import Edit
from rubrica.core.protocol import EditType, Protocol
from rubrica.core.texts import shown

QUALITY, ERROR = "quality", "error"
TRIVIAL, UNHELPFUL = "trivial_change", "trivial_change_unhelpful"
"""A trivial insertion that does not help is called Trivial Change too, but is an error, in a cell of its own."""
TRIVIAL_INSERTION = "trivial_insertion"
FOLDED = {UNHELPFUL: TRIVIAL}
"""Types of the protocol that are no name of Table 1, and the name under which they are counted."""
INFORMATION = {"deletion": "less", "insertion": "more", "reorder": "same", "split": "same", "structure": "same"}
"""What an operation of SALSA says about information by itself; only of a substitution it is asked."""
RATINGS = {QUALITY: "efficacy", ERROR: "severity"}
"""The question that rates an edit on each side, from 1 to 3."""


@attrs.frozen
class Kind:
    """A type of edit: its id, its name in English, its family and its side."""

    id: str
    name: str
    family: str
    side: str
    added: bool = False


@attrs.frozen
class Classified:
    """What one edit is.

    ``kind`` is None while its questions are unanswered; ``added`` are the types counted on top (Grammar). ``side`` is
    where the edit counts: that of its kind, except for a trivial insertion that does not help. ``rating`` is 1 to 3, or
    None where no rating is asked. ``helps`` says of a trivial insertion whether it helps; None for all others.
    """

    kind: Kind | None = None
    added: tuple[Kind, ...] = ()
    side: str = ""
    rating: int | None = None
    helps: bool | None = None

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Every type under which it is counted."""
        return (*((self.kind,) if self.kind else ()), *self.added)

    @property
    def trivial(self) -> bool:
        """Whether it neither helps nor harms as far as its type says."""
        return self.kind is not None and self.kind.id == TRIVIAL


class Typology:
    """The types of a protocol, and which of them an edit reaches."""

    def __init__(self, protocol: Protocol) -> None:
        types = protocol.edits.types if protocol.edits else ()
        ids = {kind.id for kind in types}
        self._folded = {kind: name for kind, name in FOLDED.items() if name in ids}
        self._tests: list[tuple[EditType, Callable[[Case], bool]]] = [(kind, on_case(kind.when)) for kind in types]
        self._by_id = {kind.id: _kind(kind, protocol) for kind in types if kind.id not in self._folded}

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Every type, in the order of the protocol."""
        return tuple(self._by_id.values())

    @property
    def families(self) -> tuple[str, ...]:
        """The families, in the order in which types name them."""
        return tuple(dict.fromkeys(kind.family for kind in self.kinds))

    def reached(self, edit: Edit) -> tuple[EditType | None, tuple[EditType, ...]]:
        """The edit's own type as the protocol has it, none while its answers do not say, and those counted on top."""
        case = Case(edit.answers, operation=edit.operation)
        reached = [kind for kind, test in self._tests if test(case)]
        own = next((kind for kind in reached if not kind.added), None)
        return own, tuple(kind for kind in reached if kind.added)

    def classify(self, edit: Edit) -> Classified:
        """What the edit is, as far as its answers say."""
        own, further = self.reached(edit)
        added = tuple(self._by_id[kind.id] for kind in further)
        if own is None and edit.answers.get("insertion_type") == TRIVIAL_INSERTION:
            # Thresh lets annotators leave open whether it helps; our protocol does not.
            trivial = self._by_id.get(TRIVIAL)
            return Classified(trivial, added, trivial.side if trivial else "")
        if own is None:
            return Classified(added=added)
        kind = self._by_id[self._folded.get(own.id, own.id)]
        return Classified(kind, added, own.side, _rating(edit.answers, own.side), _helps(edit.answers))


def placed(kinds: Iterable[Kind]) -> list[tuple[Kind, str]]:
    """Every type with each side that its edits may stand on, successes first: a trivial change is an error, too, where
    it does not help.
    """
    every = list(kinds)
    return [
        (kind, side)
        for side in (QUALITY, ERROR)
        for kind in every
        if side == kind.side or (kind.id == TRIVIAL and side == ERROR)
    ]


def name_on(kind: Kind, side: str) -> str:
    """The name of a type among the edits of one side."""
    return kind.name if kind.side == side else f"{kind.name} (not helpful)"


def information(edit: Edit) -> str:
    """What happened to the information: ``less``, ``same``, ``more``, ``different``, or nothing if that is open."""
    value = edit.answers.get("information", INFORMATION.get(edit.operation, ""))
    return value if isinstance(value, str) else ""


def _kind(kind: EditType, protocol: Protocol) -> Kind:
    assert protocol.edits is not None
    family = protocol.edits.families.get(kind.family)
    return Kind(kind.id, shown(kind.label, "en"), shown(family, "en"), kind.side, kind.added)


def _rating(answers: Answers, side: str) -> int | None:
    value = answers.get(RATINGS.get(side, ""))
    return value if isinstance(value, int) else None


def _helps(answers: Answers) -> bool | None:
    if answers.get("insertion_type") != TRIVIAL_INSERTION:
        return None
    value = answers.get("trivial_helps")
    return value == "yes" if value in ("yes", "no") else None
