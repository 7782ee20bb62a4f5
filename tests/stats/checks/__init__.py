"""Twins of the checks."""
