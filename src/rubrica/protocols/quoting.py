"""Words quoted from a text, as authors of practice items and courses write spans, turned into offsets."""

from __future__ import annotations

from collections.abc import Iterable

from rubrica.core.edits import NotFound, Span, find_quote


def quoted_spans(text: str, quotes: Iterable[str]) -> tuple[Span, ...]:
    """Spans of quoted words; a quote that cannot be found becomes the empty span, which is never valid."""
    found = (find_words(text, quote) for quote in quotes)
    return tuple(Span(0, 0) if isinstance(span, NotFound) else span for span in found)


def find_words(text: str, quote: str) -> Span | NotFound:
    """Where quoted words stand: as they are written, or by ``words#2`` for the second of several."""
    found = find_quote(text, quote)
    words, mark, nth = quote.rpartition("#")
    if isinstance(found, Span) or found.times or not mark or not nth.isdecimal():
        return found
    return find_quote(text, words, int(nth))
