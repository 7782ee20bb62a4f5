"""How well a metric agrees with people: correlations, pairwise accuracies, tests of two metrics."""
