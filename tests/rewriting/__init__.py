"""Systems that rewrite texts."""
