"""The report of a study: sections in the order of a paper's evaluation part, computed and put into words here.

Three layers are kept apart: figures (agreement, distributions, …), sections made of them, and their rendering
(``html``, ``folder``, a page of the studio). Everything is in memory: one object that can be shown or written.

The figures of a report for programs, keyed as the commands print them: agreement, systems, metrics, reliability. A
table is for people; whoever fetches results over the API wants the keys of `rubrica agree --json`, `compare`,
`correlate` and `reliability`, and the same numbers that the page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import attrs

from rubrica.core.human_rewrites import joined
from rubrica.report.comparison_json import comparison_json
from rubrica.report.correlation_tables import correlation_json
from rubrica.report.crowd_reliability import reliability_json
from rubrica.report.figures import STEPS as FIGURES
from rubrica.report.figures import Figures
from rubrica.report.sections.agreement import agreement
from rubrica.report.sections.annotators import annotators
from rubrica.report.sections.answer import answer
from rubrica.report.sections.checks import checks
from rubrica.report.sections.comparison import comparison
from rubrica.report.sections.datasheet import datasheet
from rubrica.report.sections.disputed import disputed
from rubrica.report.sections.materials import materials
from rubrica.report.sections.protocol import protocol
from rubrica.report.sections.ratings import ratings
from rubrica.report.sections.reproduce import reproduce
from rubrica.report.sections.results import results
from rubrica.report.sections.section import Chart, Section, Subject
from rubrica.report.sections.summary import summary
from rubrica.report.tables import Table
from rubrica.stats.statistic import Statistic

MAKERS: tuple[Callable[[Figures], Section], ...] = (
    materials,
    protocol,
    annotators,
    ratings,
    agreement,
    checks,
    comparison,
    results,
    disputed,
)
"""What makes each section, in the order in which a reader meets them."""
STEPS = len(FIGURES) + len(MAKERS) + 1
"""How many steps building takes, for a progress bar."""


@attrs.frozen(kw_only=True)
class Report:
    """A report. ``source`` is what it is of (Study, File), ``made`` is when.

    ``origin`` is the signature of the ratings that everything rests on, ``numbers`` its figures for programs.
    """

    title: str
    name: str
    source: str
    made: datetime
    origin: str
    sections: tuple[Section, ...]
    numbers: Mapping[str, Any] = attrs.field(factory=dict)

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
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if tell:
            tell(done)

    figures = Figures(subject)
    figures.compute(step)
    made: list[Section] = []
    for make in MAKERS:
        made.append(make(figures))
        step()
    first, made = answer(figures, made)
    made.insert(0, summary(figures, made))
    made.insert(0, first)
    made.append(datasheet(figures, made))
    made.append(reproduce(subject, made, now))
    step()
    facts = subject.facts
    return Report(
        title=facts.title if facts else subject.ratings.name,
        name=facts.name if facts else subject.ratings.name,
        source="Study" if facts else "File",
        made=now,
        origin=subject.ratings.sign(),
        sections=tuple(made),
        numbers=results_json(figures),
    )


def results_json(figures: Figures) -> dict[str, Any]:
    """All, each with its signature. Undefined, with the reason, are ``comparison`` without a judgement, ``correlation``
    without metrics and ``reliability`` without an expert.

    Agreement is by the measures of the report, verdicts over all judgements that decide one. Raters have no names.
    """
    ratings = figures.subject.ratings
    agreement: dict[str, Any] = {
        "results": [row.as_json() for row in (*figures.agreement, *figures.verdict_agreement)],
        "fixed_left_out": ratings.fixed_answers,
        "signature": ratings.sign_chosen(
            agree="questions",
            **figures.agreement_asked.parts(),
            metrics="+".join(metric.name for metric in ratings.metrics),
            human=joined(figures.human.left_out) if ratings.metrics else "",
        ),
    }
    if ratings.metrics:
        agreement["metrics"] = [line for row in figures.beside_people for line in row.as_json()]
    compared = comparison_json(figures.comparison) if figures.comparison else _none("nothing was judged")
    metrics, trust = figures.correlations, figures.reliability
    return {
        "agreement": agreement,
        "comparison": compared,
        "correlation": {**correlation_json(metrics), "signature": metrics.signature}
        if metrics
        else _none("there is no metric to hold against judgements"),
        "reliability": {**reliability_json(trust), "signature": trust.signature}
        if trust
        else _none("there is no sample that experts and others judged"),
        "signature": ratings.sign(),
    }


def _none(reason: str) -> dict[str, Any]:
    return Statistic(None, reason).in_row()
