"""Dependency depth: how deep the trees of a rewrite's sentences are.

Deep trees go with sentences that are hard to read (Yngve 1960; among the features of Martin et al. 2018 and of ASSET,
Alva-Manchego et al. 2020). The figure is as good as the parser: compare only figures of the same one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rubrica.language.parsing import depths, parser, parser_for, version
from rubrica.metrics.block import Block
from rubrica.metrics.metric import LOWER, Figure, Floats, Metric, ratio
from rubrica.metrics.options import Options


class DependencyDepth(Metric):
    """The mean over sentences of arcs between the root and the word farthest from it. Rows are sums and sentences."""

    name = "dependency_depth"
    figures = (Figure("dependency_depth", "dependency depth", LOWER, 2),)
    needs_sources = False
    undefined = "there are no words to parse"

    def __init__(self, options: Options) -> None:
        self._parser = parser_for(options.language, options.parser)
        parser(self._parser)

    def statistics(self, block: Block, system: str) -> Floats:
        texts = block.rewrites[system]
        found = dict(zip(different := list(dict.fromkeys(texts)), depths(different, self._parser), strict=True))
        rows = [(sum(found[text]), len(found[text])) for text in texts]
        return np.array(rows, dtype=float).reshape(-1, 2)

    def scores(self, sums: Floats) -> Floats:
        return ratio(sums[..., :1], sums[..., 1:])

    def settings(self) -> Mapping[str, object]:
        return {"parser": version(self._parser)}
