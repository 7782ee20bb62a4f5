"""How much a test tries: little in `make test`, all of it in `make test-all`, which sets RUBRICA_TESTS=all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

One = TypeVar("One")
LONG = os.environ.get("RUBRICA_TESTS") == "all"


def either(short: One, long: One) -> One:
    """The first in `make test`, the second in `make test-all`."""
    return long if LONG else short


def some_of(every: Sequence[One], *places: int) -> Sequence[One]:
    """Those at these places; all of them in `make test-all`."""
    return either([every[place] for place in places], every)
