"""Suggested edits written short, so that a test shows what is expected at a glance."""

from __future__ import annotations

from rubrica.edits.suggesting.suggest import suggest


def read(source: str, rewrite: str, language: str = "en") -> list[str]:
    """Each edit as ``operation: old words -> new words``; constituents of a split begin with a star."""
    return [
        f"{'* ' if edit.parent else ''}{edit.operation}: "
        f"{' // '.join(span.of(source) for span in edit.source)} -> "
        f"{' // '.join(span.of(rewrite) for span in edit.rewrite)}".replace("  ", " ").strip()
        for edit in suggest(source, rewrite, language)
    ]
