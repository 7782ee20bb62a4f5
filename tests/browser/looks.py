"""How much is looked at: a part in `make test`, all of it in `make test-all`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

One = TypeVar("One")
WHOLE = os.environ.get("RUBRICA_MATRIX") == "all"


def some_of(every: Sequence[One], *places: int) -> Sequence[One]:
    """Those at these places; all of them in `make test-all`."""
    return every if WHOLE else [every[place] for place in places]
