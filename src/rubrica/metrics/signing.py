"""The signature of scores: every metric with its settings, the resamples, and what was scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rubrica.core.signature import signature
from rubrica.metrics.metric import Metric
from rubrica.metrics.scoring import Scorer


def signed(scorer: Scorer, data: Mapping[str, object]) -> str:
    """What reproduces the scores. ``data`` says what was scored."""
    resampling = scorer.resampling
    drawn = {"bootstrap": resampling.replicates, "seed": resampling.seed} if resampling.replicates else {}
    return signature({**{metric.name: _settings(metric) for metric in scorer.metrics}, **drawn, **data})


def settings_of(metric: Metric, human: Sequence[str] = ()) -> str:
    """The signature of a metric alone, whatever it is computed on.

    ``human`` are the systems whose own rewrites are left out of their references.
    """
    return signature({metric.name: _settings(metric), "human": "+".join(human)})


def _settings(metric: Metric) -> str:
    return ",".join(f"{key}={value}" for key, value in metric.settings().items()) or "yes"
