"""What a comparison by metrics found, in words: who is ahead and whether that holds, how many rewrites are copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rubrica.metrics.metric import Figure
from rubrica.metrics.results import Scores
from rubrica.report.prose import decimal, listed
from rubrica.report.system_comparison_choice import Chosen
from rubrica.report.system_comparison_tables import best_systems

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
