"""Metrics as annotators of a study: put beside its people, and taken away again."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rubrica.cli.options import now, open_studies
from rubrica.cli.output import count, print_json, say
from rubrica.cli.scores.corpora import FORCED
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from rubrica.metrics.metric import Metric
    from rubrica.metrics.results import SentenceScores


class Collected:
    """The figures of every item of a study, by figure and item, as blocks pass by."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, float | None]] = defaultdict(dict)

    def add(self, scored: SentenceScores) -> None:
        """Take the figures of a block."""
        for system, rows in scored.systems.items():
            for key, row in zip(scored.block.keys[system], rows, strict=True):
                if not key:
                    continue
                for figure, value in zip(scored.figures, map(float, row), strict=True):
                    self.values[figure.key][key] = None if math.isnan(value) else value

    def register(self, study: str, metrics: Sequence[Metric]) -> None:
        """Register every figure of the metrics in the study, each with the settings that made it."""
        from rubrica.metrics.totals import settings_of
        from rubrica.store import studies
        from rubrica.store.metric_annotators import register

        place = studies.find(study.removeprefix(FORCED))
        for metric in metrics:
            for figure in metric.figures:
                found = register(place, figure, settings_of(metric), self.values[figure.key], now())
                say(f"{found.name}: {found.state}, {count(found.items, 'item')}")


def remove(study: str, name: str, home: Path | None, as_json: bool) -> None:
    """Remove a registered metric from a study."""
    from rubrica.core.signature import signature
    from rubrica.store import studies
    from rubrica.store.metric_annotators import unregister

    if not study:
        raise wrong("no study is named", "register", "Name the study whose metric is to be removed.")
    open_studies(home)
    found = unregister(studies.find(study.removeprefix(FORCED)), name, now())
    if as_json:
        print_json({"removed": {"name": found.name, "items": found.items}, "signature": signature({"study": study})})
        return
    say(f"{found.name}: removed, {count(found.items, 'item')}")
