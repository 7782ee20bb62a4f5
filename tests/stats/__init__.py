"""Tests of statistics: a twin for each file of ``rubrica.stats``."""
