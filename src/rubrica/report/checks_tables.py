"""Findings as tables and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.report.checks import Checked, Difference
from rubrica.report.checks_findings import CHECKS, FAST, LONG_RUN, WITH_OTHERS, Finding
from rubrica.report.checks_with_others import Place
from rubrica.report.tables import DECIMAL, PROBABILITY, WHOLE, Cell, Column, Table
from rubrica.stats.checks.attention import LIKELY
from rubrica.stats.statistic import Statistic

COLUMNS = (
    Column("rater", "rater"),
    Column("check", "check"),
    Column("question", "question"),
    Column("value", "figure", DECIMAL),
    Column("peers", "others", DECIMAL),
    Column("n", "n", WHOLE),
    Column("p", "p", PROBABILITY, 4),
    Column("p_adjusted", "p adjusted", PROBABILITY, 3),
    Column("probability", "probability", DECIMAL),
    Column("evidence", "evidence"),
)
RANKING = (
    Column("rater", "rater"),
    Column("probability", "probability", DECIMAL),
    Column("attention", "attention", DECIMAL),
    Column("bias", "bias", DECIMAL),
    Column("noise", "noise", DECIMAL),
    Column("units", "units", WHOLE),
)
FEW = 10
"""Of more annotators, only so many are shown in their order unless all are asked for."""
WITHOUT = (
    Column("question", "question"),
    Column("system", "system"),
    Column("measure", "measure"),
    Column("everybody", "everybody", DECIMAL, 3),
    Column("without", "without", DECIMAL, 3),
    Column("n_everybody", "n", WHOLE),
    Column("n_without", "n without", WHOLE),
)


def unusual_table(found: Checked) -> Table:
    """Only what deserves a look."""
    return _table("findings", "Unusual among the annotators", found.unusual, found)


def every_table(found: Checked) -> Table:
    """Every rater at every check."""
    return _table("checks", "Every annotator at every check", found.findings, found)


def _table(name: str, title: str, findings: Sequence[Finding], found: Checked) -> Table:
    used = dict.fromkeys(finding.check for finding in findings)
    legend = "; ".join(f"{one}: {CHECKS[one].title}, {CHECKS[one].figure}" for one in used)
    note = (
        f"{len(found.people)} annotators, {found.tests} tests. others: their median. p: the chance that one of the "
        "others is as extreme, adjusted for all tests (Benjamini-Hochberg), or that a careful annotator is, made five "
        f"times as strict; below {found.alpha:g} it is unusual. probability: that answers are given without a look; "
        f"from {LIKELY:g} on it is unusual."
    )
    rows = tuple(_row(finding) for finding in findings)
    return Table(name, title, COLUMNS, rows, f"{note}{' ' if legend else ''}{legend}", found.signature)


def _row(finding: Finding) -> tuple[Cell, ...]:
    whole = finding.check in (LONG_RUN,)
    return (
        finding.rater,
        finding.check,
        finding.question,
        _written(finding.value, whole),
        _written(finding.peers, whole),
        finding.n,
        Statistic(finding.p.value),
        Statistic(finding.p_adjusted.value),
        Statistic(finding.probability.value),
        evidence_text(finding),
    )


def _written(value: Statistic, whole: bool) -> Cell:
    return Statistic(value.value) if value.value is None or not whole else f"{value.value:g}"


def evidence_text(finding: Finding) -> str:
    """The evidence in a few words; all of it is in the JSON."""
    known = finding.evidence
    parts = []
    if "answer" in known:
        answer = known["answer"]
        shown = ", ".join(map(str, answer)) if isinstance(answer, list) else answer
        parts.append(f"“{shown}” {known['times']} times")
    if finding.check == LONG_RUN and "from" in known:
        parts.append(f"from {known['from']} to {known['to']}")
    if finding.check == FAST and finding.value.value and finding.peers.value:
        parts.append(f"{finding.value.value / finding.peers.value:.0%} of the others' time")
    if finding.check == FAST and known["too_fast"]:
        parts.append(f"{known['too_fast']} of {finding.n} faster than can be read")
    if finding.check == WITH_OTHERS and "questions" in known:
        parts += [f"{question} {value:.2f}" for question, value in known["questions"].items()]
    for key, words in (("right", "right"), ("consistent", "the same or near"), ("same", "the same")):
        if key in known:
            parts.append(f"{known[key]} of {finding.n} {words}")
    parts += [f"{one['times']} times {one['text']!r}" for one in known.get("texts", ())[:1]]
    examples = known.get("examples") or ()
    units = [str(one["unit"]) if isinstance(one, Mapping) else str(one) for one in examples]
    if units:
        parts.append(f"e.g. {', '.join(units[:2])}")
    return "; ".join(parts)


def ranking_table(found: Checked, most: int = FEW) -> Table:
    """Everybody by the probability of answers without a look, the most probable first."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.rater, Statistic(one.probability), Statistic(one.attention), one.bias, one.noise, one.units)
        for one in found.ranking[:most]
    )
    rest = f" {len(found.ranking) - most} more are below." if len(found.ranking) > most else ""
    note = (
        "probability: that answers are given without a look. attention: the share of answers that seem to be looked "
        "at. bias: how much higher they are, in standard deviations. noise: how much they waver; 1 is usual."
    )
    return Table(
        "ranking",
        "Everybody, by the probability of answers without a look",
        RANKING,
        rows,
        note + rest,
        found.signature,
    )


