"""Baselines for words."""
