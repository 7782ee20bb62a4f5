"""The keys that `report` prints with `--json`, and what they mean."""

from __future__ import annotations

RUNS: tuple[tuple[str, ...], ...] = (("report", "demo", "-o", "report", "--no-charts", "--bootstrap", "50", "--json"),)

MEANINGS = {
    "folder": "where the report was written",
    "results[].table": "a table of the report: the name of its files",
    "results[].signature": "what makes the table again",
}
