"""Plain data as YAML that every tool reads alike: whatever could be taken for something else is quoted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*( [A-Za-z0-9_]+)*[.?]?")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_BLOCK = re.compile(r"[^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]+")
"""What may stand in a block of lines as it is; anything else is escaped."""
_ESCAPED = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
WIDTH = 110


def write_yaml(data: dict[str, Any]) -> str:
    """The data as a YAML document. Keys are texts; values are texts, numbers, booleans, lists and mappings."""
    return "\n".join(_lines(data, 0)) + "\n"


def _lines(value: Any, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _entry(f"{indent}{_scalar(str(key))}:", part, depth)
    else:
        for part in value:
            if isinstance(part, dict | list) and part and not _short(part):
                first, *others = _lines(part, depth + 1)
                yield f"{indent}- {first.lstrip()}"
                yield from others
            else:
                yield f"{indent}- {_inline(part)}"


def _entry(head: str, part: Any, depth: int) -> Iterator[str]:
    if isinstance(part, dict | list) and part and not _short(part):
        yield head
        yield from _lines(part, depth + 1)
    elif isinstance(part, str) and "\n" in part and _BLOCK.fullmatch(part) and not part.startswith((" ", "\n")):
        ends = len(part) - len(part.rstrip("\n"))
        yield f"{head} |{'-' if not ends else '' if ends == 1 else '+'}"
        body = part[:-1] if ends else part
        yield from (
            f"{'  ' * (depth + 1)}{line}".rstrip(" ") if not line else f"{'  ' * (depth + 1)}{line}"
            for line in body.split("\n")
        )
    else:
        yield f"{head} {_inline(part)}"


def _short(part: Any) -> bool:
    """Whether a list of words or a small mapping reads better on one line."""
    parts = list(part.values()) if isinstance(part, dict) else part
    return not any(isinstance(inner, dict | list) for inner in parts) and len(_inline(part)) <= WIDTH // 2


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(str(key))}: {_inline(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    """A text plain if nobody can misread it, else in double quotes; numbers and booleans as they are."""
    if not isinstance(value, str):
        return json.dumps(value, allow_nan=False)
    if _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return str(value)
    quoted = json.dumps(str(value), ensure_ascii=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
