"""Scores made by hand, with texts that are hard on a page: markup, quotes, a script's end, Arabic, gaps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rubrica.core.metric_values import LOWER, NEITHER
from rubrica.metrics.metric import Block, Figure
from rubrica.metrics.results import Difference, Score, Scores, SentenceScores, SystemScores
from rubrica.stats.statistic import Statistic

FIGURES = (
    Figure("sari", "SARI"),
    Figure("sari_add", "add", part=True),
    Figure("fkgl", "FKGL", LOWER),
    Figure("ratio", "Compression", NEITHER, digits=3),
)
SYSTEMS = ("copy", "cut", "split")
ANIMALS = ("heron", "badger", "otter", "magpie", "toad")
PLACES = ("the old mill", "a quiet pond", "the north gate", "our garden")
HOSTILE = "</script><script>alert('x')</script> & \"quotes\" <!-- \u2028 done."
ARABIC = "ذهب الولد إلى المدرسة صباحا."


def source_of(number: int) -> str:
    """The text of sentence ``number``, from 0; the second is hostile, the third Arabic."""
    if number in {1, 2}:
        return (HOSTILE, ARABIC)[number - 1]
    animal, place = ANIMALS[number % 5], PLACES[number % 4]
    tail = ", which nobody had seen for a very long time" * (number % 3)
    return f"The {animal} number {number} lives near {place}{tail} and it sleeps until noon."


def rewrites_of(source: str, number: int) -> dict[str, str | None]:
    """What the three systems make of it; the last did not rewrite sentence 4."""
    split = source.replace(" and it", ". It").replace(", which", ". Someone said that")
    return {"copy": source, "cut": " ".join(source.split()[:6]) + ".", "split": None if number == 4 else split}


def blocks(total: int, size: int = 40) -> Iterator[SentenceScores]:
    """Sentences in blocks. SARI of a sentence is its place mixed up (0 to 96); that of sentence 5 is undefined."""
    for first in range(0, total, size):
        numbers = range(first, min(first + size, total))
        sources = [source_of(number) for number in numbers]
        made = [rewrites_of(source, number) for source, number in zip(sources, numbers, strict=True)]
        outputs = {name: [one[name] for one in made] for name in SYSTEMS}
        references = [[f"A reference for {number}.", "Another one."] for number in numbers]
        rows = {name: np.array([_row(place, number, outputs[name][number - first]) for number in numbers])
                for place, name in enumerate(SYSTEMS)}  # fmt: skip
        yield SentenceScores(Block(first, sources, references, outputs), FIGURES, rows)


def _row(system: int, number: int, output: str | None) -> list[float]:
    if output is None:
        return [np.nan] * len(FIGURES)
    words = len(output.split())
    sari = np.nan if number == 5 else float(number * 37 % 97 if system else 50)
    return [sari, sari / 2, words / 3 + system, words / len(source_of(number).split())]


def scores(total: int = 120) -> Scores:
    """Figures of the three systems: cut is best on SARI, and cannot be told apart from split."""
    values = {"copy": (20.0, 5.0, 9.0, 1.0), "cut": (41.5, 12.0, 4.25, 0.4), "split": (40.5, 11.0, 5.0, 1.05)}
    systems = tuple(
        SystemScores(name, total - (name == "split"), {
            figure.key: _score(value) for figure, value in zip(FIGURES, values[name], strict=True)
        })
        for name in SYSTEMS
    )  # fmt: skip
    pairs = (("copy", "cut", 0.002), ("copy", "split", 0.004), ("cut", "split", 0.31))
    differences = tuple(
        Difference(figure.key, one, other, _score(values[one][column] - values[other][column]),
                   Statistic(p), Statistic(p), Statistic(min(1.0, 2 * p)))
        for column, figure in enumerate(FIGURES)
        for one, other, p in pairs
    )  # fmt: skip
    return Scores(FIGURES, systems, differences, "metrics:made|seed:0")


def _score(value: float) -> Score:
    return Score(Statistic(value), Statistic(value - 0.5), Statistic(value + 0.5))
