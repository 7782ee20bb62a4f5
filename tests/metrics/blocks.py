"""Small blocks of sentences of our own, and the figure that a metric gives for one."""

from __future__ import annotations

from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.metric import Block, Options


def pairs(*texts: tuple[str, str | None]) -> Block:
    """Sources with the rewrites of one system, ``new``, without references."""
    sources = [source for source, _ in texts]
    return Block(0, sources, [[] for _ in texts], {"new": [rewrite for _, rewrite in texts]})


def rewrites(*texts: str) -> Block:
    """Rewrites whose sources do not matter."""
    return pairs(*(("Anything.", text) for text in texts))


def figure(name: str, block: Block, options: Options | None = None) -> float:
    """The figure of the whole block; NaN if undefined."""
    metric = metrics_of([name], options or Options())[0]
    return float(metric.scores(metric.statistics(block, "new").sum(axis=0))[0])


def of_sentences(name: str, block: Block, options: Options | None = None) -> list[float]:
    """The figure of each sentence alone."""
    metric = metrics_of([name], options or Options())[0]
    return [float(value) for value in metric.sentence_scores(metric.statistics(block, "new"))[:, 0]]
