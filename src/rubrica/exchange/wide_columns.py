"""Wide tables: one row for a sentence, one column for each system's rewrite of it.

Names of systems say nothing, so such columns are told by their texts: they are sentences, and each resembles the source
of its own row more than that of other rows. What resembles it but may be something else (a reference, a copy of the
source) is offered and not taken. What was taken is always shown with its reason, and can be corrected.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from statistics import fmean, median
from typing import NamedTuple

from rubrica.core.protocol import Protocol
from rubrica.exchange.tables import Table

SAMPLE = 200
"""Rows that are looked at."""
ALIKE, APART = 0.3, 1.4
"""How much of a text must stand in its source, from 0 to 1, and how many times as much as in other sources."""
NAME_SIGNS, NAME_WORDS = 80, 6
"""Longer values are texts: no system, author or id is called so."""
FEW, LABEL_WORDS = 8, 3
"""From how many rows on a column can be said to repeat itself, and how many words a label has at most."""
REFERENCES = (
    "ref, reference, references, gold, goldstandard, human, expert, referencia, oro, humano, humana, referenz, "
    "mensch, menschlich, référence, humain, riferimento, umano, humano"
)


class Candidate(NamedTuple):
    """A column that may hold what one system wrote, whether it is taken for that, and why or why not."""

    column: str
    taken: bool
    why: str


def wide_field(protocol: Protocol) -> str:
    """The field that may be spread over several columns: what systems write; "" if the protocol has none."""
    return next(iter(protocol.rewrites), "")


def split_columns(text: str, table: Table) -> list[str]:
    """The columns that ``A,B,"C, or D"`` names; a column that is called so as a whole goes before."""
    if not text or text in table.columns:
        return [text] if text else []
    parts = next(csv.reader(io.StringIO(text), skipinitialspace=True), [])
    return [part.strip() for part in parts if part.strip()]


def joined_columns(columns: Sequence[str]) -> str:
    """Several columns as one text, as ``split_columns`` reads it; one column as it is called."""
    if len(columns) < 2:
        return "".join(columns)
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(columns)
    return out.getvalue()


def system_name(column: str) -> str:
    """What the system of a column is called: its header on one line."""
    return " ".join(column.split())


def holds_texts(table: Table, column: str) -> bool:
    """Whether most values are too long to be names."""
    values = _values(table, column)
    if not values:
        return False
    return median(map(len, values)) > NAME_SIGNS or median(len(value.split()) for value in values) > NAME_WORDS


def holds_labels(table: Table, column: str) -> bool:
    """Whether a few short values stand again and again: where texts come from, what kind they are, and no texts."""
    values = _values(table, column)
    if len(values) < FEW or median(len(value.split()) for value in values) > LABEL_WORDS:
        return False
    return len(set(values)) * 4 <= len(values)


def has_texts(table: Table, besides: Collection[str]) -> bool:
    """Whether another column holds texts that differ from row to row."""
    return any(column and column not in besides and _prose(table, column) for column in table.columns)


def likely_source(table: Table, protocol: Protocol, found: Mapping[str, str]) -> Candidate | None:
    """The column whose texts those of several others resemble, the leftmost such; None if there is no field for it."""
    sources = [field.id for field in protocol.fields if field.role in ("source", "reference")]
    if not wide_field(protocol) or not sources or sources[0] in found:
        return None
    for column in table.columns:
        if column and column not in found.values() and _prose(table, column):
            others = [one for one in candidates(table, protocol, {**found, sources[0]: column}) if one.taken]
            if len(others) > 1:
                return Candidate(column, True, "texts of other columns resemble it row by row")
    return None


def candidates(table: Table, protocol: Protocol, found: Mapping[str, str]) -> list[Candidate]:
    """Columns that may be rewrites by different systems, in the file's order; none without a source to compare with."""
    wide = wide_field(protocol)
    source = next((found[field.id] for field in protocol.fields if field.role != "rewrite" and field.id in found), "")
    if not wide or not source:
        return []
    used = {column for name, column in found.items() if name != wide}
    sources = [_grams(row.values.get(source, "")) for row in table.rows[:SAMPLE]]
    offered = []
    for column in table.columns:
        if column and column not in used and _prose(table, column):
            offered += _judged(table, column, source, sources)
    return offered


def _judged(table: Table, column: str, source: str, sources: Sequence[frozenset[str]]) -> list[Candidate]:
    texts = [row.values.get(column, "") for row in table.rows[:SAMPLE]]
    pairs = [(index, grams) for index, grams in enumerate(map(_grams, texts)) if grams and sources[index]]
    if not pairs:
        return []
    own = fmean(_shared(grams, sources[index]) for index, grams in pairs)
    others = [sources[(index + 1) % len(sources)] for index, _ in pairs]
    other = fmean(_shared(grams, theirs) for (_, grams), theirs in zip(pairs, others, strict=True))
    if own < ALIKE or (len(set(sources)) > 2 and own < APART * other):
        return []
    same = sum(text.split() == row.values.get(source, "").split() for text, row in zip(texts, table.rows, strict=False))
    if same > 0.9 * len(pairs):
        return [Candidate(column, False, f"it repeats {source!r}")]
    if set(column.casefold().replace("_", " ").replace("-", " ").split()) & set(REFERENCES.split(", ")):
        return [Candidate(column, False, "its name is that of a reference")]
    return [Candidate(column, True, f"its texts resemble those of {source!r} row by row")]


def _values(table: Table, column: str) -> list[str]:
    return [text for row in table.rows[:SAMPLE] if (text := row.values.get(column, "").strip())]


def _prose(table: Table, column: str) -> bool:
    """Whether the values are texts that differ from row to row; scripts without spaces are told by their length."""
    values = _values(table, column)
    if not values or median(max(len(value.split()), len(value) // 8) for value in values) < 2:
        return False
    return len(set(values)) > len(values) / 3


def _grams(text: str) -> frozenset[str]:
    """Three letters at a time, so that inflected words are alike in any language."""
    plain = " ".join(text.casefold().split())
    return frozenset(plain[at : at + 3] for at in range(len(plain) - 2))


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the shorter text stands in the other, from 0 to 1."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
