"""Tests of measures of agreement."""
