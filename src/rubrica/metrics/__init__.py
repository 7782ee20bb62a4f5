"""Automatic metrics, one per file: equal to the reference implementations, computed from sums over sentences."""
