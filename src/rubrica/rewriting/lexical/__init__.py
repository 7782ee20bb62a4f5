"""Baselines for words: how complex one is, and which simpler ones could stand for it."""
