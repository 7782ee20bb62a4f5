"""Edits drawn in a text: in which order they are read, which lane each takes, and where the text is cut for it.

The page's script has the same rules (``static/rubrica/edits/drawing.js``), so that an edit looks alike while it is made
and when it is read. A *look* is a number that stands for a colour and a style of line; a *lane* is a line under the
words, 0 nearest to them. Edits that share words never share a lane.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

import attrs

from rubrica.core.colours import digits_of, hls
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import EditScheme

LOOKS = 8
HUES = {1: 4, 2: 144, 3: 41, 4: 212, 5: 276, 6: 185, 7: 327}
"""The hue of each look, in degrees; the last look is a brown grey."""
GREY = 0.15
_GONE, _NEW, _CHANGED, _COMPOSITE = 1, 2, 3, 5
"""Where the search for a free look begins: words that are gone, new, changed; composites."""


def looks(scheme: EditScheme) -> dict[str, int]:
    """The look of each operation, from 1: its own as long as there are enough, near to its colour if it has one.

    Operations with colours never run out of looks: those beyond the last have a colour and a plain line.
    """
    found: dict[str, int] = {}
    for operation in scheme.operations:
        one_sided = _GONE if operation.sides == ("source",) else _NEW if operation.sides == ("rewrite",) else _CHANGED
        wanted = _COMPOSITE if operation.composite else one_sided
        places = _by_colour(operation.colour) or [(wanted - 1 + step) % LOOKS + 1 for step in range(LOOKS)]
        free = [look for look in places if look not in found.values()]
        found[operation.id] = (
            free[0] if free else max(LOOKS, *found.values()) + 1 if digits_of(operation.colour) else places[0]
        )
    return found


def own_colours(scheme: EditScheme) -> dict[int, str]:
    """The colour, as six digits, of each look that an operation with a colour of its own has."""
    look = looks(scheme)
    return {look[one.id]: digits for one in scheme.operations if (digits := digits_of(one.colour))}


def _by_colour(colour: str) -> list[int]:
    """The looks from the nearest to the farthest hue; none for what is no colour. A grey is the last look."""
    digits = digits_of(colour)
    if not digits:
        return []
    hue, _, saturation = hls(digits)
    if saturation < GREY:
        return [LOOKS, *HUES]
    apart = {look: abs((360 * hue - degrees + 180) % 360 - 180) for look, degrees in HUES.items()}
    return [*sorted(HUES, key=apart.__getitem__), LOOKS]


def reading_order(edits: Sequence[Edit]) -> list[Edit]:
    """Edits as they are met in reading the source, then those met in the rewrite only; parts after their composite."""
    parts: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.parent:
            parts.setdefault(edit.parent, []).append(edit)
    ids = {edit.id for edit in edits}
    whole = [edit for edit in edits if not edit.parent or edit.parent not in ids]
    ordered: list[Edit] = []
    for edit in sorted(whole, key=lambda edit: min(map(place_of, (edit, *parts.get(edit.id, ()))))):
        ordered += [edit, *sorted(parts.get(edit.id, ()), key=place_of)]
    return ordered


def place_of(edit: Edit) -> tuple[int, int, int]:
    """Side, start, and minus the length of the first span; an edit without words comes last."""
    for side, spans in enumerate((edit.source, edit.rewrite)):
        if spans:
            first = min(spans)
            return (side, first.start, first.start - first.end)
    return (2, 0, 0)


def lanes(spans: Mapping[str, Sequence[Span]]) -> dict[str, int]:
    """The lane of each edit that has these spans in one text: the first in which it shares no word with another."""
    taken: list[list[Span]] = []
    found: dict[str, int] = {}
    order = sorted((name for name in spans if spans[name]), key=lambda name: _first(spans[name]))
    for name in order:
        lane = next((number for number, there in enumerate(taken) if not share(spans[name], there)), len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane] += spans[name]
        found[name] = lane
    return found


def share(some: Sequence[Span], others: Sequence[Span]) -> bool:
    """Whether two lots of spans of one text have a character in common."""
    return any(one.start < other.end and other.start < one.end for one in some for other in others)


def _first(spans: Sequence[Span]) -> tuple[int, int]:
    first = min(spans)
    return (first.start, -max(span.end for span in spans))


@attrs.frozen
class Mark:
    """What stretches over a segment: the edit, its look, its lane. ``above``: a composite, as a line over its parts."""

    edit: str
    look: int
    lane: int
    above: bool = False


@attrs.frozen
class Segment:
    """A stretch of text under the same marks.

    ``ends`` are edits of which a span ends here, and composites of which the last part does. ``split``: it is ``||``.
    """

    text: str
    marks: tuple[Mark, ...] = ()
    ends: tuple[str, ...] = ()
    split: bool = False


def segments(text: str, side: str, edits: Sequence[Edit], look: Mapping[str, int]) -> list[Segment]:
    """The text of one side cut where marks begin or end. Spans outside the text are cut to it."""
    spans = {edit.id: [_inside(span, text) for span in edit.spans(side)] for edit in edits}
    lane = lanes(spans)
    by_id = {edit.id: edit for edit in edits}
    parts = {name: found for name in by_id if (found := _of_parts(name, edits, spans))}
    over, last = lanes(parts), {name: max(span.end for span in found) for name, found in parts.items()}
    cuts = {0, len(text), *(end for found in spans.values() for span in found for end in (span.start, span.end))}
    splits = [start for start in range(len(text) - 1) if is_split(text, start)]
    cuts |= {end for start in splits for end in (start, start + 2)}
    cut = []
    for start, end in itertools.pairwise(sorted(cuts)):
        here = sorted(_covering(spans, lane, start, end), key=lambda name: lane[name])
        parents = {by_id[name].parent for name in here} & over.keys()
        marks = [Mark(name, look.get(by_id[name].operation, LOOKS), over[name], above=True) for name in sorted(parents)]
        marks += [Mark(name, look.get(by_id[name].operation, LOOKS), lane[name]) for name in here]
        ends = [name for name in here if any(span.end == end for span in spans[name])]
        ends += [name for name in sorted(parents) if last[name] == end]
        cut.append(Segment(text[start:end], tuple(marks), tuple(ends), start in splits))
    return cut


def _covering(spans: Mapping[str, Sequence[Span]], names: Iterable[str], start: int, end: int) -> list[str]:
    return [name for name in names if any(span.start <= start and end <= span.end for span in spans[name])]


def is_split(text: str, start: int) -> bool:
    """Whether a split point (``||`` between spaces) stands here."""
    before, after = text[start - 1 : start], text[start + 2 : start + 3]
    return text.startswith("||", start) and not before.strip() and not after.strip()


def _inside(span: Span, text: str) -> Span:
    start = min(max(0, span.start), len(text))
    return Span(start, min(max(start, span.end), len(text)))


def _of_parts(name: str, edits: Sequence[Edit], spans: Mapping[str, Sequence[Span]]) -> list[Span]:
    return [span for edit in edits if edit.parent == name for span in spans[edit.id]]
