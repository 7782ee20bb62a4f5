"""Verdicts: what follows from the answers by the protocol's rules, of single judgements and of whole items."""

from __future__ import annotations

from collections import Counter

from rubrica.core.ratings import VERDICT
from rubrica.core.texts import shown
from rubrica.report.figures import Figures
from rubrica.report.gold_verdicts import of_items
from rubrica.report.prose import counted, listed, percent, sentence
from rubrica.report.sections.agreement import of_verdicts
from rubrica.report.sections.materials import system_name
from rubrica.report.sections.section import Heading, Paragraph, Part
from rubrica.report.tables import PERCENT, WHOLE, Cell, Column, Table

Votes = dict[str, Counter[str]]
"""By system, how often a verdict is yes and no."""
COLUMNS = (
    Column("verdict", "Verdict"),
    Column("of", "Of"),
    Column("system", "System"),
    Column("yes", "Yes", WHOLE),
    Column("decided", "Decided", WHOLE),
    Column("share", "Share %", PERCENT, 0),
)
NOTE = "A verdict follows from the answers by the protocol's rule; what it leaves open does not count."


def verdicts(figures: Figures, *, told: bool) -> list[Part]:
    """Shares of every verdict by system, and agreement on them; ``told`` makes them a finding of the summary."""
    subject = figures.subject
    assert subject.protocol is not None
    labels = {verdict.id: shown(verdict.label, "en") for verdict in subject.protocol.verdicts}
    decided, undecided = _of_items(figures)
    said: list[str] = []
    rows: list[tuple[Cell, ...]] = []
    for noun, found in (("judgement", _of_judgements(figures)), ("item", decided)):
        for name, votes in found.items():
            total: Counter[str] = sum(votes.values(), Counter())
            if total.total():
                said.append(
                    f"{labels[name]}: {percent(total['yes'] / total.total())} of {counted(total.total(), noun)}"
                )
                rows += _rows(labels[name], f"{noun}s", votes)
    parts: list[Part] = [Heading("Verdicts")]
    parts.append(Paragraph(f"{sentence('; '.join(said))}." if said else "No verdict could be decided.", finding=told))
    left = [f"{labels[name]} for {counted(number, 'item')}" for name, number in undecided.items()]
    if left:
        parts.append(Paragraph(f"Too few judgements decide {listed(left)}."))
    if rows:
        signed = subject.ratings.sign(table="verdicts")
        parts.append(Table("verdicts", "Verdicts by system", COLUMNS, tuple(rows), NOTE, signed))
    agreed = of_verdicts(figures)
    return [*parts, agreed] if agreed else parts


def _of_judgements(figures: Figures) -> dict[str, Votes]:
    """By verdict, over all judgements that decide it."""
    ratings = figures.subject.ratings
    names = [one.id for one in ratings.criteria if one.kind == VERDICT]
    found: dict[str, Votes] = {name: {} for name in names}
    for rating in figures.subject.ratings.standing:
        system = ratings.units[rating.unit].system
        for name in names:
            if name in rating.answers:
                found[name].setdefault(system, Counter())[str(rating.answers[name])] += 1
    return found


def _of_items(figures: Figures) -> tuple[dict[str, Votes], Counter[str]]:
    """By verdict, over items; and how many items too few judgements decide."""
    found: dict[str, Votes] = {}
    undecided: Counter[str] = Counter()
    for unit, name, gold in of_items(figures.subject.ratings):
        if gold.value is None:
            undecided[name] += 1
        else:
            found.setdefault(name, {}).setdefault(unit.system, Counter())[str(gold.value)] += 1
    return found, undecided


def _rows(label: str, of: str, votes: Votes) -> list[tuple[Cell, ...]]:
    """A row for each system, and one for all if there are several."""
    named = {system_name(system, votes): counts for system, counts in votes.items()}
    if len(named) > 1:
        named["all systems"] = sum(votes.values(), Counter())
    return [
        (label, of, name, counts["yes"], counts.total(), counts["yes"] / counts.total())
        for name, counts in named.items()
    ]
