"""What must not move unseen: values kept as readable files, and how a value is compared with its file.

`make pins` writes the files anew; the difference is then read like any other change.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rubrica import __version__

EXPECTED = Path(__file__).parent / "expected"
WIDTH = 160
WRITE = os.environ.get("RUBRICA_PINS") == "write"
LONGEST, WIDEST = 12, 300
"""Rows of a list and signs of a text that are kept to be read; of the others, how many they are and a digest."""
DIGITS = 9
"""Figures are the same to so many digits on every machine; the last ones depend on its numeric libraries."""
ITERATED = 6
"""The same for figures at which many steps arrive: an optimiser's last digits are those of the processor."""
NOTHING = 1e-15
"""Smaller figures are what rounding left of a zero, with the sign that the processor gave it."""
VARYING = {
    re.compile(rf"(?<=rubrica:){re.escape(__version__)}"): "VERSION",
    re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?"): "TIME",
    re.compile(r"linear-[0-9a-f]{12}"): "linear-MODEL",
}
"""What rightly differs from run to run, and what stands for it."""


def check(values: Mapping[str, Any]) -> None:
    """Fail with all differences if the values are not those that are pinned under these names."""
    moved = [line for name, value in values.items() for line in _moved(EXPECTED / f"{name}.json", value)]
    if moved:
        moved.insert(0, "Something pinned has moved; if that is meant, run `make pins` and say why in the commit.")
        pytest.fail("\n".join(moved), pytrace=False)


def _moved(file: Path, value: Any) -> list[str]:
    """How the value differs from what the file says; the file is written instead if that is wanted."""
    now = "\n".join(_lines(settled(value))) + "\n"
    if WRITE:
        file.write_text(now, encoding="utf-8")
    pinned = file.read_text(encoding="utf-8") if file.exists() else ""
    names = f"pinned/{file.name}", f"now/{file.name}"
    return list(difflib.unified_diff(pinned.splitlines(), now.splitlines(), *names, lineterm="", n=2))


def rounded(value: Any, digits: int) -> Any:
    """The value with every number to so many digits."""
    match value:
        case float():
            return 0.0 if abs(value) < NOTHING else float(f"{value:.{digits}g}")
        case dict():
            return {key: rounded(part, digits) for key, part in value.items()}
        case list():
            return [rounded(part, digits) for part in value]
    return value


def settled(value: Any) -> Any:
    """The value without what rightly varies: versions, times and last digits; what is long ends in a digest."""
    match value:
        case float():
            return rounded(value, DIGITS)
        case str():
            for varying, word in VARYING.items():
                value = varying.sub(word, value)
            return value if len(value) <= WIDEST else f"{value[:WIDEST]}… {_digest(value)}"
        case dict():
            return {key: settled(part) for key, part in value.items()}
        case list():
            every = [settled(part) for part in value]
            rest = every[LONGEST:]
            return every[:LONGEST] + ([f"and {len(rest)} more, {_digest(rest)}"] if rest else [])
    return value


def _digest(value: Any) -> str:
    return hashlib.sha256(_json(value).encode()).hexdigest()[:16]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(value: Any, depth: int = 0, before: str = "", after: str = "") -> Iterator[str]:
    """The value as JSON, each row on one line if it fits: a difference then shows whole rows."""
    line = " " * depth + before + _json(value) + after
    if len(line) <= WIDTH or not isinstance(value, dict | list):
        yield line
        return
    parts = [(f"{_json(key)}: ", part) for key, part in value.items()] if isinstance(value, dict) else []
    parts = parts or [("", part) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield " " * depth + before + opening
    for place, (name, part) in enumerate(parts, start=1):
        yield from _lines(part, depth + 1, name, "," if place < len(parts) else "")
    yield " " * depth + closing + after
