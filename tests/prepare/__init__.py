"""Texts before the study."""
