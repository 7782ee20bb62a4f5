"""Tests of suggested edits."""