def without_table(rows: Sequence[Difference], names: Sequence[str], signature: str) -> Table:
    """Results with and without these raters."""
    cells: tuple[tuple[Cell, ...], ...] = tuple((*row,) for row in rows)
    return Table("without", f"With and without {', '.join(names)}", WITHOUT, cells, "", signature)


def as_json(found: Checked, without: Sequence[Difference] = (), names: Sequence[str] = ()) -> dict[str, Any]:
    """Every figure, unrounded; ``without`` only if somebody is left out."""
    record: dict[str, Any] = {
        "results": [finding_as_json(finding) for finding in found.findings],
        "ranking": [_place_as_json(place) for place in found.ranking],
        "annotators": len(found.people),
        "tests": found.tests,
        "correction": "benjamini_hochberg",
        "alpha": found.alpha,
        "untold": [one.text for one in found.untold],
        "told": list(found.clear),
    }
    if names:
        record["excluded"] = list(names)
        record["without"] = [_difference_as_json(row) for row in without]
    return {**record, "signature": found.signature}


def finding_as_json(finding: Finding) -> dict[str, Any]:
    """A finding with every figure, unrounded."""
    return {
        "rater": finding.rater,
        "check": finding.check,
        "question": finding.question,
        **finding.value.in_row(),
        "peers": finding.peers.as_json(),
        "n": finding.n,
        "p": finding.p.as_json(),
        "p_adjusted": finding.p_adjusted.as_json(),
        "probability": finding.probability.as_json(),
        "basis": finding.basis,
        "unusual": finding.unusual,
        "evidence": _without_gaps(finding.evidence),
    }


def _without_gaps(evidence: Any) -> Any:
    """Evidence without answers that were not given; figures that are undefined keep their reason."""
    if isinstance(evidence, Mapping) and evidence.keys() != {"value", "reason"}:
        return {key: _without_gaps(part) for key, part in evidence.items() if part is not None}
    return [_without_gaps(part) for part in evidence] if isinstance(evidence, list) else evidence


def _place_as_json(place: Place) -> dict[str, Any]:
    return {
        "rater": place.rater,
        "probability": place.probability,
        "attention": place.attention,
        "bias": place.bias.as_json(),
        "noise": place.noise.as_json(),
        "units": place.units,
    }


def _difference_as_json(row: Difference) -> dict[str, Any]:
    return {
        "question": row.question,
        "system": row.system,
        "measure": row.measure,
        "everybody": row.everybody.as_json(),
        "without": row.without.as_json(),
        "n_everybody": row.n_everybody,
        "n_without": row.n_without,
    }
