"""JSON from strangers: nothing that two programs would read differently, and nothing that brings a reader down.

Python's own reader takes NaN, keys that stand twice (the last one wins), numbers beyond what a float holds (they become
infinite), and any nesting up to a limit that depends on how deep the caller stands. All of these are refused here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn

MAX_DEPTH = 100
"""Lists and objects inside each other."""
MAX_DIGITS = 300


class NotJsonError(ValueError):
    """The text is no JSON, or none that is read; the message says why."""


def parse_json(text: str | bytes, number: Callable[[str], float] | None = None) -> Any:
    """A JSON value. Raises NotJsonError for whatever else; ``number`` reads numbers with a point or an exponent."""
    try:
        found = json.loads(text, object_pairs_hook=each_once, parse_constant=no_constant, parse_float=number or _finite)
    except json.JSONDecodeError as error:
        raise NotJsonError(f"{error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise NotJsonError(TOO_DEEP) from error
    except UnicodeDecodeError as error:
        raise NotJsonError("it is not UTF-8") from error
    except NotJsonError:
        raise
    except ValueError as error:
        raise NotJsonError("a number has too many digits") from error
    # A value as deep as that has as many opening brackets, which nearly no text has.
    brackets = (b"[", b"{") if isinstance(text, bytes) else ("[", "{")
    if sum(map(text.count, brackets)) > MAX_DEPTH and too_deep(found):  # type: ignore[arg-type]
        raise NotJsonError(TOO_DEEP)
    return found


TOO_DEEP = f"it is nested too deeply: at most {MAX_DEPTH} levels are read"


def too_deep(value: Any) -> bool:
    """Whether lists and objects stand inside each other more than a hundred times."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [
            part
            for one in level
            if isinstance(one, dict | list)
            for part in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return True


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that stands twice nobody knows which value is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotJsonError(f"the key {key[:100]!r} stands twice")
            seen.add(key)
    return found


def no_constant(name: str) -> NoReturn:
    """NaN and the infinities are no JSON."""
    raise NotJsonError(f"{name} is not a JSON number")


def finite(number: Callable[[str], float]) -> Callable[[str], float]:
    """A reader of numbers that refuses those too large to be one."""

    def read(text: str) -> float:
        found = number(text)
        if not math.isfinite(found):
            raise NotJsonError(f"the number {text[:30]} is too large")
        return found

    return read


_finite = finite(float)
