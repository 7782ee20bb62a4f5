"""The database: Django models and migrations, and the only translator between them and ``core``."""
