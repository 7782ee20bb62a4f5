"""Tokens as SALSA's statistics count them: what stands between single spaces, punctuation included.

``||``, the mark of a sentence split, is a token; so is the empty stretch between two spaces, as in the authors' code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rubrica.core.edits import Span


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
