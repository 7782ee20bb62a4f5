"""JSON as other people's programs write it: read without losing a digit, and written again byte for byte.

Python's ``json.dumps`` and JavaScript's ``JSON.stringify`` differ in indentation, in spaces after commas and colons, in
whether letters beyond ASCII are escaped, and in how they write some numbers. A :class:`Layout` says which it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any, NamedTuple

import attrs

from rubrica.core.json_text import MAX_DIGITS, TOO_DEEP, each_once, finite, no_constant, too_deep

COMPACT, SPACED = -2, -1
"""Indents of a file on one line: without any space, as JavaScript has it, and with spaces, as Python has it."""

_INDENT = re.compile(r"\[(?:\r?\n( *))?")
_SPACED = re.compile(r'\[\s*\{"(?:[^"\\]|\\.)*": ')
_BLANK = re.compile(r"[ \t\n\r]*")


class Literal(float):
    """A number that remembers how it was written: 1.50 stays 1.50."""

    text: str

    def __new__(cls, text: str) -> Literal:
        """Keep the text beside the value."""
        number = super().__new__(cls, text)
        number.text = text
        return number


@attrs.frozen(kw_only=True)
class Layout:
    """How a file is written. The default is ``json.dumps(data, indent=4)``."""

    indent: int = 4
    ascii: bool = True
    newline: bool = False
    crlf: bool = False
    mark: bool = False

    def pieces(self, entries: Iterable[Any]) -> Iterator[str]:
        """The text of a list of entries, one entry at a time."""
        yield "\ufeff" if self.mark else ""
        inside = self._line(1)
        first = True
        for entry in entries:
            between = "[" + inside if first else self._comma + inside
            yield self._end(between + self.text(entry, 1))
            first = False
        yield self._end(("[]" if first else self._line(0) + "]") + ("\n" if self.newline else ""))

    def text(self, value: Any, depth: int = 0) -> str:
        """The text of one value that stands at this depth."""
        if isinstance(value, dict) and value:
            parts = [f"{self._string(key)}{self._colon}{self.text(part, depth + 1)}" for key, part in value.items()]
            return self._block("{", parts, "}", depth)
        if isinstance(value, list) and value:
            return self._block("[", [self.text(part, depth + 1) for part in value], "]", depth)
        if isinstance(value, str):
            return self._string(value)
        return value.text if isinstance(value, Literal) else json.dumps(value, allow_nan=False)

    def _block(self, opening: str, parts: list[str], closing: str, depth: int) -> str:
        inside = self._line(depth + 1)
        return opening + inside + (self._comma + inside).join(parts) + self._line(depth) + closing

    def _line(self, depth: int) -> str:
        return "\n" + " " * (self.indent * depth) if self.indent >= 0 else ""

    @property
    def _comma(self) -> str:
        return ", " if self.indent == SPACED else ","

    @property
    def _colon(self) -> str:
        return ":" if self.indent == COMPACT else ": "

    def _string(self, text: str) -> str:
        written: str = encode_basestring_ascii(text) if self.ascii else encode_basestring(text)
        return written

    def _end(self, text: str) -> str:
        return text.replace("\n", "\r\n") if self.crlf else text


class Parsed(NamedTuple):
    """A list of entries, the line on which each starts, and the layout of the file.

    ``exact`` says whether writing the entries in that layout gives the very same text.
    """

    entries: list[Any]
    lines: list[int]
    layout: Layout
    exact: bool


class BrokenError(ValueError):
    """The text is no JSON list; ``line`` is where, or where the entry begins in which it is."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.line = line


def parse(text: str) -> Parsed:
    """Read a list of entries. Raises BrokenError if the text is no JSON list."""
    body = text.removeprefix("\ufeff")
    entries, lines = _entries(body)
    seems = _layout(text, body)
    for layout in (seems, attrs.evolve(seems, indent=SPACED), attrs.evolve(seems, indent=COMPACT)):
        if (layout is seems or seems.indent < 0) and "".join(layout.pieces(entries)) == text:
            return Parsed(entries, lines, layout, exact=True)
    return Parsed(entries, lines, seems, exact=False)


def parse_one(text: str) -> Any:
    """One value as :func:`parse` reads it."""
    return _DECODER.decode(text)


def _entries(text: str) -> tuple[list[Any], list[int]]:
    place = _after_blank(text, 0)
    if text[place : place + 1] != "[":
        raise BrokenError("this is not a JSON list", _line_of(text, place))
    place = _after_blank(text, place + 1)
    entries: list[Any] = []
    lines: list[int] = []
    line, counted = 1, 0
    while text[place : place + 1] != "]" or entries:
        line, counted = line + text.count("\n", counted, place), place
        try:
            entry, place = _DECODER.raw_decode(text, place)
        except json.JSONDecodeError as error:
            raise BrokenError(f"not JSON: {error.msg}", error.lineno) from error
        except ValueError as error:
            raise BrokenError(f"entry {len(entries) + 1}: {error}", line) from error
        except RecursionError as error:
            raise BrokenError(f"entry {len(entries) + 1}: {TOO_DEEP}", line) from error
        if too_deep(entry):
            raise BrokenError(f"entry {len(entries) + 1}: {TOO_DEEP}", line)
        entries.append(entry)
        lines.append(line)
        place = _after_blank(text, place)
        if text[place : place + 1] == "]":
            break
        if text[place : place + 1] != ",":
            raise BrokenError(f"not JSON: a comma is missing after entry {len(entries)}", _line_of(text, place))
        place = _after_blank(text, place + 1)
    after = _after_blank(text, place + 1)
    if text[after:]:
        raise BrokenError("not JSON: there is something after the list", _line_of(text, after))
    return entries, lines


def _line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _after_blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


def _layout(text: str, body: str) -> Layout:
    """The layout that the beginning and the end of a text show."""
    opening = _INDENT.match(body.lstrip())
    if opening is not None and opening[1] is not None:
        indent = len(opening[1])
    else:
        indent = SPACED if _SPACED.match(body) else COMPACT
    return Layout(
        indent=indent,
        ascii=body.isascii(),
        newline=body.endswith("\n"),
        crlf="\r\n" in body,
        mark=text != body,
    )


def _whole(text: str) -> Any:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"the number {text[:30]}… is too large")
    return Literal(text) if text == "-0" else int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=each_once, parse_float=finite(Literal), parse_int=_whole, parse_constant=no_constant
)
