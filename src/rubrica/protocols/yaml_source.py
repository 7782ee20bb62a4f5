"""YAML to plain data with the line of every part.

Why not ``yaml.load``: a protocol file comes from strangers and is cited and hashed, so nothing in it may
mean something else than it says. Plain scalars follow YAML 1.2 (``yes`` is a word), tags and merge keys are
refused, a key may stand once, and aliases cannot grow the file beyond a limit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from rubrica.core.errors import Problem
from rubrica.core.typed import storable
from rubrica.protocols.yaml_mistakes import cause, without_value

MAX_NODES = 100_000
MAX_ENTRIES = 1_000
"""Entries of one list or mapping: names are compared with each other, so that time grows with their square."""
PYTHON_READS = 300_000
"""Characters up to which a text that the C parser refuses is tried again in Python, which takes a second for 100 kB."""
MAX_DEPTH = 40
MAX_DIGITS = 15
_INTEGER = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BOOLEAN_WORDS = frozenset({"yes", "no", "on", "off", "y", "n"})

Path = tuple[Hashable, ...]


class BooleanWord(str):
    """An unquoted word that YAML 1.1 reads as a boolean: fine as text, refused as an id."""


class Place(NamedTuple):
    """Where a part stands; ``file`` is empty for the YAML text itself; ``fix`` says how a missing value came about."""

    line: int
    file: str = ""
    fix: str = ""


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

    @property
    def too_large(self) -> bool:
        """Whether a list or mapping has more entries than can be compared with each other."""
        return any(problem.rule == "size" for problem in self.problems)

    def problem(self, path: Path, what: str, rule: str, fix: str, value: Any = None) -> Problem:
        """Something wrong with that part."""
        place = self.place(path)
        return Problem(what=what, rule=rule, fix=fix, value=value, line=place.line, file=place.file)


class _TooLargeError(Exception):
    """The text holds more, or lies deeper, than a protocol ever does."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def read_yaml(text: str, *, merges: bool = False) -> Source:
    """Parse ``text``. Syntax errors and a text that is too large end the reading; everything else is collected.

    ``merges`` follows merge keys (``<<``), which other people's files may have and protocols may not.
    """
    try:
        reader, node = _compose(text, merges)
        return Source(reader.value(node, (), 0) if node else None, reader.places, reader.problems)
    except _TooLargeError as error:
        return _unreadable(
            "the file is too large or too deeply nested", "size", "Split or shorten it.", line=error.line
        )
    except ReaderError as error:
        character = chr(error.character) if isinstance(error.character, int) else str(error.character)
        line = text[: max(0, text.find(character))].count("\n") + 1
        return _not_yaml(f"the character {character!r} is not allowed", "Remove it.", line)
    except MarkedYAMLError as error:
        at_the_end = "end of stream" in str(error.problem)
        mark = (error.context_mark if at_the_end else None) or error.problem_mark or error.context_mark
        opened = error.context_mark.line + 1 if error.context_mark else 0
        line = mark.line + 1 if mark else 1
        found = cause(text, line, str(error.problem or error.context), opened)
        return _not_yaml(found.what, found.fix, found.line or line)
    except (YAMLError, ValueError) as error:
        return _not_yaml(str(error).splitlines()[0], "Correct the indentation, quotes or brackets here.", 1)


def _compose(text: str, merges: bool) -> tuple[_Reader, Node | None]:
    """The tree of the text. The C parser is ten times faster but refuses some YAML 1.2: Python has the last word."""
    try:
        return _composed(text, merges, pure=False)
    except YAMLError:
        if len(text) > PYTHON_READS:
            raise
        return _composed(text, merges, pure=True)


def _composed(text: str, merges: bool, *, pure: bool) -> tuple[_Reader, Node | None]:
    reader = _Reader(text, merges)
    reader.survey(YAML(typ="safe", pure=pure).parse(text))
    return reader, YAML(typ="safe", pure=pure).compose(text)


def _not_yaml(what: str, fix: str, line: int) -> Source:
    return _unreadable(f"this is not YAML: {what}", "yaml", fix, line)


def _unreadable(what: str, rule: str, fix: str, line: int) -> Source:
    return Source(None, {(): Place(line)}, [Problem(what=what, rule=rule, fix=fix, line=line)])


