"""How unusual one rater is among the raters of a study: alone, beside the others, and as a model of attention."""
