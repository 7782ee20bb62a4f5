"""Data sets side by side: how many sentences, how long, how far they were split (Zhang et al. 2020, Table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import attrs

from rubrica.core.signature import signature
from rubrica.language.sentences import count_sentences_in
from rubrica.metrics.tokens import Normalisation
from rubrica.report.tables import FIGURES, TEXT, Column, Table

CUT = "<::::>"
"""What parts the simple sentences in the files of WikiSplit."""
SAID = {True: "yes", False: "no", None: "not said"}


@attrs.frozen
class DataSet:
    """Pairs of a complex sentence and a rewrite of it; ``human``: whether people wrote them, None if nobody says."""

    name: str
    pairs: tuple[tuple[str, str], ...]
    human: bool | None = None


@attrs.frozen
class Described:
    """The figures of one data set. Means are over different complex sentences, and over all rewrites."""

    name: str
    human: bool | None
    complex: int
    simple: int
    tokens_per_complex: float
    sentences_per_simple: float

    def as_json(self) -> dict[str, Any]:
        """Its figures under their names."""
        return attrs.asdict(self)


def describe(found: DataSet, tokenizer: str, language: str) -> Described:
    """The figures of a data set, which has at least one pair."""
    cut = Normalisation(tokenizer).cutter()
    complex_ = list(dict.fromkeys(source for source, _ in found.pairs))
    simple = [rewrite.replace(CUT, " ") for _, rewrite in found.pairs]
    return Described(
        found.name,
        found.human,
        len(complex_),
        len(simple),
        fmean(len(cut(text).split()) for text in complex_),
        fmean(count_sentences_in(text, language) for text in simple),
    )


def signed(tokenizer: str, language: str) -> str:
    """What made the figures."""
    return signature({"describe": "pairs", "tokenizer": tokenizer, "language": language})


def datasets_table(found: Sequence[Described], tokenizer: str, language: str) -> Table:
    """The table: a column for each data set, as in the paper."""
    rows = (
        ("rewritten by human", *(SAID[one.human] for one in found)),
        ("# complex", *(f"{one.complex:,}" for one in found)),
        ("# simple", *(f"{one.simple:,}" for one in found)),
        ("# tokens/complex", *(f"{one.tokens_per_complex:.1f}" for one in found)),
        ("# sentences/simple", *(f"{one.sentences_per_simple:.2f}" for one in found)),
    )
    return Table(
        id="datasets",
        title="Data sets",
        columns=(Column("entry", "", TEXT), *(Column(f"dataset.{one.name}", one.name, FIGURES) for one in found)),
        rows=rows,
        note=f"Tokens are those of the tokenizer {tokenizer}.",
        signature=signed(tokenizer, language),
    )
