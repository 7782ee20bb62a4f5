"""YAML to plain data with the line of every part.

Why not ``yaml.load``: a protocol file comes from strangers and is cited and hashed, so nothing in it may
mean something else than it says. Plain scalars follow YAML 1.2 (``yes`` is a word), tags and merge keys are
refused, a key may stand once, and aliases cannot grow the file beyond a limit.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from rubrica.core.errors import Problem

MAX_NODES = 100_000
MAX_DEPTH = 40
_INTEGER = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BOOLEAN_WORDS = frozenset({"yes", "no", "on", "off", "y", "n"})

Path = tuple[Hashable, ...]


class BooleanWord(str):
    """An unquoted word that YAML 1.1 reads as a boolean: fine as text, refused as an id."""


class Place(NamedTuple):
    """Where a part stands; ``file`` is empty for the YAML text itself."""

    line: int
    file: str = ""


class Source(NamedTuple):
    """What a YAML text says, where each part stands, and what is wrong with it."""

    data: Any
    places: dict[Path, Place]
    problems: list[Problem]

    def place(self, path: Path) -> Place:
        """The place of a part, or of the nearest thing around it that has one."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, Place(1))

    def problem(self, path: Path, what: str, rule: str, fix: str, value: Any = None) -> Problem:
        """Something wrong with that part."""
        place = self.place(path)
        return Problem(what=what, rule=rule, fix=fix, value=value, line=place.line, file=place.file)


def read_yaml(text: str) -> Source:
    """Parse ``text``. Syntax errors end the reading; everything else is collected."""
    try:
        node = _compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return _unreadable(str(error.problem or error.context), mark.line + 1 if mark else 1)
    except (YAMLError, ValueError) as error:
        return _unreadable(str(error).splitlines()[0], 1)
    reader = _Reader()
    return Source(reader.value(node, (), 0) if node else None, reader.places, reader.problems)


def _compose(text: str) -> Node | None:
    """The tree of the text. The C parser is ten times faster but refuses some YAML 1.2: Python has the last word."""
    try:
        node: Node | None = YAML(typ="safe").compose(text)
    except YAMLError:
        node = YAML(typ="safe", pure=True).compose(text)
    return node


def _unreadable(what: str, line: int) -> Source:
    problem = Problem(
        what=f"this is not YAML: {what}",
        rule="yaml",
        fix="Correct the indentation, quotes or brackets here.",
        line=line,
    )
    return Source(None, {(): Place(line)}, [problem])


class _Reader:
    """Turns nodes into data and notes where each came from."""

    def __init__(self) -> None:
        self.places: dict[Path, Place] = {}
        self.problems: list[Problem] = []
        self._nodes = 0

    def value(self, node: Node, path: Path, depth: int) -> Any:
        line = node.start_mark.line + 1
        self.places.setdefault(path, Place(line))
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            if self._nodes == MAX_NODES + 1 or depth == MAX_DEPTH + 1:
                self._refuse("the file is too large or too deeply nested", "size", line, "Split or shorten it.")
            return None
        if node.tag and not node.tag.startswith("tag:yaml.org,2002:"):
            self._refuse(f"the tag {node.tag} is not allowed", "tag", line, "Remove the tag.")
        if isinstance(node, MappingNode):
            return self._mapping(node, path, depth)
        if isinstance(node, SequenceNode):
            return [self.value(part, (*path, index), depth + 1) for index, part in enumerate(node.value)]
        return _scalar(node)

    def _mapping(self, node: MappingNode, path: Path, depth: int) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                self._refuse("a key must be a single word", "key", line, "Write `key: value`.")
                continue
            key = _scalar(key_node)
            if key == "<<":
                self._refuse("merge keys (<<) are not allowed", "merge", line, "Write the keys out.")
                continue
            if key in result:
                self._refuse(
                    f"the key {key!r} stands here a second time", "duplicate_key", line, "Keep one of the two.", key
                )
                continue
            self.places[(*path, key)] = Place(line)
            result[key] = self.value(value_node, (*path, key), depth + 1)
        return result

    def _refuse(self, what: str, rule: str, line: int, fix: str, value: Any = None) -> None:
        self.problems.append(Problem(what=what, rule=rule, fix=fix, line=line, value=value))


def _scalar(node: Node) -> Any:
    """A scalar by the core schema of YAML 1.2; quoted and block scalars are always text."""
    text: str = node.value
    if getattr(node, "style", None):
        return text
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return BooleanWord(text) if text.lower() in _BOOLEAN_WORDS else text
