"""Wide tables: one row for a sentence, one column for each system's rewrite of it.

Names of systems say nothing, so such columns are told by their texts: they are sentences, and each resembles the source
of its own row more than that of other rows. Where nothing resembles it, what has a text of its length in every row is
taken. What may be something else (a reference, remarks, a copy of the source) is offered and not taken. What was taken
is always shown with its reason, and can be corrected.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from statistics import fmean, median
from typing import NamedTuple

from rubrica.core.protocol import Protocol
from rubrica.exchange.spreadsheet_tables import is_text
from rubrica.exchange.tables import Table

SAMPLE = 200
"""Rows that are looked at."""
ALIKE, APART = 0.3, 1.4
"""How much of a text must stand in its source, from 0 to 1, and how many times as much as in other sources."""
MOSTLY, LITTLE = 0.8, 0.15
"""Of how many rows a text must resemble its own source more than another, where sources are alike or texts are free;
and how much of a free text must stand in its source."""
SHORTEST, LONGEST = 0.2, 3.0
"""How long the texts of a system are beside their sources, in signs."""
NAME_SIGNS, NAME_WORDS = 80, 6
"""Longer values are texts: no system, author or id is called so."""
FEW, LABEL_WORDS = 8, 3
"""From how many rows on a column can be said to repeat itself, and how many words a label has at most."""
REFERENCES = (
    "ref, reference, references, gold, goldstandard, human, expert, referencia, oro, humano, humana, referenz, "
    "mensch, menschlich, référence, humain, riferimento, umano, humano"
)
REMARKS = (
    "note, notes, remark, remarks, comment, comments, observation, observations, todo, nota, notas, comentario, "
    "comentarios, observación, observaciones, anmerkung, anmerkungen, bemerkung, bemerkungen, kommentar, kommentare, "
    "notiz, notizen, hinweis, hinweise, remarque, remarques, commentaire, commentaires, osservazione, osservazioni, "
    "note, commento, commenti, observação, observações, comentário, comentários"
)


IN_EVERY_ROW = "it has a text in every row"
REFERENCE, REMARK = "its name is that of a reference", "its name is that of remarks"


class Candidate(NamedTuple):
    """A column that may hold what one system wrote, whether it is taken for that, and why or why not.

    ``against`` is what speaks against it, "" if nothing does.
    """

    column: str
    taken: bool
    why: str
    against: str = ""


def wide_field(protocol: Protocol) -> str:
    """The field that may be spread over several columns: what systems write; "" if the protocol has none."""
    return next(iter(protocol.rewrites), "")


def split_columns(text: str, table: Table) -> list[str]:
    """The columns that ``A,B,"C, or D"`` names; a column that is called so as a whole goes before."""
    whole = as_called(text, table)
    if not text or whole in table.columns:
        return [whole] if text else []
    parts = next(csv.reader(io.StringIO(text), skipinitialspace=True), [])
    return [as_called(part, table) for part in parts if part.strip()]


def as_called(text: str, table: Table) -> str:
    """The column that is called so, line breaks and other spaces in its header aside; else the text."""
    same = [column for column in table.columns if system_name(column) == system_name(text)]
    return text if text in table.columns or len(same) != 1 else same[0]


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


def without_header(table: Table) -> bool:
    """Whether texts stand where the names of the columns should: the file has no header."""
    columns = [column for column in table.columns if column and _prose(table, column)]
    return bool(columns) and all(map(is_text, columns))


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
            others = [one for one in _offered(table, protocol, {**found, sources[0]: column}) if one.taken]
            if len(others) > 1:
                return Candidate(column, True, "texts of other columns resemble it row by row")
    return None


def candidates(table: Table, protocol: Protocol, found: Mapping[str, str]) -> list[Candidate]:
    """Columns that may be rewrites by different systems, in the file's order; none without a source to compare with.

    Where none resembles the source, those with a fitting text in every row are taken.
    """
    offered = _offered(table, protocol, found)
    return offered if any(one.taken for one in offered) else [one._replace(taken=not one.against) for one in offered]


def _offered(table: Table, protocol: Protocol, found: Mapping[str, str]) -> list[Candidate]:
    """The same, only those taken that resemble the source."""
    wide = wide_field(protocol)
    source = next((found[field.id] for field in protocol.fields if field.role != "rewrite" and field.id in found), "")
    if not wide or not source:
        return []
    used = {column for name, column in found.items() if name != wide}
    sources = [row.values.get(source, "") for row in table.rows[:SAMPLE]]
    others = [column for column in table.columns if column and column not in used]
    return [one for column in others if (one := _judged(table, column, source, sources))]


def _judged(table: Table, column: str, source: str, sources: Sequence[str]) -> Candidate | None:
    """What speaks for a column of texts and what against it; None if it holds no such texts."""
    texts = [row.values.get(column, "") for row in table.rows[:SAMPLE]]
    pairs = [(text, sources[at], sources[(at + 1) % len(sources)]) for at, text in enumerate(texts) if text.strip()]
    pairs = [pair for pair in pairs if pair[1].strip()]
    if not pairs or holds_labels(table, column):
        return None
    alike = _prose(table, column) and _alike(pairs, len(set(sources)) > 2)
    lengths = median(len(text) / len(own) for text, own, _ in pairs)
    whole, varied = len(pairs) * 10 >= len(texts) * 9, len(set(texts)) > max(1, len(texts) // 10)
    fits = SHORTEST <= lengths <= LONGEST and holds_texts(table, column) and whole and varied
    if not alike and not fits:
        return None
    words = {*column.casefold().replace("_", " ").replace("-", " ").replace(".", " ").split()}
    against = ""
    if sum(text.split() == own.split() for text, own, _ in pairs) > 0.9 * len(pairs):
        against = f"it repeats {source!r}"
    elif words & set(REFERENCES.split(", ")):
        against = REFERENCE
    elif words & set(REMARKS.split(", ")):
        against = REMARK
    elif lengths < SHORTEST:
        against = f"its texts are much shorter than those of {source!r}"
    resembling = f"its texts resemble those of {source!r} row by row"
    return Candidate(column, alike and not against, against or (resembling if alike else IN_EVERY_ROW), against)


def _alike(pairs: Sequence[tuple[str, str, str]], different: bool) -> bool:
    """Whether texts resemble the source of their own row, and that more than another, where sources are different."""
    grams = [tuple(map(_grams, pair)) for pair in pairs]
    own = [_shared(text, mine) for text, mine, _ in grams]
    other = [_shared(text, theirs) for text, _, theirs in grams]
    if not different:
        return fmean(own) >= ALIKE
    more = sum(one > two for one, two in zip(own, other, strict=True))
    mostly = len(pairs) >= FEW and more >= MOSTLY * len(pairs)
    return fmean(own) >= (LITTLE if mostly else ALIKE) and (mostly or fmean(own) >= APART * fmean(other))


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
