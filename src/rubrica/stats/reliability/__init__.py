"""How far the verdicts of a crowd can be trusted."""
