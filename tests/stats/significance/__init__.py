"""Tests of tests of differences between systems."""
