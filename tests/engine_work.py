"""Functions that the tests of the engine run in other processes, and a small program that does so."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from rubrica.core.errors import wrong
from rubrica.engine import Resume, run


def total(block: Sequence[int]) -> int:
    """The sum of a block; later blocks are finished before earlier ones."""
    time.sleep(0.02 if block[0] % 20 == 0 else 0)
    return sum(block)


def process(block: Sequence[int]) -> tuple[int, str]:
    """Which process does it, and how many threads numerical libraries may start there."""
    return os.getpid(), os.environ.get("OMP_NUM_THREADS", "")


def refusing(block: Sequence[int], what: int) -> int:
    """Refuses the blocks that hold this number."""
    if what in block:
        raise wrong(f"{what} is not liked", "taste", "Leave it out.", value=what)
    return sum(block)


def dying(block: Sequence[int], what: int, kept: Path) -> int:
    """Killed, as by a machine without memory, at the block that holds this number, once all before it are kept."""
    if what in block:
        while len(list(kept.glob("*.done"))) < block[0] // len(block):
            time.sleep(0.01)
        os.kill(os.getpid(), 9)
    return sum(block)


def dying_once(block: Sequence[int], what: int, marks: Path) -> int:
    """Killed the first time that a block holds this number."""
    if what in block and not (marks / "died").exists():
        (marks / "died").touch()
        os.kill(os.getpid(), 9)
    return sum(block)


def noting(block: Sequence[int], notes: Path, stuck: int = 1000) -> int:
    """Writes down that it worked on a block, and gets stuck in those that begin with this number or a later one."""
    with notes.open("a") as file:
        file.write(f"{block[0]} {os.getpid()}\n")
    time.sleep(600 if block[0] >= stuck else 0)
    return sum(block)


def blocks(many: int, size: int = 10) -> Iterator[list[int]]:
    """Numbers from 0, in blocks."""
    for first in range(0, many * size, size):
        yield list(range(first, first + size))


def resumed(folder: Path) -> Resume:
    """Numbers kept as text."""
    return Resume(folder, "digest", lambda number: str(number).encode(), int)


if __name__ == "__main__":
    where, notes, stuck = sys.argv[1:]
    work = partial(noting, notes=Path(notes), stuck=int(stuck))
    for result in run(work, blocks(12), workers=2, resume=resumed(Path(where))):
        print(result, flush=True)
