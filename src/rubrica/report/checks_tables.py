"""Findings as tables and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.report.checks import Checked
from rubrica.report.checks_findings import CHECKS, FAST, LONG_RUN, WITH_OTHERS, Finding
from rubrica.report.checks_without import Difference
from rubrica.report.tables import DECIMAL, PROBABILITY, WHOLE, Cell, Column, Table
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
    Column("evidence", "evidence"),
)
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
        f"{found.people} annotators, {found.tests} tests. others: their median. p: the chance that one of the others "
        "is as extreme (with_others: or somebody who agrees two thirds as well), then adjusted for all tests "
        f"(Benjamini-Hochberg); below {found.alpha:g} it is unusual."
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
        evidence_text(finding),
    )


def _written(value: Statistic, whole: bool) -> Cell:
    return Statistic(value.value) if value.value is None or not whole else f"{value.value:g}"


def evidence_text(finding: Finding) -> str:
    """The evidence in a few words; all of it is in the JSON."""
    known = finding.evidence
    parts = []
    if "answer" in known:
        parts.append(f"“{known['answer']}” {known['times']} times")
    if finding.check == LONG_RUN and "from" in known:
        parts.append(f"from {known['from']} to {known['to']}")
    if finding.check == FAST and finding.value.value and finding.peers.value:
        parts.append(f"{finding.value.value / finding.peers.value:.0%} of the others' time")
    if finding.check == WITH_OTHERS and "questions" in known:
        parts += [f"{question} {value:.2f}" for question, value in known["questions"].items()]
    for key, words in (("right", "right"), ("same", "the same")):
        if key in known:
            parts.append(f"{known[key]} of {finding.n} {words}")
    if isinstance(known.get("within_one"), float):
        parts.append(f"{known['within_one']:.0%} within one point")
    parts += [f"{one['times']} times {one['text']!r}" for one in known.get("texts", ())[:1]]
    examples = known.get("examples") or ()
    units = [str(one["unit"]) if isinstance(one, Mapping) else str(one) for one in examples]
    if units:
        parts.append(f"e.g. {', '.join(units[:2])}")
    return "; ".join(parts)


def without_table(rows: Sequence[Difference], names: Sequence[str], signature: str) -> Table:
    """Results with and without these raters."""
    cells: tuple[tuple[Cell, ...], ...] = tuple((*row,) for row in rows)
    return Table("without", f"With and without {', '.join(names)}", WITHOUT, cells, "", signature)


def as_json(found: Checked, without: Sequence[Difference] = (), names: Sequence[str] = ()) -> dict[str, Any]:
    """Every figure, unrounded; ``without`` only if somebody is left out."""
    record: dict[str, Any] = {
        "results": [_finding_as_json(finding) for finding in found.findings],
        "annotators": found.people,
        "tests": found.tests,
        "correction": "benjamini_hochberg",
        "alpha": found.alpha,
        "untold": list(found.remarks),
    }
    if names:
        record["excluded"] = list(names)
        record["without"] = [_difference_as_json(row) for row in without]
    return {**record, "signature": found.signature}


def _finding_as_json(finding: Finding) -> dict[str, Any]:
    record = {
        "rater": finding.rater,
        "check": finding.check,
        "question": finding.question,
        "value": finding.value.value,
        "peers": finding.peers.as_json(),
        "n": finding.n,
        "p": finding.p.as_json(),
        "p_adjusted": finding.p_adjusted.as_json(),
        "unusual": finding.unusual,
        "evidence": dict(finding.evidence),
    }
    if finding.value.value is None:
        record["reason"] = finding.value.reason
    return record


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
