"""How large a study has to be."""
