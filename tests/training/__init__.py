"""Tests of what Rubrica knows about languages: one file for each module of ``rubrica.language``."""
