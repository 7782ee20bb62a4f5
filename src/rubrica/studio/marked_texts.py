"""Texts with edits drawn in place, for pages without script: history, judgements, feedback."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from rubrica.core.colours import shades
from rubrica.core.edit_marks import Mark, Segment, looks, own_colours, reading_order, segments
from rubrica.core.edits import SIDES, Edit
from rubrica.core.protocol import EditScheme, Protocol
from rubrica.core.study import Item
from rubrica.core.texts import shown

_COLOURS = re.compile(r"[0-9]{1,2}-[0-9a-f]{6}(\.[0-9]{1,2}-[0-9a-f]{6}){0,99}")


@dataclass(frozen=True)
class Tag:
    """The letter and number that stand where a span ends, as in the list of edits."""

    text: str
    look: int


@dataclass(frozen=True)
class MarkedPiece:
    """A stretch of text under the same lines, and the tags of spans that end with it."""

    text: str
    marks: tuple[Mark, ...]
    tags: tuple[Tag, ...]
    split: bool


@dataclass(frozen=True)
class MarkedText:
    """One side of an item with its edits. ``colours`` names a protocol's own (``colours_css``)."""

    side: str
    label: str
    plain: str
    pieces: tuple[MarkedPiece, ...]
    lang: str = ""
    lanes: int = 0
    colours: str = ""


def tags(scheme: EditScheme, edits: Sequence[Edit]) -> dict[str, Tag]:
    """The tag of each edit: the letter of its operation and its number in reading order."""
    look, known = looks(scheme), scheme.by_id
    return {
        edit.id: Tag(
            f"{known[edit.operation].key.upper() if edit.operation in known else '?'}{number}",
            look.get(edit.operation, 1),
        )
        for number, edit in enumerate(reading_order(edits), start=1)
    }


def marked_text(
    scheme: EditScheme, side: str, label: str, text: str, edits: Sequence[Edit], lang: str = ""
) -> MarkedText:
    """The text of one side with the edits that touch it."""
    by_id = tags(scheme, edits)
    cut = segments(text, side, edits, looks(scheme))
    pieces = tuple(_piece(segment, by_id) for segment in cut)
    deepest = max((mark.lane + 1 for segment in cut for mark in segment.marks if not mark.above), default=0)
    return MarkedText(side, label, text, pieces, lang, min(deepest, 4), colours_of(scheme))


def colours_of(scheme: EditScheme) -> str:
    """The protocol's own colours as an address names them: ``3-ffdd00.4-008080``."""
    return ".".join(f"{look}-{digits}" for look, digits in sorted(own_colours(scheme).items()))


@require_GET
def colours_css(request: HttpRequest, name: str) -> HttpResponse:
    """The style that gives looks their own colours; it tells nothing but what its address says, and holds for good."""
    if not _COLOURS.fullmatch(name):
        raise Http404
    pairs = [(look, shades(digits)) for look, _, digits in (one.partition("-") for one in name.split("."))]
    light, dark = ("".join(f".look-{look}{{--look:#{one[at]}}}" for look, one in pairs) for at in (0, 1))
    text = f"{light}@media (prefers-color-scheme: dark){{{dark}}}"
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return HttpResponse(text, content_type="text/css; charset=utf-8", headers=headers)


def marked_pair(protocol: Protocol, language: str, item: Item, edits: Sequence[Edit]) -> list[MarkedText]:
    """Both sides of an item with these edits, for a page that shows a judgement; nothing where there are none."""
    scheme = protocol.edits
    if scheme is None or not edits:
        return []
    lang = item.metadata.get("language") or item.metadata.get("lang") or ""
    return [
        marked_text(scheme, field.id, shown(field.label, language), item.fields[field.id], edits, lang)
        for field in protocol.fields
        if field.id in SIDES and item.fields.get(field.id)
    ]


def _piece(segment: Segment, by_id: dict[str, Tag]) -> MarkedPiece:
    return MarkedPiece(segment.text, segment.marks, tuple(by_id[name] for name in segment.ends), segment.split)
