"""Metrics as annotators of a study: put beside its people, and taken away again."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubrica.cli.options import FORCED, find_study, now
from rubrica.cli.output import count, print_json, say
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from rubrica.exchange.corpus import SentenceCorpus
    from rubrica.metrics.metric import Metric, Options
    from rubrica.metrics.results import SentenceScores


class Collected:
    """The figures of every item of a study, by figure and item, as blocks pass by."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, float | None]] = defaultdict(dict)
        self.rows: dict[int, dict[str, list[float]]] = defaultdict(dict)

    def add(self, scored: SentenceScores) -> None:
        """Take the figures of a block."""
        for system, rows in scored.systems.items():
            for place, (key, row) in enumerate(zip(scored.block.keys[system], rows, strict=True)):
                if not key:
                    continue
                for number, own in enumerate(scored.rows[system]):
                    self.rows[number][key] = own[place].tolist()
                for figure, value in zip(scored.figures, map(float, row), strict=True):
                    self.values[figure.key][key] = None if math.isnan(value) else value

    def register(
        self, study: str, metrics: Sequence[Metric], options: Options, corpus: SentenceCorpus
    ) -> list[dict[str, Any]]:
        """Register the figures of the metrics, parts left out, each with the settings that made it; all or none."""
        from rubrica.metrics.catalog import Counts, Measured
        from rubrica.metrics.scoring import settings_of
        from rubrica.store import studies
        from rubrica.store.metric_annotators import register_all

        left_out = {own.id: own.left_out for one in corpus.entries for own in one.rewrites.values()}
        measured = [
            Measured(
                figure,
                settings_of(metric, corpus.called_human if metric.needs_references else ()),
                self.values[figure.key],
                Counts(metric.name, options.chosen(), self.rows[number], left_out if metric.needs_references else {}),
            )
            for number, metric in enumerate(metrics)
            for figure in metric.figures
            if not figure.part
        ]
        done = register_all(studies.find(study.removeprefix(FORCED)), measured, now())
        for found in done:
            say(f"{found.name}: {found.state}, {count(found.items, 'item')}")
        return [found._asdict() for found in done]


def remove(study: str, name: str, home: Path | None, as_json: bool) -> None:
    """Remove a registered metric from a study."""
    from rubrica.core.signature import signature

    if not study:
        raise wrong("no study is named", "register", "Name the study whose metric is to be removed.")
    row = find_study(study, home)
    from rubrica.store.metric_annotators import unregister

    found = unregister(row, name, now())
    if as_json:
        print_json({"removed": {"name": found.name, "items": found.items}, "signature": signature({"study": study})})
        return
    say(f"{found.name}: removed, {count(found.items, 'item')}")
