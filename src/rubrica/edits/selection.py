"""Who marked which token: what Table 2 of SALSA (Heineman et al., 2023) is computed from.

Every edit of every annotator is laid over the tokens of source and rewrite, which are pooled. Its label is its
operation, split by information change for substitutions and by level for reorders; a composite edit lays its own label
over the spans of its constituents. What is counted for each label and pair is all that kappa, alpha and the
percentages need, so a bootstrap over pairs only adds up counts.

Tokens as SALSA's statistics count them: what stands between single spaces, punctuation included. ``||``, the mark of a
sentence split, is a token; so is the empty stretch between two spaces, as in the authors' code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.edits import SIDES, Edit, Span
from rubrica.edits.annotated import AnnotatedPair, whole_edits
from rubrica.edits.typology import information


class Label(NamedTuple):
    """A row of Table 2: its name, and the two columns that name it in the paper."""

    name: str
    edit: str
    subtype: str


LABELS = (
    Label("Insertion", "Insertion", "More Information"),
    Label("Deletion", "Deletion", "Less Information"),
    Label("Substitution-more", "Substitution", "More Information"),
    Label("Substitution-less", "Substitution", "Less Information"),
    Label("Reorder-word", "Reorder", "Word-level"),
    Label("Reorder-component", "Reorder", "Component-level"),
    Label("Split", "Split", "Sentence Split"),
    Label("Structure", "Structure", "Structure"),
    Label("Substitution-same", "Substitution", "Same Information"),
)
"""The rows, in the order of the paper."""


@attrs.frozen
class LabelCounts:
    """One label on one pair. ``annotators``: tokens by how many annotators gave them the label, none included.

    ``marks``: tokens by how often the label was laid on them; two overlapping edits of one person are two marks.
    """

    annotators: tuple[int, ...]
    marks: Mapping[int, int]


@attrs.frozen
class Selection:
    """The labels of one pair that several people annotated; ``skipped`` counts marks that no row of the table has."""

    key: str
    annotators: tuple[str, ...]
    tokens: int
    labels: Mapping[str, LabelCounts]
    skipped: Mapping[str, int]


def label_of(edit: Edit) -> str:
    """The label that an edit lays over its tokens; one that is not in :data:`LABELS` enters no row."""
    match edit.operation:
        case "substitution":
            return f"Substitution-{information(edit) or 'unsaid'}"
        case "reorder":
            return f"Reorder-{edit.answers.get('reorder_level', 'unsaid')}"
    return edit.operation.capitalize()


def by_pair(pairs: Iterable[AnnotatedPair]) -> dict[str, dict[str, AnnotatedPair]]:
    """Annotations by pair and annotator; of an annotator's repeated annotations of one pair the first is taken."""
    found: dict[str, dict[str, AnnotatedPair]] = {}
    for pair in pairs:
        found.setdefault(pair.key, {}).setdefault(pair.annotator, pair)
    return found


def usual_number(annotations: Mapping[str, Mapping[str, AnnotatedPair]]) -> int | None:
    """How many annotators a pair must have to be counted: three as in the paper, if any pair has three.

    Else the number that most pairs have, the larger of equals; None if no pair has two.
    """
    sizes = Counter(len(people) for people in annotations.values() if len(people) > 1)
    if not sizes or 3 in sizes:
        return 3 if sizes else None
    return max(sizes, key=lambda size: (sizes[size], size))


def select(annotations: Sequence[AnnotatedPair]) -> Selection:
    """The labels on one pair, given the annotations of everybody who annotated it."""
    first = annotations[0]
    tokens = {side: space_tokens(first.text(side)) for side in SIDES}
    total = sum(map(len, tokens.values()))
    places = {"source": 0, "rewrite": len(tokens["source"])}
    marks: dict[str, Counter[int]] = {}
    givers: dict[str, Counter[int]] = {}
    for annotation in annotations:
        own: dict[str, set[int]] = {}
        for whole in whole_edits(annotation.edits):
            label = label_of(whole.edit)
            reached = [places[side] + index for side in SIDES for index in inside(tokens[side], whole.spans(side))]
            marks.setdefault(label, Counter()).update(reached)
            own.setdefault(label, set()).update(reached)
        for label, reached_by_one in own.items():
            givers.setdefault(label, Counter()).update(reached_by_one)
    names = [label.name for label in LABELS]
    return Selection(
        key=first.key,
        annotators=tuple(annotation.annotator for annotation in annotations),
        tokens=total,
        labels={
            name: _counts(marks.get(name, Counter()), givers.get(name, Counter()), total, len(annotations))
            for name in names
        },
        skipped={name: counted.total() for name, counted in marks.items() if name not in names},
    )


def _counts(marks: Counter[int], givers: Counter[int], tokens: int, annotators: int) -> LabelCounts:
    by_givers = Counter(givers.values())
    none = tokens - by_givers.total()
    return LabelCounts(
        (none, *(by_givers[number] for number in range(1, annotators + 1))), dict(Counter(marks.values()))
    )


def cut_spans(pairs: Iterable[AnnotatedPair]) -> int:
    """How many spans begin or end within a token, which is then not counted as marked."""
    number = 0
    for pair in pairs:
        tokens = {side: space_tokens(pair.text(side)) for side in SIDES}
        number += sum(cuts(tokens[side], span) for edit in pair.edits for side in SIDES for span in edit.spans(side))
    return number


def space_tokens(text: str) -> list[Span]:
    """The place of every token."""
    found, start = [], 0
    for word in text.split(" "):
        found.append(Span(start, start + len(word)))
        start += len(word) + 1
    return found


def inside(tokens: Sequence[Span], spans: Iterable[Span]) -> list[int]:
    """Which tokens lie wholly inside one of the spans, by index, each once. A token that a span cuts is not inside."""
    listed = list(spans)
    return [
        index
        for index, token in enumerate(tokens)
        if any(span.start <= token.start and token.end <= span.end for span in listed)
    ]


def cuts(tokens: Sequence[Span], span: Span) -> bool:
    """Whether the span begins or ends within a token."""
    return any(
        token.start < edge < token.end for token in tokens for edge in (span.start, span.end) if span.start < span.end
    )
