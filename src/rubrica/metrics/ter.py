"""TER: how many edits, moves of phrases included, make a rewrite into its nearest reference.

Snover, Dorr, Schwartz, Micciulla, Makhoul, A Study of Translation Edit Rate with Targeted Human Annotation, AMTA 2006,
as sacreBLEU computes it. Lower is better. The search for moves makes it the slowest of these metrics, so it is left out
wherever it cannot change the result: :func:`fewest_edits` says why the figure is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rubrica.metrics.block import Block
from rubrica.metrics.metric import LOWER, Figure, Floats, Metric, ratio
from rubrica.metrics.options import Options


class Ter(Metric):
    """Edits for each word of the references, times 100. Sums are edits and the mean lengths of references."""

    name = "ter"
    figures = (Figure("ter", "TER", LOWER),)
    needs_references = True
    needs_sources = False

    def __init__(self, options: Options) -> None:
        self.lowercase = True if options.lowercase is None else options.lowercase

    def statistics(self, block: Block, system: str) -> Floats:
        """Edits to the nearest reference and the mean length of the references, of each sentence."""
        from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

        cut = TercomTokenizer(normalized=False, no_punct=False, asian_support=False, case_sensitive=not self.lowercase)
        every, name = block.references_of(system), block.shared_by(system)
        references = block.once(
            (self.name, self.lowercase, name),
            lambda: [[cut(text.rstrip()).split() for text in own or [""]] for own in every],
        )
        known: dict[tuple[int, str], int] = block.once((self.name, self.lowercase, name, "edits"), dict)
        rows = np.zeros((len(block), 2))
        for place, (text, own) in enumerate(zip(block.rewrites[system], references, strict=True)):
            if (place, text) not in known:
                known[place, text] = fewest_edits(cut(text.rstrip()).split(), own)
            rows[place] = known[place, text], sum(map(len, own)) / len(own)
        return rows

    def scores(self, sums: Floats) -> Floats:
        """The rate; 100 for words where the references have none, 0 where neither has any."""
        edits, length = sums[..., :1], sums[..., 1:]
        return 100 * np.where(length > 0, ratio(edits, length, 0.0), (edits > 0).astype(float))

    def settings(self) -> Mapping[str, object]:
        """Case and the version of sacreBLEU."""
        import sacrebleu

        return {"case": "lc" if self.lowercase else "mixed", "tok": "tercom", "sacrebleu": sacrebleu.__version__}


class _Reference(NamedTuple):
    """A reference: the least edits that any order of the rewrite's words needs, those without moves, its words."""

    least: int
    unmoved: int
    words: list[str]


def fewest_edits(rewrite: list[str], references: Sequence[list[str]]) -> int:
    """The edits to the nearest reference, as sacreBLEU finds them, searching for moves only where they may help.

    No order of the words needs fewer edits than ``least``: the words that one text has and the other lacks. A move is
    an edit itself, and is made only if it saves one. So moves give at least ``least + 1``, and at most ``unmoved``:
    where these meet, or another reference is as near, nothing is searched.
    """
    from sacrebleu.metrics.lib_ter import BeamEditDistance, translation_edit_rate

    bag = Counter(rewrite)
    found = []
    for words in references:
        least = max(len(rewrite), len(words)) - (bag & Counter(words)).total()
        found.append(_Reference(least, BeamEditDistance(words)(rewrite)[0] if words else len(rewrite), words))
    best = min(one.unmoved for one in found)
    for one in sorted(found, key=lambda one: one.least):
        if one.least + 1 < min(best, one.unmoved):
            best = min(best, translation_edit_rate(rewrite, one.words)[0])
    return best
