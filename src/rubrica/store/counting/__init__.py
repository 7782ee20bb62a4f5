"""Counting: how far a study is, and whether it can be trusted so far."""
