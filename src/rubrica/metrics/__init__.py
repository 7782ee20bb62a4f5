"""Automatic metrics, by kind: equal to the reference implementations, computed from sums over sentences."""
