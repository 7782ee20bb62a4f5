"""Statistics, each with its tests. Pure functions of counts; nothing here knows studies or files."""
