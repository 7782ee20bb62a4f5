"""Annotated pairs out of Thresh JSON (thresh.tools), for analysis: a list of entries with source, target and edits.

Offsets come from JavaScript and count UTF-16 units; they are turned into code points here. Spans outside their text are
kept as they are. Entries without ``edits`` were not annotated and are left out.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rubrica.core.edits import Edit, Span
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.thresh_answers import flat_answers
from rubrica.exchange.tables import decode, parse_json

OFFSETS = ("utf16", "codepoints")
_SIDES = {"input_idx": "source", "output_idx": "rewrite"}


def read_thresh_pairs(path: Path, offsets: str = "utf16") -> list[AnnotatedPair]:
    """The annotated entries of a file. Raises InputError with everything that cannot be understood."""
    if not path.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
    try:
        data = parse_json(decode(path))
    except ValueError as error:
        line = error.__cause__.lineno if isinstance(error.__cause__, json.JSONDecodeError) else None
        raise wrong(
            f"not JSON: {error}", "json", "Thresh data is one JSON array.", file=str(path), line=line
        ) from error
    if not isinstance(data, list):
        raise wrong("not a JSON array", "form", "Thresh data is a list of entries.", file=str(path), line=1)
    reader = _Reader(path.stem, offsets)
    pairs = [reader.pair(entry, number) for number, entry in enumerate(data, start=1)]
    if reader.problems:
        raise InputError(*(problem.at(file=str(path)) for problem in reader.problems))
    return [pair for pair in pairs if pair is not None]


class _Reader:
    """Turns entries into pairs; what cannot be understood becomes a problem."""

    def __init__(self, file: str, offsets: str) -> None:
        self.problems: list[Problem] = []
        self._file = file
        self._utf16 = offsets == "utf16"
        self._met: Counter[tuple[str, str]] = Counter()

    def pair(self, entry: Any, number: int) -> AnnotatedPair | None:
        """An entry's pair; None if it was not annotated, or is wrong."""
        if not isinstance(entry, dict):
            self._refuse(number, "it is not a JSON object", "form", "An entry has source, target and edits.")
            return None
        source, target, edits = entry.get("source"), entry.get("target"), entry.get("edits")
        if not isinstance(source, str) or not isinstance(target, str):
            self._refuse(number, "source or target is missing", "required", "Give both as texts.")
            return None
        if edits is None:
            return None
        if not isinstance(edits, list):
            self._refuse(number, "edits is not a list", "form", "Give a list, empty if there are none.")
            return None
        metadata = entry.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        system, annotator = _word(metadata.get("system")), _word(metadata.get("annotator")) or self._file
        texts = hashlib.sha256("\0".join((source, target, system)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        # Two outputs may read alike: an annotator's second such entry is another pair.
        self._met[texts, annotator] += 1
        times = self._met[texts, annotator]
        places = {"source": self._places(source), "rewrite": self._places(target)}
        return AnnotatedPair(
            key=f"{texts}-{times}",
            name=str(number),
            source=source,
            rewrite=target,
            annotator=annotator,
            system=system,
            edits=tuple(self._edits(edits, number, places)),
        )

    def _places(self, text: str) -> Callable[[int], int]:
        return _code_points(text) if self._utf16 else int

    def _edits(self, edits: list[Any], number: int, places: Mapping[str, Callable[[int], int]]) -> Iterator[Edit]:
        taken: Counter[str] = Counter()
        for data in edits:
            found = self._edit(data, number, places, taken, "")
            if found is None:
                continue
            yield found
            for inner in data.get("constituent_edits") or ():
                part = self._edit(inner, number, places, taken, found.id)
                if part is not None:
                    yield part

    def _edit(
        self,
        data: Any,
        number: int,
        places: Mapping[str, Callable[[int], int]],
        taken: Counter[str],
        parent: str,
    ) -> Edit | None:
        if not isinstance(data, dict) or not isinstance(data.get("category"), str):
            self._refuse(number, "an edit without category", "form", "An edit is an object with a category.")
            return None
        operation = data["category"]
        name = f"{operation}-{data.get('id', '')}".rstrip("-")
        taken[name] += 1
        if taken[name] > 1:
            name = f"{name}~{taken[name]}"
        spans: dict[str, tuple[Span, ...]] = {}
        for key, side in _SIDES.items():
            given = data.get(key) or []
            if not isinstance(given, list) or not all(map(_is_span, given)):
                what = f"{name}: {key} is {json.dumps(given)[:60]}"
                self._refuse(number, what, "form", "Spans are [start, end], whole numbers.")
                return None
            spans[side] = tuple(Span(places[side](start), places[side](end)) for start, end in given)
        annotation = data.get("annotation")
        answers = flat_answers(operation, annotation if isinstance(annotation, dict) else {})
        return Edit(name, operation, spans["source"], spans["rewrite"], answers, parent)

    def _refuse(self, number: int, what: str, rule: str, fix: str) -> None:
        self.problems.append(Problem(what=f"entry {number}: {what}", rule=rule, fix=fix, value=number))


def _word(value: Any) -> str:
    return str(value) if isinstance(value, str | int) else ""


def _is_span(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(offset) is int for offset in value)


def _code_points(text: str) -> Callable[[int], int]:
    """From an offset in UTF-16 units to one in code points; one inside a character is taken as its end."""
    if all(ord(character) <= 0xFFFF for character in text):
        return int
    points = [0]
    for index, character in enumerate(text, start=1):
        points += [index] * (2 if ord(character) > 0xFFFF else 1)
    beyond = len(points) - 1 - len(text)
    return lambda offset: points[offset] if 0 <= offset < len(points) else offset - (beyond if offset > 0 else 0)
