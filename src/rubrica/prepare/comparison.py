"""Drawing outputs of systems and rewrites of people for a comparison by raters who know neither.

Zhang et al. (Small but Mighty, 2020, section 5 and appendix C) draw 100 pairs for each benchmark and each system, human
rewrites among them, and have three people rate each pair. Ours takes the same sentences for all systems of a
benchmark as far as they have them, so that systems can be compared sentence by sentence.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

Shown = TypeVar("Shown")
HUMAN = "human"
"""What the rewrites of people are called among systems."""


class Output(NamedTuple):
    """What a system made of a sentence; a rewrite with an ``author`` is a person's."""

    dataset: str
    system: str
    source: str
    rewrite: str
    author: str = ""


class Drawn(NamedTuple):
    """An output to be rated, under a key that tells nothing, with every human rewrite of its sentence."""

    key: str
    output: Output
    references: tuple[str, ...]


class Draw(NamedTuple):
    """What was drawn, in the order in which it is shown; ``short`` are cells that have fewer than asked for."""

    items: list[Drawn]
    cells: dict[tuple[str, str], int]
    short: list[tuple[str, str]]


def draw(outputs: Iterable[Output], sample: int, seed: int) -> Draw:
    """So many sentences for each data set and system, mixed. Of several rewrites of a sentence one is drawn."""
    cells: dict[tuple[str, str], dict[str, list[Output]]] = defaultdict(lambda: defaultdict(list))
    people: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in outputs:
        cells[one.dataset, one.system][one.source].append(one)
        if one.author:
            people[one.dataset, one.source].append(one.rewrite)
    order = _orders(cells, seed)
    chosen: list[Output] = []
    counts: dict[tuple[str, str], int] = {}
    for cell in sorted(cells):
        sources = [source for source in order[cell[0]] if source in cells[cell]][:sample]
        rng = random.Random(f"{seed}:{cell[0]}:{cell[1]}")
        chosen += [rng.choice(cells[cell][source]) for source in sources]
        counts[cell] = len(sources)
    items = [Drawn(key, one, tuple(people[one.dataset, one.source])) for key, one in mixed(chosen, seed, "c")]
    return Draw(items, counts, [cell for cell, number in counts.items() if number < sample])


def mixed(outputs: Iterable[Shown], seed: int, letter: str) -> list[tuple[str, Shown]]:
    """Outputs in a random order, each under a key that tells nothing: a letter and its place."""
    order = list(outputs)
    random.Random(f"{seed}:mixed").shuffle(order)
    width = max(3, len(str(len(order))))
    return [(f"{letter}{number:0{width}}", one) for number, one in enumerate(order, start=1)]


def _orders(cells: dict[tuple[str, str], dict[str, list[Output]]], seed: int) -> dict[str, Sequence[str]]:
    """By data set its sentences in a random order, those first that most systems have."""
    found: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for (dataset, _), sources in cells.items():
        for source in sources:
            found[dataset][source] += 1
    orders: dict[str, Sequence[str]] = {}
    for dataset, systems in found.items():
        mixed = sorted(systems)
        random.Random(f"{seed}:{dataset}").shuffle(mixed)
        orders[dataset] = sorted(mixed, key=lambda source: -systems[source])
    return orders
