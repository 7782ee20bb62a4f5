"""Sentences that need rewriting, or do not, as the BrevE and CLaro corpora are published: JSON Lines.

Each line has ``sentence``, ``label`` and ``idx``, and some files have ``index`` as well. The rubric that the corpora
come from asks "did the sentence need rewriting?" and leaves open how the answer is coded; files with these keys (as in
GLUE) have whole numbers, so that 1 says yes and 0 says no. ``idx`` counts lines from 0; ``index`` is the item's own id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple


class NeedsRewriting(NamedTuple):
    """One sentence, whether it needs rewriting, and the id of the (first) item that it is from."""

    sentence: str
    needed: bool
    item: str


def needs_rewriting_lines(sentences: Iterable[NeedsRewriting]) -> str:
    """The corpus as text, a line for each sentence."""
    return "".join(
        json.dumps(
            {"sentence": one.sentence, "label": int(one.needed), "idx": number, "index": one.item}, ensure_ascii=False
        )
        + "\n"
        for number, one in enumerate(sentences)
    )
