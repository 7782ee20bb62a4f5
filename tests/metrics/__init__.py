"""Tests of automatic metrics."""
