"""Protocols as data: the loader, the catalogue, and one folder for each published protocol."""
