"""Edits as records: suggesting them from two texts."""
