"""A pair of texts with the edits that one annotator marked: what every analysis of edits starts from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rubrica.core.edits import SIDES, Edit, Span


@attrs.frozen(kw_only=True)
class AnnotatedPair:
    """One annotator's edits of one pair.

    ``key`` identifies the pair, the same for everybody who annotated it; ``name`` is how a reader finds it again:
    the item's id in a study, the number of the entry in a file.
    """

    key: str
    name: str
    source: str
    rewrite: str
    annotator: str
    edits: tuple[Edit, ...]
    system: str = ""
    stage: str = ""

    def text(self, side: str) -> str:
        """The text of one side, ``source`` or ``rewrite``."""
        return self.source if side == "source" else self.rewrite


@attrs.frozen
class WholeEdit:
    """An edit that stands for itself, with the constituents that a composite one is made of."""

    edit: Edit
    constituents: tuple[Edit, ...] = ()

    def spans(self, side: str) -> tuple[Span, ...]:
        """All spans on one side, as listed: its own, then those of its constituents."""
        return tuple(span for part in (self.edit, *self.constituents) for span in part.spans(side))


def whole_edits(edits: Sequence[Edit]) -> list[WholeEdit]:
    """The edits of a pair with constituents put where they belong; they are not edits of their own.

    An edit whose composite is not there stands for itself.
    """
    known = {edit.id for edit in edits}
    inside: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.parent in known:
            inside.setdefault(edit.parent, []).append(edit)
    return [WholeEdit(edit, tuple(inside.get(edit.id, ()))) for edit in edits if edit.parent not in known]


def covered(spans: Iterable[Span], length: int) -> int:
    """How many characters of a text the spans cover, each counted once; what lies outside the text covers nothing."""
    total, reached = 0, 0
    for span in sorted(spans):
        start, end = max(span.start, reached, 0), min(span.end, length)
        if end > start:
            total, reached = total + end - start, end
    return total


def outside(pairs: Iterable[AnnotatedPair]) -> int:
    """How many spans lie outside their text, wholly or in part."""
    return sum(
        not 0 <= span.start <= span.end <= len(pair.text(side))
        for pair in pairs
        for edit in pair.edits
        for side in SIDES
        for span in edit.spans(side)
    )
