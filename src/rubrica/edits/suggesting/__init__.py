"""Suggesting edits from a source and its rewrite: words, links between them, what moved, phrases, splits."""
