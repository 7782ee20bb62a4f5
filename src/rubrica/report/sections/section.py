"""What a report is made of: sections with prose, tables, charts and cases, in the order in which they are read.

Nothing here knows how it will be shown: the same sections become a page, files and a page of the studio.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import attrs

from rubrica.core.protocol import Protocol
from rubrica.core.ratings import Ratings
from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.typology import Typology
from rubrica.exchange.scores import SystemScore
from rubrica.report.correlation import Scored
from rubrica.report.crowd_reliability import Experts, Price
from rubrica.report.facts import StudyFacts
from rubrica.report.tables import Table


class Paragraph(NamedTuple):
    """Prose. ``kind`` is ``text``, ``list`` (a point of a list), ``empty`` (why there is nothing) or ``command``.

    A ``finding`` is repeated in the summary.
    """

    text: str
    kind: str = "text"
    finding: bool = False


class Heading(NamedTuple):
    """A title within a section."""

    text: str


@attrs.frozen
class Chart:
    """A picture of a table. ``spec`` is Vega-Lite, ``alt`` says what it shows to those who do not see it."""

    id: str
    title: str
    alt: str
    spec: Mapping[str, Any]
    table: str
    signature: str = ""


class Line(NamedTuple):
    """A label and what stands under it: a text of an item, an answer."""

    label: str
    text: str
    lang: str = ""


@attrs.frozen
class Case:
    """One item that is shown whole: its texts and what was said about it."""

    title: str
    note: str
    texts: tuple[Line, ...]
    answers: tuple[Line, ...]


@attrs.frozen
class Asked:
    """A question of the datasheet with its answer; ``missing`` says what the researcher must add."""

    id: str
    question: str
    answer: str = ""
    missing: str = ""


Part = Paragraph | Heading | Table | Chart | Case | Asked


@attrs.frozen
class Section:
    """One section. ``behind`` are tables that are written to files but not shown, as the data of a chart."""

    id: str
    title: str
    parts: tuple[Part, ...]
    behind: tuple[Table, ...] = ()

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table, those that are not shown included."""
        return (*(part for part in self.parts if isinstance(part, Table)), *self.behind)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Every chart."""
        return tuple(part for part in self.parts if isinstance(part, Chart))


@attrs.frozen(kw_only=True)
class Choices:
    """What somebody chose about a report: how many resamples, from which seed, how many disputed items are shown.

    ``human`` names the systems whose rewrites are people's, as :func:`human_systems` reads it.
    """

    replicates: int = 1000
    seed: int = 0
    disputed: int = 10
    human: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class MarkedEdits:
    """The edits of a study, by stage in the order of its stages, with their types and what signs results."""

    stages: Mapping[str, tuple[AnnotatedPair, ...]]
    typology: Typology
    sign: Callable[..., str]


@attrs.frozen(kw_only=True)
class Subject:
    """What a report is about. Raters have no names here any more. Without ``facts`` it is a file of ratings.

    ``scores`` are figures of metrics of whole systems, ``beside`` those of single units where they come from a file
    (those of a study are its registered metrics), ``experts`` what experts said of a sample of the same outputs,
    ``price`` what a rating costs.
    """

    ratings: Ratings
    facts: StudyFacts | None = None
    protocol: Protocol | None = None
    edits: MarkedEdits | None = None
    choices: Choices = Choices()
    flagged: tuple[str, ...] = ()
    scores: tuple[SystemScore, ...] = ()
    beside: Scored | None = None
    experts: Experts | None = None
    price: Price | None = None
