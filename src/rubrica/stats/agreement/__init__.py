"""How far annotators agree: the measures by family, what they are computed from, and their intervals."""
