"""Offsets as JavaScript counts them (UTF-16 code units) and as we do (code points).

They differ only after a character beyond U+FFFF, such as an emoji, which is two code units. Offsets outside the text
keep their distance from its end, so that they can be turned back.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

from rubrica.core.edits import Span

UTF16, CODEPOINTS = "utf16", "codepoints"
UNITS = (UTF16, CODEPOINTS)


def differ(text: str) -> bool:
    """Whether the two ways of counting differ in this text."""
    return not text.isascii() and any(character > "\uffff" for character in text)


def from_unit(text: str, span: Span, unit: str) -> Span:
    """A span of a file, whose offsets count in ``unit``, in code points."""
    if unit == CODEPOINTS or not differ(text):
        return span
    return Span(_from_utf16(text, span.start), _from_utf16(text, span.end))


def to_unit(text: str, span: Span, unit: str) -> Span:
    """The inverse of :func:`from_unit`, but for offsets that lay inside a character."""
    if unit == CODEPOINTS or not differ(text):
        return span
    return Span(_to_utf16(text, span.start), _to_utf16(text, span.end))


def splits_a_character(text: str, span: Span, unit: str) -> bool:
    """Whether an end of a span lies between the two code units of one character."""
    return to_unit(text, from_unit(text, span, unit), unit) != span


@lru_cache(maxsize=16)
def _ends(text: str) -> list[int]:
    """The offset in code units at which each character starts, and the length at the end."""
    return [0, *accumulate(2 if character > "\uffff" else 1 for character in text)]


def _from_utf16(text: str, offset: int) -> int:
    starts = _ends(text)
    if offset < 0:
        return offset
    if offset > starts[-1]:
        return len(text) + offset - starts[-1]
    return bisect_right(starts, offset) - 1


def _to_utf16(text: str, offset: int) -> int:
    starts = _ends(text)
    if offset < 0:
        return offset
    return starts[offset] if offset <= len(text) else starts[-1] + offset - len(text)
