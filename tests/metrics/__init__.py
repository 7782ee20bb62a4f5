"""Tests of automatic metrics: one file for each module of ``rubrica.metrics``."""
