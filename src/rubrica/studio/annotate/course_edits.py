"""Edits on the pages of a course: in a list with their words and types, and ours laid over the learner's."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rubrica.core.course import Step
from rubrica.core.course_grading import types_of
from rubrica.core.edit_marks import Mark, Segment, looks, reading_order, segments
from rubrica.core.edits import SIDES, Edit, Span
from rubrica.core.protocol import Protocol, Question
from rubrica.core.scales import YesNo
from rubrica.core.texts import shown
from rubrica.studio.marked_texts import Tag, tags
from rubrica.studio.wording import answer_in_words

Layers = Mapping[str, Mapping[str, Sequence[Span]]]
"""What lies behind the words: by layer and name, where."""


@dataclass(frozen=True)
class Piece:
    """A stretch of text under the same lines. ``yours``: the learner marked it; ``facts``: which facts it carries."""

    text: str
    marks: tuple[Mark, ...] = ()
    tags: tuple[Tag, ...] = ()
    split: bool = False
    yours: bool = False
    facts: tuple[str, ...] = ()
    pointed: bool = False


@dataclass(frozen=True)
class ShownSide:
    """One text of a pair."""

    side: str
    label: str
    pieces: tuple[Piece, ...]
    lanes: int = 0


@dataclass(frozen=True)
class ShownEdit:
    """An edit in a list: its tag, what it is called, the words it touches, its types and answers in words."""

    id: str
    tag: Tag
    operation: str
    words: str
    types: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    part: bool = False


def sides(
    protocol: Protocol,
    language: str,
    step: Step,
    edits: Sequence[Edit],
    yours: Sequence[Edit] = (),
) -> list[ShownSide]:
    """The texts of a step with these edits drawn under the words, and what the learner marked behind them."""
    return [
        _side(protocol, language, step, side, edits, [span for edit in yours for span in edit.spans(side)])
        for side in SIDES
        if step.fields.get(side)
    ]


def _side(
    protocol: Protocol, language: str, step: Step, side: str, edits: Sequence[Edit], yours: Sequence[Span]
) -> ShownSide:
    text, scheme = step.fields[side], protocol.edits
    label = next(shown(field.label, language) for field in protocol.fields if field.id == side)
    layers: Layers = {
        "yours": {"yours": yours},
        "facts": {fact.id: fact.source if side == "source" else fact.rewrite for fact in step.facts},
        "pointed": {"pointed": step.source if side == "source" else step.rewrite},
    }
    cut = segments(text, side, edits, looks(scheme)) if scheme else [Segment(text)]
    by_id = tags(scheme, edits) if scheme else {}
    pieces = [piece for start, segment in _placed(cut) for piece in _pieces(start, segment, by_id, layers)]
    deepest = max((mark.lane + 1 for segment in cut for mark in segment.marks if not mark.above), default=0)
    return ShownSide(side, label, tuple(pieces), min(deepest, 4))


def _placed(cut: Sequence[Segment]) -> list[tuple[int, Segment]]:
    placed, start = [], 0
    for segment in cut:
        placed.append((start, segment))
        start += len(segment.text)
    return placed


def _pieces(start: int, segment: Segment, by_id: Mapping[str, Tag], layers: Layers) -> list[Piece]:
    """A segment cut further where a layer begins or ends; its tags stand after the last part."""
    end = start + len(segment.text)
    spans = [span for layer in layers.values() for found in layer.values() for span in found]
    cuts = sorted({start, end, *(at for span in spans for at in (span.start, span.end) if start < at < end)})
    pieces = []
    for first, last in itertools.pairwise(cuts):
        on = {
            name: tuple(key for key, found in layer.items() if any(s.start <= first and last <= s.end for s in found))
            for name, layer in layers.items()
        }
        pieces.append(
            Piece(
                segment.text[first - start : last - start],
                segment.marks,
                tuple(by_id[name] for name in segment.ends) if last == end else (),
                segment.split,
                bool(on["yours"]),
                on["facts"],
                bool(on["pointed"]),
            )
        )
    return pieces


def listed(protocol: Protocol, language: str, step: Step, edits: Sequence[Edit]) -> list[ShownEdit]:
    """Edits in reading order, parts after their composite."""
    assert protocol.edits is not None
    by_id = tags(protocol.edits, edits)
    return [_listed(protocol, language, step, edits, edit, by_id[edit.id]) for edit in reading_order(edits)]


def _listed(protocol: Protocol, language: str, step: Step, edits: Sequence[Edit], edit: Edit, tag: Tag) -> ShownEdit:
    assert protocol.edits is not None
    operation = protocol.edits.by_id[edit.operation]
    types = {kind.id: shown(kind.label, language) for kind in protocol.edits.types}
    return ShownEdit(
        edit.id,
        tag,
        shown(operation.label, language),
        words_of_edit(step, edit, edits),
        tuple(types[kind] for kind in types_of(protocol, edit)) if not edit.parent else (),
        tuple(
            answer_in_words(protocol, language, question.id, edit.answers[question.id])
            for question in protocol.edits.questions_for(edit.operation)
            if question.id in edit.answers and question.id not in operation.preset and _tells(protocol, question)
        ),
        part=bool(edit.parent),
    )


def _tells(protocol: Protocol, question: Question) -> bool:
    """Whether an answer can be understood without its question; a bare yes or no cannot."""
    return not isinstance(protocol.scale_of(question), YesNo)


def words_of_edit(step: Step, edit: Edit, edits: Sequence[Edit]) -> str:
    """The words that an edit touches, source → rewrite; of a composite those of its parts."""
    own = [part for part in edits if part.parent == edit.id] or [edit]
    told = []
    for side in SIDES:
        spans = sorted(span for part in own for span in part.spans(side))
        if spans:
            told.append(" … ".join(span.of(step.fields[side]) for span in spans))
    return " → ".join(told)
