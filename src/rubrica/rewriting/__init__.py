"""Systems that rewrite texts, to be evaluated beside those of others."""
