"""Suggested edits in the words of another protocol: its operations with the same sides take the place of SALSA's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.edits import SIDES, Edit
from rubrica.core.protocol import EditScheme, Operation
from rubrica.edits.suggesting.changes import DELETION, INSERTION, REORDER, SPLIT, SUBSTITUTION

_SIDES = {DELETION: SIDES[:1], INSERTION: SIDES[1:], SUBSTITUTION: SIDES, REORDER: SIDES}


class Fitted(NamedTuple):
    """Edits with a protocol's own operations, and how many were left out because it has none for them."""

    edits: tuple[Edit, ...]
    left_out: int


def fitted(edits: Sequence[Edit], scheme: EditScheme) -> Fitted:
    """Suggested edits as the protocol of this scheme would have them.

    An operation with the same id and the same sides is taken as it is; otherwise the first one of the protocol with the
    same sides (source only for a deletion, rewrite only for an insertion, both for a substitution or a reorder). A
    split needs an operation ``split`` that may consist of what it consists of; without it, its constituents stand for
    themselves. What no operation fits is left out.
    """
    names = {name: _operation_for(name, scheme) for name in _SIDES}
    split = scheme.by_id.get(SPLIT)
    whole = {
        edit.id
        for edit in edits
        if edit.operation == SPLIT
        and split is not None
        and all(names[part.operation] in split.constituents for part in edits if part.parent == edit.id)
    }
    found = [
        attrs.evolve(edit, operation=name, parent=edit.parent if edit.parent in whole else "")
        for edit in edits
        if (name := SPLIT if edit.id in whole else names.get(edit.operation, ""))
    ]
    composite = sum(edit.operation == SPLIT and edit.id not in whole for edit in edits)
    return Fitted(tuple(found), len(edits) - len(found) - composite)


def that_fit(edits: Sequence[Edit], texts: Mapping[str, str]) -> list[Edit]:
    """Those edits that a page can show of these texts: without words that they do not have, or parts of no whole."""
    sides = {side: len(texts.get(side, "")) for side in ("source", "rewrite")}
    fit = [
        edit for edit in edits if all(span.end <= length for side, length in sides.items() for span in edit.spans(side))
    ]
    there = {edit.id for edit in fit}
    return [edit for edit in fit if not edit.parent or edit.parent in there]


def _operation_for(name: str, scheme: EditScheme) -> str:
    """The id of the operation that stands for one of SALSA's; empty if there is none."""
    own = scheme.by_id.get(name)
    if own is not None and _takes(own, name):
        return own.id
    others = (operation.id for operation in scheme.operations if operation.id not in _SIDES and _takes(operation, name))
    return next(others, SUBSTITUTION if name == REORDER and _takes(scheme.by_id.get(SUBSTITUTION), name) else "")


def _takes(operation: Operation | None, name: str) -> bool:
    return operation is not None and not operation.composite and set(operation.sides) == set(_SIDES[name])
