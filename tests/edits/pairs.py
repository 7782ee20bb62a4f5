"""Annotated pairs for tests: edits are given by the words that they cover."""

from __future__ import annotations

from typing import Any

from rubrica.core.edits import Edit, Span, find_quote
from rubrica.edits.annotated import AnnotatedPair
from rubrica.edits.typology import Typology
from rubrica.protocols.catalog import load_shipped

SOURCE = "The ferry departed at noon and it sank."
REWRITE = "The boat left at noon. || It sank fast."
"""Eight tokens, then nine: ``||`` is one, and punctuation belongs to its word."""


def typology() -> Typology:
    """The types of our own SALSA protocol."""
    return Typology(load_shipped("salsa").protocol)


def span(text: str, quote: str) -> Span:
    """The only place of these words in the text."""
    found = find_quote(text, quote)
    assert isinstance(found, Span), found
    return found


def edit(
    name: str,
    operation: str,
    source: str | tuple[str, ...] = (),
    rewrite: str | tuple[str, ...] = (),
    *,
    parent: str = "",
    texts: tuple[str, str] = (SOURCE, REWRITE),
    **answers: Any,
) -> Edit:
    """An edit of these words; several stretches on one side are a tuple."""
    places = [
        tuple(span(text, quote) for quote in ((quotes,) if isinstance(quotes, str) else quotes))
        for text, quotes in zip(texts, (source, rewrite), strict=True)
    ]
    return Edit(name, operation, *places, answers, parent)


def annotated(annotator: str, *edits: Edit, texts: tuple[str, str] = (SOURCE, REWRITE), **more: str) -> AnnotatedPair:
    """What one annotator marked in the pair."""
    details = {"key": "1", "name": "1", **more}
    return AnnotatedPair(source=texts[0], rewrite=texts[1], annotator=annotator, edits=edits, **details)
