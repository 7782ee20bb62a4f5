"""Results of the lexical protocols: how complex each word was judged, and which substitutes were given most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rubrica.core.ratings import WORDS, Criterion
from rubrica.report.aggregation import COUNTS, MEAN, GoldRow, aggregate
from rubrica.report.charts import intervals_chart
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, decimal, listed, of, quoted, sentence
from rubrica.report.sections.section import Chart, Heading, Paragraph, Part
from rubrica.report.tables import DECIMAL, WHOLE, Cell, Column, Estimate, Table
from rubrica.stats.statistic import Statistic

MOST_SHOWN = 12
"""How many words are drawn."""
SCALE = (1.0, 5.0)
MOST_ROWS = 60
TOP = 5
"""How many substitutes of a word are listed."""


def word_complexity(figures: Figures) -> list[Part]:
    """The mean complexity of each word, the hardest first."""
    found = aggregate(figures.subject.ratings, MEAN)
    rows = sorted((row for row in found.rows if isinstance(row.gold.value, int | float)), key=_hardest)
    if not rows:
        return []
    cells: list[tuple[Cell, ...]] = [
        (_target(row), Estimate(Statistic(_mean(row)), row.gold.low, row.gold.high), row.gold.raters, _context(row))
        for row in rows
    ]
    columns = (
        Column("word", "Word"),
        Column("complexity", "Complexity, mean [95 %]", DECIMAL),
        Column("raters", "Annotators", WHOLE),
        Column("context", "Context"),
    )
    hard, easy = rows[0], rows[-1]
    text = (
        f"{counted(len(rows), 'word')} in context were rated: the hardest is {quoted(_target(hard))} "
        f"({decimal(_mean(hard))}), the easiest {quoted(_target(easy))} ({decimal(_mean(easy))}), "
        "on a scale from 1 (very easy) to 5 (very difficult)."
    )
    few = sum(row.gold.raters < 10 for row in rows)
    if few:
        verb = "has" if few == 1 else "have"
        text += f" The guideline asks for ten judgements per word or more; {counted(few, 'word')} {verb} fewer."
    shown = cells[:MOST_ROWS]
    note = "Means over annotators on the raw scale, as the guideline's file has them; Student's intervals."
    note += f" The {MOST_ROWS} hardest of {len(rows):,}." if len(cells) > MOST_ROWS else ""
    table = Table("complexity", "Complexity of each word", columns, tuple(shown), note, found.signature)
    chart = _chart(rows, len(figures.subject.ratings.counted), table)
    return [Heading("Words by complexity"), Paragraph(sentence(text), finding=True), table, chart]


def _chart(rows: Sequence[GoldRow], judgements: int, table: Table) -> Chart:
    """The hardest words with their intervals on the scale; a word that comes twice is told by its item."""
    shown = rows[:MOST_SHOWN]
    times = Counter(map(_target, shown))
    names = [f"{_target(row)} ({row.unit.key})" if times[_target(row)] > 1 else _target(row) for row in shown]
    data = [{"panel": "", "system": name, **_ends(row)} for name, row in zip(names, shown, strict=True)]
    title = "Mean complexity of words" + (f", the {MOST_SHOWN} hardest" if len(rows) > MOST_SHOWN else "")
    spec = intervals_chart(
        data,
        names=names,
        what=title,
        subtitle=f"{judgements:,} judgements; lines: 95 % interval",
        axis="mean complexity, from 1 (very easy) to 5 (very difficult)",
        scales={"": SCALE},
    )
    said = "; ".join(f"{_target(row)} {decimal(_mean(row))}" for row in shown)
    alt = f"Points with intervals, one for each word, the hardest first: {said}."
    return Chart("complexity", title, alt, spec, table.id, table.signature)


def _ends(row: GoldRow) -> dict[str, float]:
    mean, low, high = _mean(row), row.gold.low.value, row.gold.high.value
    return {"mean": mean, "low": mean if low is None else low, "high": mean if high is None else high}


def _mean(row: GoldRow) -> float:
    assert isinstance(row.gold.value, int | float)
    return float(row.gold.value)


def _hardest(row: GoldRow) -> float:
    return -_mean(row)


def _target(row: GoldRow) -> str:
    return row.unit.target or row.unit.texts.get("target", row.unit.key)


def _context(row: GoldRow) -> str:
    return row.unit.texts.get("context", "")


def substitutes(figures: Figures) -> list[Part]:
    """Which short answers were given for each item, the most frequent first."""
    ratings = figures.subject.ratings
    found = aggregate(ratings, COUNTS)
    parts: list[Part] = []
    for criterion in ratings.criteria:
        rows = [row for row in found.rows if row.question == criterion.id and criterion.kind == WORDS]
        if rows:
            parts += [Heading(criterion.label), Paragraph(_in_words(rows), finding=True)]
            parts.append(_substitutes_table(criterion, rows, found.signature))
    return parts


def _in_words(rows: Sequence[GoldRow]) -> str:
    nobody = [row for row in rows if not row.counted]
    best = sorted(rows, key=lambda row: -max((one.raters for one in row.counted), default=0))[:3]
    most = [_agreed(row) for row in best if row.counted and row.counted[0].raters > 1]
    different = sum(len(row.counted) for row in rows) / len(rows)
    text = f"For {counted(len(rows), 'word')}, {different:.1f} different substitutes were given on average."
    text += f" Annotators agreed most on {listed(most)}." if most else ""
    text += f" For {of(len(nobody), len(rows), 'word')} nobody knew a simpler one." if nobody else ""
    if any(row.none_simpler is None for row in rows):
        return text
    none, answers = sum(row.none_simpler or 0 for row in rows), sum(row.gold.raters for row in rows)
    return f"{text} {of(none, answers, 'answer')} {'says' if none == 1 else 'say'} that no word is simpler."


def _substitutes_table(criterion: Criterion, rows: Sequence[GoldRow], signature: str) -> Table:
    none = criterion.blank
    cells: list[tuple[Cell, ...]] = [
        (
            _target(row),
            "; ".join(f"{one.answer} ({one.raters})" for one in row.counted[:TOP]) or "none given",
            *([row.none_simpler] if none else []),
            len(row.counted),
            row.gold.raters,
            _context(row),
        )
        for row in rows[:MOST_ROWS]
    ]
    columns = (
        Column("word", "Word"),
        Column("substitutes", "Substitutes (annotators)"),
        *([Column("none_simpler", "None simpler", WHOLE)] if none else []),
        Column("different", "Different", WHOLE),
        Column("annotators", "Annotators", WHOLE),
        Column("context", "Context"),
    )
    note = f"The {TOP} most frequent and how many annotators gave them."
    note += " None simpler: how many left it blank or wrote the word itself." if none else ""
    note += f" The first {MOST_ROWS} of {len(rows):,}." if len(rows) > MOST_ROWS else ""
    return Table(criterion.id, f"{criterion.label} of each word", columns, tuple(cells), note, signature)


def _agreed(row: GoldRow) -> str:
    first = row.counted[0]
    return f"{quoted(first.answer)} for {quoted(_target(row))} ({first.raters} of {row.gold.raters})"
