"""Rubrica: human evaluation of rewritten text."""

__version__ = "0.1.0"
