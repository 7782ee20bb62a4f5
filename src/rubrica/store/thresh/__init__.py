"""Thresh data files into a study and out of it."""
