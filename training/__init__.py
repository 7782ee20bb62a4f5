"""Recipes that make the models which Rubrica ships, from the folder of data in RUBRICA_DATA."""
