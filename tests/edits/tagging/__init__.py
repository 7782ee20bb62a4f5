"""Tests of word tags."""
