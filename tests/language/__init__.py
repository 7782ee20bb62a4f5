"""Tests of what Rubrica knows about languages."""
