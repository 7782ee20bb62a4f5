"""What kinds of edits there are and how many: per type, family, side and operation, with ratings and coverage.

Types are those of the protocol, for SALSA the 21 of Table 1. An edit counts under one type of its own; Grammar counts
on top of it. A composite edit is one edit, and its constituents are none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import attrs

from rubrica.core.edits import SIDES
from rubrica.edits.annotated import AnnotatedPair, WholeEdit, covered, whole_edits
from rubrica.edits.selection import inside, space_tokens
from rubrica.edits.typology import ERROR, QUALITY, Classified, Kind, Typology

POINTS = (1, 2, 3)


@attrs.define
class Ratings:
    """How the edits of a type were rated; ``unrated`` ones were not, or need not be."""

    points: Counter[int] = attrs.field(factory=Counter)
    unrated: int = 0

    @property
    def mean(self) -> float | None:
        """The mean rating; None where nothing was rated."""
        given = self.points.total()
        return sum(point * times for point, times in self.points.items()) / given if given else None


@attrs.define
class Coverage:
    """How much of the texts of one side the edits cover, in characters and in tokens."""

    characters: int = 0
    characters_covered: int = 0
    tokens: int = 0
    tokens_covered: int = 0

    @property
    def of_characters(self) -> float | None:
        """The covered share of characters; None without text."""
        return self.characters_covered / self.characters if self.characters else None

    @property
    def of_tokens(self) -> float | None:
        """The covered share of tokens; None without text."""
        return self.tokens_covered / self.tokens if self.tokens else None


@attrs.define
class Summary:
    """The counts of a set of annotated pairs.

    ``annotations`` are pairs as one annotator saw them: two annotators of one pair make two. ``sides`` and ``families``
    count types, so an edit with a grammar error counts twice there; a trivial insertion that does not help is an error.
    ``placed`` and ``placed_ratings`` have each type on the side where its edits count.
    """

    kinds: tuple[Kind, ...]
    annotations: int = 0
    pairs: int = 0
    edits: int = 0
    untyped: int = 0
    constituents: int = 0
    types: Counter[str] = attrs.field(factory=Counter)
    sides: Counter[str] = attrs.field(factory=Counter)
    families: Counter[tuple[str, str]] = attrs.field(factory=Counter)
    placed: Counter[tuple[str, str]] = attrs.field(factory=Counter)
    operations: Counter[str] = attrs.field(factory=Counter)
    ratings: dict[str, Ratings] = attrs.field(factory=dict)
    side_ratings: dict[str, Ratings] = attrs.field(factory=dict)
    placed_ratings: dict[tuple[str, str], Ratings] = attrs.field(factory=lambda: defaultdict(Ratings))
    trivial_insertions: Counter[str] = attrs.field(factory=Counter)
    coverage: dict[str, Coverage] = attrs.field(factory=dict)

    @property
    def typed(self) -> int:
        """Edits that have a type."""
        return self.edits - self.untyped

    def share(self, name: str) -> float | None:
        """The share of typed edits that are of this type; None without typed edits."""
        return self.types[name] / self.typed if self.typed else None

    def per_sentence(self, count: int) -> float | None:
        """A count per annotated pair; None without any."""
        return count / self.annotations if self.annotations else None


def summarise(pairs: Sequence[AnnotatedPair], typology: Typology) -> Summary:
    """Count the edits of all pairs together."""
    summary = Summary(typology.kinds, annotations=len(pairs), pairs=len({pair.key for pair in pairs}))
    summary.ratings = {kind.name: Ratings() for kind in typology.kinds if not kind.added}
    summary.side_ratings = {side: Ratings() for side in (QUALITY, ERROR)}
    summary.coverage = {side: Coverage() for side in SIDES}
    for pair in pairs:
        edits = whole_edits(pair.edits)
        summary.edits += len(edits)
        summary.constituents += len(pair.edits) - len(edits)
        for whole in edits:
            summary.operations[whole.edit.operation] += 1
            _count(summary, typology.classify(whole.edit))
        _cover(summary, pair, edits)
    return summary


def summarise_by(
    pairs: Iterable[AnnotatedPair], typology: Typology, group: Callable[[AnnotatedPair], str]
) -> dict[str, Summary]:
    """Count the edits of each group apart, in alphabetical order of the groups."""
    groups: dict[str, list[AnnotatedPair]] = {}
    for pair in pairs:
        groups.setdefault(group(pair), []).append(pair)
    return {name: summarise(groups[name], typology) for name in sorted(groups)}


def _count(summary: Summary, found: Classified) -> None:
    for kind in found.kinds:
        side = kind.side if kind.added else found.side
        summary.types[kind.name] += 1
        summary.sides[side] += 1
        summary.families[kind.family, side] += 1
        summary.placed[kind.name, side] += 1
    if found.kind is None:
        summary.untyped += 1
        return
    name, side = found.kind.name, found.side
    for ratings in (summary.ratings[name], summary.side_ratings[side], summary.placed_ratings[name, side]):
        if found.rating is None:
            ratings.unrated += 1
        else:
            ratings.points[found.rating] += 1
    if found.helps is not None:
        summary.trivial_insertions["helpful" if found.helps else "unhelpful"] += 1


def _cover(summary: Summary, pair: AnnotatedPair, edits: Sequence[WholeEdit]) -> None:
    for side in SIDES:
        text, total = pair.text(side), summary.coverage[side]
        spans = [span for whole in edits for span in whole.spans(side)]
        tokens = space_tokens(text)
        total.characters += len(text)
        total.characters_covered += covered(spans, len(text))
        total.tokens += len(tokens)
        total.tokens_covered += len(inside(tokens, spans))
