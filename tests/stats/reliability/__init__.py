"""Tests of the reliability of a crowd."""
