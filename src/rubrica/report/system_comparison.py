"""A comparison of systems by metrics as a folder: one page with every text at hand, and its tables and charts as files.

The documents that Rubrica follows warn that a metric alone misleads; the page says so first, and shows what each
figure rests on: the sentences, side by side.

What a comparison by metrics found, in words: who is ahead and whether that holds, how many rewrites are copies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import attrs

from rubrica.metrics.metric import Figure
from rubrica.metrics.results import Scores, SentenceScores
from rubrica.report.folder import check_place, write
from rubrica.report.prose import decimal, listed
from rubrica.report.report import Report
from rubrica.report.sections.section import Paragraph, Part, Section
from rubrica.report.system_comparison_choice import ENDS, MOST, Chosen, SentenceChoice, choose
from rubrica.report.system_comparison_page import as_page
from rubrica.report.system_comparison_tables import (
    best_systems,
    differences_table,
    figures_table,
    scores_chart,
    spread_chart,
    spread_table,
    systems_table,
)

MOST_COLUMNS = 6
"""With more figures than this, systems are columns and figures are rows."""
MOST_ROWS = 400
"""A longer table of tests is in the files only."""
MOST_PANELS = 12
"""Charts show so many figures, the first ones."""


@attrs.frozen(kw_only=True)
class Choices:
    """What somebody chose about the comparison.

    ``charts`` None draws them if what draws is installed. ``language`` is that of the texts (BCP 47), for screen
    readers and hyphenation. ``most`` and ``ends``: see :class:`SentenceChoice`.
    """

    title: str = "Systems compared by metrics"
    language: str = ""
    charts: bool | None = None
    force: bool = False
    seed: int = 0
    most: int = MOST
    ends: int = ENDS

    def choice(self) -> SentenceChoice:
        """What sees the sentences pass by."""
        return SentenceChoice(self.most, self.ends, self.seed)


USUAL = Choices()


def write_comparison(
    folder: Path,
    scores: Scores,
    sentences: Iterable[SentenceScores] | Chosen,
    now: datetime,
    choices: Choices = USUAL,
    tell: Callable[[int], None] | None = None,
) -> list[str]:
    """Write the folder whole; returns its files, relative to it. ``sentences`` are read once, block by block.

    Whoever has the blocks pass by while scores are still computed gives them to ``choices.choice()`` and passes what
    was chosen. ``tell`` hears how many charts are drawn. Raises InputError if the folder is in the way.
    """
    check_place(folder, choices.force)
    chosen = sentences if isinstance(sentences, Chosen) else choose(sentences, choices.choice())
    report = comparison_report(scores, chosen, now, choices.title)
    charts = find_spec("vl_convert") is not None if choices.charts is None else choices.charts
    page = partial(as_page, chosen=chosen, language=choices.language)
    return write(report, folder, charts=charts, force=choices.force, tell=tell, page=page)


def comparison_report(scores: Scores, chosen: Chosen, now: datetime, title: str) -> Report:
    """Tables, charts and findings; what the page shows of single sentences is not in it."""
    main = [figure for figure in scores.figures if not figure.part]
    sections = (_systems(scores, main, chosen), _between(scores), _spread(scores, main, chosen))
    return Report(
        title=title,
        name=listed(system.name for system in scores.systems),
        source="Scores of",
        made=now,
        origin=scores.signature,
        sections=tuple(section for section in sections if section.parts),
    )


def _systems(scores: Scores, main: Sequence[Figure], chosen: Chosen) -> Section:
    wide = systems_table(scores)
    turned = figures_table(scores) if len(scores.figures) > MOST_COLUMNS else None
    chart = scores_chart(scores, main[:MOST_PANELS], (turned or wide).id)
    parts: list[Part] = [Paragraph(text, "list") for text in findings(scores, main, chosen)]
    parts += [turned or wide, *([chart] if chart else [])]
    return Section("systems", "Systems", tuple(parts), (wide,) if turned else ())


def _between(scores: Scores) -> Section:
    table = differences_table(scores)
    name, title = "differences", table.title
    if not table.rows:
        return Section(name, title, ())
    if len(table.rows) <= MOST_ROWS:
        return Section(name, title, (table,))
    text = f"All {len(table.rows):,} tests between pairs of systems are in tables/{table.id}.csv beside this page."
    return Section(name, title, (Paragraph(text),), (table,))


def _spread(scores: Scores, main: Sequence[Figure], chosen: Chosen) -> Section:
    title = "Figures of single sentences"
    if not chosen.sampled:
        return Section("spread", title, ())
    table = spread_table(chosen, main, scores.signature)
    shown = [figure.title for figure in main[:MOST_PANELS]]
    drawn = attrs.evolve(table, rows=tuple(row for row in table.rows if row[0] in shown))
    chart = spread_chart(drawn, chosen.systems)
    return Section("spread", title, (*([chart] if chart else []), table))


ALPHA = 0.05
MOST_LINES = 6
"""With more figures than this, they are told by system and not one by one."""


class _Lead(NamedTuple):
    """A system ahead on a figure; ``near`` are those before which not significantly, ``tested`` how many were."""

    figure: str
    system: str
    value: str
    tested: int
    near: tuple[str, ...]


def findings(scores: Scores, figures: Sequence[Figure], chosen: Chosen) -> list[str]:
    """Sentences in the order in which they are read."""
    leads = [lead for figure in figures for lead in _leads(scores, figure)]
    found = [_line(lead) for lead in leads] if len(leads) <= MOST_LINES else _by_system(leads)
    if len({lead.system for lead in leads}) > 1:
        found.append("The figures do not agree on which system is the best.")
    return [text for text in (*found, _copies(chosen), _tested(scores)) if text]


def _leads(scores: Scores, figure: Figure) -> list[_Lead]:
    """The system that is ahead, if the figure judges and one is."""
    best = [scores.systems[index] for index in best_systems(scores, figure)]
    if len(best) != 1:
        return []
    name, value = best[0].name, decimal(best[0].scores[figure.key].value, figure.digits)
    tests = [
        (one.other if one.one == name else one.one, one.p_holm.value)
        for one in scores.differences
        if one.figure == figure.key and name in (one.one, one.other)
    ]
    known = [(other, p) for other, p in tests if p is not None]
    return [_Lead(figure.title, name, value, len(known), tuple(other for other, p in known if p >= ALPHA))]


def _line(lead: _Lead) -> str:
    held = ""
    if lead.near:
        held = f", not significantly before {listed(lead.near, 'or')}"
    elif lead.tested:
        held = f", significantly before {'the other system' if lead.tested == 1 else 'every other system'}"
    return f"{lead.figure}: {lead.system} is ahead with {lead.value}{held}."


def _by_system(leads: Sequence[_Lead]) -> list[str]:
    """One sentence for each system that is ahead on anything, first those that are on most."""
    own: dict[str, list[str]] = {}
    for lead in leads:
        mark = "*" if lead.tested and not lead.near else ""
        own.setdefault(lead.system, []).append(f"{lead.figure} ({lead.value}{mark})")
    order = sorted(own, key=lambda name: -len(own[name]))
    lines = [f"{name} is ahead on {listed(own[name])}." for name in order]
    marked = any(lead.tested and not lead.near for lead in leads)
    return [*lines, *(["* significantly before every other system."] if marked else [])]


def _copies(chosen: Chosen) -> str:
    """How many rewrites are no rewrites at all: what several metrics do not notice."""
    if not chosen.has_sources:
        return ""
    named = [f"{copies:,} of {chosen.rewritten[name]:,} by {name}" for name, copies in chosen.copies.items() if copies]
    if not named:
        return "No rewrite is a copy of its source."
    return f"Rewrites that are copies of their source, capitals and spacing aside: {listed(named)}."


def _tested(scores: Scores) -> str:
    if all(one.p_holm.value is None for one in scores.differences):
        return ""
    return f"Significant is p < {ALPHA:g} in a paired permutation test, after Holm's correction."
