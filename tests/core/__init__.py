"""Tests of the pure part: one file for each module of ``rubrica.core``."""
