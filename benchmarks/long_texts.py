"""The longest texts that an answer may have, of the dullest kinds: what twice the length costs, in times.

Twice the length may cost twice the time, or a little more; a rule that looks back at everything costs four times. An
alignment of one word with itself does look back; there the figure is only printed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from benchmarks.report import Figure
from rubrica.core.marking import differences
from rubrica.core.sentences import count_sentences
from rubrica.edits.suggesting.suggest import suggest

LONG, ROUNDS = 20_000, 3


def _shuffled(letters: str, size: int, seed: int) -> str:
    return "".join(random.Random(seed).choices(letters.split("|"), k=size))


TASKS: dict[str, tuple[Callable[[int], object], float | None]] = {
    "sentences, one sign": (lambda size: count_sentences("." * size), 3),
    "sentences, letters with dots": (lambda size: count_sentences("A. " * (size // 3)), 3),
    "differences of one word": (lambda size: differences("a " * (size // 2), "a " * (size // 4)), None),
    "differences of shuffled words": (
        lambda size: differences(_shuffled("ab. |a |cd ", size // 3, 1), _shuffled("ab. |a |cd ", size // 3, 2)),
        3,
    ),
    "suggested edits of one word": (lambda size: suggest("house " * (size // 6), "house " * (size // 12), "en"), None),
}


def _fastest(task: Callable[[int], object], size: int) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        task(size)
        times.append(time.perf_counter() - start)
    return min(times)


def run() -> Iterator[Figure]:
    """For each task the time at full length over the time at half of it."""
    for name, (task, limit) in TASKS.items():
        half, whole = _fastest(task, LONG // 2), _fastest(task, LONG)
        yield Figure(name, whole / half, "x", limit, detail=f"{whole * 1000:,.1f} ms for {LONG:,} characters")
