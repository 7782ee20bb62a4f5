"""Tests of edit-level analysis: one file for each module of ``rubrica.edits``."""
