"""Blocks out, results in: in order, a few at a time, and none twice."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack
from typing import Any, TypeVar

import attrs

from rubrica.engine.place import Here, Outcome, Place
from rubrica.engine.resume import Kept, Resume, keeping

Block = TypeVar("Block")
Result = TypeVar("Result")


def run(
    function: Callable[[Block], Result],
    blocks: Iterable[Block],
    *,
    workers: int = 1,
    cluster: str = "",
    resume: Resume | None = None,
    progress: Callable[[int], None] | None = None,
    size: Callable[[Block], int] = lambda _: 1,
) -> Generator[Result, None, None]:
    """The function's result for each block, in the order of the blocks.

    ``function`` must be one that can be pickled: a function of a module, a ``functools.partial``, a small object. It
    runs in this process (one worker), in several processes, or on the dask scheduler at the address ``cluster``. Blocks
    are taken from their iterator only when there is room for them. ``progress`` is told the sum of the ``size`` of the
    finished blocks. What the function raises is raised here, in the place of its result; with ``resume``, blocks
    finished before that are kept, and taken from there by the next run; after the last block they are removed.

    Close the iterator (``contextlib.closing``) if it is not used to its end. Raises InputError if a worker dies, if the
    cluster cannot be used, and if the same work is being done by another process.
    """
    with ExitStack() as open_until_end:
        kept = open_until_end.enter_context(keeping(resume)) if resume else None
        place = open_until_end.enter_context(_place(function, workers, cluster))
        yield from _Queue(place, iter(blocks), kept, progress, size).results()
        if kept:
            kept.remove()


def _place(function: Callable[[Any], Any], workers: int, cluster: str) -> Place:
    if cluster:
        from rubrica.engine.cluster import Cluster

        return Cluster(function, cluster)
    if workers > 1:
        from rubrica.engine.place import Processes

        return Processes(function, workers)
    return Here(function)


@attrs.define
class _Slot:
    """A block that is on its way, or whose turn has not come."""

    block: Any
    size: int
    outcome: Outcome | None = None


@attrs.define
class _Queue:
    """The blocks on their way, in order."""

    place: Place
    blocks: Iterator[Any]
    kept: Kept | None
    progress: Callable[[int], None] | None
    size: Callable[[Any], int]
    slots: deque[_Slot] = attrs.field(factory=deque)
    first: int = 0
    """The number of the block whose turn it is, from 0."""
    done: int = 0

    def results(self) -> Iterator[Any]:
        """The results, each when its turn has come."""
        self._fill()
        while self.slots:
            outcome = self.slots[0].outcome
            if outcome is None:
                for found in self.place.finished():
                    self._settle(found)
                continue
            if outcome.error:
                raise outcome.error
            self.slots.popleft()
            self.first += 1
            yield outcome.result
            self._fill()

    def _fill(self) -> None:
        """Take blocks while there is room; none after a failure, since its turn will end the run."""
        if any(slot.outcome and slot.outcome.error for slot in self.slots):
            return
        while len(self.slots) < self.place.room():
            for block in self.blocks:
                self._add(block)
                break
            else:
                return

    def _add(self, block: Any) -> None:
        number = self.first + len(self.slots)
        slot = _Slot(block, self.size(block))
        self.slots.append(slot)
        known = self.kept.load(number, block) if self.kept else None
        if known:
            self._finish(slot, Outcome(number, known[0]))
        else:
            self.place.put(number, block)

    def _settle(self, outcome: Outcome) -> None:
        slot = self.slots[outcome.number - self.first]
        if outcome.error:
            slot.outcome = outcome
            return
        if self.kept:
            self.kept.save(outcome.number, slot.block, outcome.result)
        self._finish(slot, outcome)

    def _finish(self, slot: _Slot, outcome: Outcome) -> None:
        slot.outcome, slot.block = outcome, None
        self.done += slot.size
        if self.progress:
            self.progress(self.done)
