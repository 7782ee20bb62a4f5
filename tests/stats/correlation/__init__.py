"""Tests of how well a metric agrees with people."""
