"""Where blocks are worked on: what a place must offer, and the simplest one, this process."""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import attrs

Function = Callable[[Any], Any]
AHEAD = 3
"""Blocks in memory for each worker: one in work, one waiting for it, one finished before its turn."""


@attrs.frozen
class Outcome:
    """What became of a block: its result, or what the function raised."""

    number: int
    result: Any = None
    error: BaseException | None = None


class Place(ABC):
    """Takes blocks under their numbers and gives their outcomes back, in any order. A context manager."""

    @abstractmethod
    def room(self) -> int:
        """How many blocks it may hold at a time."""

    @abstractmethod
    def put(self, number: int, block: Any) -> None:
        """Send a block to be worked on."""

    @abstractmethod
    def finished(self) -> Iterator[Outcome]:
        """Wait until something is finished, and give all that is."""

    @abstractmethod
    def close(self, *, quickly: bool) -> None:
        """Leave nothing behind; quickly: without waiting for what is still in work."""

    def __enter__(self) -> Place:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close(quickly=kind is not None)


class Here(Place):
    """This process: a block is worked on as soon as it is put."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._outcomes: list[Outcome] = []

    def room(self) -> int:
        return 1

    def put(self, number: int, block: Any) -> None:
        self._outcomes.append(Outcome(number, self._function(block)))

    def finished(self) -> Iterator[Outcome]:
        while self._outcomes:
            yield self._outcomes.pop()

    def close(self, *, quickly: bool) -> None:
        self._outcomes.clear()


def call(packed: bytes, block: Any) -> Any:
    """Call a pickled function in a worker."""
    return _unpacked(packed)(block)


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> Function:
    """Unpickled once in each worker, so that what a function loads (word lists, a model) is loaded once."""
    function: Function = pickle.loads(packed)  # noqa: S301 - made by the process that started this one
    return function
