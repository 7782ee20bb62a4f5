"""Suggested edits."""