class _Reader:
    """Turns nodes into data and notes where each came from."""

    def __init__(self, text: str, merges: bool) -> None:
        self.places: dict[Path, Place] = {}
        self.problems: list[Problem] = []
        self._lines = text.split("\n")
        self._merges = merges
        self._nodes = 0

    def survey(self, events: Iterable[Any]) -> None:
        """Refuse tags, which a composed tree no longer tells from its own; stop before a tree gets too deep."""
        depth = 0
        named: dict[str, int] = {}
        for count, event in enumerate(events):
            name = type(event).__name__
            depth += name.endswith("StartEvent") - name.endswith("EndEvent")
            line = event.start_mark.line + 1
            if depth > MAX_DEPTH + 2 or count > 2 * MAX_NODES:
                raise _TooLargeError(line)
            if getattr(event, "tag", None):
                fix = "Put the text in quotes if ! belongs to it; tags are not used here."
                self._refuse(f"the tag {event.tag} is not allowed", "tag", line, fix, str(event.tag))
            if name == "AliasEvent":
                named.pop(event.anchor, None)
            elif name == "ScalarEvent" and event.anchor:
                named[event.anchor] = line
            if name == "ScalarEvent" and not event.style and not self._merges:
                self._cut_short(event)
        for anchor, line in ({} if self._merges else named).items():
            what = f"&{anchor} is not part of the text: it names what follows, and nothing uses that name"
            self._refuse(what, "anchor", line, "Put the text in quotes if & belongs to it, or remove it.", anchor)

    def _cut_short(self, event: Any) -> None:
        """Refuse a text that goes on after a `#`: what follows would be lost as a comment, in silence."""
        end = event.end_mark
        lost = re.match(r"\s+(?P<text>#\w.*)", self._lines[end.line][end.column :]) if event.value else None
        if lost:
            what = f"{lost['text'].strip()!r} is not part of the text: after a space, # begins a comment"
            fix = "Put the text in quotes if # belongs to it; else write a space after the #."
            self._refuse(what, "comment", end.line + 1, fix, lost["text"].strip())

    def value(self, node: Node, path: Path, depth: int) -> Any:
        line = node.start_mark.line + 1
        self.places.setdefault(path, Place(line))
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            raise _TooLargeError(self.places[path].line)
        if not isinstance(node, ScalarNode) and len(node.value) > MAX_ENTRIES:
            what = f"there are {len(node.value):,} entries here, at most {MAX_ENTRIES:,} are read"
            self._refuse(what, "size", line, "Shorten the list or mapping that begins here.", len(node.value))
        if isinstance(node, MappingNode):
            return self._mapping(node, path, depth)
        if isinstance(node, SequenceNode):
            return [self.value(part, (*path, index), depth + 1) for index, part in enumerate(node.value)]
        return self._scalar(node, line)

    def _mapping(self, node: MappingNode, path: Path, depth: int) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        merged: list[Node] = []
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                self._refuse("a key must be a single word", "key", line, "Write `key: value`.")
                continue
            key = self._scalar(key_node, line)
            if not key_node.style and self._badly_begun(key, line):
                continue
            if key == "<<":
                if self._merges:
                    merged.append(value_node)
                else:
                    self._refuse("merge keys (<<) are not allowed", "merge", line, "Write the keys out.")
                continue
            if key in result:
                what = f"the key {key!r} stands here a second time (first on line {self.places[(*path, key)].line})"
                self._refuse(what, "duplicate_key", line, "Keep one of the two.", key)
                continue
            self.places[(*path, key)] = self._place(value_node, line, bool(node.flow_style))
            result[key] = self.value(value_node, (*path, key), depth + 1)
        for other in merged:
            self._merge(other, path, depth, result)
        return result

    def _badly_begun(self, key: Any, line: int) -> bool:
        """Whether a key begins with what should have begun a list or a level, which is then said."""
        if not isinstance(key, str) or not re.match(r"-\w|\xa0", key):
            return False
        if key.startswith("-"):
            self._refuse("there is no space after the dash", "key", line, f"Write `- {key[1:].lstrip()}: …`.", key)
        else:
            self._refuse("a no-break space stands before this key", "key", line, "Type plain spaces in its place.", key)
        return True

    def _place(self, value: Node, line: int, flow: bool) -> Place:
        """The place of an entry; where its value is missing, with what was probably meant."""
        missing = isinstance(value, ScalarNode) and not value.value and not value.style
        return Place(line, fix=without_value(self._lines[line - 1], flow)) if missing else Place(line)

    def _merge(self, node: Node, path: Path, depth: int, into: dict[Any, Any]) -> None:
        """Add the keys of another mapping, or of several, that are not there yet."""
        for part in node.value if isinstance(node, SequenceNode) else [node]:
            added = self.value(part, path, depth + 1)
            if isinstance(added, dict):
                into.update({key: value for key, value in added.items() if key not in into})
            else:
                line = part.start_mark.line + 1
                self._refuse("a merge key (<<) needs a mapping", "merge", line, "Name one with *, or write it out.")

    def _scalar(self, node: Node, line: int) -> Any:
        """A scalar by the core schema of YAML 1.2; quoted and block scalars are always text."""
        text: str = node.value
        if not storable(text):
            self._refuse("a text holds NUL or half a character", "character", line, "Remove it.", text)
        if getattr(node, "style", None):
            return text
        if text in ("", "~", "null", "Null", "NULL"):
            return None
        if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
            return text.lower() == "true"
        if _NUMBER.fullmatch(text):
            return self._number(text, line)
        return BooleanWord(text) if text.lower() in _BOOLEAN_WORDS else text

    def _number(self, text: str, line: int) -> int | float:
        if _INTEGER.fullmatch(text) and len(text) <= MAX_DIGITS:
            return int(text)
        number = float(text)
        if _INTEGER.fullmatch(text) or not math.isfinite(number):
            what = f"the number {text[:30]} is too large"
            self._refuse(what, "number", line, "Put it in quotes if it is a text.", text[:30])
        return number

    def _refuse(self, what: str, rule: str, line: int, fix: str, value: Any = None) -> None:
        self.problems.append(Problem(what=what, rule=rule, fix=fix, line=line, value=value))
