"""Which rewrites people wrote: what systems are held against, rather than a system's try.

Zhang et al. (Small but Mighty, 2020) leave such rewrites out where a metric is held against ratings, because they are
the ground truth themselves, and score them against the rewrites of the others. Every command that needs to know asks
here: by name (``--human``), by an author who is named beside the rewrite, or by a system that is called so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem

NOBODY = "none"
"""What ``--human`` says where no rewrite is a person's, whatever systems are called."""
_CALLED_SO = re.compile(r"(?<![a-z])(humans?|people|crowd|writers?|references?|gold)(?![a-z])", re.IGNORECASE)
"""Words in the names that people's rewrites have among those of systems, such as ``wiki/Human-2``."""


def joined(systems: Iterable[str]) -> str:
    """Systems as a signature names them; rewrites of no system are those that name an author."""
    return "+".join(name or "(authors)" for name in systems)


class HumanRewrites(NamedTuple):
    """The systems whose rewrites are people's; ``found`` are those that nobody named, ``every`` says whether it is all.

    A system without a name is ``""``.
    """

    systems: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    every: bool = False

    @property
    def left_out(self) -> tuple[str, ...]:
        """Those that are left out beside ratings: all that were named; those found only where others are left."""
        return () if self.found and self.every else self.systems

    def remark(self, done: str) -> str:
        """A sentence on those that nobody named, with what is ``done`` with them; empty if there are none."""
        if not self.found:
            return ""
        names = ", ".join(name or "rewrites that name an author" for name in self.found)
        return f"{names}: taken for rewrites by people, {done}; --human SYSTEM names others, --human {NOBODY} says no"


def human_systems(written: Mapping[str, bool], named: Sequence[str] = ()) -> HumanRewrites:
    """Whose rewrites are people's. ``written`` has every system, and whether all its rewrites name an author.

    ``named`` are names or comma lists of them; one whose own name has a comma is itself. Raises InputError with all
    that there are not.
    """
    if not named:
        found = tuple(name for name, by_author in written.items() if by_author or _CALLED_SO.search(name))
        return HumanRewrites(found, found, len(found) == len(written))
    names = [name for value in named for name in ([value] if value in written else _listed(value))]
    if NOBODY not in written and names == [NOBODY]:
        return HumanRewrites()
    fix = f"Systems: {', '.join(filter(None, written)) or 'none has a name'}."
    problems = [
        Problem(what=f"there is no system {name!r}", rule="human", fix=fix, value=name)
        for name in names
        if name not in written
    ]
    if problems:
        raise InputError(*problems)
    return HumanRewrites(tuple(dict.fromkeys(names)), (), set(names) == set(written))


def _listed(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]
