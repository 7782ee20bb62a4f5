"""SQLite as we use it: the name of this package is the ENGINE in Django's settings."""
