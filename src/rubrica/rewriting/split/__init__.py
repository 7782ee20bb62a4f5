"""Split and rephrase: a complex sentence as several simple ones. English only."""
