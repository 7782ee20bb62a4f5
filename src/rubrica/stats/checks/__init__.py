"""How unusual one rater is among the raters of a study: one question in each file."""
