"""Collecting problems in raw data of any shape: a notebook of findings and accessors that never fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rubrica.core.errors import MORE_PROBLEMS, MOST_LISTED, Problem
from rubrica.core.text_helpers import did_you_mean
from rubrica.protocols.yaml_source import Path, Source


class Report:
    """The problems found so far; beyond those that can be listed, only how many ``more``."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.more = 0

    @property
    def full(self) -> bool:
        """Whether as many problems were found as can be listed."""
        return len(self.problems) >= MOST_LISTED

    def told(self) -> list[Problem]:
        """The problems, with the number of those that are not among them."""
        rest = Problem(what="more problems", rule=MORE_PROBLEMS, fix="", value=self.more)
        return [*self.problems, rest] if self.more else self.problems

    def say(self, path: Path, what: str, rule: str, fix: str, value: Any = None) -> None:
        """Note a problem with the part at ``path``."""
        if self.full:
            self.more += 1
        else:
            self.problems.append(self.source.problem(path, what, rule, fix, value))

    def known(self, path: Path, name: Any, among: Iterable[str], kind: str) -> bool:
        """Note a name that refers to nothing; tells whether it is known. Wrong types are left to the shape."""
        if not isinstance(name, str):
            return False
        known = dict.fromkeys(other for other in among if isinstance(other, str))
        if name in known:
            return True
        if self.full:
            self.more += 1
            return False
        there_are = f"Known: {', '.join(known)}." if known else f"There is no {kind} at all."
        fix = did_you_mean(name, known, there_are)
        self.say(path, f"there is no {kind} {name!r}", f"unknown_{kind.replace(' ', '_')}", fix, name)
        return False


def mapping(value: Any) -> dict[Any, Any]:
    """The value if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def names(value: Any) -> list[str]:
    """The words in a list, or a single one as a list; whatever is no word is left to the shape."""
    return [name for name in (value if isinstance(value, list) else [value]) if isinstance(name, str)]


def entries(data: Any, *path: str) -> Iterator[tuple[Path, dict[Any, Any]]]:
    """Path and content of each mapping in a list that lies at ``path``."""
    for part in path:
        data = mapping(data).get(part)
    for index, entry in enumerate(listed(data)):
        if isinstance(entry, dict):
            yield (*path, index), entry


def ids(data: Any, *path: str) -> list[str]:
    """The ids of the mappings in that list."""
    return [entry["id"] for _, entry in entries(data, *path) if isinstance(entry.get("id"), str)]
