"""The figures of every sentence as a file: CSV, TSV or JSON lines, a row for each sentence and system.

Rows are written as blocks come.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from rubrica.core.errors import wrong
from rubrica.exchange.encoded import Encoded
from rubrica.metrics.metric import Figure
from rubrica.metrics.results import SentenceScores

TEXTS = ("id", "system", "source", "rewrite")
DATASET = "dataset"
SIGNATURE = "signature"
FORMATS = (".csv", ".tsv", ".jsonl")


class Writer(Protocol):
    """What takes blocks of scored sentences."""

    def __call__(self, scored: SentenceScores) -> None:
        """Write the sentences of a block."""


def check_format(path: Path) -> None:
    """Refuse a file that is none of the formats, before anything is computed."""
    if path.suffix.lower() not in FORMATS:
        fix = f"End its name in one of {', '.join(FORMATS)}."
        raise wrong(
            f"scores of sentences are not written to {path.suffix or 'such'} files", "format", fix, file=str(path)
        )


def sentence_writer(file: Encoded, path: Path, figures: tuple[Figure, ...], *, datasets: bool = False) -> Writer:
    """What writes blocks of sentences to an open file, in the format that the name of ``path`` tells.

    ``datasets`` says that sentences are of data sets, which have a column then.
    """
    first = [DATASET] if datasets else []
    names = [*first, *TEXTS, *(figure.key for figure in figures), SIGNATURE]
    if path.suffix.lower() == ".jsonl":

        def as_lines(scored: SentenceScores) -> None:
            for row in rows_of(scored, datasets):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

        return as_lines
    table = csv.DictWriter(file, names, delimiter="\t" if path.suffix.lower() == ".tsv" else ",", lineterminator="\n")
    table.writeheader()

    def as_table(scored: SentenceScores) -> None:
        table.writerows(rows_of(scored, datasets))

    return as_table


def rows_of(scored: SentenceScores, datasets: bool = False) -> Iterator[dict[str, Any]]:
    """A row for each sentence and system that rewrote it; None where a figure is undefined."""
    block = scored.block
    for place, source in enumerate(block.sources):
        for system, figures in scored.systems.items():
            text = block.outputs[system][place]
            if text is None:
                continue
            own = block.keys[system][place] if block.keys else ""
            name = own or (block.ids[place] if block.ids else str(block.first + place + 1))
            values = (None if math.isnan(value) else value for value in map(float, figures[place]))
            texts = dict(zip(TEXTS, (name, system, source, text), strict=True))
            named = {figure.key: value for figure, value in zip(scored.figures, values, strict=True)}
            yield {**({DATASET: block.dataset} if datasets else {}), **texts, **named, SIGNATURE: scored.signature}
