"""Texts, answers and quoted spans of a checked file as ``core`` has them.

Words quoted from a text, as authors of practice items and courses write spans, turned into offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rubrica.core.answers import Answer
from rubrica.core.edits import NotFound, Span
from rubrica.core.texts import AnyText, Text, Wordings


def text_from(value: Mapping[str, Any], fallback: str) -> AnyText:
    """A text, or the wordings that a parameter chooses from."""
    if "wording_by" in value:
        wordings = {key: text for key, text in value.items() if key != "wording_by"}
        options = {key: Text(_in_languages(text, fallback), fallback) for key, text in wordings.items()}
        return Wordings(value["wording_by"], options)
    return Text(dict(value), fallback)


def _in_languages(value: Any, fallback: str) -> dict[str, str]:
    return {fallback: value} if isinstance(value, str) else dict(value)


def answer_from(value: Any) -> Answer:
    """An answer as written in a file."""
    if isinstance(value, list):
        return tuple(str(part) for part in value)
    answer: Answer = str(value) if isinstance(value, str) else value
    return answer


def quoted_spans(text: str, quotes: Iterable[str]) -> tuple[Span, ...]:
    """Spans of quoted words; a quote that cannot be found becomes the empty span, which is never valid."""
    found = (find_words(text, quote) for quote in quotes)
    return tuple(Span(0, 0) if isinstance(span, NotFound) else span for span in found)


def find_words(text: str, quote: str) -> Span | NotFound:
    """Where quoted words stand: as they are written, or by ``words#2`` for the second of several.

    What stands inside a longer word counts only if the words stand nowhere else: "is" is not found in "this is".
    """
    places = occurrences(text, quote)
    words, mark, nth = quote.rpartition("#")
    if len(places) == 1:
        return places[0]
    if places or not mark or not nth.isdecimal():
        return NotFound(quote, len(places))
    numbered = occurrences(text, words)
    return numbered[int(nth) - 1] if 0 < int(nth) <= len(numbered) else NotFound(words, len(numbered))


def occurrences(text: str, quote: str) -> list[Span]:
    """Everywhere the quote stands as words of its own; if nowhere, everywhere it stands at all."""
    everywhere = []
    start = text.find(quote) if quote else -1
    while start >= 0:
        everywhere.append(Span(start, start + len(quote)))
        start = text.find(quote, start + 1)
    return [span for span in everywhere if _apart(text, span)] or everywhere


def _apart(text: str, span: Span) -> bool:
    """Whether neither end of the span goes through a word."""
    cuts = (text[max(0, end - 1) : end + 1] for end in (span.start, span.end))
    return not any(len(cut) == 2 and cut.isalnum() for cut in cuts)
