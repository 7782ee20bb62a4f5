"""The report of a study: sections in the order of a paper's evaluation part, computed and put into words here.

Three layers are kept apart: figures (agreement, distributions, …), sections made of them, and their rendering
(``html``, ``folder``, a page of the studio). Everything is in memory: one object that can be shown or written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

import attrs

from rubrica.report.sections.annotators import annotators
from rubrica.report.sections.datasheet import datasheet
from rubrica.report.sections.materials import materials
from rubrica.report.sections.protocol import protocol
from rubrica.report.sections.ratings import ratings
from rubrica.report.sections.reproduce import reproduce
from rubrica.report.sections.section import Chart, Section, Subject
from rubrica.report.tables import Table

Maker = Callable[[Subject], Section]
MAKERS: Mapping[str, Maker] = {
    "materials": materials,
    "protocol": protocol,
    "annotators": annotators,
    "ratings": ratings,
}
"""Sections that are made of the subject alone, in their order."""
STEPS = len(MAKERS) + 3
"""How many steps building takes, for a progress bar."""


@attrs.frozen(kw_only=True)
class Report:
    """A report. ``made`` is when; ``origin`` is the signature of the ratings that everything rests on."""

    title: str
    name: str
    made: datetime
    origin: str
    sections: tuple[Section, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table, in order."""
        return tuple(table for section in self.sections for table in section.tables)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Every chart, in order."""
        return tuple(chart for section in self.sections for chart in section.charts)

    def section(self, wanted: str) -> Section:
        """The section with this id; KeyError if there is none."""
        for section in self.sections:
            if section.id == wanted:
                return section
        raise KeyError(wanted)


def build(subject: Subject, now: datetime, tell: Callable[[int], None] | None = None) -> Report:
    """Make the report. ``tell`` hears after each step how many of :data:`STEPS` are done."""
    made: list[Section] = []
    for make in MAKERS.values():
        made.append(make(subject))
        if tell:
            tell(len(made))
    made.append(datasheet(subject, made))
    made.append(reproduce(subject, made, now))
    if tell:
        tell(STEPS)
    facts = subject.facts
    return Report(
        title=facts.title if facts else subject.ratings.name,
        name=facts.name if facts else subject.ratings.name,
        made=now,
        origin=subject.ratings.sign(),
        sections=tuple(made),
    )
