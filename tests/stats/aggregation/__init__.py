"""Twins of the ways of putting answers together."""
