"""Statistics: one per file, each with a twin test. Pure functions of counts; nothing here knows studies or files."""
