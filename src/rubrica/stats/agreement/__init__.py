"""How far annotators agree: one measure per file."""
