"""Our ids for other people's names: a lower-case letter, then lower-case letters, digits and underscores."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rubrica.protocols.values import MAX_ID

_NOT_IN_IDS = re.compile(r"[^a-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def as_id(name: str, otherwise: str) -> str:
    """The name as an id: accents fold, ``BadMath`` becomes ``bad_math``. ``otherwise`` if nothing is left of it."""
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = _NOT_IN_IDS.sub("_", _HUMP.sub("_", folded).lower()).strip("_")
    if not words:
        return otherwise
    return (words if words[0].isalpha() else f"n{words}")[:MAX_ID].rstrip("_")


class Ids:
    """Gives out ids, each once."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def free(self, *wanted: str) -> str:
        """The first of these that is free; else the last of them with a number."""
        for candidate in wanted:
            if candidate not in self._taken and len(candidate) <= MAX_ID:
                return self._take(candidate)
        number = 1
        while True:
            number += 1
            end = f"_{number}"
            candidate = wanted[-1][: MAX_ID - len(end)].rstrip("_") + end
            if candidate not in self._taken:
                return self._take(candidate)

    def _take(self, name: str) -> str:
        self._taken.add(name)
        return name
